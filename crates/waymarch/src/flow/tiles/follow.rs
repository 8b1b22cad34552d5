//! Following edits, and going on from a snapshot.

use alloc::vec::Vec;

use super::aim::{TileAim, TileSettings};
use super::corridor::{Corridor, CorridorScratch, Made, NO_PART};
use super::flows::{TileFlows, look_units};
use super::frame::NO_LABEL;
use super::ground::TileGround;
use super::rim::Rim;
use super::state::{Known, TileFlowsState, TileStateFault};
use crate::base::{ByteWriter, Dir8, HashState, Persist, StateHasher};
use crate::cost::{CostLayer, SectorGrid, SectorId, StepRule};

impl TileFlows {
    /// Whether all that changed in the layer was followed.
    #[inline]
    pub(crate) fn is_current(&self, layer: &CostLayer) -> bool {
        self.known == Some(layer.changes().mark_now())
    }

    /// Whether a sector changed and that was not followed yet.
    pub(super) fn is_behind(&self, layer: &CostLayer, sector: SectorId) -> bool {
        self.versions.get(sector.index()) != Some(&layer.changes().version(sector))
    }

    /// Writes the sectors that changed and were not followed yet, ascending.
    ///
    /// Exactly those, however long ago: peers that look at different times, or have just loaded, must find the same.
    fn find_behind(&self, layer: &CostLayer, behind: &mut Vec<SectorId>) {
        behind.clear();
        match self.known.and_then(|known| layer.changes().since(known)) {
            Some(changed) => behind.extend_from_slice(changed),
            None => behind.extend(self.grid.all()),
        }
        behind.sort_unstable();
        behind.dedup();
        behind.retain(|&sector| self.is_behind(layer, sector));
    }

    /// Follows what changed in the layer.
    pub(super) fn follow(&mut self, layer: &CostLayer) {
        if self.is_current(layer) || layer.grid() != self.size {
            return;
        }
        let mut changed = core::mem::take(&mut self.changed);
        self.find_behind(layer, &mut changed);
        self.known = Some(layer.changes().mark_now());
        for &sector in &changed {
            self.versions[sector.index()] = layer.changes().version(sector);
        }
        self.cache.forget(&changed);
        let (grid, sight) = (self.grid, self.settings.sight);
        for (_, corridor) in self.flows.iter_mut() {
            let TileAim { agent, threat, .. } = corridor.state.aim;
            if let Some(ground) = TileGround::new(layer, agent, threat, self.rule) {
                if corridor.must_look(ground, grid, &changed) {
                    corridor.look(ground, sight);
                    self.owed = self.owed.saturating_add(look_units(corridor.seen.area()));
                }
                corridor.follow(grid, ground, layer, &changed, &mut self.scratch);
            }
        }
        self.changed = changed;
    }

    /// How far all flows have come: enough to go on as if nothing had happened.
    #[must_use]
    pub fn state(&self, layer: &CostLayer) -> TileFlowsState {
        let mut behind = Vec::new();
        self.find_behind(layer, &mut behind);
        let flows = self.flows.map(|corridor| corridor.state.clone());
        TileFlowsState { now: self.now, turn: self.turn, owed: self.owed, behind, flows }
    }

    /// Writes [`TileFlows::state`] as bytes, without a copy of it.
    pub(crate) fn save_state(&self, layer: &CostLayer, writer: &mut ByteWriter) {
        let mut behind = Vec::new();
        self.find_behind(layer, &mut behind);
        self.now.save(writer);
        self.turn.save(writer);
        self.owed.save(writer);
        behind.save(writer);
        self.flows.save_with(writer, |corridor, writer| corridor.state.save(writer));
    }

    /// Goes on from a state on the layer it was taken on, as it was then, with the same rule and settings. From then on every heading of every
    /// tick is what it would have been.
    ///
    /// Costs a copy of the state and a look from each goal: rims and tiles are found again when they are first asked for, which no
    /// budget counts.
    ///
    /// # Errors
    /// [`TileStateFault`] for a state that cannot be one of this layer's.
    pub fn restore(
        layer: &CostLayer,
        rule: StepRule,
        settings: TileSettings,
        state: &TileFlowsState,
    ) -> Result<Self, TileStateFault> {
        state.check(layer)?;
        Ok(Self::restore_checked(layer, rule, settings, state.clone()))
    }

    /// The same of a state that was checked for this layer.
    pub(crate) fn restore_checked(
        layer: &CostLayer,
        rule: StepRule,
        settings: TileSettings,
        state: TileFlowsState,
    ) -> Self {
        let mut flows = Self::new(layer, rule, settings);
        (flows.now, flows.turn, flows.owed) = (state.now, state.turn, state.owed);
        for &sector in &state.behind {
            let version = &mut flows.versions[sector.index()];
            *version = version.wrapping_sub(1);
            flows.known = None;
        }
        let (grid, sight) = (flows.grid, settings.sight);
        flows.flows = state.flows.into_map(|flow| {
            let TileAim { agent, threat, .. } = flow.aim;
            let mut corridor = Corridor::of(flow);
            if let Some(ground) = TileGround::new(layer, agent, threat, rule) {
                corridor.make_again(grid, ground, &mut flows.scratch);
                corridor.look(ground, sight);
            }
            corridor
        });
        flows
    }
}

impl HashState for TileFlows {
    /// What is behind the layer's changes follows from the layer.
    fn hash_state(&self, h: &mut StateHasher) {
        self.now.hash_state(h);
        h.write_u32(self.turn);
        h.write_u32(self.owed);
        self.flows.hash_state(h);
    }
}

impl HashState for Corridor {
    fn hash_state(&self, h: &mut StateHasher) {
        self.state.hash_state(h);
    }
}

impl Corridor {
    /// Makes ready what follows from a state, all but the rims.
    fn make_again(&mut self, grid: SectorGrid, ground: TileGround<'_>, scratch: &mut CorridorScratch) {
        self.find_all_beside(grid, &mut scratch.beside);
        self.made.extend(self.state.parts.iter().zip(&scratch.beside).map(|(part, beside)| {
            let mut made = Made::new(grid, ground, part.sector);
            made.rim = Rim::to_be_found(made.frame, &part.exits);
            let is_beside = beside.iter().enumerate().filter(|&(_, &other)| other != NO_PART);
            made.alone = is_beside.fold(0xff, |alone, (dir, _)| alone & !(1 << dir));
            made
        }));
    }

    /// Whether changes in these sectors can change from where the goal is seen, or from where straight is best.
    fn must_look(&self, ground: TileGround<'_>, grid: SectorGrid, changed: &[SectorId]) -> bool {
        let watched = self.seen.area().grow(1, 1);
        self.cheapest != ground.field.cheapest()
            || changed.iter().any(|&sector| !grid.area(sector).intersect(watched).is_empty())
    }

    /// Follows changes in some sectors.
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
                least = least.min(self.least_spoilt(grid, sector));
            }
        }
        if !concerned && self.state.goal_open == self.is_goal_open(layer) {
            return;
        }
        self.state.era = self.state.era.wrapping_add(1);
        for &sector in changed {
            if let Some(at) = self.find(sector) {
                let part = &mut self.state.parts[at];
                // Its tile must be made again, which counts as if units had just come.
                (part.known, part.used) = (Known::Nothing, None);
            }
        }
        self.restart(grid, ground, layer, least, scratch);
    }
}
