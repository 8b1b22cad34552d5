//! The sectors that one goal's units pass, and what is left to pay on their rims.

use alloc::vec::Vec;

use super::aim::TileAim;
use super::cache::TileRef;
use super::frame::{Frame, NO_LABEL, cost_of};
use super::ground::TileGround;
use super::integrate::{Sources, TileScratch};
use super::sight::Lit;
use crate::base::{CellPos, Dir8};
use crate::cost::{CostLayer, DIAGONAL, SectorGrid, SectorId, step_length};

/// What is known of a sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Nothing, or nothing that still holds.
    Nothing,
    /// Its rim, if its exits turn out to cost what they did.
    Kept,
    /// Its rim, as far as the present search has come: units may follow it.
    Reached,
}

/// A sector of a corridor.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) sector: SectorId,
    pub(super) frame: Frame,
    /// What is left to pay from each cell of the rim, with directions; those that lead out are what the inside follows from.
    pub(super) rim: Vec<u64>,
    pub(super) known: Known,
    /// The cost from which on it is to be looked at again; `NO_LABEL` if it is not.
    waits: u64,
    /// The two cells of the door by which the routes leave it.
    pub(super) door: Option<[CellPos; 2]>,
    pub(super) tile: TileRef,
    /// Whether that tile is the one of another rim.
    pub(super) outdated: bool,
}

/// How far a search came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// A sector was looked at.
    Went,
    /// A sector was integrated: this part.
    Integrated(usize),
    /// A sector would have to be integrated, and may not.
    Starved,
    /// Nothing is left to do.
    Done,
}

/// Whether a step of a search may integrate a sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Allowance {
    Free,
    Spent,
}

/// Scratch of searches over corridors.
#[derive(Clone, Debug, Default)]
pub(super) struct CorridorScratch {
    pub(super) tile: TileScratch,
    exits: Vec<u64>,
}

impl CorridorScratch {
    pub(super) fn memory_bytes(&self) -> usize {
        self.tile.memory_bytes() + self.exits.capacity() * 8
    }
}

/// What is where on one goal's way.
///
/// The rims are a Dijkstra over sectors: the sector with the least cost waiting goes first, and is integrated from what is known
/// of its neighbours. All numbers are costs of real ways and only sink, so whoever follows them never turns in a circle, not
/// even while they are being found; and each look makes at least one cell of a rim final, so there is an end.
#[derive(Clone, Debug)]
pub(super) struct Corridor {
    pub(super) aim: TileAim,
    /// By sector.
    pub(super) parts: Vec<Part>,
    /// Whether the goal is open and may be stopped on.
    goal_open: bool,
    /// From where the goal is seen.
    seen: Lit,
    /// Scratch: from where it was seen.
    before: Lit,
    /// Whether no ground is cheaper than the goal's, so that straight is best wherever it is seen from.
    is_cheapest: bool,
    /// The cheapest ground there was.
    cheapest: u8,
    /// From where it is best gone to straight, unless that is the same.
    best_straight: Lit,
    /// Scratch: the part last looked for.
    last: usize,
}

impl Corridor {
    pub(super) fn new(aim: TileAim) -> Self {
        Self {
            aim,
            parts: Vec::new(),
            goal_open: false,
            seen: Lit::default(),
            before: Lit::default(),
            is_cheapest: false,
            cheapest: 0,
            best_straight: Lit::default(),
            last: 0,
        }
    }

    /// The part of a sector.
    #[inline]
    pub(super) fn find(&self, sector: SectorId) -> Option<usize> {
        self.parts.binary_search_by_key(&sector, |part| part.sector).ok()
    }

    /// The same, quicker if it is the one last looked for.
    #[inline]
    pub(super) fn find_again(&mut self, sector: SectorId) -> Option<usize> {
        if self.parts.get(self.last).is_none_or(|part| part.sector != sector) {
            self.last = self.find(sector)?;
        }
        Some(self.last)
    }

    /// Adds a sector unless it is there; gives its part.
    pub(super) fn add(&mut self, grid: SectorGrid, layer: &CostLayer, sector: SectorId) -> &mut Part {
        let at = match self.parts.binary_search_by_key(&sector, |part| part.sector) {
            Ok(at) => at,
            Err(at) => {
                let part = Part {
                    sector,
                    frame: Frame { area: grid.area(sector).intersect(layer.grid().rect()) },
                    rim: Vec::with_capacity(4 * grid.side() as usize),
                    known: Known::Nothing,
                    waits: NO_LABEL,
                    door: None,
                    tile: TileRef::NONE,
                    outdated: false,
                };
                self.parts.insert(at, part);
                at
            }
        };
        &mut self.parts[at]
    }

    /// Whether the goal may be gone to.
    pub(super) fn is_goal_open(&self, layer: &CostLayer) -> bool {
        let TileAim { agent, goal, .. } = self.aim;
        layer.field(agent).is_some_and(|field| field.is_passable(goal)) && layer.can_stop(goal, agent)
    }

    /// Whether it may be gone to now and might not before, or the other way round.
    pub(super) fn goal_changed(&self, layer: &CostLayer) -> bool {
        self.goal_open != self.is_goal_open(layer)
    }

    /// Looks from where the goal is seen. Sectors in which that makes a difference must be integrated again.
    pub(super) fn look(&mut self, ground: TileGround<'_>, reach: u32) {
        core::mem::swap(&mut self.seen, &mut self.before);
        self.seen.cast(ground, self.aim.goal, reach);
        let area = self.seen.area();
        if self.best_straight.area() != area {
            self.best_straight.reset(area);
        }
        let was_cheapest = self.is_cheapest;
        self.cheapest = ground.field.cheapest();
        self.is_cheapest = ground.cost(self.aim.goal) == self.cheapest;
        if self.is_cheapest {
            return;
        }
        for part in &mut self.parts {
            let (now, before) = (&self.seen, &self.before);
            let differs = |at: CellPos| was_cheapest || now.contains(at) != before.contains(at);
            if part.frame.area.intersect(area).cells().any(differs) {
                part.known = Known::Nothing;
            }
        }
    }

    /// Whether changes in these sectors can change from where the goal is seen, or from where straight is best.
    pub(super) fn must_look(&self, ground: TileGround<'_>, grid: SectorGrid, changed: &[SectorId]) -> bool {
        let watched = self.seen.area().grow(1, 1);
        self.cheapest != ground.field.cheapest()
            || changed.iter().any(|&sector| !grid.area(sector).intersect(watched).is_empty())
    }

    /// Begins a search; what was found before is kept for where nothing changed.
    pub(super) fn restart(&mut self, grid: SectorGrid, layer: &CostLayer) {
        for part in &mut self.parts {
            part.waits = NO_LABEL;
            if part.known == Known::Reached {
                part.known = Known::Kept;
            }
        }
        let is_open = self.is_goal_open(layer);
        if let Some(at) = self.find(grid.of(self.aim.goal)) {
            if self.goal_open != is_open {
                self.parts[at].known = Known::Nothing;
            }
            if is_open {
                self.parts[at].waits = 0;
            }
        }
        self.goal_open = is_open;
    }

    /// Whether a search has come to its end.
    pub(super) fn is_done(&self) -> bool {
        self.parts.iter().all(|part| part.waits == NO_LABEL)
    }

    /// Looks at the next sector.
    pub(super) fn go_on(
        &mut self,
        grid: SectorGrid,
        ground: TileGround<'_>,
        allowance: Allowance,
        scratch: &mut CorridorScratch,
    ) -> Progress {
        let next = self.parts.iter().enumerate().min_by_key(|&(at, part)| (part.waits, at));
        let Some((at, _)) = next.filter(|(_, part)| part.waits != NO_LABEL) else { return Progress::Done };
        let beside = self.beside(grid, at);
        self.gather(ground, at, &beside, &mut scratch.exits);
        let part = &self.parts[at];
        let mut progress = Progress::Went;
        if part.known == Known::Nothing || !self.fits(part, &scratch.exits) {
            if allowance == Allowance::Spent {
                return Progress::Starved;
            }
            self.integrate(ground, at, scratch);
            progress = Progress::Integrated(at);
        } else if part.known == Known::Reached {
            self.parts[at].waits = NO_LABEL;
            return Progress::Went;
        }
        let part = &mut self.parts[at];
        (part.known, part.waits) = (Known::Reached, NO_LABEL);
        for (dir, other) in Dir8::ALL.into_iter().zip(beside) {
            if let Some(other) = other {
                let least = self.least_offer(ground, at, other, dir);
                let other = &mut self.parts[other];
                other.waits = other.waits.min(least);
            }
        }
        progress
    }

    /// The goal, if it is in a part.
    pub(super) fn goal_in(&self, part: &Part) -> Option<CellPos> {
        Some(self.aim.goal).filter(|&goal| self.goal_open && part.frame.area.contains(goal))
    }

    fn integrate(&mut self, ground: TileGround<'_>, at: usize, scratch: &mut CorridorScratch) {
        let part = &self.parts[at];
        let from = Sources { frame: part.frame, exits: &scratch.exits, goal: self.goal_in(part) };
        scratch.tile.integrate(ground, from);
        let (frame, cost) = (part.frame, u64::from(ground.cost(self.aim.goal)));
        scratch.tile.write_rim(frame, &mut self.parts[at].rim);
        self.parts[at].outdated = true;
        let goal = self.aim.goal;
        if self.is_cheapest {
            return;
        }
        for at in frame.area.intersect(self.seen.area()).cells() {
            let (seen, was_best) = (self.seen.contains(at), self.best_straight.contains(at));
            if !seen && !was_best {
                continue;
            }
            let label = scratch.tile.label(frame, at);
            let (dx, dy) = (u64::from(at.x.abs_diff(goal.x)), u64::from(at.y.abs_diff(goal.y)));
            // A straight line is not dearer than steps; both counted with 1448 for the diagonal of a square.
            let line = (u64::from(DIAGONAL) * cost).pow(2) * (dx * dx + dy * dy);
            let steps = cost_of(label).min(1 << 31);
            if seen && label != NO_LABEL && 2 * steps * steps >= line {
                self.best_straight.set(at);
            } else {
                self.best_straight.unset(at);
            }
        }
    }

    /// Whether units go straight to the goal from a cell that has a way to it.
    #[inline]
    pub(super) fn is_straight(&self, at: CellPos) -> bool {
        if self.is_cheapest { self.seen.contains(at) } else { self.best_straight.contains(at) }
    }

    /// The parts around one, by direction.
    fn beside(&self, grid: SectorGrid, at: usize) -> [Option<usize>; 8] {
        Dir8::ALL.map(|dir| self.find(grid.beside(self.parts[at].sector, dir)?))
    }

    /// What the ways out of a sector cost, by what is known of its neighbours.
    fn gather(&self, ground: TileGround<'_>, at: usize, beside: &[Option<usize>; 8], exits: &mut Vec<u64>) {
        let frame = self.parts[at].frame;
        exits.clear();
        exits.resize(frame.rim_len(), NO_LABEL);
        for (side, other) in Dir8::ALL.into_iter().zip(beside) {
            let Some(other) = other.map(|other| &self.parts[other]) else { continue };
            if other.known != Known::Reached {
                continue;
            }
            // Of a diagonal neighbour one cell is touched.
            let near = other.frame.area.grow(1, 1).intersect(frame.area);
            for at in near.cells() {
                let place = frame.rim_place(at);
                exits[place] = exits[place].min(best_exit(ground, other, at, side));
            }
        }
    }

    /// Whether integrating from these exits would give what is there.
    fn fits(&self, part: &Part, exits: &[u64]) -> bool {
        part.frame.rim().all(|at| {
            let place = part.frame.rim_place(at);
            let (label, exit) = (part.rim[place], exits[place]);
            if part.frame.is_exit(at, label) { exit == label } else { exit >= label }
        })
    }

    /// The least cost at which a part has something new to offer to the one beside it; `NO_LABEL` if it has nothing.
    fn least_offer(&self, ground: TileGround<'_>, from: usize, to: usize, dir: Dir8) -> u64 {
        let (from, to) = (&self.parts[from], &self.parts[to]);
        let mut least = NO_LABEL;
        // The cells of `from` that touch `to`.
        let near = to.frame.area.grow(1, 1).intersect(from.frame.area);
        for at in near.cells() {
            let label = from.rim[from.frame.rim_place(at)];
            if label == NO_LABEL || cost_of(label) >= least {
                continue;
            }
            if to.known != Known::Reached {
                least = cost_of(label);
                continue;
            }
            let cost = u64::from(ground.cost(at));
            let is_better = |side: Dir8| {
                let next = at.step(side);
                if !to.frame.area.contains(next) {
                    return false;
                }
                let back = side.opposite();
                let offer = cost_of(label) + u64::from(step_length(back)) * cost + u64::from(back.index());
                let there = to.rim[to.frame.rim_place(next)];
                offer < there && (there != NO_LABEL || ground.field.is_passable(next))
            };
            if [dir.turn(-1), dir, dir.turn(1)].into_iter().any(is_better) {
                least = cost_of(label);
            }
        }
        least
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let of_part = |part: &Part| size_of::<Part>() + part.rim.capacity() * 8;
        self.parts.iter().map(of_part).sum::<usize>()
            + self.seen.memory_bytes()
            + self.best_straight.memory_bytes()
    }
}

/// The best step from a cell into the part beside its own, on side `side`, with what is left from there.
#[inline]
fn best_exit(ground: TileGround<'_>, other: &Part, at: CellPos, side: Dir8) -> u64 {
    if !ground.field.is_passable(at) {
        return NO_LABEL;
    }
    let legal = ground.legal(at);
    let mut best = NO_LABEL;
    for dir in [side.turn(-1), side, side.turn(1)] {
        let next = at.step(dir);
        if legal >> dir.index() & 1 == 0 || !other.frame.area.contains(next) {
            continue;
        }
        let label = other.rim[other.frame.rim_place(next)];
        if label != NO_LABEL {
            let step = u64::from(step_length(dir)) * u64::from(ground.cost(next));
            best = best.min(cost_of(label) + step + u64::from(dir.index()));
        }
    }
    best
}
