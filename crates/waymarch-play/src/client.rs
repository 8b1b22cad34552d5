//! A connected page as the session sees it: its outbox and what it asked to be sent.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::outbox::{Outbox, Outgoing};
use crate::overlay::OverlaySubscription;

/// World: what one page asked for, and where its messages go.
pub(crate) struct Client {
    pub(crate) outbox: Outbox,
    /// The overlays that are on, by their index in `OVERLAYS`.
    pub(crate) overlays: BTreeMap<usize, OverlaySubscription>,
    /// Index of the unit whose details the page shows.
    pub(crate) unit: Option<u32>,
    pub(crate) wants_events: bool,
    /// The epoch and the time of the last details that were sent; `None` sends them at once.
    pub(crate) details_sent: Option<(u64, Instant)>,
    /// The page did not read fast enough. The session drops it; the page connects again by itself.
    pub(crate) lost: bool,
}

impl Client {
    pub(crate) fn new(outbox: Outbox) -> Self {
        Self {
            outbox,
            overlays: BTreeMap::new(),
            unit: None,
            wants_events: true,
            details_sent: None,
            lost: false,
        }
    }

    /// Queues a message. A page with a full outbox is marked as lost.
    pub(crate) fn send(&mut self, message: Outgoing) {
        self.lost |= self.outbox.send(message).is_err();
    }

    /// Forgets everything that refers to units of the game that was played before.
    pub(crate) fn forget_units(&mut self) {
        self.unit = None;
        self.overlays.values_mut().for_each(OverlaySubscription::forget_units);
    }
}
