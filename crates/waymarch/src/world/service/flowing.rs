//! Many that go to one place: one flow leads them all.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::request::{PathReport, Request, Task};
use super::status::{PathId, PathStatus};
use super::{POINTS, PathService, Waiting};
use crate::base::{CellPos, WorldPos, make_room};
use crate::config::Config;
use crate::cost::CostLayer;
use crate::flow::tiles::{FlowId, Heading, NoHeading, TileAim, TileFlows, TileReader, TileSettings};
use crate::plan::{Destination, GroupDecision, GroupMode, Grouping, Stage};
use crate::planners::{PlannerChoice, PlannerReason};
use crate::query::{BlockedBy, Company, Detail, Goal, Shape, Threat};
use crate::sectors::{DoorRoute, DoorScratch, LiveDoors, RoomId, Sectors};
use crate::world::navigator::Navigator;
use crate::world::spare_lists::SpareLists;

/// The nodes of so many ticks may be taken in one to lead those who set out.
const AT_ONCE: u32 = 5;

/// So many looks at requests that cannot join a flow count as a node.
const LOOKS_PER_NODE: u32 = 8;

/// Whether a unit is still led is looked at every so many ticks, each in its own; less often where there are more than so many a tick.
const LOOK_EVERY: u64 = 8;
const LOOKS: u64 = 1024;

/// Of the nodes that a tick may expand, one in so many goes to units that have strayed.
const STRAYS_SHARE: u32 = 4;

/// Lists of rooms that a flow leads from have room for so many.
const ROOMS: usize = 64;

/// An odd number: its multiples come everywhere in a list.
const FAR_APART: u64 = 0x9e37_79b9;

/// World: a destination that many go to, its flow, and the ways over doors that its corridor is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FlowGroup {
    pub(super) to: Destination,
    pub(super) flow: FlowId,
    pub(super) goal: CellPos,
    /// At most one for each room that is served.
    pub(super) routes: Vec<DoorRoute>,
    /// The rooms that routes begin in, or soon will, ascending: from there the flow is as good as the best way. From the rest of its corridor
    /// it may be far from it, so whoever comes from another room brings a route.
    pub(super) served: Vec<Served>,
}

/// World: a room that a flow leads from as well as can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Served {
    pub(super) room: RoomId,
    /// Where its units were when the first of them set out.
    pub(super) from: CellPos,
    /// Whether they are led some way as yet, and the best is still to be found.
    pub(super) is_owed: bool,
}

impl FlowGroup {
    /// Whether a request has come to the room of its goal, which is not the flow's.
    fn is_near_end_for(&self, request: &Request, nav: &Navigator) -> bool {
        let Goal::In(Shape::Point(goal)) = request.ask.goal else { return false };
        let room = |at| nav.sectors().room(at, self.to.agent);
        // Also if an edit has put its goal into another room than the flow's.
        goal != self.goal && (room(request.ask.from.cell()) == room(goal) || room(self.goal) != room(goal))
    }
}

/// Room for so many flows beyond those that are there.
const FLOWS: usize = 8;

/// World: who goes where with how many others, and the flows that lead those who are many.
#[derive(Clone, Debug)]
pub(super) struct Flowing {
    pub(super) grouping: Grouping,
    /// By destination.
    pub(super) groups: Vec<FlowGroup>,
    pub(super) flows: TileFlows,
    /// Requests that came since the last tick, or that found no budget in it.
    pub(super) fresh: VecDeque<PathId>,
    /// Derived: the doors that the groups' routes pass.
    pub(super) live: LiveDoors,
    /// Derived: who follows a flow, ascending.
    pub(super) followers: Vec<PathId>,
    users: Vec<(FlowId, CellPos)>,
    lost: Vec<PathId>,
    pub(super) reader: TileReader,
    pub(super) over: DoorRoute,
    pub(super) scratch: DoorScratch,
    /// Scratch: who waits, by number; and memory of routes and of lists of routes.
    waiting: Vec<(u64, PathId)>,
    pub(super) spare_cells: SpareLists<CellPos>,
    spare_lists: SpareLists<DoorRoute>,
    spare_served: SpareLists<Served>,
}

impl Flowing {
    pub(super) fn new(nav: &Navigator) -> Self {
        let config = nav.config().get();
        Self {
            grouping: Grouping::new(config.flowfield_group_threshold),
            groups: Vec::new(),
            flows: TileFlows::new(nav.layer(), nav.config().step_rule(), TileSettings::from(config)),
            fresh: VecDeque::new(),
            live: LiveDoors::new(),
            followers: Vec::new(),
            users: Vec::new(),
            lost: Vec::new(),
            reader: TileReader::new(),
            over: DoorRoute::default(),
            scratch: DoorScratch::default(),
            waiting: Vec::new(),
            spare_cells: SpareLists::default(),
            spare_lists: SpareLists::default(),
            spare_served: SpareLists::with_room_for(ROOMS),
        }
    }

    /// Makes memory ahead of need, for a map of so many cells.
    pub(super) fn stock_up(&mut self, cells: usize) {
        if !self.groups.is_empty() {
            self.scratch.make_room(cells);
        }
        self.flows.stock_up();
        self.groups.reserve(FLOWS);
        make_room(&mut self.over.cells, POINTS);
        self.live.make_room(32 * FLOWS);
        self.spare_cells.stock_up();
        self.spare_lists.stock_up();
        self.spare_served.stock_up();
    }

    /// Does as the settings say from now on.
    pub(super) fn follow_settings(&mut self, config: &Config) {
        self.grouping.set_threshold(config.flowfield_group_threshold);
        self.flows.set_settings(TileSettings::from(config));
    }

    /// Counts a request that has come, if it is one that a flow could lead.
    pub(super) fn arrived(&mut self, id: PathId, request: &mut Request, nav: &Navigator) {
        let ask = &request.ask;
        let Goal::In(Shape::Point(goal)) = ask.goal else { return };
        let is_plain = ask.company == Company::Flow
            && ask.detail == Detail::Full
            && ask.blocked_by == BlockedBy::None
            && ask.avoid.is_empty()
            && request.task == Task::Find;
        if !is_plain || request.status != PathStatus::Pending {
            return;
        }
        let threat = if nav.layer().threat().is_empty() { Threat::Ignore } else { ask.threat };
        if let Some(to) = Destination::of(nav.sectors(), ask.agent, threat, goal) {
            self.grouping.join(to, Stage::Pending);
            request.counted = Some((to, Stage::Pending));
            self.fresh.push_back(id);
        }
    }

    /// Counts a request as answered, or no longer at all.
    pub(super) fn settled(&mut self, request: &mut Request) {
        match (request.counted, request.status.has_way()) {
            (Some((to, Stage::Pending)), true) => {
                // It was counted when it came, so it is there.
                let _counted = self.grouping.answered(to);
                request.counted = Some((to, Stage::Live));
            }
            (Some(_), false) if request.status.is_settled() => self.gone(request),
            _ => {}
        }
    }

    /// Counts a request no longer.
    pub(super) fn gone(&mut self, request: &mut Request) {
        if let Some((to, stage)) = request.counted.take() {
            let _counted = self.grouping.leave(to, stage);
        }
    }

    pub(super) fn find(&self, to: Destination) -> Result<usize, usize> {
        self.groups.binary_search_by_key(&to, |group| group.to)
    }

    /// The group of a destination, with a new flow to `goal` if there is none; `None` if there can be none.
    fn group(
        &mut self,
        layer: &CostLayer,
        sectors: &Sectors,
        to: Destination,
        goal: CellPos,
    ) -> Option<usize> {
        match self.find(to) {
            // Rooms get other numbers when the map changes: a group may lead elsewhere than its name says.
            Ok(at) => (sectors.room(self.groups[at].goal, to.agent) == Some(to.room)).then_some(at),
            Err(at) => {
                let aim = TileAim::new(to.agent, goal).with_threat(to.threat);
                let flow = self.flows.open(layer, aim).ok()?;
                let (routes, served) = (self.spare_lists.take(1), self.spare_served.take(1));
                self.groups.insert(at, FlowGroup { to, flow, goal, routes, served });
                Some(at)
            }
        }
    }
}

impl PathService {
    /// Decides which destinations get a flow, dissolves groups that have become few, and gives flows to those that are many.
    pub(super) fn settle_groups(&mut self) {
        let Self { flowing, queue, .. } = self;
        if flowing.grouping.settle() > 0 {
            // Some that have been waiting for a route of their own may be many now.
            let Flowing { waiting, fresh, .. } = flowing;
            waiting.clear();
            waiting.extend(queue.iter().map(|waiting| (waiting.number, waiting.id)));
            waiting.sort_unstable();
            fresh.clear();
            fresh.extend(waiting.iter().map(|&(_, id)| id));
        }
        self.dissolve_small();
        if !self.joins_wait() {
            self.join_flows();
            self.bring_routes();
        }
    }

    /// Ends the flows of destinations that too few go to.
    fn dissolve_small(&mut self) {
        let mut at = 0;
        while let Some(group) = self.flowing.groups.get(at) {
            if self.flowing.grouping.decision(group.to).mode == GroupMode::FlowField {
                at += 1;
                continue;
            }
            let FlowGroup { to, flow, mut routes, served, .. } = self.flowing.groups.remove(at);
            for route in &mut routes {
                // It was added with the group's routes.
                let _counted = self.flowing.live.remove(to.agent, to.threat, route);
                self.flowing.spare_cells.keep(core::mem::take(&mut route.cells));
            }
            self.flowing.spare_lists.keep(routes);
            self.flowing.spare_served.keep(served);
            self.flowing.flows.close(flow);
            self.dissolve(flow);
        }
    }

    /// Those who followed a flow get routes of their own.
    fn dissolve(&mut self, flow: FlowId) {
        let followers = core::mem::take(&mut self.flowing.followers);
        for &id in &followers {
            if self.requests.get(id).is_some_and(|request| request.flow == Some(flow)) {
                self.leave_flow(id);
            }
        }
        self.flowing.followers = followers;
    }

    /// A request that followed a flow waits for a route of its own from where its unit is.
    fn leave_flow(&mut self, id: PathId) {
        let Self { requests, flowing, queue, numbers, nav, .. } = self;
        let Some(request) = requests.get_mut(id) else { return };
        flowing.gone(request);
        (request.flow, request.status, request.task) = (None, PathStatus::Pending, Task::Find);
        (request.number, request.asked) = (*numbers, nav.now());
        *numbers += 1;
        queue.push(request.ask.priority, Waiting { number: request.number, id });
        self.unguided.push_back(id);
    }

    /// Lets fresh requests join flows, for as long as the budget lasts.
    fn join_flows(&mut self) {
        let Self { flowing, requests, nav, work, debt, spare, .. } = self;
        // What they take, routes do not get for a tick. But whoever is ordered wants to set out at once, and is led by haste; so they may take
        // more than there is.
        let all = nav.config().get().max_path_nodes_per_tick;
        let budget = i64::from(all.saturating_mul(AT_ONCE).saturating_sub(*debt).max(all / 4));
        let (mut left, mut looked) = (budget, 0_u32);
        while left > 0 {
            let Some(id) = flowing.fresh.pop_front() else { break };
            looked += 1;
            if looked % LOOKS_PER_NODE == 0 {
                left -= 1;
            }
            let Some(request) = requests.get_mut(id) else { continue };
            let Some((to, Stage::Pending)) = request.counted else { continue };
            let waits = !request.status.is_settled();
            let is_many = flowing.grouping.decision(to).mode == GroupMode::FlowField;
            let Goal::In(Shape::Point(goal)) = request.ask.goal else { continue };
            let from = request.ask.from.cell();
            let can_go =
                nav.sectors().reachable(from, goal, to.agent) && nav.layer().can_stop(goal, to.agent);
            if !waits || !is_many || !can_go {
                continue;
            }
            let Some(at) = flowing.group(nav.layer(), nav.sectors(), to, goal) else { continue };
            let (is_led, nodes) = flowing.lead_out(nav, at, from);
            left -= i64::from(nodes);
            work.nodes += u64::from(nodes);
            if !is_led {
                continue;
            }
            let now = nav.now();
            request.flow = Some(flowing.groups[at].flow);
            (request.status, request.end) = (PathStatus::Complete, goal.centre());
            spare.keep(core::mem::take(&mut request.points));
            let (planner, reason, asked) = (PlannerChoice::Flow, PlannerReason::Many, request.asked);
            request.report = Some(PathReport { planner, reason, nodes, asked, begun: now, answered: now });
            flowing.settled(request);
            flowing.followers.push(id);
            work.answered += 1;
        }
        *debt = debt.saturating_add(u32::try_from(budget - left).unwrap_or(u32::MAX)).min(all.max(*debt));
    }

    /// Units that have strayed from their flows are led again, for as long as a share of the budget lasts; whoever cannot be waits for a route of
    /// its own, from this very tick on.
    pub(super) fn lead_strays(&mut self) {
        if self.flows_wait() {
            return;
        }
        let Self { flowing, requests, .. } = self;
        flowing.followers.retain(|&id| requests.get(id).is_some_and(|request| request.flow.is_some()));
        flowing.followers.sort_unstable();
        flowing.followers.dedup();
        let now = self.nav.now();
        let mut lost = core::mem::take(&mut self.flowing.lost);
        lost.clear();
        let most = self.nav.config().get().max_path_nodes_per_tick / STRAYS_SHARE;
        let (count, mut took) = (self.flowing.followers.len(), 0_u32);
        let every = LOOK_EVERY.max(count as u64 / LOOKS);
        // Room ahead of need: when more are lost than ever before is nothing to make memory for.
        lost.reserve(count.min(64));
        // Each time another begins, so that whoever did not get its turn does in the end.
        let first = (now.0 / every).wrapping_mul(FAR_APART) % (count.max(1) as u64);
        for step in 0..count {
            let Self { flowing, requests, nav, work, .. } = self;
            let at = first as usize + step;
            let id = flowing.followers[if at < count { at } else { at - count }];
            let Some(request) = requests.get(id) else { continue };
            if now.0.wrapping_add(u64::from(id.index())) % every != 0 || took >= most {
                continue;
            }
            let group = request.counted.and_then(|(to, _)| flowing.find(to).ok());
            let from = request.ask.from.cell();
            let (is_led, nodes) = match group {
                // In the room it goes to, but to another place in it than the flow: the rest is its own.
                Some(group) if flowing.groups[group].is_near_end_for(request, nav) => (false, 0),
                Some(group) => flowing.lead_back(nav, group, from),
                None => (false, 0),
            };
            work.nodes += u64::from(nodes);
            took = took.saturating_add(nodes.saturating_sub(1));
            if !is_led {
                lost.push(id);
            }
        }
        lost.sort_unstable();
        for &id in &lost {
            self.leave_flow(id);
        }
        // What leading strays took, routes have less.
        self.debt = self.debt.saturating_add(took);
        self.flowing.lost = lost;
    }

    /// The tick of the flows: a few sectors more are integrated.
    pub(super) fn tend_flows(&mut self) {
        if self.flows_wait() {
            return;
        }
        let Self { flowing, requests, nav, .. } = self;
        flowing.users.clear();
        let follows = |id: &PathId| {
            requests.get(*id).and_then(|request| Some((request.flow?, request.ask.from.cell())))
        };
        flowing.users.extend(flowing.followers.iter().filter_map(follows));
        flowing.flows.prepare(nav.layer(), nav.now(), flowing.users.iter().copied());
    }

    /// Tells where the unit of a request is now. Needed for those that follow a flow ([`super::Guidance::Flow`]): flows grow where units are.
    pub fn moved(&mut self, id: PathId, at: WorldPos) {
        if let Some(request) = self.requests.get_mut(id).filter(|request| request.flow.is_some()) {
            request.ask.from = at;
        }
    }

    /// Whether a request is answered by a flow: then [`PathService::moved`] matters.
    pub(in crate::world) fn follows_flow(&self, id: PathId) -> bool {
        self.requests.get(id).is_some_and(|request| request.flow.is_some())
    }

    /// Which way a unit should go that follows a flow, and is at `at`. A pure read: any number of threads may ask, each with its own reader.
    #[must_use]
    pub fn heading(&self, id: PathId, at: WorldPos, reader: &mut TileReader) -> Heading {
        match self.requests.get(id).and_then(|request| request.flow) {
            Some(flow) => self.flowing.flows.heading(self.nav.layer(), flow, at, reader),
            None => Heading::Nowhere(NoHeading::UnknownFlow),
        }
    }

    /// The flows, to look at.
    #[must_use]
    pub fn flows(&self) -> &TileFlows {
        &self.flowing.flows
    }

    /// How the requests for every destination are answered, and why.
    pub fn groups(&self) -> impl Iterator<Item = (Destination, GroupDecision)> {
        self.flowing.grouping.decisions()
    }
}
