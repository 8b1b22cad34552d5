//! One step of all units in a window: priority inheritance with backtracking.

use alloc::vec::Vec;

use super::graph::{FAR, StepGraph};
use super::near::{NearFields, near_place};
use super::window::{LocalCell, Window};
use crate::base::{CellPos, Purpose, Rng, Scratch, SizeClass, Tick, poison_list};
use crate::cost::{CostField, StepRule};

/// Random numbers that order cells of equal distance.
const TIES: Purpose = Purpose(0x5EED_0017);
/// A unit has at most 9 cells to choose from: its own, and those beside it.
const MOST_CHOICES: usize = 9;
/// A unit pushes a chain of at most 512 units: each of them is one call deep.
const MOST_CHAIN: usize = 512;
/// No unit.
pub(super) const NOBODY: u16 = u16::MAX;

/// A unit that takes part in a step. The place in the list of units is its priority: the first has the highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mover {
    /// The unit's cell.
    pub(crate) at: LocalCell,
    /// The unit's size.
    pub(crate) size: SizeClass,
    /// The number of its graph: see [`StepPlanner::add_graph`].
    pub(crate) graph: u16,
    /// Its target: see [`StepPlanner::add_target`]. `None` if it goes nowhere and stays unless pushed.
    pub(crate) target: Option<Target>,
    /// Whether it never moves.
    pub(crate) fixed: bool,
    /// For a unit whose cell belongs to another unit already: the cell beside it that the unit leans to. It is the first to step, and steps away.
    pub(crate) leans: Option<LocalCell>,
    /// A unit without a target makes way for units of its own team only.
    pub(crate) team: u8,
    /// Its name, for random numbers.
    pub(crate) name: u32,
}

/// The distances to a target that the planner has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// In the whole window.
    Window(u16),
    /// Up to 8 cells from the target.
    Near(u16),
}

/// Whether a unit that does not make way stands on a cell. Routes to targets lead around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    No,
    /// A unit at rest that makes way for its own team only.
    Team(u8),
    /// A unit that makes way for no other unit.
    Always,
}

impl Kept {
    fn is_open_for(self, team: u8) -> bool {
        self == Self::No || self == Self::Team(team)
    }
}

/// Which units routes to a target lead around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Around {
    /// None: every unit may leave its cell.
    Nobody,
    /// All units that do not make way for a unit of this team and size.
    Keepers(u8, SizeClass),
}

/// Whether units may go back to a junction to exchange their order in a corridor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Swaps {
    /// Two units that must exchange their order go back to a junction.
    #[default]
    Allowed,
    /// No unit goes back by itself. Other units may push it back.
    Never,
}

/// Scratch: plans one step of several units.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepPlanner {
    pub(super) window: Window,
    pub(super) graphs: Vec<StepGraph>,
    graph_count: usize,
    /// Distances to one target after the other, one number per cell.
    distances: Vec<u16>,
    /// Distances near one target after the other.
    near: NearFields,
    pub(super) movers: Vec<Mover>,
    /// By local cell: who keeps it.
    kept: Vec<Kept>,
    any_kept: bool,
    /// By local cell: the place of the unit that covers the cell now.
    pub(super) now: Vec<u16>,
    /// By local cell: the place of the unit that covers the cell after the step.
    claimed: Vec<u16>,
    /// By unit: its cell after the step, once it is decided.
    pub(super) next: Vec<Option<LocalCell>>,
    queue: Vec<LocalCell>,
    seed: u64,
    swaps: Swaps,
    /// The unit whose step is decided now, for which others make way.
    leader: usize,
    /// The number of units that push each other on at the moment.
    chain: usize,
}

/// The cells that a unit may step to, the best first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices {
    cells: [LocalCell; MOST_CHOICES],
    count: usize,
}

impl Choices {
    pub(super) fn as_slice(&self) -> &[LocalCell] {
        &self.cells[..self.count]
    }
}

impl StepPlanner {
    /// Begins a new step in a window. Forgets all graphs, targets and units.
    pub(crate) fn begin(&mut self, window: Window) {
        self.window = window;
        self.graph_count = 0;
        self.distances.clear();
        self.near.clear();
        self.movers.clear();
        self.now.clear();
        self.now.resize(window.cells(), NOBODY);
        self.claimed.clear();
        self.claimed.resize(window.cells(), NOBODY);
        self.kept.clear();
        self.kept.resize(window.cells(), Kept::No);
        self.any_kept = false;
        self.next.clear();
    }

    /// Notes that a unit keeps the cells that it covers. Call it before targets are added.
    pub(crate) fn keep(&mut self, at: LocalCell, size: SizeClass, kept: Kept) {
        for cell in covered(self.window, at, size) {
            let before = &mut self.kept[cell.index()];
            // Two units of different teams on one cell make way for no unit together.
            *before = if *before == Kept::No || *before == kept { kept } else { Kept::Always };
        }
        self.any_kept = true;
    }

    /// The number of cells of the window.
    pub(crate) fn cells(&self) -> usize {
        self.window.cells()
    }

    /// Whether any unit keeps its cells.
    pub(crate) fn has_keepers(&self) -> bool {
        self.any_kept
    }

    /// Whether a unit keeps a cell against a team.
    pub(crate) fn is_kept(&self, cell: LocalCell, team: u8) -> bool {
        !self.kept[cell.index()].is_open_for(team)
    }

    /// Adds the legal steps of a cost field. Returns the number of the graph.
    pub(crate) fn add_graph(&mut self, field: &CostField, rule: StepRule) -> u16 {
        if self.graphs.len() == self.graph_count {
            self.graphs.push(StepGraph::default());
        }
        self.graphs[self.graph_count].read(&self.window, field, rule);
        self.graph_count += 1;
        (self.graph_count - 1) as u16
    }

    /// Adds a target for units that use a graph. *Cost:* every cell of the window.
    pub(crate) fn add_target(&mut self, graph: u16, target: LocalCell, around: Around) -> Target {
        let Self { window, graphs, distances, queue, kept, .. } = self;
        let number = distances.len() / window.cells();
        let open = |at: LocalCell| is_open(kept, *window, at, around);
        graphs[usize::from(graph)].distances(window, target, open, queue, distances);
        Target::Window(number as u16)
    }

    /// Adds a target for units within 8 cells of it: see [`StepPlanner::is_near`]. Routes do not leave that square. *Cost:* its cells.
    pub(crate) fn add_near_target(&mut self, graph: u16, target: LocalCell, around: Around) -> Target {
        let Self { window, graphs, near, queue, kept, .. } = self;
        let open = |at: LocalCell| is_open(kept, *window, at, around);
        Target::Near(near.add(window, &graphs[usize::from(graph)], target, open, queue))
    }

    /// Whether a cell is within 8 cells of a target.
    pub(crate) fn is_near(&self, at: LocalCell, target: LocalCell) -> bool {
        near_place(&self.window, target, at).is_some()
    }

    /// The number of steps from a cell to a target, around the units that its distances lead around; `None` if no route leads there inside the window, or
    /// near the target.
    pub(crate) fn distance(&self, target: Target, at: LocalCell) -> Option<u16> {
        let distance = self.distance_or_far(target, at);
        (distance != FAR).then_some(distance)
    }

    /// As [`StepPlanner::distance`]; [`FAR`] if no route leads there.
    fn distance_or_far(&self, target: Target, at: LocalCell) -> u16 {
        match target {
            Target::Window(number) => self.distances[usize::from(number) * self.window.cells() + at.index()],
            Target::Near(number) => self.near.distance(&self.window, number, at),
        }
    }

    /// Whether a step leads nearer to a target.
    pub(crate) fn leads_nearer(&self, target: Target, from: LocalCell, to: LocalCell) -> bool {
        self.distance_or_far(target, to) < self.distance_or_far(target, from)
    }

    /// Adds the unit with the next lower priority. A unit that does not lean must have its cells for itself.
    pub(crate) fn add_mover(&mut self, mover: Mover) {
        if mover.leans.is_none() {
            let place = self.movers.len() as u16;
            cover(&mut self.now, &self.window, (mover.at, mover.size), place);
        }
        self.movers.push(mover);
    }

    /// Whether no unit that was added covers a cell of a unit of this size.
    pub(crate) fn has_room(&self, at: LocalCell, size: SizeClass) -> bool {
        self.covered(at, size).all(|cell| self.now[cell.index()] == NOBODY)
    }

    /// The cells one legal step from a cell.
    pub(crate) fn beside(&self, graph: u16, at: LocalCell) -> impl Iterator<Item = LocalCell> {
        self.graphs[usize::from(graph)].beside(&self.window, at)
    }

    /// Plans the step of all units. Units that wait for each other in a circle get out of it only if `seed` and `swaps` change from time to time. Returns the cell of each unit after the step, in the order of units.
    pub(crate) fn plan(&mut self, seed: u64, swaps: Swaps) -> impl Iterator<Item = LocalCell> + '_ {
        (self.seed, self.swaps, self.chain) = (seed, swaps, 0);
        self.next.resize(self.movers.len(), None);
        for place in 0..self.movers.len() {
            if self.movers[place].fixed {
                self.claim(place, self.movers[place].at);
            }
        }
        for place in 0..self.movers.len() {
            if let Some(leans) = self.movers[place].leans {
                self.leader = place;
                self.step_away(place, leans);
            }
        }
        for place in 0..self.movers.len() {
            if self.next[place].is_none() {
                self.leader = place;
                self.push(place);
            }
        }
        self.next.iter().zip(&self.movers).map(|(next, mover)| next.unwrap_or(mover.at))
    }

    /// The cells of the window that a unit at a cell covers.
    fn covered(&self, at: LocalCell, size: SizeClass) -> impl Iterator<Item = LocalCell> + use<> {
        covered(self.window, at, size)
    }

    /// The distance of a cell for a unit. A unit without a target wants to stay.
    pub(super) fn distance_for(&self, place: usize, cell: LocalCell) -> u16 {
        let mover = &self.movers[place];
        match mover.target {
            Some(target) => self.distance_or_far(target, cell),
            None => u16::from(cell != mover.at),
        }
    }

    /// The cells that a unit may step to: the nearest to its target first. A unit without a target prefers cells off the way of the unit that it makes way for. Then
    /// come free cells before taken ones, in random order.
    pub(super) fn choices(&self, place: usize) -> Choices {
        let mover = &self.movers[place];
        let mut luck = Rng::keyed(self.seed, Tick::ZERO, u64::from(mover.name), TIES);
        let mut keyed = [(0, false, false, 0, LocalCell(0)); MOST_CHOICES];
        let mut count = 0;
        let beside = self.graphs[usize::from(mover.graph)].beside(&self.window, mover.at);
        for cell in core::iter::once(mover.at).chain(beside) {
            let taken = cell != mover.at && self.now[cell.index()] != NOBODY;
            let in_the_way = mover.target.is_none() && self.is_on_the_way(mover.at, cell);
            keyed[count] = (self.distance_for(place, cell), in_the_way, taken, luck.next_u32(), cell);
            count += 1;
        }
        keyed[..count].sort_unstable();
        Choices { cells: keyed.map(|(_, _, _, _, cell)| cell), count }
    }

    /// Whether a step leads nearer to the target of the unit whose step is decided now.
    fn is_on_the_way(&self, from: LocalCell, to: LocalCell) -> bool {
        let Some(target) = self.movers[self.leader].target else { return false };
        self.leads_nearer(target, from, to)
    }

    /// Decides the step of a unit. Units in its way are pushed on. Returns `false` if the unit has to stay because no unit in its way can move.
    fn push(&mut self, place: usize) -> bool {
        let mut choices = self.choices(place);
        let swap = if self.swaps == Swaps::Allowed { self.swap_partner(place, &choices) } else { None };
        let best = choices.cells[0];
        if swap.is_some() {
            choices.cells[..choices.count].reverse();
        }
        let at = self.movers[place].at;
        for number in 0..choices.count {
            let to = choices.cells[number];
            if !self.can_claim(place, to) {
                continue;
            }
            self.claim(place, to);
            if to == at || self.push_on(place, to) {
                // The partner follows into the cell that the unit leaves.
                if let Some(partner) = swap.filter(|_| to != at && to != best) {
                    if self.next[partner].is_none() && self.can_claim(partner, at) {
                        self.claim(partner, at);
                    }
                }
                return true;
            }
            self.release(place);
        }
        // Its own cell may be claimed by the unit that pushed it: that unit then takes another cell.
        self.claim(place, at);
        false
    }

    /// Decides the step of a unit that has no cell of its own: to the cell that it leans to, else to another one beside it. If none can be had, it stays and
    /// counts for no other unit.
    fn step_away(&mut self, place: usize, leans: LocalCell) {
        let at = self.movers[place].at;
        let choices = self.choices(place);
        let others = choices.as_slice().iter().copied().filter(|&cell| cell != leans && cell != at);
        for to in core::iter::once(leans).chain(others) {
            if to != at && self.can_claim(place, to) {
                self.claim(place, to);
                if self.push_on(place, to) {
                    return;
                }
                self.release(place);
            }
        }
        self.next[place] = Some(at);
    }

    /// Pushes on all units that cover the cells of a unit at `to`. Returns whether all of them leave.
    fn push_on(&mut self, place: usize, to: LocalCell) -> bool {
        let size = self.movers[place].size;
        for cell in self.covered(to, size) {
            let other = self.now[cell.index()];
            if other == NOBODY || usize::from(other) == place || self.next[usize::from(other)].is_some() {
                continue;
            }
            let stranger = &self.movers[usize::from(other)];
            let stays = stranger.target.is_none() && stranger.team != self.movers[place].team;
            if stays || self.chain >= MOST_CHAIN {
                return false;
            }
            self.chain += 1;
            let leaves = self.push(usize::from(other));
            self.chain -= 1;
            if !leaves {
                return false;
            }
        }
        // A unit that was pushed may have been decided before it left all cells.
        self.covered(to, size).all(|cell| usize::from(self.claimed[cell.index()]) == place)
    }

    /// Whether a unit can step to a cell: no other unit has claimed it, and no unit there comes the other way.
    fn can_claim(&self, place: usize, to: LocalCell) -> bool {
        let Mover { at, size, .. } = self.movers[place];
        self.covered(to, size).all(|cell| {
            let other = usize::from(self.now[cell.index()]);
            let exchanges = || {
                let Some(Some(next)) = self.next.get(other).filter(|_| other != place) else { return false };
                self.covered(*next, self.movers[other].size)
                    .any(|cell| usize::from(self.now[cell.index()]) == place)
            };
            self.claimed[cell.index()] == NOBODY && (to == at || !exchanges())
        })
    }

    fn claim(&mut self, place: usize, to: LocalCell) {
        cover(&mut self.claimed, &self.window, (to, self.movers[place].size), place as u16);
        self.next[place] = Some(to);
    }

    fn release(&mut self, place: usize) {
        if let Some(to) = self.next[place].take() {
            for cell in covered(self.window, to, self.movers[place].size) {
                let claimed = &mut self.claimed[cell.index()];
                if usize::from(*claimed) == place {
                    *claimed = NOBODY;
                }
            }
        }
    }
}

impl Scratch for StepPlanner {
    type Demand = ();

    fn poison(&mut self) {
        self.graph_count = self.graphs.len();
        poison_list(&mut self.distances, 7);
        self.near.poison();
        poison_list(&mut self.kept, Kept::Always);
        self.any_kept = true;
        poison_list(&mut self.now, 7);
        poison_list(&mut self.claimed, 7);
        poison_list(&mut self.next, Some(LocalCell(7)));
        poison_list(&mut self.queue, LocalCell(7));
    }

    fn reserve(&mut self, (): ()) {}
}

/// The cells of a window that a unit at a cell covers.
fn covered(window: Window, at: LocalCell, size: SizeClass) -> impl Iterator<Item = LocalCell> {
    let (back, ahead) = (size.reach_north_west(), size.reach_south_east());
    let CellPos { x, y } = window.pos(at);
    (-back..=ahead)
        .flat_map(move |dy| (-back..=ahead).filter_map(move |dx| window.local(CellPos::new(x + dx, y + dy))))
}

/// Whether routes to a target may enter a cell.
fn is_open(kept: &[Kept], window: Window, at: LocalCell, around: Around) -> bool {
    match around {
        Around::Nobody => true,
        Around::Keepers(team, size) => {
            covered(window, at, size).all(|cell| kept[cell.index()].is_open_for(team))
        }
    }
}

/// Writes a unit into all cells that it covers at a cell.
fn cover(list: &mut [u16], window: &Window, (at, size): (LocalCell, SizeClass), place: u16) {
    covered(*window, at, size).for_each(|cell| list[cell.index()] = place);
}
