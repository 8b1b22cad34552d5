//! Who goes where with how many others, and how far their flows have come, as bytes.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::flowing::{FlowGroup, Flowing, Served};
use super::request::Request;
use super::save::MapFacts;
use super::status::{PathId, PathTag};
use crate::base::{ByteReader, ByteWriter, CellPos, LoadError, Persist, Slots, persist_fields};
use crate::cost::CostLayer;
use crate::flow::tiles::{FlowId, TileFlows, TileFlowsState, TileSettings};
use crate::plan::{Destination, Grouping};
use crate::sectors::{DoorRoute, LiveDoors, RoomId};
use crate::world::navigator::Navigator;

/// World: [`Flowing`] as it was saved, checked.
#[derive(Clone, Debug)]
pub(super) struct FlowingState {
    pub(super) grouping: Grouping,
    pub(super) groups: Vec<FlowGroup>,
    flows: TileFlowsState,
    fresh: VecDeque<PathId>,
}

persist_fields! {
    FlowGroup { to: Destination, flow: FlowId, goal: CellPos, routes: Vec<DoorRoute>, served: Vec<Served> }
    Served { room: RoomId, from: CellPos, is_owed: bool }
    DoorRoute { cells: Vec<CellPos>, cost: u64, expanded: u32 }
}

impl FlowingState {
    /// Reads what [`Flowing::save`] wrote, for a map that it has to fit.
    pub(super) fn load(reader: &mut ByteReader<'_>, map: &MapFacts<'_>) -> Result<Self, LoadError> {
        let state = Self {
            grouping: Grouping::load(reader)?,
            groups: Vec::load(reader)?,
            flows: TileFlowsState::load(reader)?,
            fresh: Vec::<PathId>::load(reader)?.into(),
        };
        let MapFacts { grid, sectors, has_costs } = *map;
        if state.flows.check_for(grid, sectors, has_costs).is_err() {
            return Err(reader.error("a flow that does not fit the map"));
        }
        let fits = |group: &FlowGroup| {
            let on_map = |route: &DoorRoute| route.cells.iter().all(|&at| grid.contains(at));
            state.flows.has(group.flow) && grid.contains(group.goal) && group.routes.iter().all(on_map)
        };
        if !state.groups.iter().all(fits)
            || state.groups.windows(2).any(|pair| pair[0].to >= pair[1].to)
            || state
                .groups
                .iter()
                .any(|group| group.served.windows(2).any(|pair| pair[0].room >= pair[1].room))
        {
            return Err(reader.error("a group whose flow is missing or does not fit the map"));
        }
        Ok(state)
    }

    /// Whether there is such a flow.
    pub(super) fn has(&self, flow: FlowId) -> bool {
        self.flows.has(flow)
    }
}

impl Flowing {
    pub(super) fn save(&self, writer: &mut ByteWriter, layer: &CostLayer) {
        self.grouping.save(writer);
        self.groups.save(writer);
        self.flows.save_state(layer, writer);
        writer.count(self.fresh.len());
        self.fresh.iter().for_each(|id| id.save(writer));
    }

    /// Takes over what was saved; the navigator has been taken back already.
    pub(super) fn apply(&mut self, state: FlowingState, nav: &Navigator, requests: &Slots<PathTag, Request>) {
        let settings = TileSettings::from(nav.config().get());
        // It was checked when it was read.
        self.flows = TileFlows::restore_checked(nav.layer(), nav.config().step_rule(), settings, state.flows);
        (self.grouping, self.groups, self.fresh) = (state.grouping, state.groups, state.fresh);
        self.live = LiveDoors::new();
        for group in &self.groups {
            group.routes.iter().for_each(|route| self.live.add(group.to.agent, group.to.threat, route));
        }
        self.followers.clear();
        self.followers
            .extend(requests.iter().filter(|(_, request)| request.flow.is_some()).map(|(id, _)| id));
    }
}
