//! Plans the next steps of the units in one deadlock zone.

use alloc::vec::Vec;

use crate::avoid::{Fine, Stance};
use crate::base::{
    Agent, CellPos, CellRect, CollisionLayers, Purpose, Rng, Scratch, SizeClass, Tick, poison_list,
};
use crate::flow::tiles::TileReader;
use crate::mapf::{Around, Kept, LocalCell, Mover, StepPlanner, Swaps, Target, Window};
use crate::world::deadlock::exits::{Exit, Exits, exits_of};
use crate::world::deadlock::targets::{Targets, Wanted};
use crate::world::orders::parts::OrderParts;
use crate::world::units::columns::Units;
use crate::world::units::occupancy::Occupancy;
use crate::world::units::wait_for::WaitForScratch;
use crate::world::units::zone_step::ZoneStep;

/// Random numbers for the priorities of units in a zone.
const PRIORITY: Purpose = Purpose(0x5EED_0016);
/// A unit leaves a zone at most 8 cells beside the cell where its route leaves it.
const WIDE_EXIT: u32 = 8;
/// At most 2,048 units take part in a zone.
pub(super) const MOST_UNITS: usize = 2048;

/// A unit in a zone.
#[derive(Clone, Copy, Debug)]
struct Part {
    index: u32,
    /// First units that make a step, then units with a goal, then others. Random numbers decide between them.
    priority: (u8, u32, u32),
    /// The step that the unit still makes.
    under_way: Option<ZoneStep>,
    exits: Option<Exits>,
    graph: u16,
    size: SizeClass,
}

/// Scratch of zones.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeadlockScratch {
    pub(crate) wait_for: WaitForScratch,
    planner: StepPlanner,
    parts: Vec<Part>,
    planned: Vec<Planned>,
    /// The agents whose graphs the planner has.
    agents: Vec<Agent>,
    targets: Targets,
    pub(super) units: Vec<u32>,
    /// The cell of each mover after the step.
    next: Vec<LocalCell>,
    /// Units in the cells in which their routes end.
    ended: Vec<u32>,
    /// Units that would have a route to their goals in the zone, were it not for units that do not make way; ascending by priority.
    pub(super) walled_in: Vec<u32>,
    /// Whether a unit has no route to its goal in the zone, for any reason.
    pub(super) any_cut_off: bool,
    /// Whether a unit has reached its goal, or the place where its route leaves the zone, since the last plan.
    pub(super) any_reached: bool,
    /// By collected unit: whether it still makes its last step.
    pub(super) late: Vec<bool>,
    /// The cells that units step from.
    pub(super) origins: Vec<(CellPos, u32)>,
    reader: TileReader,
}

/// What a plan achieves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Every unit with a goal gets nearer to it, and no other unit moves.
    Calm,
    /// Some units step.
    Busy,
    /// No unit steps, and some have not reached their goal.
    Frozen,
}

/// A mover of the planner.
#[derive(Clone, Copy, Debug)]
struct Planned {
    index: u32,
    at: LocalCell,
    target: Option<Target>,
    told: Told,
}

/// When a unit is told to step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Told {
    /// Never: it stays, or still makes its last step.
    Never,
    /// If it has to leave its cell. Otherwise it goes on by itself.
    ToMove,
    /// Always, also to stay.
    Always,
}

impl Scratch for DeadlockScratch {
    /// The number of units.
    type Demand = usize;

    fn poison(&mut self) {
        self.wait_for.poison();
        self.planner.poison();
        self.parts.clear();
        self.planned.clear();
        self.targets.poison();
        poison_list(&mut self.units, 7);
        poison_list(&mut self.ended, 7);
        poison_list(&mut self.walled_in, 7);
        poison_list(&mut self.next, LocalCell(7));
        poison_list(&mut self.late, true);
        poison_list(&mut self.origins, (CellPos::new(7, 7), 7));
        self.agents.clear();
        (self.any_reached, self.any_cut_off) = (true, true);
        self.reader.poison();
    }

    fn reserve(&mut self, units: usize) {
        self.wait_for.reserve(units);
    }
}

impl DeadlockScratch {
    /// Collects the units in an area, in the order of unit indices. Leaves out units that can meet no unit that is told to step, or that is stalled: an
    /// aircraft flies over the deadlock.
    pub(super) fn collect(&mut self, units: &Units, occupancy: &Occupancy, area: CellRect) {
        let list = &mut self.units;
        list.clear();
        occupancy.each_in(area, |index| {
            if units.id_at(index).is_some() && area.contains(units.cell(index)) {
                list.push(index as u32);
            }
        });
        list.sort_unstable();
        list.dedup();
        if !units.body.crowd.is_on_one_layer() {
            let takes_part = |index: usize| units.step[index].is_some() || units.monitor[index].stalled > 0;
            let layers = list.iter().map(|&index| index as usize).filter(|&index| takes_part(index));
            let layers = layers.map(|index| units.body.layers(index)).reduce(CollisionLayers::with);
            list.retain(|&index| {
                layers.is_some_and(|layers| layers.meets(units.body.layers(index as usize)))
            });
        }
    }

    /// Plans the next step of each collected unit that is not late, with distances for at most `most` cells. Returns what the plan achieves.
    pub(super) fn plan(
        &mut self,
        parts: &mut OrderParts<'_>,
        area: CellRect,
        epoch: u64,
        most: usize,
    ) -> Outcome {
        self.any_reached = false;
        let Some(window) = Window::new(area) else { return Outcome::Calm };
        let now = parts.service.nav().now();
        self.read(parts, window, epoch);
        self.place(parts, window, most);
        let swaps = if epoch % 2 == 0 { Swaps::Allowed } else { Swaps::Never };
        let seed = parts.seed ^ now.0;
        let (mut calm, mut any) = (!self.any_cut_off && !self.targets.any_left_out, false);
        let Self { planner, planned, next, .. } = self;
        next.clear();
        next.extend(planner.plan(seed, swaps));
        for (part, &to) in planned.iter().zip(next.iter()) {
            any |= part.at != to;
            if part.told == Told::Always || part.told == Told::ToMove && part.at != to {
                let (from, to) = (window.pos(part.at), window.pos(to));
                let step = &mut parts.units.step[part.index as usize];
                // A unit that is told to make the same step again gets no more time for it.
                let same = step.filter(|step| (step.from, step.to) == (from, to) && from != to);
                *step = Some(same.unwrap_or(ZoneStep { from, to, since: now, waits: false, overdue: false }));
            }
            calm &= match part.target {
                Some(target) => {
                    let nearer = planner.leads_nearer(target, part.at, to);
                    nearer || part.at == to && planner.distance(target, to) == Some(0)
                }
                // A unit without a goal that makes way would come back.
                None => part.at == to,
            };
        }
        // In a zone, the cell of its goal is near enough for a unit: on its way to the exact point it would block others.
        for &index in self.ended.iter() {
            if let Some(id) = parts.units.id_at(index as usize) {
                parts.arrive(index as usize, id);
            }
        }
        match (calm, any) {
            (true, _) => Outcome::Calm,
            (false, true) => Outcome::Busy,
            (false, false) => Outcome::Frozen,
        }
    }

    /// Finds what each collected unit wants, its graph and its priority.
    fn read(&mut self, parts: &OrderParts<'_>, window: Window, epoch: u64) {
        let Self { planner, parts: list, agents, units, late, reader, .. } = self;
        planner.begin(window);
        list.clear();
        agents.clear();
        let (layer, rule) = (parts.service.nav().layer(), parts.service.nav().config().step_rule());
        for (&index, &late) in units.iter().zip(late.iter()) {
            let Some(kind) = parts.type_of(index as usize) else { continue };
            let own = parts.units.agent(index as usize, kind, layer);
            let Some(field) = layer.field(own) else { continue };
            let at = parts.units.cell(index as usize);
            if !field.is_passable(at) {
                continue;
            }
            let graph = match agents.iter().position(|&agent| agent == own) {
                Some(graph) => graph as u16,
                None => {
                    agents.push(own);
                    planner.add_graph(field, rule)
                }
            };
            let exits = exits_of(parts, index as usize, window.area(), reader);
            let luck = Rng::keyed(parts.seed, Tick(epoch), u64::from(index), PRIORITY).next_u32();
            let under_way =
                parts.units.step[index as usize].filter(|step| late && window.local(step.to).is_some());
            let rank = if under_way.is_some() { 0 } else { 1 + u8::from(exits.is_none()) };
            list.push(Part {
                index,
                priority: (rank, luck, index),
                under_way,
                exits,
                graph,
                size: kind.agent.size,
            });
        }
        list.sort_unstable_by_key(|part| part.priority);
    }

    /// Adds the units to the planner, by priority. Of several units in one cell, the nearest to its middle owns the cell.
    fn place(&mut self, parts: &mut OrderParts<'_>, window: Window, most: usize) {
        let units = &mut *parts.units;
        let Self {
            planner,
            parts: list,
            planned,
            targets,
            origins,
            any_reached,
            ended,
            walled_in,
            any_cut_off,
            ..
        } = self;
        *any_cut_off = false;
        planned.clear();
        ended.clear();
        walled_in.clear();
        let wanting = list.iter().filter(|part| part.exits.is_some()).count();
        targets.begin(most, wanting * window.cells());
        origins.clear();
        let off = |index: u32| {
            let centre =
                Fine::centre(units.cell(index as usize)).plus(units.shift(units.body.kind[index as usize]));
            units.middle(index as usize).distance_squared(centre)
        };
        origins.extend(list.iter().map(|part| (units.cell(part.index as usize), part.index)));
        origins.sort_unstable_by_key(|&(cell, index)| (cell, off(index), index));
        origins.dedup_by_key(|(cell, _)| *cell);
        for part in list.iter() {
            let index = part.index as usize;
            let kept = match part.exits {
                _ if is_fixed(units, index) => Kept::Always,
                None if part.under_way.is_none() => Kept::Team(units.body.team(index).0),
                _ => continue,
            };
            if let Some(at) = window.local(units.cell(index)) {
                planner.keep(at, part.size, kept);
            }
        }
        let has_keepers = planner.has_keepers();
        for part in list.iter() {
            let index = part.index as usize;
            let cell = units.cell(index);
            let Some(at) = window.local(cell) else { continue };
            if let Some(step) = part.under_way {
                // A unit that makes a step keeps both cells until it has left the first.
                let (graph, size, team) = (part.graph, part.size, units.body.team(index).0);
                for kept in [Some(step.to), (cell == step.from).then_some(step.from)].into_iter().flatten() {
                    if let Some(at) = window.local(kept).filter(|&at| planner.has_room(at, size)) {
                        let mover = Mover {
                            at,
                            size,
                            graph,
                            target: None,
                            fixed: true,
                            leans: None,
                            team,
                            name: part.index,
                        };
                        planner.add_mover(mover);
                        planned.push(Planned { index: part.index, at, target: None, told: Told::Never });
                    }
                }
                continue;
            }
            let team = units.body.team(index).0;
            let mut find = |exit: Exit, around: Around| {
                let goal = window.local(exit.cell())?;
                let wanted = Wanted { graph: part.graph, goal, pos: exit.cell(), around };
                targets.find(planner, at, wanted).map(|target| (exit, goal, target))
            };
            let around = if has_keepers { Around::Keepers(team, part.size) } else { Around::Nobody };
            let found = part.exits.and_then(|Exits { guided, own }| {
                find(guided, around).or_else(|| own.and_then(|own| find(own, around)))
            });
            if let Some(exits) = part.exits.filter(|_| found.is_none()) {
                let is_open = has_keepers && find(exits.guided, Around::Nobody).is_some();
                if !targets.any_left_out {
                    *any_cut_off = true;
                    if is_open {
                        walled_in.push(part.index);
                    }
                }
            }
            let exit = found.map(|found| found.0).or(part.exits.map(|exits| exits.guided));
            let (goal, target) = (found.map(|found| found.1), found.map(|found| found.2));
            let left = target.and_then(|target| planner.distance(target, at));
            // Beside a goal that another unit keeps, no step leads nearer.
            let leaves = matches!(exit, Some(Exit::Leaves(to, _)) if is_beside_exit(window.area(), cell, to));
            let is_there = leaves
                || left == Some(0)
                || left == Some(1) && goal.is_some_and(|cell| planner.is_kept(cell, team));
            if is_there {
                *any_reached |= units.step[index].is_some();
                // The unit goes on by itself: to the exact end of its route, or out of the zone.
                units.step[index] = None;
                match exit {
                    Some(Exit::Leaves(_, next)) => next.note(units, index),
                    Some(Exit::Ends(_)) => ended.push(part.index),
                    None => {}
                }
            }
            // A unit on its way out is not pushed back.
            let fixed = leaves || is_fixed(units, index);
            let owns = origins.binary_search(&(cell, part.index)).is_ok() && planner.has_room(at, part.size);
            if fixed && !owns {
                continue;
            }
            let middle = units.middle(index).minus(units.shift(units.body.kind[index]));
            let far = |cell: &LocalCell| (Fine::centre(window.pos(*cell)).distance_squared(middle), *cell);
            let leans = (!owns).then(|| planner.beside(part.graph, at).min_by_key(far).unwrap_or(at));
            let (graph, size, team) = (part.graph, part.size, units.body.team(index).0);
            planner.add_mover(Mover { at, size, graph, target, fixed, leans, team, name: part.index });
            let told = if fixed {
                Told::Never
            } else if is_there {
                Told::ToMove
            } else {
                Told::Always
            };
            planned.push(Planned { index: part.index, at, target, told });
        }
    }
}

/// Whether a unit at a cell can leave an area beside the cell where its route leaves it: on the same side, at most [`WIDE_EXIT`] cells away. Otherwise all
/// members of a group would leave through one cell.
fn is_beside_exit(area: CellRect, at: CellPos, exit: CellPos) -> bool {
    let same = |side: fn(CellRect, CellPos) -> bool| side(area, at) && side(area, exit);
    let near = at.x.abs_diff(exit.x).max(at.y.abs_diff(exit.y)) <= WIDE_EXIT;
    near && (same(|area, at| at.x == area.x0)
        || same(|area, at| at.y == area.y0)
        || same(|area, at| at.x + 1 == area.x1)
        || same(|area, at| at.y + 1 == area.y1))
}

/// Whether a unit makes way for no other unit.
fn is_fixed(units: &Units, index: usize) -> bool {
    units.stance(index) == Stance::Holding || units.progress[index].halted
}
