//! Extends the corridor of a flow, so that it leads from where units are.
//!
//! On a large map it takes long to find the best door route from a room, and an army stands in many rooms. So a joining unit gets a quickly
//! found door route, or joins a corridor that exists. The best route from its room is found in one of the next ticks and widens the
//! corridor.

use super::groups::{BestRoute, FlowGroup, FlowGroups, FlowScratch};
use super::review::note_changed_route;
use crate::base::CellPos;
use crate::cost::{Neighbours, STRAIGHT};
use crate::flow::tiles::Breadth;
use crate::nav::Navigator;
use crate::plan::work_costs::{door_route, merging_door_route};
use crate::search::octile;
use crate::sectors::{DoorQuery, DoorRoute, Doors, Merging};

/// A route through another unit's start may be longer than the straight line by a factor of 9/8, plus [`NEARBY`].
const DETOUR: (u64, u64) = (9, 8);

/// 16 straight steps on the cheapest ground.
const NEARBY: u64 = 16 * STRAIGHT as u64;

/// Whether a flow leads from a cell now, and the nodes that this took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extension {
    pub(super) leads: bool,
    pub(super) nodes: u32,
}

impl FlowGroup {
    /// The start of another room that is nearest to `from` in a straight line; of equally near starts, the first. Starts that make the
    /// route to the goal much longer than the straight line do not count: units would go back to where others started.
    fn nearest_start(&self, from: CellPos) -> Option<CellPos> {
        let distance = |a: CellPos, b: CellPos| octile(a, b, Neighbours::Eight);
        let most = distance(from, self.goal) * DETOUR.0 / DETOUR.1 + NEARBY;
        let starts = self.served.iter().map(|served| served.from);
        let on_route = starts.filter(|&start| distance(from, start) + distance(start, self.goal) <= most);
        on_route.min_by_key(|&start| distance(from, start))
    }

    /// Notes that the room whose first unit joined at `from` needs no best route any more.
    pub(super) fn clear_needs(&mut self, from: CellPos) {
        let rooms = self.served.iter_mut().filter(|served| served.from == from);
        rooms.for_each(|served| served.best_route = BestRoute::Known);
    }
}

/// The doors for a group's agent and threat mode. They must have been prepared.
fn doors_of<'a>(nav: &'a Navigator, group: &FlowGroup) -> Option<&'a Doors> {
    let layer = nav.layer();
    let threat = layer.threat().effective(group.to.threat);
    nav.hybrid().doors(layer, group.to.agent, threat).ok()
}

impl FlowGroups {
    /// Makes the flow of group `at` lead from `from`, where a unit joins.
    pub(super) fn extend_to_joiner(&mut self, nav: &mut Navigator, at: usize, from: CellPos) -> Extension {
        let Self {
            groups, flows, scratch: FlowScratch { reader, door_route: over, doors: memory, .. }, ..
        } = self;
        let group = &mut groups[at];
        let Some(room) = nav.sectors().room(from, group.to.agent) else {
            return Extension { leads: false, nodes: 1 };
        };
        let mut nodes = 1;
        if !flows.leads(nav.layer(), group.flow, from, reader) {
            nav.prepare_for(group.to.agent, group.to.threat);
            let Some(doors) = doors_of(nav, group) else { return Extension { leads: false, nodes: 1 } };
            // Other units mostly start nearby, and the flow leads from there already.
            let to = group.nearest_start(from).unwrap_or(group.goal);
            let found = match nav.tables_are_made(group.to.agent) {
                true => doors.route_hasty(nav.layer(), from, to, memory, over),
                false => {
                    let query = DoorQuery { from, to };
                    doors.route_rough(nav.layer(), nav.sectors(), query, (memory, over))
                }
            };
            nodes = door_route(over);
            if !found {
                return Extension { leads: false, nodes };
            }
            let breadth = if group.served.is_empty() { Breadth::Around } else { Breadth::Route };
            if breadth == Breadth::Route {
                // Add the route only up to the first cell that the flow leads from. So it cannot make a cycle.
                let led = |&at: &CellPos| flows.leads(nav.layer(), group.flow, at, reader);
                let end = over.cells.iter().position(led).unwrap_or(over.cells.len());
                over.cells.truncate(end + 1);
            }
            flows.widen(nav.layer(), group.flow, over, breadth);
            if !flows.leads(nav.layer(), group.flow, from, reader) {
                return Extension { leads: false, nodes };
            }
        }
        group.serve(room, from);
        Extension { leads: true, nodes }
    }

    /// Makes the flow of group `at` lead from `from`, the position of a follower that may have strayed.
    pub(super) fn extend_to_follower(&mut self, nav: &mut Navigator, at: usize, from: CellPos) -> Extension {
        let Self { groups, flows, scratch, .. } = self;
        let group = &mut groups[at];
        if flows.leads(nav.layer(), group.flow, from, &mut scratch.reader) {
            return Extension { leads: true, nodes: 1 };
        }
        let Some(room) = nav.sectors().room(from, group.to.agent) else {
            return Extension { leads: false, nodes: 1 };
        };
        group.serve(room, from);
        self.add_best_route(nav, at, from)
    }

    /// Widens the corridor of group `at` by the best door route from `from`. The group keeps the route if the room of `from` needs one, so
    /// that it has at most one for each room.
    pub(super) fn add_best_route(&mut self, nav: &mut Navigator, at: usize, from: CellPos) -> Extension {
        let Self { groups, flows, live_doors, spare, scratch, changed, .. } = self;
        let FlowScratch { door_route: over, doors: memory, .. } = scratch;
        let group = &mut groups[at];
        let (agent, threat) = (group.to.agent, group.to.threat);
        let room = nav.sectors().room(from, agent);
        nav.prepare_for(agent, threat);
        let Some(doors) = doors_of(nav, group) else { return Extension { leads: false, nodes: 1 } };
        if !nav.tables_are_made(agent) {
            // The room still needs its best route.
            let query = DoorQuery { from, to: group.goal };
            let found = doors.route_rough(nav.layer(), nav.sectors(), query, (memory, over));
            if found {
                flows.widen(nav.layer(), group.flow, over, Breadth::Around);
            }
            return Extension { leads: found, nodes: door_route(over) };
        }
        let merging = Merging { live: live_doors, bias: nav.config().merge_bias() };
        let found =
            doors.route_merging(nav.layer(), DoorQuery { from, to: group.goal }, &merging, memory, over);
        if found {
            flows.widen(nav.layer(), group.flow, over, Breadth::Around);
        }
        let index = room.and_then(|room| group.room_index(room).ok());
        if let Some(index) = index {
            let before = core::mem::replace(&mut group.served[index].best_route, BestRoute::Known);
            if before != BestRoute::Known && found {
                let same_room = |route: &DoorRoute| {
                    route.cells.first().and_then(|&start| nav.sectors().room(start, agent)) == room
                };
                let old = group.routes.iter().position(same_room).map(|old| group.routes.swap_remove(old));
                if let (Some(old), BestRoute::Review(touched)) = (&old, before) {
                    let grid = nav.layer().changes().sectors();
                    note_changed_route(changed, group.flow, grid, (old, over), touched);
                }
                if let Some(old) = old {
                    // Cannot fail: the route was added when the group got it.
                    let _counted = live_doors.remove(agent, threat, &old);
                    spare.cells.keep(old.cells);
                }
                // An edit may have put the start of the old route into another room: then it stays, and the new one is not kept.
                if group.routes.len() < group.served.len() {
                    live_doors.add(agent, threat, over);
                    let mut cells = spare.cells.take(over.cells.len());
                    cells.extend_from_slice(&over.cells);
                    group.routes.push(DoorRoute { cells, ..*over });
                }
            }
        }
        Extension { leads: found, nodes: merging_door_route(over) }
    }

    /// The next room that needs its best route: the index of its group, and the cell to start from. Groups take turns. Groups whose tables are being made
    /// wait.
    pub(super) fn next_needed_route(&self, nav: &Navigator, turn: u64) -> Option<(usize, CellPos)> {
        let first = (turn % self.groups.len().max(1) as u64) as usize;
        let mut order = (first..self.groups.len()).chain(0..first);
        order.find_map(|at| {
            if !nav.tables_are_made(self.groups[at].to.agent) {
                return None;
            }
            let room = self.groups[at].served.iter().find(|served| served.best_route != BestRoute::Known)?;
            Some((at, room.from))
        })
    }
}
