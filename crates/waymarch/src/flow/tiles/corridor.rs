//! A corridor: the sectors that the routes to one goal pass, and the remaining costs on their rims.

use alloc::vec::Vec;

use super::cache::TileRef;
use super::frame::{Frame, NO_LABEL, dir_of};
use super::ground::TileGround;
use super::integrate::{Sources, TileScratch};
use super::key::{Lines, TileKey};
use super::pool::PartLists;
use super::rim::Rim;
use super::state::{DoorList, DoorStep, Exit, FlowState, Known, PartState};
use super::target::FlowTarget;
use super::visible_cells::VisibleCells;
use crate::base::{CellPos, Dir8, Scratch, poison_list};
use crate::cost::{CostLayer, SectorGrid, SectorId};

/// Derived from a part's state and the ground: the rim, the tile, and the neighbours of one sector.
#[derive(Clone, Debug)]
pub(super) struct DerivedPart {
    pub(super) frame: Frame,
    pub(super) rim: Rim,
    pub(super) tile: TileRef,
    /// Whether `tile` may have another key than the part has now.
    pub(super) outdated: bool,
    /// The sides without a neighbouring part, bit = direction number.
    pub(super) alone: u8,
}

/// The neighbours of a part, by direction; [`NO_PART`] where there is none.
pub(super) type Beside = [u32; 8];

/// Stands for "no part": 2^32 − 1.
pub(super) const NO_PART: u32 = u32::MAX;

/// What one step of a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// It checked a sector that needed no integration.
    Went,
    /// It integrated the sector of this part.
    Integrated(usize),
    /// Nothing is left to do.
    Done,
}

/// Scratch of a search over the sectors of a corridor.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchScratch {
    pub(super) tile: TileScratch,
    pub(super) exits: Vec<u64>,
    pub(super) lists: PartLists,
}

/// Scratch of searches, and of restarting them after an edit.
#[derive(Clone, Debug, Default)]
pub(super) struct CorridorScratch {
    pub(super) search: SearchScratch,
    /// The neighbours of each part, by direction, while a search restarts.
    pub(super) beside: Vec<Beside>,
}

impl Scratch for CorridorScratch {
    /// The cells per side of a sector.
    type Demand = usize;

    fn poison(&mut self) {
        self.search.tile.poison();
        poison_list(&mut self.search.exits, 7);
        self.search.lists.poison();
        poison_list(&mut self.beside, [7; 8]);
    }

    fn reserve(&mut self, side: usize) {
        self.search.lists.reserve(side);
    }
}

impl CorridorScratch {
    pub(super) fn memory_bytes(&self) -> usize {
        self.search.tile.memory_bytes()
            + self.search.exits.capacity() * 8
            + self.beside.capacity() * size_of::<Beside>()
            + self.search.lists.memory_bytes()
    }
}

/// One flow's corridor: how far its search has come (World), and what follows from that (Derived).
///
/// The search is a Dijkstra over sectors. It takes the queued sector with the least cost and integrates it from the rims of its neighbours.
/// Each label is the cost of a real route, and labels only decrease. So a unit that follows them never walks in a circle, not even during
/// the search. Each step makes at least one rim cell final, so the search ends.
///
/// A restarted search uses no label that an edit may have made wrong. Until it reaches a sector, units there follow the labels of
/// the search before.
#[derive(Clone, Debug)]
pub(super) struct Corridor {
    pub(super) state: FlowState,
    /// The derived data of each part, in the order of `state.parts`.
    pub(super) derived: Vec<DerivedPart>,
    /// Whether the search has ended.
    pub(super) done: bool,
    /// The cells from which the goal is visible.
    pub(super) visible: VisibleCells,
    /// Whether no cell is cheaper than the goal's cell. If so, a straight line is best wherever the goal is visible.
    pub(super) is_cheapest: bool,
    /// The cheapest cell cost when `is_cheapest` was last found.
    pub(super) cheapest: u8,
}

impl Corridor {
    pub(super) fn new(target: FlowTarget) -> Self {
        Self::of(FlowState { target, goal_open: false, era: 0, parts: Vec::new() })
    }

    /// A corridor for a saved state, with no derived parts yet.
    pub(super) fn of(state: FlowState) -> Self {
        let done = state.is_done();
        Self {
            state,
            derived: Vec::new(),
            done,
            visible: VisibleCells::default(),
            is_cheapest: false,
            cheapest: 0,
        }
    }

    /// The part of a sector.
    #[inline]
    pub(super) fn find(&self, sector: SectorId) -> Option<usize> {
        self.state.parts.binary_search_by_key(&sector, |part| part.sector).ok()
    }

    /// Adds a sector unless it is in the corridor already. Returns its part.
    pub(super) fn add(
        &mut self,
        grid: SectorGrid,
        ground: TileGround<'_>,
        sector: SectorId,
        scratch: &mut SearchScratch,
    ) -> usize {
        let at = match self.state.parts.binary_search_by_key(&sector, |part| part.sector) {
            Ok(at) => return at,
            Err(at) => at,
        };
        let (exits, doors) = (Vec::new(), DoorList::default());
        let era = self.state.era;
        let part =
            PartState { sector, known: Known::Nothing, queue_cost: NO_LABEL, used: None, exits, doors, era };
        self.state.parts.insert(at, part);
        self.derived.insert(at, DerivedPart::new(grid, ground, sector));
        self.find_sides(grid, at);
        for dir in Dir8::ALL {
            let beside = grid.beside(sector, dir).and_then(|beside| self.find(beside));
            if let Some(beside) = beside.filter(|&beside| self.state.parts[beside].known == Known::Reached) {
                self.find_rim(ground, beside, scratch);
                let least = self.least_improvement(ground, beside, at, dir.opposite());
                self.enqueue(at, least);
            }
        }
        at
    }

    /// Finds on which sides a part has neighbours, and tells the neighbours.
    fn find_sides(&mut self, grid: SectorGrid, at: usize) {
        for (dir, beside) in Dir8::ALL.into_iter().zip(self.beside(grid, at)) {
            if let Some(beside) = beside {
                self.derived[at].alone &= !(1 << dir.index());
                self.derived[beside].alone &= !(1 << dir.opposite().index());
            }
        }
    }

    /// Adds a step by which a route leaves a part. Doors from before the last edit are dropped first.
    pub(super) fn add_door(&mut self, at: usize, door: DoorStep) {
        let (part, derived) = (&mut self.state.parts[at], &mut self.derived[at]);
        if part.era != self.state.era {
            part.doors.clear();
            part.era = self.state.era;
            derived.outdated = true;
        }
        if !part.doors.contains(&door) && part.doors.push(door) {
            derived.outdated = true;
        }
    }

    /// Queues a part for the search at a cost.
    pub(super) fn enqueue(&mut self, at: usize, cost: u64) {
        let part = &mut self.state.parts[at];
        part.queue_cost = part.queue_cost.min(cost);
        self.done &= part.queue_cost == NO_LABEL;
    }

    /// Whether the goal's cell is passable and units may stop on it.
    pub(super) fn is_goal_open(&self, layer: &CostLayer) -> bool {
        let FlowTarget { agent, goal, .. } = self.state.target;
        layer.field(agent).is_some_and(|field| field.is_passable(goal)) && layer.can_stop(goal, agent)
    }

    /// Finds the cells from which the goal is visible, up to `reach` cells away.
    pub(super) fn update_visible(&mut self, ground: TileGround<'_>, reach: u32) {
        self.visible.cast(ground, self.state.target.goal, reach);
        self.set_cheapest(ground);
    }

    /// Finds whether a straight line is best, after the cheapest cost of the map may have changed. The visible cells do not depend on it.
    pub(super) fn update_cheapest(&mut self, ground: TileGround<'_>) {
        if self.cheapest != ground.field().cheapest() {
            self.set_cheapest(ground);
        }
    }

    fn set_cheapest(&mut self, ground: TileGround<'_>) {
        self.cheapest = ground.field().cheapest();
        let is_cheapest = ground.cost(self.state.target.goal) == self.cheapest;
        if !is_cheapest || !self.is_cheapest {
            self.derived.iter_mut().for_each(|derived| derived.outdated = true);
        }
        self.is_cheapest = is_cheapest;
    }

    /// Takes the queued sector with the least cost, and integrates it unless its exits are unchanged.
    pub(super) fn advance_search(
        &mut self,
        grid: SectorGrid,
        ground: TileGround<'_>,
        scratch: &mut SearchScratch,
    ) -> Progress {
        let next = self.state.parts.iter().enumerate().min_by_key(|&(at, part)| (part.queue_cost, at));
        let Some((at, part)) = next.filter(|(_, part)| part.queue_cost != NO_LABEL) else {
            return Progress::Done;
        };
        let known = part.known;
        let beside = self.beside(grid, at);
        self.find_rims(ground, at, &beside, scratch);
        self.collect_exits(ground, at, &beside, &mut scratch.exits);
        let progress = if known == Known::Nothing || !self.matches_exits(at, &scratch.exits) {
            self.integrate(ground, at, scratch);
            Progress::Integrated(at)
        } else {
            Progress::Went
        };
        let part = &mut self.state.parts[at];
        (part.known, part.queue_cost) = (Known::Reached, NO_LABEL);
        if known != Known::Reached || progress != Progress::Went {
            self.derived[at].outdated = true;
            self.enqueue_neighbours(ground, at, beside);
        }
        if self.state.is_done() {
            self.done = true;
            // Tiles no longer depend on doors, so parts with doors get new tiles.
            let all = self.state.parts.iter().zip(&mut self.derived);
            all.filter(|(part, _)| !part.doors.is_empty()).for_each(|(_, derived)| derived.outdated = true);
        }
        progress
    }

    /// Queues the neighbours of a part that its new labels improve.
    fn enqueue_neighbours(&mut self, ground: TileGround<'_>, at: usize, beside: [Option<usize>; 8]) {
        for (dir, other) in Dir8::ALL.into_iter().zip(beside) {
            if let Some(other) = other {
                let least = self.least_improvement(ground, at, other, dir);
                self.enqueue(other, least);
            }
        }
    }

    /// The goal, if it is in a part.
    pub(super) fn goal_in(&self, at: usize) -> Option<CellPos> {
        let area = self.derived[at].frame.area;
        Some(self.state.target.goal).filter(|&goal| self.state.goal_open && area.contains(goal))
    }

    fn integrate(&mut self, ground: TileGround<'_>, at: usize, scratch: &mut SearchScratch) {
        let goal = self.goal_in(at);
        let (part, derived) = (&mut self.state.parts[at], &mut self.derived[at]);
        let frame = derived.frame;
        scratch.tile.integrate(ground, Sources { frame, exits: &scratch.exits, goal });
        derived.rim.write(frame, &scratch.tile, &mut scratch.lists.rims);
        part.exits.clear();
        scratch.lists.exits.reserve_list(&mut part.exits, frame.rim_len());
        for at in frame.rim() {
            let place = frame.rim_place(at);
            let label = derived.rim.label(place);
            if frame.is_exit(at, label) {
                part.exits.push(Exit::new(label, place as u16));
            }
        }
        derived.rim.find_sides(frame, &part.exits);
    }

    /// Whether units may follow what is known of a part.
    #[inline]
    pub(super) fn leads(&self, at: usize) -> bool {
        self.state.goal_open && (!self.done || self.state.parts[at].known == Known::Reached)
    }

    /// Whether units in a part are led to doors only, because the search has not reached it.
    #[inline]
    pub(super) fn follows_doors(&self, at: usize) -> bool {
        let part = &self.state.parts[at];
        part.known == Known::Nothing && part.exits.is_empty() && self.goal_in(at).is_none()
    }

    /// Writes the key of the tile that leads units in a part. `known` replaces the part's own state of knowledge. Returns whether the tile
    /// leads units anywhere.
    pub(super) fn fill_key(
        &self,
        ground: TileGround<'_>,
        at: usize,
        known: Known,
        key: &mut TileKey,
        scratch: &mut TileScratch,
    ) -> bool {
        let (part, derived) = (&self.state.parts[at], &self.derived[at]);
        let goal = self.state.target.goal;
        key.begin(part.sector, self.state.target, ground.rule, derived.frame);
        if !self.leads(at) {
            return false;
        }
        key.goal = self.goal_in(at);
        for exit in &part.exits {
            key.exits[usize::from(exit.place())] = exit.label();
        }
        let counts_doors = !self.done && !part.doors.is_empty();
        if counts_doors && known != Known::Nothing && !derived.rim.is_found() {
            scratch.integrate(ground, Sources { frame: derived.frame, exits: &key.exits, goal: key.goal });
        }
        if known != Known::Reached {
            // The ground of a neighbouring sector may have changed, so some exits may be illegal now.
            for at in derived.frame.rim() {
                let exit = &mut key.exits[derived.frame.rim_place(at)];
                if *exit != NO_LABEL && !ground.may(at, dir_of(*exit)) {
                    *exit = NO_LABEL;
                }
            }
        }
        if counts_doors {
            let is_led = |door: &DoorStep| {
                let frame = derived.frame;
                let has_route = |label: u64| label != NO_LABEL;
                known != Known::Nothing
                    && if derived.rim.is_found() {
                        has_route(derived.rim.label(frame.rim_place(door.at)))
                    } else {
                        has_route(scratch.label(frame, door.at))
                    }
            };
            let doors = part.doors.iter().filter(|door| !is_led(door) && ground.may(door.at, door.dir));
            key.doors.extend(doors.copied());
        }
        let base = key.make_relative();
        let is_near = !self.visible.area().intersect(derived.frame.area).is_empty();
        if !self.is_cheapest && is_near {
            key.lines = Some(Lines { goal, cost: ground.cost(goal), base });
        }
        key.goal.is_some() || !key.doors.is_empty() || key.exits.iter().any(|&exit| exit != NO_LABEL)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let of_part = |part: &PartState| size_of::<PartState>() + part.exits.capacity() * size_of::<Exit>();
        let of_made = |derived: &DerivedPart| size_of::<DerivedPart>() + derived.rim.memory_bytes();
        self.state.parts.iter().map(of_part).sum::<usize>()
            + self.derived.iter().map(of_made).sum::<usize>()
            + self.visible.memory_bytes()
    }
}

impl DerivedPart {
    /// A sector of which nothing is known.
    pub(super) fn new(grid: SectorGrid, ground: TileGround<'_>, sector: SectorId) -> Self {
        let frame = Frame { area: grid.area(sector).intersect(ground.field().grid().rect()) };
        Self { frame, rim: Rim::default(), tile: TileRef::NONE, outdated: true, alone: 0xff }
    }

    /// The steps among `steps` from a cell that stay in the corridor, bit = direction number.
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
