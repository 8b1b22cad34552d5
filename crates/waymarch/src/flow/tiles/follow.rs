//! Following edits of the map.

use super::corridor::{Corridor, CorridorScratch};
use super::flows::{TileFlows, visibility_work};
use super::frame::NO_LABEL;
use super::ground::TileGround;
use super::state::Known;
use super::target::FlowTarget;
use crate::base::Dir8;
use crate::cost::{CostLayer, SectorGrid, SectorId};

impl TileFlows {
    /// Whether all edits of the layer were followed.
    #[inline]
    pub(crate) fn is_current(&self, layer: &CostLayer) -> bool {
        self.edits.is_current(layer)
    }

    /// Follows the edits of the layer since the last call.
    pub(super) fn follow(&mut self, layer: &CostLayer) {
        if self.is_current(layer) || layer.grid() != self.size {
            return;
        }
        self.edits.collect_stale(layer, &mut self.changed);
        self.edits.mark_current(layer, &self.changed);
        self.cache.forget(&self.changed);
        let (grid, sight) = (self.grid, self.settings.sight);
        for (_, corridor) in self.flows.iter_mut() {
            let FlowTarget { agent, threat, .. } = corridor.state.target;
            if let Some(ground) = TileGround::new(layer, agent, threat, self.rule) {
                if corridor.is_edited_near_goal(grid, &self.changed) {
                    corridor.update_visible(ground, sight);
                    self.owed = self.owed.saturating_add(visibility_work(corridor.visible.area()));
                } else {
                    corridor.update_cheapest(ground);
                }
                corridor.follow(grid, ground, layer, &self.changed, &mut self.scratch);
            }
        }
    }
}

impl Corridor {
    /// Whether edits of these sectors can change the visible cells. Depends on World data only, because the work is charged to the budget.
    fn is_edited_near_goal(&self, grid: SectorGrid, changed: &[SectorId]) -> bool {
        let watched = self.visible.area().grow(1, 1);
        changed.iter().any(|&sector| !grid.area(sector).intersect(watched).is_empty())
    }

    /// Follows edits of some sectors.
    fn follow(
        &mut self,
        grid: SectorGrid,
        ground: TileGround<'_>,
        layer: &CostLayer,
        changed: &[SectorId],
        scratch: &mut CorridorScratch,
    ) {
        let (mut concerned, mut least) = (false, NO_LABEL);
        for &sector in changed {
            let is_part = |sector: Option<SectorId>| sector.and_then(|sector| self.find(sector)).is_some();
            if is_part(Some(sector)) || Dir8::ALL.iter().any(|&dir| is_part(grid.beside(sector, dir))) {
                concerned = true;
                least = least.min(self.least_invalidated(grid, sector));
            }
        }
        if !concerned && self.state.goal_open == self.is_goal_open(layer) {
            return;
        }
        self.state.era = self.state.era.wrapping_add(1);
        for &sector in changed {
            if let Some(at) = self.find(sector) {
                let part = &mut self.state.parts[at];
                // The tile of an edited sector must be made again. The budget counts that as if units had just entered the sector.
                (part.known, part.used) = (Known::Nothing, None);
            }
        }
        self.restart(grid, ground, layer, least, scratch);
    }
}
