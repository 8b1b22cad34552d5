//! What is put off in ticks that an edit has made long.
//!
//! The map and its doors follow an edit at once. What can wait is spread over the next ticks: flows follow one tick later, if there are many, and
//! whoever is to join one does so in the tick after that; and no search is begun that the tick has no room for.

use super::PathService;
use crate::base::persist_fields;

/// Nobody is served in so many ticks in a row at most.
pub(super) const MOST_RESTS: u8 = 2;

/// As many nodes take as long as letting one flow follow an edit, with the tiles that units stand on.
const FLOW_NODES: u32 = 96;

/// World: what has been put off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Pace {
    /// For how many ticks nobody has been served.
    rests: u8,
    /// Whether flows have been left behind an edit in the last tick.
    flows_wait: bool,
    /// For how many ticks nobody could join a flow.
    joins_waited: u8,
}

persist_fields! {
    Pace { rests: u8, flows_wait: bool, joins_waited: u8 }
}

impl Pace {
    /// Whether a search may be begun that takes `least` nodes before it can pause, where `left` of `all` are left in this tick. If not, it may
    /// be in a later one: a quarter of a tick is enough for any, and the third time nothing is needed.
    pub(super) fn serves(&mut self, left: i64, least: i64, all: u32) -> bool {
        let serves = left >= least.min(i64::from(all / 4)).max(1) || self.rests >= MOST_RESTS;
        self.rests = if serves { 0 } else { self.rests + 1 };
        serves
    }
}

impl PathService {
    /// What it takes if flows follow an edit now, in nodes; 0 if there is nothing to follow.
    fn following_nodes(&self) -> u32 {
        let flows = &self.flowing.flows;
        if flows.is_current(self.nav.layer()) { 0 } else { FLOW_NODES.saturating_mul(flows.len() as u32) }
    }

    /// Decides whether flows follow what has changed in this tick or in the next, and counts it.
    pub(super) fn pace_flows(&mut self, edited: Edited) {
        let (takes, all) = (self.following_nodes(), self.nav.config().get().max_path_nodes_per_tick);
        let waits = edited == Edited::Now && takes > all / 4 && !self.pace.flows_wait;
        // The tick in which flows follow is long enough without those who join.
        let follows = self.pace.flows_wait && !waits && self.pace.joins_waited < MOST_RESTS;
        let joins = !waits && !follows;
        self.pace.joins_waited = if joins { 0 } else { self.pace.joins_waited.saturating_add(1) };
        self.pace.flows_wait = waits;
        if !waits {
            self.debt = self.debt.saturating_add(takes);
        }
    }

    /// Counts work for units that was done beside the service, so that the tick does not get longer by it.
    pub(in crate::world) fn owe(&mut self, nodes: u32) {
        self.debt = self.debt.saturating_add(nodes);
    }

    /// Whether those who are to join a flow wait for one of the next ticks.
    pub(super) fn joins_wait(&self) -> bool {
        self.pace.joins_waited > 0
    }

    /// Whether flows wait for the next tick.
    pub(super) fn flows_wait(&self) -> bool {
        self.pace.flows_wait
    }
}

/// Whether the map was edited since the last tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Edited {
    Now,
    Not,
}
