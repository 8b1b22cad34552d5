//! Which edits of the layer the flows have followed.

use alloc::vec::Vec;

use crate::cost::{ChangeMark, CostLayer, SectorId};

/// Derived: which edits of the layer the flows have followed.
#[derive(Clone, Debug)]
pub(super) struct EditTracker {
    /// `None` right after loading, if some edits were not followed when the state was saved.
    mark: Option<ChangeMark>,
    /// The version of each sector that was followed, by sector.
    versions: Vec<u32>,
}

impl EditTracker {
    /// All edits up to now count as followed.
    pub(super) fn new(layer: &CostLayer) -> Self {
        let log = layer.changes();
        let versions = log.sectors().all().map(|sector| log.version(sector)).collect();
        Self { mark: Some(log.mark_now()), versions }
    }

    /// Whether all edits were followed.
    #[inline]
    pub(super) fn is_current(&self, layer: &CostLayer) -> bool {
        self.mark == Some(layer.changes().mark_now())
    }

    /// Whether a sector has edits that were not followed yet.
    pub(super) fn is_stale(&self, layer: &CostLayer, sector: SectorId) -> bool {
        self.versions.get(sector.index()) != Some(&layer.changes().version(sector))
    }

    /// Writes the sectors whose edits were not followed yet into `stale`, ascending.
    ///
    /// The list is exact, however old the edits are. Peers that follow edits in different ticks, or have just loaded, must get the same list.
    pub(super) fn collect_stale(&self, layer: &CostLayer, stale: &mut Vec<SectorId>) {
        let log = layer.changes();
        match self.mark {
            Some(mark) => log.collect_since(mark, stale),
            None => {
                stale.clear();
                stale.extend(log.sectors().all());
            }
        }
        stale.retain(|&sector| self.is_stale(layer, sector));
    }

    /// Counts the edits of these sectors as followed; they must be all stale ones.
    pub(super) fn mark_current(&mut self, layer: &CostLayer, stale: &[SectorId]) {
        self.mark = Some(layer.changes().mark_now());
        for &sector in stale {
            self.versions[sector.index()] = layer.changes().version(sector);
        }
    }

    /// Counts a sector's edits as not followed.
    pub(super) fn mark_stale(&mut self, sector: SectorId) {
        let version = &mut self.versions[sector.index()];
        *version = version.wrapping_sub(1);
        self.mark = None;
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.versions.capacity() * 4
    }
}
