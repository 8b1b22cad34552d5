//! Destinations that many requests lead to, and their flows.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::super::request::{ROUTE_POINTS, Request, Task};
use super::super::status::{PathId, PathStatus};
use super::changed::ChangedFlow;
use crate::base::{CellPos, Scratch, SpareLists, poison_list, reserve_total};
use crate::config::Config;
use crate::cost::CostLayer;
use crate::flow::tiles::{FlowId, FlowTarget, TileFlows, TileReader, TileSettings};
use crate::nav::Navigator;
use crate::plan::{Destination, Grouping, Stage};
use crate::query::{BlockedBy, Company, Detail, Goal, Shape};
use crate::sectors::{DoorRoute, DoorScratch, LiveDoors, RoomId, Sectors};

/// Lists of served rooms are preallocated for 64 rooms.
const ROOMS: usize = 64;

/// Memory is preallocated for 8 groups more than exist.
const MORE_GROUPS: usize = 8;

/// Memory is preallocated for 32 steps through doors for each of these groups.
const DOORS_PER_GROUP: usize = 32;

/// World: a destination with a flow, and the door routes that the flow's corridor consists of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FlowGroup {
    pub(crate) to: Destination,
    pub(super) flow: FlowId,
    pub(super) goal: CellPos,
    /// At most one for each served room.
    pub(crate) routes: Vec<DoorRoute>,
    /// The rooms that the flow leads from on the best route, or soon will, in ascending order. In the rest of the corridor the flow may
    /// be far from the best route. So a unit that comes from another room adds its own route.
    pub(crate) served: Vec<ServedRoom>,
}

/// World: a room from which a flow leads on the best route, or soon will.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ServedRoom {
    pub(super) room: RoomId,
    /// The cell of its first unit when that unit joined.
    pub(crate) from: CellPos,
    pub(super) best_route: BestRoute,
}

/// World: whether a flow knows the best route from a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BestRoute {
    /// It is known.
    Known,
    /// Units follow a quickly found route, and the best one is still to be found.
    Wanted,
    /// An edit has touched the known route, or may have opened a shorter one: it is to be found again. The number is that of the last cell of the door
    /// route before a touched leg.
    Review(u16),
}

impl FlowGroup {
    /// The index of a served room, or where it would be inserted.
    pub(super) fn room_index(&self, room: RoomId) -> Result<usize, usize> {
        self.served.binary_search_by_key(&room, |served| served.room)
    }

    /// Adds a room with a unit at `from`, which needs its best route. Does nothing if the room is served.
    pub(super) fn serve(&mut self, room: RoomId, from: CellPos) {
        if let Err(index) = self.room_index(room) {
            self.served.insert(index, ServedRoom { room, from, best_route: BestRoute::Wanted });
        }
    }

    /// Whether a request must end on a route of its own. Its goal differs from the flow's, and its unit has reached the goal's room or an
    /// edit has put the two goals into different rooms.
    pub(super) fn is_near_end_for(&self, request: &Request, nav: &Navigator) -> bool {
        let Goal::In(Shape::Point(goal)) = request.ask.goal else { return false };
        let room = |at| nav.sectors().room(at, self.to.agent);
        goal != self.goal && (room(request.ask.from.cell()) == room(goal) || room(self.goal) != room(goal))
    }
}

/// World: how many requests lead to each destination, and the flows of destinations with many.
#[derive(Clone, Debug)]
pub(crate) struct FlowGroups {
    pub(crate) grouping: Grouping,
    /// Ordered by destination.
    pub(crate) groups: Vec<FlowGroup>,
    pub(crate) flows: TileFlows,
    /// Requests that may join a flow: they came since the last tick, or the budget did not suffice for them.
    pub(super) joining: VecDeque<PathId>,
    /// Output of the last tick: the routes of followers that edits have changed, by flow and sector.
    pub(super) changed: Vec<ChangedFlow>,
    /// Derived: the doors that the groups' routes pass.
    pub(super) live_doors: LiveDoors,
    /// Derived: requests that follow a flow, in ascending order once a tick.
    pub(super) followers: Vec<PathId>,
    pub(super) spare: SpareGroupLists,
    pub(super) scratch: FlowScratch,
}

/// Scratch: lists of groups that have ended, for new groups.
#[derive(Clone, Debug)]
pub(super) struct SpareGroupLists {
    pub(super) cells: SpareLists<CellPos>,
    pub(super) routes: SpareLists<DoorRoute>,
    pub(super) rooms: SpareLists<ServedRoom>,
}

impl Scratch for SpareGroupLists {
    type Demand = ();

    fn poison(&mut self) {
        self.cells.poison();
        self.routes.poison();
        self.rooms.poison();
    }

    fn reserve(&mut self, (): ()) {
        self.cells.reserve(0);
        self.routes.reserve(0);
        self.rooms.reserve(0);
    }
}

/// Scratch of flow groups.
#[derive(Clone, Debug, Default)]
pub(super) struct FlowScratch {
    /// Where the followers of each flow are.
    pub(super) positions: Vec<(FlowId, CellPos)>,
    /// Followers that leave their flow in this tick.
    pub(super) leaving: Vec<PathId>,
    /// Queued requests with their numbers.
    pub(super) queued: Vec<(u64, PathId)>,
    pub(super) reader: TileReader,
    pub(super) door_route: DoorRoute,
    pub(super) doors: DoorScratch,
}

impl Scratch for FlowScratch {
    /// Cells of the map. 0 while there are no groups: then no search over doors is prepared.
    type Demand = usize;

    fn poison(&mut self) {
        let rubbish = CellPos::new(7, -7);
        poison_list(&mut self.positions, (FlowId::DEAD, rubbish));
        poison_list(&mut self.leaving, PathId::DEAD);
        poison_list(&mut self.queued, (7, PathId::DEAD));
        self.reader.poison();
        poison_list(&mut self.door_route.cells, rubbish);
        self.doors.poison();
    }

    fn reserve(&mut self, cells: usize) {
        if cells > 0 {
            self.doors.reserve(cells);
        }
        reserve_total(&mut self.door_route.cells, ROUTE_POINTS);
    }
}

impl FlowGroups {
    /// No groups yet.
    pub(crate) fn new(nav: &Navigator) -> Self {
        let config = nav.config().get();
        Self {
            grouping: Grouping::new(config.flowfield_group_threshold),
            groups: Vec::new(),
            flows: TileFlows::new(nav.layer(), nav.config().step_rule(), TileSettings::from(config)),
            joining: VecDeque::new(),
            changed: Vec::new(),
            live_doors: LiveDoors::new(),
            followers: Vec::new(),
            spare: SpareGroupLists {
                cells: SpareLists::default(),
                routes: SpareLists::default(),
                rooms: SpareLists::with_list_capacity(ROOMS),
            },
            scratch: FlowScratch::default(),
        }
    }

    /// Whether there are any groups.
    pub(crate) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Reserves memory for the next ticks on a map of `cells` cells.
    pub(crate) fn preallocate(&mut self, cells: usize) {
        self.scratch.reserve(if self.groups.is_empty() { 0 } else { cells });
        self.flows.preallocate();
        self.groups.reserve(MORE_GROUPS);
        self.live_doors.reserve(DOORS_PER_GROUP * MORE_GROUPS);
        self.spare.reserve(());
    }

    /// Fills the scratch with rubbish.
    pub(crate) fn poison_scratch(&mut self) {
        self.scratch.poison();
        self.flows.poison_scratch();
        self.spare.poison();
    }

    /// Takes over changed settings.
    pub(crate) fn apply_settings(&mut self, config: &Config) {
        self.grouping.set_threshold(config.flowfield_group_threshold);
        self.flows.set_settings(TileSettings::from(config));
    }

    /// Counts a new request, if a flow could lead its unit.
    pub(crate) fn count_new(&mut self, id: PathId, request: &mut Request, nav: &Navigator) {
        let ask = &request.ask;
        let Goal::In(Shape::Point(goal)) = ask.goal else { return };
        let may_flow = ask.company == Company::Flow
            && ask.detail == Detail::Full
            && ask.blocked_by == BlockedBy::None
            && ask.avoid.is_empty()
            && request.task == Task::Find;
        if !may_flow || request.status != PathStatus::Pending {
            return;
        }
        let threat = nav.layer().threat().effective(ask.threat);
        if let Some(to) = Destination::of(nav.sectors(), ask.agent, threat, goal) {
            self.grouping.join(to, Stage::Pending);
            request.counted = Some((to, Stage::Pending));
            self.joining.push_back(id);
        }
    }

    /// Counts a request as answered. If it was answered without a route, stops counting it. Does nothing if it waits or is not counted.
    pub(crate) fn count_answered(&mut self, request: &mut Request) {
        match (request.counted, request.status.has_route()) {
            (Some((to, Stage::Pending)), true) => {
                // Cannot fail: the request was counted when it came.
                let _counted = self.grouping.answered(to);
                request.counted = Some((to, Stage::Live));
            }
            (Some(_), false) if request.status.is_settled() => self.uncount(request),
            _ => {}
        }
    }

    /// Stops counting a request.
    pub(crate) fn uncount(&mut self, request: &mut Request) {
        uncount(&mut self.grouping, request);
    }

    /// The index of a destination's group, or where it would be inserted.
    pub(super) fn find(&self, to: Destination) -> Result<usize, usize> {
        self.groups.binary_search_by_key(&to, |group| group.to)
    }

    /// The index of a destination's group. Makes one with a flow to `goal` if there is none. `None` if the flow cannot be made, or if
    /// the group's goal is no longer in the destination's room.
    pub(super) fn find_or_make(
        &mut self,
        layer: &CostLayer,
        sectors: &Sectors,
        to: Destination,
        goal: CellPos,
    ) -> Option<usize> {
        match self.find(to) {
            // An edit can give rooms other numbers: then the group's goal is in another room than its destination says.
            Ok(at) => (sectors.room(self.groups[at].goal, to.agent) == Some(to.room)).then_some(at),
            Err(at) => {
                let target = FlowTarget::new(to.agent, goal).with_threat(to.threat);
                let flow = self.flows.open(layer, target).ok()?;
                let (routes, served) = (self.spare.routes.take(1), self.spare.rooms.take(1));
                self.groups.insert(at, FlowGroup { to, flow, goal, routes, served });
                Some(at)
            }
        }
    }
}

/// Stops counting a request.
pub(super) fn uncount(grouping: &mut Grouping, request: &mut Request) {
    if let Some((to, stage)) = request.counted.take() {
        let _counted = grouping.leave(to, stage);
    }
}
