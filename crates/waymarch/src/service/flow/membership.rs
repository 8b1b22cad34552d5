//! Requests join flows, follow them, and leave them.

use super::super::budget::{Budget, FOLLOWERS_SHARE, JOIN_TICKS};
use super::super::report::{PathReport, ServiceWork};
use super::super::request::{Request, Task};
use super::super::request_table::RequestTable;
use super::super::status::{PathId, PathStatus};
use super::corridor::Extension;
use super::groups::{FlowGroup, FlowGroups, FlowScratch, uncount};
use crate::base::Tick;
use crate::flow::tiles::FlowId;
use crate::nav::Navigator;
use crate::plan::work_costs::{FLOW_UPDATE, JOIN_CHECKS_PER_NODE};
use crate::plan::{Destination, GroupMode, Grouping, Stage};
use crate::planners::{PlannerChoice, PlannerReason};
use crate::query::{Goal, Shape};

/// A follower is checked every 8 ticks.
const CHECK_EVERY: u64 = 8;

/// At most about 1024 followers are checked in a tick. If there are more, each is checked less often.
const CHECKS_PER_TICK: u64 = 1024;

/// 2,654,435,769: an odd number whose multiples reach every part of a list.
const STRIDE: u64 = 0x9e37_79b9;

/// A best route is found in every tick in which the debt is at most 1/4 of a tick's nodes.
const SPARE_SHARE: u32 = 4;

/// A best route is found in every 7th tick if the debt is at most half of a tick's nodes. With more debt, it is found in every 28th tick.
const BEST_ROUTE_EVERY: u64 = 7;

/// What flow groups read and change outside of themselves.
pub(crate) struct FlowContext<'a> {
    pub(crate) nav: &'a mut Navigator,
    pub(crate) requests: &'a mut RequestTable,
    pub(crate) budget: &'a mut Budget,
    pub(crate) work: &'a mut ServiceWork,
}

impl FlowGroups {
    /// The cost of updating all flows after an edit, in nodes. 0 if they are up to date.
    pub(crate) fn update_cost(&self, nav: &Navigator) -> u32 {
        if self.flows.is_current(nav.layer()) {
            0
        } else {
            FLOW_UPDATE.saturating_mul(self.flows.len() as u32)
        }
    }

    /// Counts requests anew whose observers see threat in another way than the flow of their destination does: sources have got an owner, or
    /// a player has changed its team. Such a request leaves its flow, and may join another one.
    pub(crate) fn follow_observers(&mut self, context: &mut FlowContext<'_>) {
        let FlowContext { nav, requests, .. } = context;
        let threat = nav.layer().threat();
        if threat.is_empty() {
            return;
        }
        let differs = |request: &Request| {
            let is_other = |(to, _): (Destination, Stage)| {
                threat.effective(to.threat) != threat.effective(request.ask.threat)
            };
            request.counted.is_some_and(is_other)
        };
        let Self { scratch: FlowScratch { leaving, .. }, .. } = self;
        leaving.clear();
        leaving.extend(requests.all.iter().filter(|(_, request)| differs(request)).map(|(id, _)| id));
        for at in 0..self.scratch.leaving.len() {
            let (id, now) = (self.scratch.leaving[at], nav.now());
            let Some(request) = requests.all.get_mut(id) else { continue };
            if request.flow.is_some() {
                leave(&mut self.grouping, requests, id, now);
            } else {
                self.uncount(request);
            }
            let Some(request) = requests.all.get_mut(id) else { continue };
            self.count_new(id, request, nav);
        }
    }

    /// Decides which destinations have a flow, ends flows of destinations with too few requests, and lets requests join the remaining
    /// flows.
    pub(crate) fn settle(&mut self, context: &mut FlowContext<'_>) {
        if self.grouping.settle() > 0 {
            // A destination of requests that wait for routes of their own may have a flow now.
            let Self { joining, scratch: FlowScratch { queued, .. }, .. } = self;
            queued.clear();
            queued.extend(context.requests.queue.iter().map(|waiting| (waiting.number, waiting.id)));
            queued.sort_unstable();
            joining.clear();
            joining.extend(queued.iter().map(|&(_, id)| id));
        }
        self.end_small_groups(context);
        if !context.budget.joins_deferred() {
            self.join(context);
            self.find_best_route(context);
        }
    }

    /// Ends the groups of destinations that no longer have a flow.
    fn end_small_groups(&mut self, context: &mut FlowContext<'_>) {
        let mut at = 0;
        while let Some(group) = self.groups.get(at) {
            if self.grouping.decision(group.to).mode == GroupMode::FlowField {
                at += 1;
                continue;
            }
            let FlowGroup { to, flow, mut routes, served, .. } = self.groups.remove(at);
            for route in &mut routes {
                // Cannot fail: the route was added when the group got it.
                let _counted = self.live_doors.remove(to.agent, to.threat, route);
                self.spare.cells.keep(core::mem::take(&mut route.cells));
            }
            self.spare.routes.keep(routes);
            self.spare.rooms.keep(served);
            self.flows.close(flow);
            self.dismiss_followers(flow, context);
        }
    }

    /// Makes all followers of a flow leave it.
    fn dismiss_followers(&mut self, flow: FlowId, context: &mut FlowContext<'_>) {
        let Self { followers, grouping, .. } = self;
        let now = context.nav.now();
        for &id in followers.iter() {
            if context.requests.get(id).is_some_and(|request| request.flow == Some(flow)) {
                leave(grouping, context.requests, id, now);
            }
        }
    }

    /// Lets requests join flows until the budget is spent.
    fn join(&mut self, context: &mut FlowContext<'_>) {
        let FlowContext { nav, requests: RequestTable { all, spare, .. }, budget, work } = context;
        // Units with a new order should set out at once, so requests may borrow nodes from the next ticks. Routes then get fewer nodes.
        let tick_nodes = nav.config().get().max_path_nodes_per_tick;
        let most = i64::from(
            tick_nodes.saturating_mul(JOIN_TICKS).saturating_sub(budget.debt()).max(tick_nodes / 4),
        );
        let (mut left, mut checked) = (most, 0_u32);
        while left > 0 {
            let Some(id) = self.joining.pop_front() else { break };
            checked += 1;
            if checked % JOIN_CHECKS_PER_NODE == 0 {
                left -= 1;
            }
            let Some(request) = all.get_mut(id) else { continue };
            let Some((to, Stage::Pending)) = request.counted else { continue };
            let waits = !request.status.is_settled();
            let has_flow = self.grouping.decision(to).mode == GroupMode::FlowField;
            let Goal::In(Shape::Point(goal)) = request.ask.goal else { continue };
            let from = request.ask.from.cell();
            let can_reach =
                nav.sectors().reachable(from, goal, to.agent) && nav.layer().can_stop(goal, to.agent);
            if !waits || !has_flow || !can_reach {
                continue;
            }
            let Some(at) = self.find_or_make(nav.layer(), nav.sectors(), to, goal) else { continue };
            let Extension { leads, nodes } = self.extend_to_joiner(nav, at, from);
            left -= i64::from(nodes);
            work.nodes += u64::from(nodes);
            if !leads {
                continue;
            }
            let now = nav.now();
            request.flow = Some(self.groups[at].flow);
            (request.status, request.end) = (PathStatus::Complete, request.exact.unwrap_or(goal.centre()));
            spare.keep(core::mem::take(&mut request.points));
            let (planner, reason, asked) = (PlannerChoice::Flow, PlannerReason::Many, request.asked);
            request.report = Some(PathReport { planner, reason, nodes, asked, begun: now, answered: now });
            self.count_answered(request);
            self.followers.push(id);
            work.answered += 1;
        }
        // Borrowed nodes are not all paid back: the debt grows to one tick's nodes at most.
        let debt = budget.debt();
        let took = u32::try_from(most - left).unwrap_or(u32::MAX);
        budget.set_debt(debt.saturating_add(took).min(tick_nodes.max(debt)));
    }

    /// Finds the best route for one room that needs it, if the tick has nodes to spare: such routes take long to find, and can wait.
    fn find_best_route(&mut self, context: &mut FlowContext<'_>) {
        let FlowContext { nav, work, budget, .. } = context;
        let (all, now, debt) = (nav.config().get().max_path_nodes_per_tick, nav.now().0, budget.debt());
        let every = if debt <= all / SPARE_SHARE {
            1
        } else if debt <= all / 2 {
            BEST_ROUTE_EVERY
        } else {
            4 * BEST_ROUTE_EVERY
        };
        if now % every != 0 {
            return;
        }
        let Some((at, from)) = self.next_needed_route(nav, now / every) else { return };
        let Extension { nodes, .. } = self.add_best_route(nav, at, from);
        // Even if no route was found, the room must not ask for one again.
        self.groups[at].clear_needs(from);
        work.nodes += u64::from(nodes);
        budget.charge(nodes);
    }

    /// Checks followers in turns. If a flow no longer leads from where its unit is, the flow is extended, as far as the budget goes. A
    /// follower that cannot be led, or is near its end, leaves its flow and waits for a route of its own from this tick on.
    pub(crate) fn check_followers(&mut self, context: &mut FlowContext<'_>) {
        if context.budget.flows_deferred() {
            return;
        }
        let FlowContext { nav, requests, budget, work } = context;
        self.followers.retain(|&id| requests.get(id).is_some_and(|request| request.flow.is_some()));
        self.followers.sort_unstable();
        self.followers.dedup();
        let now = nav.now();
        let most = nav.config().get().max_path_nodes_per_tick / FOLLOWERS_SHARE;
        let (count, mut took) = (self.followers.len(), 0_u32);
        let every = CHECK_EVERY.max(count as u64 / CHECKS_PER_TICK);
        self.scratch.leaving.clear();
        // Some memory ahead of need, so that a tick with more leaving followers than ever allocates nothing.
        self.scratch.leaving.reserve(count.min(64));
        // Each time another follower is first. So every follower is checked in the end, even if the budget is always spent.
        let first = (now.0 / every).wrapping_mul(STRIDE) % (count.max(1) as u64);
        for step in 0..count {
            let at = first as usize + step;
            let id = self.followers[if at < count { at } else { at - count }];
            let Some(request) = requests.get(id) else { continue };
            if now.0.wrapping_add(u64::from(id.index())) % every != 0 || took >= most {
                continue;
            }
            let group = request.counted.and_then(|(to, _)| self.find(to).ok());
            let from = request.ask.from.cell();
            let Extension { leads, nodes } = match group {
                Some(group) if !self.groups[group].is_near_end_for(request, nav) => {
                    self.extend_to_follower(nav, group, from)
                }
                _ => Extension { leads: false, nodes: 0 },
            };
            work.nodes += u64::from(nodes);
            took = took.saturating_add(nodes.saturating_sub(1));
            if !leads {
                self.scratch.leaving.push(id);
            }
        }
        let Self { grouping, scratch: FlowScratch { leaving, .. }, .. } = self;
        leaving.sort_unstable();
        for &id in leaving.iter() {
            leave(grouping, requests, id, now);
        }
        budget.charge(took);
    }

    /// Computes the next sectors of all flows that followers need.
    pub(crate) fn integrate(&mut self, context: &FlowContext<'_>) {
        if context.budget.flows_deferred() {
            return;
        }
        let Self { flows, followers, scratch: FlowScratch { positions, .. }, .. } = self;
        positions.clear();
        let position = |id: &PathId| {
            context.requests.get(*id).and_then(|request| Some((request.flow?, request.ask.from.cell())))
        };
        positions.extend(followers.iter().filter_map(position));
        flows.prepare(context.nav.layer(), context.nav.now(), positions.iter().copied());
    }
}

/// A request leaves its flow and waits for a route of its own, from where its unit is.
fn leave(grouping: &mut Grouping, requests: &mut RequestTable, id: PathId, now: Tick) {
    let Some(request) = requests.all.get_mut(id) else { return };
    uncount(grouping, request);
    (request.flow, request.status, request.task) = (None, PathStatus::Pending, Task::Find);
    requests.queue.push_again(id, request, now);
    requests.unguided.push_back(id);
}
