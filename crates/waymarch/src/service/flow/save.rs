//! Flow groups as bytes.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::super::request::Request;
use super::super::status::{PathId, PathTag};
use super::groups::{BestRoute, FlowGroup, FlowGroups, ServedRoom};
use crate::base::{ByteReader, ByteWriter, CellPos, LoadError, Persist, Slots, persist_fields};
use crate::cost::CostLayer;
use crate::flow::tiles::{FlowId, TileFlows, TileFlowsState, TileSettings};
use crate::nav::{MapFacts, Navigator, NavigatorState};
use crate::plan::{Destination, Grouping};
use crate::sectors::{DoorRoute, LiveDoors, RoomId};

/// World: [`FlowGroups`] as saved, after all checks.
#[derive(Clone, Debug)]
pub(crate) struct FlowGroupsState {
    pub(crate) grouping: Grouping,
    pub(crate) groups: Vec<FlowGroup>,
    flows: TileFlowsState,
    joining: VecDeque<PathId>,
}

persist_fields! {
    FlowGroup { to: Destination, flow: FlowId, goal: CellPos, routes: Vec<DoorRoute>, served: Vec<ServedRoom> }
    ServedRoom { room: RoomId, from: CellPos, best_route: BestRoute }
    DoorRoute { cells: Vec<CellPos>, cost: u64, expanded: u32 }
}

/// The first two codes are those of the flag that older files have.
impl Persist for BestRoute {
    fn save(&self, writer: &mut ByteWriter) {
        match *self {
            Self::Known => 0_u8.save(writer),
            Self::Wanted => 1_u8.save(writer),
            Self::Review(touched) => {
                2_u8.save(writer);
                touched.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Known,
            1 => Self::Wanted,
            2 => Self::Review(u16::load(reader)?),
            _ => return Err(reader.error("an unknown code for the best route from a room")),
        })
    }
}

impl FlowGroupsState {
    /// Reads what [`FlowGroups::save`] wrote, and checks it against the map of `nav`.
    pub(crate) fn load(reader: &mut ByteReader<'_>, nav: &NavigatorState<'_>) -> Result<Self, LoadError> {
        let state = Self {
            grouping: Grouping::load(reader)?,
            groups: Vec::load(reader)?,
            flows: TileFlowsState::load(reader)?,
            joining: Vec::<PathId>::load(reader)?.into(),
        };
        check_flows(&state.groups, &state.flows, nav).map_err(|what| reader.error(what))?;
        Ok(state)
    }

    /// The flows.
    pub(crate) fn flows(&self) -> &TileFlowsState {
        &self.flows
    }
}

/// Checks flows and flow groups against a map.
pub(crate) fn check_flows(
    groups: &[FlowGroup],
    flows: &TileFlowsState,
    map: &impl MapFacts,
) -> Result<(), &'static str> {
    let grid = map.grid();
    if flows.check_for(grid, map.sectors(), &|agent| map.has_costs(agent)).is_err() {
        return Err("a flow that does not fit the map");
    }
    let fits = |group: &FlowGroup| {
        let on_map = |route: &DoorRoute| route.cells.iter().all(|&at| grid.contains(at));
        flows.has(group.flow) && grid.contains(group.goal) && group.routes.iter().all(on_map)
    };
    let out_of_order = |group: &FlowGroup| group.served.windows(2).any(|pair| pair[0].room >= pair[1].room);
    if !groups.iter().all(fits)
        || groups.windows(2).any(|pair| pair[0].to >= pair[1].to)
        || groups.iter().any(out_of_order)
    {
        return Err("a flow group that has no flow, is off the map, or is out of order");
    }
    Ok(())
}

impl FlowGroups {
    pub(crate) fn save(&self, writer: &mut ByteWriter, layer: &CostLayer) {
        self.grouping.save(writer);
        self.groups.save(writer);
        self.flows.save_state(layer, writer);
        writer.count(self.joining.len());
        self.joining.iter().for_each(|id| id.save(writer));
    }

    /// Takes over a saved state. The navigator must have been restored before.
    pub(crate) fn apply(
        &mut self,
        state: FlowGroupsState,
        nav: &Navigator,
        requests: &Slots<PathTag, Request>,
    ) {
        let settings = TileSettings::from(nav.config().get());
        self.flows = TileFlows::restore_checked(nav.layer(), nav.config().step_rule(), settings, state.flows);
        (self.grouping, self.groups, self.joining) = (state.grouping, state.groups, state.joining);
        self.live_doors = LiveDoors::new();
        for group in &self.groups {
            group.routes.iter().for_each(|route| self.live_doors.add(group.to.agent, group.to.threat, route));
        }
        self.followers.clear();
        self.followers
            .extend(requests.iter().filter(|(_, request)| request.flow.is_some()).map(|(id, _)| id));
    }
}
