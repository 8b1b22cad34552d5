//! How units come to be led by a flow: at once by some way, soon after by the best.
//!
//! The best way over doors from every room that units set out from takes long on a big map, and an army stands in many rooms. So whoever
//! sets out goes by a way that is found in haste, or joins one that is there; the best one is owed to its room, and brought in one of the next
//! ticks. The flow is broadened by it and leads better from then on.

use super::PathService;
use super::flowing::{FlowGroup, Flowing, Served};
use crate::base::CellPos;
use crate::cost::{Neighbours, STRAIGHT};
use crate::flow::tiles::Breadth;
use crate::planners::door_nodes;
use crate::query::Threat;
use crate::search::octile;
use crate::sectors::{DoorRoute, Doors, Merging, RoomId};
use crate::world::navigator::Navigator;

/// A way that is owed is found in a tick of whose nodes no more than one in so many are spent.
const SPARE: u32 = 4;
/// If no more than half of a tick is spent, one is found in one of so many ticks; however much else there is to do, in one of four times as many.
const AT_LEAST_EVERY: u64 = 7;
/// A way by where others set out from may be longer than the straight line by this factor, and by so much.
const DETOUR: (u64, u64) = (9, 8);
const NEARBY: u64 = 16 * STRAIGHT as u64;

impl FlowGroup {
    fn place(&self, room: RoomId) -> Result<usize, usize> {
        self.served.binary_search_by_key(&room, |served| served.room)
    }

    /// Of the places that units set out from, the nearest as the crow flies that is on the way from a cell, of several the first: going there
    /// and on to the goal is not much longer than going to the goal. Who went back to where others began would be led in a zigzag.
    fn nearest_start(&self, from: CellPos) -> Option<CellPos> {
        let far = |a: CellPos, b: CellPos| octile(a, b, Neighbours::Eight);
        let most = far(from, self.goal) * DETOUR.0 / DETOUR.1 + NEARBY;
        let starts = self.served.iter().map(|served| served.from);
        let on_way = starts.filter(|&start| far(from, start) + far(start, self.goal) <= most);
        on_way.min_by_key(|&start| far(from, start))
    }
}

/// The doors that a group goes by, which were made ready.
fn doors_of<'a>(nav: &'a Navigator, group: &FlowGroup) -> Option<&'a Doors> {
    let layer = nav.layer();
    let counts = if layer.threat().is_empty() { Threat::Ignore } else { group.to.threat };
    nav.hybrid().doors.get(layer, group.to.agent, counts).ok()
}

impl Flowing {
    /// Sees to it that a group's flow leads from a cell that units set out from; whether it does, and how many nodes that took.
    pub(super) fn lead_out(&mut self, nav: &mut Navigator, at: usize, from: CellPos) -> (bool, u32) {
        let Self { groups, flows, reader, over, scratch, .. } = self;
        let group = &mut groups[at];
        let Some(room) = nav.sectors().room(from, group.to.agent) else { return (false, 1) };
        let mut nodes = 1;
        if !flows.leads(nav.layer(), group.flow, from, reader) {
            nav.prepare_for(group.to.agent, group.to.threat);
            let Some(doors) = doors_of(nav, group) else { return (false, 1) };
            // Where others set out from is near by, as a rule, and from there it is known.
            let to = group.nearest_start(from).unwrap_or(group.goal);
            let found = doors.route_hasty(nav.layer(), from, to, scratch, over);
            nodes = door_nodes(over);
            if !found {
                return (false, nodes);
            }
            let breadth = if group.served.is_empty() { Breadth::Around } else { Breadth::Route };
            if breadth == Breadth::Route {
                // No farther than to the first place that is led: there is no going in circles then.
                let led = |&at: &CellPos| flows.leads(nav.layer(), group.flow, at, reader);
                let end = over.cells.iter().position(led).unwrap_or(over.cells.len());
                over.cells.truncate(end + 1);
            }
            flows.widen(nav.layer(), group.flow, over, breadth);
            if !flows.leads(nav.layer(), group.flow, from, reader) {
                return (false, nodes);
            }
        }
        if let Err(place) = group.place(room) {
            group.served.insert(place, Served { room, from, is_owed: true });
        }
        (true, nodes)
    }

    /// Sees to it that a group's flow leads from a cell that a unit has strayed to; whether it does, and how many nodes that took.
    pub(super) fn lead_back(&mut self, nav: &mut Navigator, at: usize, from: CellPos) -> (bool, u32) {
        let Self { groups, flows, reader, .. } = self;
        let group = &mut groups[at];
        if flows.leads(nav.layer(), group.flow, from, reader) {
            return (true, 1);
        }
        let Some(room) = nav.sectors().room(from, group.to.agent) else { return (false, 1) };
        if let Err(place) = group.place(room) {
            group.served.insert(place, Served { room, from, is_owed: true });
        }
        self.bring_route(nav, at, from)
    }

    /// Brings the best way from a cell to a group's flow; whether there is one, and how many nodes that took. The way is kept if it was owed
    /// to its room, so that there is at most one for each.
    fn bring_route(&mut self, nav: &mut Navigator, at: usize, from: CellPos) -> (bool, u32) {
        let Self { groups, flows, live, over, scratch, spare_cells, .. } = self;
        let group = &groups[at];
        let (agent, threat) = (group.to.agent, group.to.threat);
        let room = nav.sectors().room(from, agent);
        nav.prepare_for(agent, threat);
        let Some(doors) = doors_of(nav, group) else { return (false, 1) };
        let merging = Merging { live, bias: nav.config().merge_bias() };
        let found = doors.route_merging(nav.layer(), from, group.goal, &merging, scratch, over);
        if found {
            flows.widen(nav.layer(), group.flow, over, Breadth::Around);
        }
        let place = room.and_then(|room| group.place(room).ok());
        let owed = place.filter(|&place| group.served[place].is_owed);
        if let Some(place) = owed {
            groups[at].served[place].is_owed = false;
            if found {
                live.add(agent, threat, over);
                let mut cells = spare_cells.take(over.cells.len());
                cells.extend_from_slice(&over.cells);
                groups[at].routes.push(DoorRoute { cells, ..*over });
            }
        }
        // Ways that join those of others look at more edges a door.
        (found, door_nodes(over).saturating_mul(3) / 2)
    }

    /// The next way that is owed: the group's number and from where. Groups take turns.
    fn next_owed(&self, turn: u64) -> Option<(usize, CellPos)> {
        let first = (turn % self.groups.len().max(1) as u64) as usize;
        let order = (first..self.groups.len()).chain(0..first);
        order
            .filter_map(|at| Some((at, self.groups[at].served.iter().find(|served| served.is_owed)?.from)))
            .next()
    }
}

impl PathService {
    /// Brings a way that is owed, if there is one and others have left enough of the tick: such ways are long to find, and can wait.
    pub(super) fn bring_routes(&mut self) {
        let Self { flowing, nav, work, debt, .. } = self;
        let (all, now) = (nav.config().get().max_path_nodes_per_tick, nav.now().0);
        let every = if *debt <= all / SPARE {
            1
        } else if *debt <= all / 2 {
            AT_LEAST_EVERY
        } else {
            4 * AT_LEAST_EVERY
        };
        if now % every != 0 {
            return;
        }
        let Some((at, from)) = flowing.next_owed(now / every) else { return };
        let (_, nodes) = flowing.bring_route(nav, at, from);
        // If there is no way any more, nobody waits for it either.
        flowing.groups[at].settle(from);
        work.nodes += u64::from(nodes);
        *debt = debt.saturating_add(nodes);
    }
}

impl FlowGroup {
    /// Nothing is owed any more to the room that units set out from at a cell.
    fn settle(&mut self, from: CellPos) {
        self.served.iter_mut().filter(|served| served.from == from).for_each(|served| served.is_owed = false);
    }
}
