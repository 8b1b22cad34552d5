//! The node budget: which work a tick does, and which it puts off.
//!
//! A tick may take `max_path_nodes_per_tick` nodes; [`crate::plan::work_costs`] says how many nodes each kind of work costs. Work that
//! cannot pause may take more. The excess is a debt, which the next ticks pay.
//!
//! After an edit, the map and its doors are updated at once. What can wait is spread over the next ticks. If there are many flows, they
//! are updated one tick later. Requests join flows in the tick after that. A search begins only if enough nodes of the tick are left.

use crate::base::persist_fields;
use crate::config::Config;

/// After 2 ticks in a row without a served request, the next tick serves requests, however large the debt is.
pub(crate) const MOST_IDLE_TICKS: u8 = 2;

/// Requests that join flows may borrow up to 5 ticks of node budget in one tick, so that ordered units set out at once.
pub(crate) const JOIN_TICKS: u32 = 5;

/// Checking the followers of flows takes at most 1/4 of a tick's nodes.
pub(crate) const FOLLOWERS_SHARE: u32 = 4;

/// Of the nodes that interim routes take, at most 1/4 of a tick's nodes become debt, so that exact routes are still found.
pub(crate) const INTERIM_SHARE: u32 = 4;

/// World: the debt of the service, and what it has put off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Budget {
    /// Nodes that earlier work has taken from the next ticks.
    debt: u32,
    /// For how many ticks no request has been served although some wait.
    idle_ticks: u8,
    /// Whether the last tick put off the update of flows after an edit.
    flows_deferred: bool,
    /// For how many ticks requests could not join flows.
    joins_deferred: u8,
}

persist_fields! {
    Budget { debt: u32, idle_ticks: u8, flows_deferred: bool, joins_deferred: u8 }
}

impl Budget {
    /// Nodes that earlier work has taken from this tick.
    pub(crate) fn debt(&self) -> u32 {
        self.debt
    }

    /// Sets the debt that this tick leaves to the next one.
    pub(crate) fn set_debt(&mut self, nodes: u32) {
        self.debt = nodes;
    }

    /// Adds work to the debt.
    pub(crate) fn charge(&mut self, nodes: u32) {
        self.debt = self.debt.saturating_add(nodes);
    }

    /// Whether a search may begin that takes `least` nodes before it can pause, with `left` of `all` nodes left in this tick. A quarter
    /// of a tick's nodes is always enough. After [`MOST_IDLE_TICKS`] refusals in a row the answer is yes.
    pub(crate) fn may_search(&mut self, left: i64, least: i64, all: u32) -> bool {
        let may = left >= least.min(i64::from(all / 4)).max(1) || self.idle_ticks >= MOST_IDLE_TICKS;
        self.idle_ticks = if may { 0 } else { self.idle_ticks + 1 };
        may
    }

    /// Decides whether flows are updated in this tick or in the next. `cost` is the cost of the update in nodes, `all` the nodes of a
    /// tick. Charges the update if it is done now.
    pub(crate) fn schedule_flow_update(&mut self, edited: Edited, cost: u32, all: u32) {
        let defers = edited == Edited::SinceLastTick && cost > all / 4 && !self.flows_deferred;
        // The tick that makes up for a deferred update is long enough without requests that join.
        let catches_up = self.flows_deferred && !defers && self.joins_deferred < MOST_IDLE_TICKS;
        let joins = !defers && !catches_up;
        self.joins_deferred = if joins { 0 } else { self.joins_deferred.saturating_add(1) };
        self.flows_deferred = defers;
        if !defers {
            self.charge(cost);
        }
    }

    /// Whether requests that want to join a flow wait for one of the next ticks.
    pub(crate) fn joins_deferred(&self) -> bool {
        self.joins_deferred > 0
    }

    /// Whether the update of flows waits for the next tick.
    pub(crate) fn flows_deferred(&self) -> bool {
        self.flows_deferred
    }
}

/// Whether the map was edited since the last tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edited {
    SinceLastTick,
    No,
}

/// Nodes that each lane may always expand in a round: a quarter of its share of a tick.
pub(crate) fn least_nodes(config: &Config) -> u32 {
    (config.max_path_nodes_per_tick / (4 * config.path_lanes.max(1))).max(1)
}
