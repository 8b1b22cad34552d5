//! Saving how far flows have come, and continuing from a snapshot.

use alloc::vec::Vec;

use super::corridor::{Corridor, CorridorScratch, DerivedPart, NO_PART};
use super::flows::TileFlows;
use super::ground::TileGround;
use super::rim::Rim;
use super::settings::TileSettings;
use super::state::{TileFlowsState, TileStateFault};
use super::target::FlowTarget;
use crate::base::{ByteWriter, HashState, Persist, StateHasher};
use crate::cost::{CostLayer, SectorGrid, StepRule};

impl TileFlows {
    /// How far all flows have come. A restored copy gives the same headings.
    #[must_use]
    pub fn state(&self, layer: &CostLayer) -> TileFlowsState {
        let mut behind = Vec::new();
        self.edits.collect_stale(layer, &mut behind);
        let flows = self.flows.map(|corridor| corridor.state.clone());
        TileFlowsState { now: self.now, turn: self.turn, owed: self.owed, behind, flows }
    }

    /// Writes [`TileFlows::state`] as bytes, without copying it.
    pub(crate) fn save_state(&self, layer: &CostLayer, writer: &mut ByteWriter) {
        let mut behind = Vec::new();
        self.edits.collect_stale(layer, &mut behind);
        self.now.save(writer);
        self.turn.save(writer);
        self.owed.save(writer);
        behind.save(writer);
        self.flows.save_with(writer, |corridor, writer| corridor.state.save(writer));
    }

    /// Continues from a state, on the layer as it was when the state was taken, with the same rule and settings. All later headings are the
    /// same as without the restore.
    ///
    /// Copies the state, and finds the visible cells of each goal. Rims and tiles are made again when they are first needed. The budget of
    /// a tick does not count that.
    ///
    /// # Errors
    /// [`TileStateFault`] if the state cannot belong to this layer.
    pub fn restore(
        layer: &CostLayer,
        rule: StepRule,
        settings: TileSettings,
        state: &TileFlowsState,
    ) -> Result<Self, TileStateFault> {
        state.check(layer)?;
        Ok(Self::restore_checked(layer, rule, settings, state.clone()))
    }

    /// As [`TileFlows::restore`], for a state that was checked for this layer.
    pub(crate) fn restore_checked(
        layer: &CostLayer,
        rule: StepRule,
        settings: TileSettings,
        state: TileFlowsState,
    ) -> Self {
        let mut flows = Self::new(layer, rule, settings);
        (flows.now, flows.turn, flows.owed) = (state.now, state.turn, state.owed);
        for &sector in &state.behind {
            flows.edits.mark_stale(sector);
        }
        let (grid, sight) = (flows.grid, settings.sight);
        flows.flows = state.flows.into_map(|flow| {
            let FlowTarget { agent, threat, .. } = flow.target;
            let mut corridor = Corridor::of(flow);
            if let Some(ground) = TileGround::new(layer, agent, threat, rule) {
                corridor.derive_parts(grid, ground, &mut flows.scratch);
                corridor.update_visible(ground, sight);
            }
            corridor
        });
        flows
    }
}

impl HashState for TileFlows {
    /// Edits that the flows have not followed yet are known from the layer, so they are not hashed.
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
    /// Makes the derived parts from the state, except for the labels of rims.
    fn derive_parts(&mut self, grid: SectorGrid, ground: TileGround<'_>, scratch: &mut CorridorScratch) {
        self.find_all_beside(grid, &mut scratch.beside);
        self.derived.extend(self.state.parts.iter().zip(&scratch.beside).map(|(part, beside)| {
            let mut derived = DerivedPart::new(grid, ground, part.sector);
            derived.rim = Rim::to_be_found(derived.frame, &part.exits);
            let is_beside = beside.iter().enumerate().filter(|&(_, &other)| other != NO_PART);
            derived.alone = is_beside.fold(0xff, |alone, (dir, _)| alone & !(1 << dir));
            derived
        }));
    }
}
