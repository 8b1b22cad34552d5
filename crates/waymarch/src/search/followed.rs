//! How far Derived data have followed a layer.

use crate::base::CellRect;
use crate::cost::{ChangeMark, CostLayer};

/// How far data derived from a layer's costs or threat have followed its changes.
///
/// Threat shows on ticks of its own, so a caller may miss a change; with this the data know that they may be behind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed(ChangeMark);

impl Followed {
    /// Everything up to now.
    pub(super) fn now(layer: &CostLayer) -> Self {
        Self(layer.changes().mark_now())
    }

    /// Areas that hold all that has changed since, for any locomotor and of any kind; some perhaps several times.
    ///
    /// None when nothing did, which is seen at once. They may reach over the edge of the map.
    pub(super) fn changed_since(self, layer: &CostLayer) -> impl Iterator<Item = CellRect> {
        let (log, sectors) = (layer.changes(), layer.changes().sectors());
        let known = log.since(self.0);
        // So long ago that nobody remembers: everything may have changed.
        let all = sectors.all().take(if known.is_some() { 0 } else { usize::MAX });
        known.unwrap_or_default().iter().copied().chain(all).map(move |sector| sectors.area(sector))
    }
}

impl PartialEq for Followed {
    /// Always: data that followed equal those made anew, whenever that was.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Followed {}
