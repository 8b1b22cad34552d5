//! The sectors that one goal's units pass, and what is left to pay on their rims.

use alloc::vec::Vec;

use super::aim::TileAim;
use super::cache::TileRef;
use super::frame::{Frame, NO_LABEL, dir_of};
use super::ground::TileGround;
use super::integrate::{Sources, TileScratch};
use super::key::{Lines, TileKey};
use super::rim::Rim;
use super::sight::Lit;
use super::spare::Lists;
use super::state::{DoorList, DoorStep, Exit, FlowState, Known, PartState};
use crate::base::{CellPos, Dir8};
use crate::cost::{CostLayer, SectorGrid, SectorId};

/// Derived: what follows from a part's state and the ground.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) frame: Frame,
    pub(super) rim: Rim,
    pub(super) tile: TileRef,
    /// Whether that may be the tile of another key.
    pub(super) outdated: bool,
    /// The sides on which there is no part, bit = direction number.
    pub(super) alone: u8,
}

/// The parts around one, by direction; [`NO_PART`] where there is none.
pub(super) type Beside = [u32; 8];

/// No part.
pub(super) const NO_PART: u32 = u32::MAX;

/// How far a search came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// A sector was looked at.
    Went,
    /// A sector was integrated: this part.
    Integrated(usize),
    /// Nothing is left to do.
    Done,
}

/// Scratch of searches over corridors.
#[derive(Clone, Debug, Default)]
pub(super) struct CorridorScratch {
    pub(super) tile: TileScratch,
    pub(super) exits: Vec<u64>,
    pub(super) lists: Lists,
    /// The parts around each, by direction, while a search begins anew.
    pub(super) beside: Vec<Beside>,
}

impl CorridorScratch {
    pub(super) fn memory_bytes(&self) -> usize {
        self.tile.memory_bytes()
            + self.exits.capacity() * 8
            + self.beside.capacity() * size_of::<Beside>()
            + self.lists.memory_bytes()
    }
}

/// What is where on one goal's way: how far the search has come (World), and what follows from that (Derived).
///
/// The rims are a Dijkstra over sectors: the sector with the least cost waiting goes first, and is integrated from what is known
/// of its neighbours. All numbers are costs of real ways and only sink, so whoever follows them never turns in a circle, not
/// even while they are being found; and each look makes at least one cell of a rim final, so there is an end.
///
/// A search that begins anew uses no number that an edit may have made wrong. Until it has come to a sector, units there follow what
/// was found last.
#[derive(Clone, Debug)]
pub(super) struct Corridor {
    pub(super) state: FlowState,
    /// As many as parts.
    pub(super) made: Vec<Made>,
    /// Whether the search has come to its end.
    pub(super) done: bool,
    /// From where the goal is seen.
    pub(super) seen: Lit,
    /// Whether no ground is cheaper than the goal's, so that straight is best wherever it is seen from.
    pub(super) is_cheapest: bool,
    /// The cheapest ground there was.
    pub(super) cheapest: u8,
}

impl Corridor {
    pub(super) fn new(aim: TileAim) -> Self {
        Self::of(FlowState { aim, goal_open: false, era: 0, parts: Vec::new() })
    }

    /// That of a state, with nothing made yet.
    pub(super) fn of(state: FlowState) -> Self {
        let done = state.is_done();
        Self { state, made: Vec::new(), done, seen: Lit::default(), is_cheapest: false, cheapest: 0 }
    }

    /// The part of a sector.
    #[inline]
    pub(super) fn find(&self, sector: SectorId) -> Option<usize> {
        self.state.parts.binary_search_by_key(&sector, |part| part.sector).ok()
    }

    /// Adds a sector unless it is there; gives its part.
    pub(super) fn add(
        &mut self,
        grid: SectorGrid,
        ground: TileGround<'_>,
        sector: SectorId,
        scratch: &mut CorridorScratch,
    ) -> usize {
        let at = match self.state.parts.binary_search_by_key(&sector, |part| part.sector) {
            Ok(at) => return at,
            Err(at) => at,
        };
        let (exits, doors) = (Vec::new(), DoorList::default());
        let era = self.state.era;
        let part =
            PartState { sector, known: Known::Nothing, waits: NO_LABEL, used: None, exits, doors, era };
        self.state.parts.insert(at, part);
        self.made.insert(at, Made::new(grid, ground, sector));
        self.find_sides(grid, at);
        for dir in Dir8::ALL {
            let beside = grid.beside(sector, dir).and_then(|beside| self.find(beside));
            if let Some(beside) = beside.filter(|&beside| self.state.parts[beside].known == Known::Reached) {
                self.find_rim(ground, beside, scratch);
                let least = self.least_offer(ground, beside, at, dir.opposite());
                self.wait(at, least);
            }
        }
        at
    }

    /// Finds on which sides of a part there are others, and tells those.
    fn find_sides(&mut self, grid: SectorGrid, at: usize) {
        for (dir, beside) in Dir8::ALL.into_iter().zip(self.beside(grid, at)) {
            if let Some(beside) = beside {
                self.made[at].alone &= !(1 << dir.index());
                self.made[beside].alone &= !(1 << dir.opposite().index());
            }
        }
    }

    /// Notes a step by which a route leaves a part. Doors found before the ground changed count no more.
    pub(super) fn add_door(&mut self, at: usize, door: DoorStep) {
        let (part, made) = (&mut self.state.parts[at], &mut self.made[at]);
        if part.era != self.state.era {
            part.doors.clear();
            part.era = self.state.era;
            made.outdated = true;
        }
        if !part.doors.contains(&door) && part.doors.push(door) {
            made.outdated = true;
        }
    }

    /// Makes a part be looked at, at a cost.
    pub(super) fn wait(&mut self, at: usize, cost: u64) {
        let part = &mut self.state.parts[at];
        part.waits = part.waits.min(cost);
        self.done &= part.waits == NO_LABEL;
    }

    /// Whether the goal may be gone to.
    pub(super) fn is_goal_open(&self, layer: &CostLayer) -> bool {
        let TileAim { agent, goal, .. } = self.state.aim;
        layer.field(agent).is_some_and(|field| field.is_passable(goal)) && layer.can_stop(goal, agent)
    }

    /// Looks from where the goal is seen.
    pub(super) fn look(&mut self, ground: TileGround<'_>, reach: u32) {
        self.seen.cast(ground, self.state.aim.goal, reach);
        self.cheapest = ground.field.cheapest();
        let is_cheapest = ground.cost(self.state.aim.goal) == self.cheapest;
        if !is_cheapest || !self.is_cheapest {
            self.made.iter_mut().for_each(|made| made.outdated = true);
        }
        self.is_cheapest = is_cheapest;
    }

    /// Looks at the next sector.
    pub(super) fn go_on(
        &mut self,
        grid: SectorGrid,
        ground: TileGround<'_>,
        scratch: &mut CorridorScratch,
    ) -> Progress {
        let next = self.state.parts.iter().enumerate().min_by_key(|&(at, part)| (part.waits, at));
        let Some((at, part)) = next.filter(|(_, part)| part.waits != NO_LABEL) else {
            return Progress::Done;
        };
        let known = part.known;
        let beside = self.beside(grid, at);
        self.find_rims(ground, at, &beside, scratch);
        self.gather(ground, at, &beside, &mut scratch.exits);
        let progress = if known == Known::Nothing || !self.fits(at, &scratch.exits) {
            self.integrate(ground, at, scratch);
            Progress::Integrated(at)
        } else {
            Progress::Went
        };
        let part = &mut self.state.parts[at];
        (part.known, part.waits) = (Known::Reached, NO_LABEL);
        if known != Known::Reached || progress != Progress::Went {
            self.made[at].outdated = true;
            self.offer(ground, at, beside);
        }
        if self.state.is_done() {
            self.done = true;
            // Doors count no more.
            let all = self.state.parts.iter().zip(&mut self.made);
            all.filter(|(part, _)| !part.doors.is_empty()).for_each(|(_, made)| made.outdated = true);
        }
        progress
    }

    /// Tells the parts around one of what it has to offer.
    fn offer(&mut self, ground: TileGround<'_>, at: usize, beside: [Option<usize>; 8]) {
        for (dir, other) in Dir8::ALL.into_iter().zip(beside) {
            if let Some(other) = other {
                let least = self.least_offer(ground, at, other, dir);
                self.wait(other, least);
            }
        }
    }

    /// The goal, if it is in a part.
    pub(super) fn goal_in(&self, at: usize) -> Option<CellPos> {
        let area = self.made[at].frame.area;
        Some(self.state.aim.goal).filter(|&goal| self.state.goal_open && area.contains(goal))
    }

    fn integrate(&mut self, ground: TileGround<'_>, at: usize, scratch: &mut CorridorScratch) {
        let goal = self.goal_in(at);
        let (part, made) = (&mut self.state.parts[at], &mut self.made[at]);
        let frame = made.frame;
        scratch.tile.integrate(ground, Sources { frame, exits: &scratch.exits, goal });
        made.rim.write(frame, &scratch.tile, &mut scratch.lists.rims);
        part.exits.clear();
        scratch.lists.exits.make_room(&mut part.exits, frame.rim_len());
        for at in frame.rim() {
            let place = frame.rim_place(at);
            let label = made.rim.label(place);
            if frame.is_exit(at, label) {
                part.exits.push(Exit::new(label, place as u16));
            }
        }
        made.rim.find_sides(frame, &part.exits);
    }

    /// Whether units may follow what is known of a part.
    #[inline]
    pub(super) fn leads(&self, at: usize) -> bool {
        self.state.goal_open && (!self.done || self.state.parts[at].known == Known::Reached)
    }

    /// Whether units in a part follow a route, for want of something better.
    #[inline]
    pub(super) fn is_led_to_doors(&self, at: usize) -> bool {
        let part = &self.state.parts[at];
        part.known == Known::Nothing && part.exits.is_empty() && self.goal_in(at).is_none()
    }

    /// What the tile follows from that units in a part are led by, where `known` is known of it; whether there is one.
    pub(super) fn fill_key(
        &self,
        ground: TileGround<'_>,
        at: usize,
        known: Known,
        key: &mut TileKey,
        scratch: &mut TileScratch,
    ) -> bool {
        let (part, made) = (&self.state.parts[at], &self.made[at]);
        let goal = self.state.aim.goal;
        key.begin(part.sector, self.state.aim, ground.rule, made.frame);
        if !self.leads(at) {
            return false;
        }
        key.goal = self.goal_in(at);
        for exit in &part.exits {
            key.exits[usize::from(exit.place())] = exit.label();
        }
        let counts_doors = !self.done && !part.doors.is_empty();
        if counts_doors && known != Known::Nothing && !made.rim.is_found() {
            scratch.integrate(ground, Sources { frame: made.frame, exits: &key.exits, goal: key.goal });
        }
        if known != Known::Reached {
            // What is beside it may have changed.
            for at in made.frame.rim() {
                let exit = &mut key.exits[made.frame.rim_place(at)];
                if *exit != NO_LABEL && !ground.may(at, dir_of(*exit)) {
                    *exit = NO_LABEL;
                }
            }
        }
        if counts_doors {
            let is_led = |door: &DoorStep| {
                let frame = made.frame;
                let has_way = |label: u64| label != NO_LABEL;
                known != Known::Nothing
                    && if made.rim.is_found() {
                        has_way(made.rim.label(frame.rim_place(door.at)))
                    } else {
                        has_way(scratch.label(frame, door.at))
                    }
            };
            let doors = part.doors.iter().filter(|door| !is_led(door) && ground.may(door.at, door.dir));
            key.doors.extend(doors.copied());
        }
        let base = key.make_relative();
        let is_near = !self.seen.area().intersect(made.frame.area).is_empty();
        if !self.is_cheapest && is_near {
            key.lines = Some(Lines { goal, cost: ground.cost(goal), base });
        }
        key.goal.is_some() || !key.doors.is_empty() || key.exits.iter().any(|&exit| exit != NO_LABEL)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let of_part = |part: &PartState| size_of::<PartState>() + part.exits.capacity() * size_of::<Exit>();
        let of_made = |made: &Made| size_of::<Made>() + made.rim.memory_bytes();
        self.state.parts.iter().map(of_part).sum::<usize>()
            + self.made.iter().map(of_made).sum::<usize>()
            + self.seen.memory_bytes()
    }
}

impl Made {
    /// Of a sector that nothing is known of.
    pub(super) fn new(grid: SectorGrid, ground: TileGround<'_>, sector: SectorId) -> Self {
        let frame = Frame { area: grid.area(sector).intersect(ground.field.grid().rect()) };
        Self { frame, rim: Rim::default(), tile: TileRef::NONE, outdated: true, alone: 0xff }
    }

    /// Those of the steps from a cell that stay in the corridor, bit = direction number.
    #[inline]
    pub(super) fn within(&self, at: CellPos, steps: u8) -> u8 {
        let area = self.frame.area;
        let is_inside = at.x > area.x0 && at.y > area.y0 && at.x + 1 < area.x1 && at.y + 1 < area.y1;
        if self.alone == 0 || is_inside { steps } else { self.without_alone(at, steps) }
    }

    #[cold]
    fn without_alone(&self, at: CellPos, steps: u8) -> u8 {
        let mut within = steps;
        for dir in Dir8::ALL {
            let is_alone = |side: Dir8| self.alone >> side.index() & 1 == 1;
            if self.frame.side_of(at.step(dir)).is_some_and(is_alone) {
                within &= !(1 << dir.index());
            }
        }
        within
    }
}
