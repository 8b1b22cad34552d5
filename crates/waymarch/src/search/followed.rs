//! How far Derived data have followed the changes of a layer.

use crate::base::CellRect;
use crate::cost::{ChangeMark, CostLayer, SectorId};

/// A sector that was among the last 8 ones is not listed again. The rows of a threat source alternate between few sectors.
const RECENT: usize = 8;

/// How far data derived from a layer's costs or threat have followed its changes.
///
/// Threat is refreshed on ticks of its own, so a caller may miss a change. This mark shows which changes were missed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed(ChangeMark);

impl Followed {
    /// All changes up to now are followed.
    pub(super) fn now(layer: &CostLayer) -> Self {
        Self(layer.changes().mark_now())
    }

    /// Areas that contain all changes since this mark, of any locomotor and kind. An area may occur several times, but not soon again, and may
    /// extend beyond the edge of the map.
    ///
    /// If nothing changed, this yields nothing and costs one comparison.
    pub(super) fn changed_since(self, layer: &CostLayer) -> impl Iterator<Item = CellRect> {
        let (log, sectors) = (layer.changes(), layer.changes().sectors());
        let known = log.since(self.0);
        // The log does not reach back that far: everything may have changed.
        let all = sectors.all().take(if known.is_some() { 0 } else { usize::MAX });
        let mut recent = [None; RECENT];
        let is_new = move |sector: &SectorId| {
            let is_new = !recent.contains(&Some(*sector));
            if is_new {
                recent.rotate_right(1);
                recent[0] = Some(*sector);
            }
            is_new
        };
        let listed = known.unwrap_or_default().iter().copied().chain(all).filter(is_new);
        listed.map(move |sector| sectors.area(sector))
    }
}

impl PartialEq for Followed {
    /// Always equal. Tables that followed all changes must equal new tables, so a comparison of tables ignores the mark.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Followed {}
