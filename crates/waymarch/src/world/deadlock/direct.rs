//! Plans the steps of the units in deadlock zones.

use alloc::vec::Vec;

use crate::avoid::{Fine, Stance};
use crate::base::{Agent, CellPos, CellRect, Purpose, Rng, Scratch, SizeClass, Tick, poison_list};
use crate::flow::tiles::TileReader;
use crate::mapf::{LocalCell, Mover, StepPlanner, Swaps, Window};
use crate::world::deadlock::exits::{Exit, exit_of};
use crate::world::deadlock::zone::{Zones, fits};
use crate::world::events::{GiveUp, RouteChange};
use crate::world::orders::parts::OrderParts;
use crate::world::state::is_due;
use crate::world::units::columns::Units;
use crate::world::units::motion::UnitMotion;
use crate::world::units::occupancy::Occupancy;
use crate::world::units::order_progress::Phase;
use crate::world::units::wait_for::{WaitFor, WaitForScratch};
use crate::world::units::zone_step::ZoneStep;

/// Random numbers for the priorities of units in a zone.
const PRIORITY: Purpose = Purpose(0x5EED_0016);
/// Steps are planned every 2 ticks, for units that have made their last step.
const PLAN_EVERY: u64 = 2;
/// Priorities change every 40 seconds, and the swap rule is used in every other epoch. So units that make the same steps again and again get out of that.
const EPOCH_SECONDS: u64 = 40;
/// A zone ends after 16 epochs in which no unit reached its goal or left.
const MOST_EPOCHS: u64 = 16;
/// A zone ends after 24 plans in a row in which every unit with a goal got nearer to it, and no other unit moved.
const CALM_PLANS: u32 = 24;
/// A zone grows by 8 cells on each side after 32 plans in a row in which no unit stepped.
const FROZEN_PLANS: u32 = 32;
/// A zone that cannot grow ends after 1,200 plans in a row, 3 epochs at 20 ticks per second, in which no unit stepped.
const HOPELESS_PLANS: u32 = 1200;
/// A zone grows by 8 cells on each side.
const GROWTH: i32 = 8;
/// At most 512 units take part in a zone: a unit may push a chain of all others, one call deep for each.
const MOST_UNITS: usize = 512;

/// A unit in a zone.
#[derive(Clone, Copy, Debug)]
struct Part {
    index: u32,
    /// First units that make a step, then units with a goal, then others. Random numbers decide between them.
    priority: (u8, u32, u32),
    /// The step that the unit still makes.
    under_way: Option<ZoneStep>,
    exit: Option<Exit>,
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
    /// The targets whose distances the planner has: graph and cell.
    targets: Vec<(u16, LocalCell)>,
    pub(super) units: Vec<u32>,
    /// The cell of each mover after the step.
    next: Vec<LocalCell>,
    /// Units in the cells in which their routes end.
    ended: Vec<u32>,
    /// Whether a unit has reached its goal, or the place where its route leaves the zone, since the last plan.
    any_reached: bool,
    /// The cells of the collected units that still make their last step, row by row.
    pub(super) under_way: Vec<CellPos>,
    /// By collected unit: whether it still makes its last step, or waits for a unit near it that does.
    pub(super) late: Vec<bool>,
    /// The cells that units step from.
    pub(super) origins: Vec<(CellPos, u32)>,
    reader: TileReader,
}

/// Why a zone ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ZoneEnd {
    /// Its units get on by themselves.
    Calm,
    /// No plan helps: units that do not make way block the others.
    Hopeless,
}

/// What a plan achieves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
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
    target: Option<u16>,
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
        poison_list(&mut self.targets, (7, LocalCell(7)));
        poison_list(&mut self.units, 7);
        poison_list(&mut self.ended, 7);
        poison_list(&mut self.next, LocalCell(7));
        poison_list(&mut self.under_way, CellPos::new(7, 7));
        poison_list(&mut self.late, true);
        poison_list(&mut self.origins, (CellPos::new(7, 7), 7));
        self.agents.clear();
        self.any_reached = true;
        self.reader.poison();
    }

    fn reserve(&mut self, units: usize) {
        self.wait_for.reserve(units);
    }
}

/// Adds zones for the deadlocks that exist now. Call it every few ticks.
pub(crate) fn find_zones(wait_for: WaitFor<'_>, zones: &mut Zones, now: Tick, scratch: &mut WaitForScratch) {
    wait_for.find_deadlocks(scratch);
    scratch.found.iter().for_each(|&area| zones.add(area, now));
}

/// Plans the next steps in each zone, and ends zones.
pub(crate) fn direct_zones(
    parts: &mut OrderParts<'_>,
    zones: &mut Zones,
    occupancy: &Occupancy,
    scratch: &mut DeadlockScratch,
) {
    let now = parts.service.nav().now();
    let per_second = u64::from(parts.service.nav().config().get().ticks_per_second);
    let mut grown = None;
    for number in (0..zones.list.len()).rev() {
        let mut zone = zones.list[number];
        scratch.collect(parts.units, occupancy, zone.area);
        if is_due(now, PLAN_EVERY, 0) {
            let epoch = now.0.saturating_sub(zone.since.0) / (EPOCH_SECONDS * per_second);
            let outcome = scratch.plan(parts, zone.area, epoch);
            if scratch.any_reached {
                zone.reached = now;
            }
            zone.calm = if outcome == Outcome::Calm { zone.calm.saturating_add(1) } else { 0 };
            zone.frozen = if outcome == Outcome::Frozen { zone.frozen.saturating_add(1) } else { 0 };
            zones.list[number] = zone;
            let grid = parts.service.nav().layer().grid().rect();
            let larger = zone.area.grow(GROWTH, GROWTH).intersect(grid);
            let grows = larger != zone.area && fits(larger);
            let hopeless = zone.frozen >= HOPELESS_PLANS && !grows
                || now.0.saturating_sub(zone.reached.0) >= MOST_EPOCHS * EPOCH_SECONDS * per_second;
            if zone.calm >= CALM_PLANS || hopeless {
                let end = if hopeless { ZoneEnd::Hopeless } else { ZoneEnd::Calm };
                scratch.units.iter().for_each(|&index| release(parts, index as usize, end));
                zones.list.remove(number);
                continue;
            }
            if zone.frozen >= FROZEN_PLANS && grows {
                // The way out may lie outside.
                zones.list[number].frozen = 0;
                grown = Some(larger);
            }
        }
        scratch.follow_leaders(parts.units, now);
    }
    if let Some(area) = grown {
        zones.add(area, now);
    }
    release_outsiders(parts, zones);
}

/// Releases units whose cell is in no zone.
fn release_outsiders(parts: &mut OrderParts<'_>, zones: &Zones) {
    for index in 0..parts.units.column_len() {
        if parts.units.step[index].is_none() {
            continue;
        }
        let at = parts.units.cell(index);
        if !zones.list.iter().any(|zone| zone.area.contains(at)) {
            release(parts, index, ZoneEnd::Calm);
        }
    }
}

/// Ends the control of a unit. A unit under way goes on along its route, and asks for another one if it was pushed off it. A unit at rest rests here.
///
/// A unit under way that gets into one zone after the other without progress gives up in the end.
fn release(parts: &mut OrderParts<'_>, index: usize, end: ZoneEnd) {
    let Some(id) = parts.units.id_at(index) else { return };
    if parts.units.step[index].take().is_none() {
        return;
    }
    let at = parts.units.at(index);
    let weight = if end == ZoneEnd::Calm { 1 } else { 40 };
    // The unit was pushed back and forth, which says nothing about its route.
    if !parts.units.monitor[index].start_over(at, weight) && parts.units.progress[index].phase == Phase::Going
    {
        parts.give_up(index, id, GiveUp::Stuck { state: UnitMotion::Yielding, by: None });
        return;
    }
    match parts.units.progress[index].phase {
        Phase::Going if parts.units.progress[index].escape.is_none() => {
            if !parts.service.follows_flow(parts.units.progress[index].path) {
                parts.request_again(index, RouteChange::Crowd);
            }
        }
        _ => {
            let place = parts.units.place(index);
            parts.units.body.crowd.stop(place);
        }
    }
}

impl DeadlockScratch {
    /// Collects the units in an area, in the order of unit indices.
    fn collect(&mut self, units: &Units, occupancy: &Occupancy, area: CellRect) {
        let list = &mut self.units;
        list.clear();
        occupancy.each_in(area, |index| {
            if units.id_at(index).is_some() && area.contains(units.cell(index)) {
                list.push(index as u32);
            }
        });
        list.sort_unstable();
        list.dedup();
    }

    /// Plans the next step of each collected unit that is not late. Returns what the plan achieves.
    fn plan(&mut self, parts: &mut OrderParts<'_>, area: CellRect, epoch: u64) -> Outcome {
        self.any_reached = false;
        let Some(window) = Window::new(area) else { return Outcome::Calm };
        if self.units.len() > MOST_UNITS {
            return Outcome::Calm;
        }
        let now = parts.service.nav().now();
        self.find_late(parts, now);
        self.read(parts, window, epoch);
        self.place(parts, window);
        let swaps = if epoch % 2 == 0 { Swaps::Allowed } else { Swaps::Never };
        let seed = parts.seed ^ now.0;
        let (mut calm, mut any) = (true, false);
        let Self { planner, planned, next, .. } = self;
        next.clear();
        next.extend(planner.plan(seed, swaps));
        for (part, &to) in planned.iter().zip(next.iter()) {
            any |= part.at != to;
            if part.told == Told::Always || part.told == Told::ToMove && part.at != to {
                let (from, to) = (window.pos(part.at), window.pos(to));
                parts.units.step[part.index as usize] = Some(ZoneStep { from, to, since: now, waits: false });
            }
            calm &= match part.target {
                Some(target) => {
                    let nearer = planner.distance(target, to) < planner.distance(target, part.at);
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
        let Self { planner, parts: list, agents, targets, units, late, reader, .. } = self;
        planner.begin(window);
        list.clear();
        agents.clear();
        targets.clear();
        let (layer, rule) = (parts.service.nav().layer(), parts.service.nav().config().step_rule());
        for (&index, &late) in units.iter().zip(late.iter()) {
            let Some(kind) = parts.type_of(index as usize) else { continue };
            let Some(field) = layer.field(kind.agent) else { continue };
            let at = parts.units.cell(index as usize);
            if !field.is_passable(at) {
                continue;
            }
            let graph = match agents.iter().position(|&agent| agent == kind.agent) {
                Some(graph) => graph as u16,
                None => {
                    agents.push(kind.agent);
                    planner.add_graph(field, rule)
                }
            };
            let exit = exit_of(parts.service, parts.units, index as usize, window.area(), reader);
            let luck = Rng::keyed(parts.seed, Tick(epoch), u64::from(index), PRIORITY).next_u32();
            let under_way =
                parts.units.step[index as usize].filter(|step| late && window.local(step.to).is_some());
            let rank = if under_way.is_some() { 0 } else { 1 + u8::from(exit.is_none()) };
            list.push(Part {
                index,
                priority: (rank, luck, index),
                under_way,
                exit,
                graph,
                size: kind.agent.size,
            });
        }
        list.sort_unstable_by_key(|part| part.priority);
    }

    /// Adds the units to the planner, by priority. Of several units in one cell, the nearest to its middle owns the cell.
    fn place(&mut self, parts: &mut OrderParts<'_>, window: Window) {
        let units = &mut *parts.units;
        let Self { planner, parts: list, planned, targets, origins, any_reached, ended, .. } = self;
        planned.clear();
        ended.clear();
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
            let cell = units.cell(index);
            let Some(at) = window.local(cell) else { continue };
            if let Some(step) = part.under_way {
                // A unit that makes a step keeps both cells until it has left the first.
                let (graph, size, team) = (part.graph, part.size, units.body.owner[index].0);
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
            let target = part.exit.and_then(|exit| window.local(exit.cell())).and_then(|cell| {
                let known = targets.iter().position(|&known| known == (part.graph, cell));
                let number = known.map_or_else(
                    || {
                        targets.push((part.graph, cell));
                        planner.add_target(part.graph, cell)
                    },
                    |known| known as u16,
                );
                planner.distance(number, at).map(|_| number)
            });
            let is_there = target.is_some_and(|target| planner.distance(target, at) == Some(0));
            if is_there {
                *any_reached |= units.step[index].is_some();
                // The unit goes on by itself: to the exact end of its route, or out of the zone.
                units.step[index] = None;
                match part.exit {
                    Some(Exit::Leaves(_, Some(trace))) => units.progress[index].trace = trace,
                    Some(Exit::Ends(_)) => ended.push(part.index),
                    _ => {}
                }
            }
            let fixed = units.stance(index) == Stance::Holding || units.progress[index].halted;
            let owns = origins.binary_search(&(cell, part.index)).is_ok() && planner.has_room(at, part.size);
            if fixed && !owns {
                continue;
            }
            let middle = units.middle(index).minus(units.shift(units.body.kind[index]));
            let far = |cell: &LocalCell| (Fine::centre(window.pos(*cell)).distance_squared(middle), *cell);
            let leans = (!owns).then(|| planner.beside(part.graph, at).min_by_key(far).unwrap_or(at));
            let (graph, size, team) = (part.graph, part.size, units.body.owner[index].0);
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
