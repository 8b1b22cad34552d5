//! Which of two groups that cross goes first.

use crate::base::{Tick, persist_fields};

/// Crossing groups are checked every 4 ticks.
pub(crate) const CROSSING_EVERY: u64 = 4;
/// A group that has waited for 15 seconds goes first.
const MAX_WAIT_SECONDS: i64 = 15;
/// A group that has waited for 15 seconds goes before all others for 8 seconds.
const FIRST_SECONDS: i64 = 8;

/// World: what decides which of two groups goes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct RightOfWay {
    /// The tick in which the group was formed.
    pub(crate) since: Tick,
    /// Checks at which the group waited, less checks at which it did not. Below 0: the group goes first for as many checks.
    pub(crate) waited: i16,
}

persist_fields! {
    RightOfWay { since: Tick, waited: i16 }
}

impl RightOfWay {
    /// The right of way of a group that is formed now.
    pub(crate) fn new(since: Tick) -> Self {
        Self { since, waited: 0 }
    }

    /// Notes a check at which `waiting` members waited.
    pub(crate) fn note(&mut self, waiting: u32, ticks_per_second: u32) {
        let checks = |seconds: i64| (seconds * i64::from(ticks_per_second) / CROSSING_EVERY as i64) as i16;
        self.waited = match (self.waited, waiting) {
            (..0, _) => self.waited + 1,
            (_, 0) => (self.waited - 1).max(0),
            _ if self.waited >= checks(MAX_WAIT_SECONDS) => -checks(FIRST_SECONDS),
            _ => self.waited + 1,
        };
    }
}
