//! How edits have changed the routes that flows lead on.

use crate::cost::SectorId;
use crate::flow::tiles::FlowId;

/// How an edit has changed the route that a flow leads on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum FlowChange {
    /// The route costs more than before.
    Cut,
    /// A shorter route is open.
    Opened,
}

/// Output of a tick: followers of a flow in a sector are on a changed route.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ChangedFlow {
    pub(super) flow: FlowId,
    pub(super) sector: SectorId,
    pub(super) change: FlowChange,
}
