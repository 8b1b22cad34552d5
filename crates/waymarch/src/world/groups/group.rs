//! A group: the gates on its route, and what else its members have in common.

use alloc::vec::Vec;

use crate::avoid::{FINE_CELL, Fine};
use crate::base::{
    Agent, Angle, ByteReader, ByteWriter, CellPos, Fixed, GridSize, LoadError, Persist, Slots, Tick,
    persist_choices, persist_fields,
};
use crate::groups::{
    Formation, Gate, LaneCrossing, LanePlace, Lanes, MAX_MEMBERS, MAX_RADIUS, RouteGate, Traffic,
};
use crate::nav::MapFacts;
use crate::service::PathId;
use crate::world::groups::alternate_route::{AlternateRoute, DetourSearch};
use crate::world::groups::march::{March, SlotLayout};
use crate::world::groups::pending::Pending;
use crate::world::groups::right_of_way::RightOfWay;
use crate::world::units::columns::Units;
use crate::world::units::membership::{Branch, GroupId, GroupTag, Membership, RouteProgress};
use crate::world::units::order_queue::OrderStage;
use crate::world::units::unit::UnitId;

/// Units aim 1/2 cell beyond a bend, so that they do not slow down before it.
const BEYOND: i64 = FINE_CELL as i64 / 2;
/// Units aim 1/5 cell beyond the entrance of a narrow place, so that they merge before it.
const INSIDE: i64 = FINE_CELL as i64 / 5;
/// A unit before a narrow place aims at a point in front of the entrance, at 1/4 of the unit's distance. At most 6 cells of distance count, so the point
/// is at most 1.5 cells in front.
const FUNNEL: i64 = 6 * FINE_CELL as i64;
/// A unit behind a gate's line has gone around the gate if its distance is at least the gate's width plus 6 cells.
const STRAYED: i64 = 6 * FINE_CELL as i64;

/// A group is between 0 and 2^40 wide, in 65,536ths of a cell.
pub(crate) const WIDTHS: core::ops::RangeInclusive<i64> = 0..=1 << 40;

/// World: a gate on a group's route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GroupGate {
    pub(crate) way: RouteGate,
    /// Whether another group crosses the gate in the opposite direction.
    pub(crate) traffic: Traffic,
    /// Where the frame of a formation crosses the gate: see [`Group::plan_crossings`].
    pub(crate) crossing: Fine,
    /// Derived: the width of the gate. It takes a square root, and every member needs it in every tick.
    width: i64,
}

impl GroupGate {
    pub(crate) fn new(way: RouteGate, traffic: Traffic) -> Self {
        Self { way, traffic, crossing: way.taut, width: way.width() }
    }

    /// Its length, in 65,536ths of a cell.
    pub(crate) const fn width(&self) -> i64 {
        self.width
    }

    /// Whether a unit at a point has gone through the gate, and not around it.
    pub(crate) fn is_passed(&self, at: Fine) -> bool {
        let is_near = || {
            let near = self.width + STRAYED;
            i128::from(at.distance_squared(self.way.taut)) < i128::from(near).pow(2)
        };
        self.way.is_behind(at) && is_near()
    }
}

/// World: a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// The order of the members, and the number of the patrol stop.
    pub(crate) stage: OrderStage,
    /// The agent of the largest member: gates are searched for its locomotor.
    pub(crate) agent: Agent,
    /// The request for the route of the group's centre; dead if there is none.
    pub(crate) route_search: PathId,
    /// The gates of the main route, in the order in which members cross them.
    pub(crate) main_gates: Vec<GroupGate>,
    /// The detour of the rear members, if a gate was crowded.
    pub(crate) alternate: Option<AlternateRoute>,
    pub(crate) detour: DetourSearch,
    pub(crate) lanes: Lanes,
    /// The speed of the slowest member.
    pub(crate) speed: Fixed,
    /// The largest radius of a member.
    pub(crate) radius: Fixed,
    /// When the order ended. The group stays for 10 seconds more, so that members can exchange slots.
    pub(crate) over: Option<Tick>,
    /// The memberships that units take when they begin the order, by unit index. Units that have begun it are still in the list.
    pub(crate) pending: Pending,
    /// The cell where the main route ends.
    pub(crate) end: CellPos,
    /// Where the main route enters a goal that is not a point.
    pub(crate) entry: Option<Entry>,
    /// The centre of the target, or of the slots, when slots were last made.
    pub(crate) anchor: Fine,
    /// The first slot. At a dock this is the place that one unit can have.
    pub(crate) first: Fine,
    /// The unit that has the place at a dock; dead if there is none.
    pub(crate) berth: UnitId,
    /// The formation, if it is not the order's: set by [`World::reform`](crate::world::World::reform), or chosen by [`Formation::Adaptive`].
    pub(crate) formation: Option<Formation>,
    /// How the slots lie around `anchor`.
    pub(crate) layout: SlotLayout,
    /// The frame of a group that keeps its formation while it travels.
    pub(crate) march: Option<March>,
    /// The facing of all members in their slots; `None` if it is free.
    pub(crate) facing: Option<Angle>,
    /// Whether new slots are needed.
    pub(crate) reslot: Reslot,
    /// When slots were last made.
    pub(crate) slotted: Tick,
    pub(crate) cohesion: Cohesion,
    /// What decides which of two crossing groups goes first.
    pub(crate) right_of_way: RightOfWay,
    /// The number of gates at the end of the list where the group meets another group head-on.
    pub(crate) meetings: u16,
}

/// World: the point where a route enters a goal, and its direction there.
pub(crate) type Entry = (Fine, Angle);

/// World: whether a group needs new slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Reslot {
    /// It does not.
    #[default]
    None,
    /// A member has left. New slots are made at most twice a second.
    Missing,
    /// A unit has joined. New slots are made at once.
    Joined,
    /// All members need other slots. They are made at once.
    All,
}

/// World: whether the members of a group are together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Cohesion {
    /// The members set out from places far apart, and have not met yet.
    #[default]
    Gathering,
    /// Most members are near the group's centre.
    Together,
    /// The members were together and no longer are: other units came between them, or block some of them.
    Broken,
}

impl Group {
    /// The width of the group on its main route, with the bodies of the outermost members.
    pub(crate) fn width(&self) -> i64 {
        self.width_in(self.lanes)
    }

    /// The width of members in some lanes.
    fn width_in(&self, lanes: Lanes) -> i64 {
        lanes.width + 2 * self.radius.to_fine_i64()
    }

    /// The point that a unit heads for to reach `aim`, its place in the next gate. Before a narrow gate this is a point of its lane ahead of the
    /// gate, if there is room. So the unit is in its lane where the gate begins: units that merge in the gate itself slow each other down.
    pub(crate) fn funnel(
        &self,
        membership: &Membership,
        from: Fine,
        aim: Fine,
        has_room: impl Fn(Fine) -> bool,
    ) -> Fine {
        let Some(next) = self.next_gate(&membership.route) else { return aim };
        if next.width >= self.width_in(self.lanes(membership.route.branch())) {
            return aim;
        }
        let ahead = next.way.ahead;
        let (x, y) = (i64::from(aim.x) - i64::from(from.x), i64::from(aim.y) - i64::from(from.y));
        let along = (x * i64::from(ahead.0) + y * i64::from(ahead.1)) / 1024;
        let early = next.way.beyond(aim, -along.clamp(0, FUNNEL) / 4);
        if has_room(early) { early } else { aim }
    }

    /// The point at which a unit crosses its next gate: the place of its lane. Gates may lie at an angle to a wall, so this place may be too near to the
    /// wall. Then the point is nearer to where the group's centre crosses the gate. `has_room` says whether a unit's centre can be at a point.
    pub(crate) fn aim(
        &self,
        membership: &Membership,
        radius: Fixed,
        has_room: impl Fn(Fine) -> bool,
    ) -> Option<Fine> {
        let next = self.next_gate(&membership.route)?;
        let width = next.width;
        let lanes = self.lanes(membership.route.branch()).across_line(width, next.way.slant, radius);
        let RouteGate { gate, taut, .. } = &next.way;
        let crossing = LaneCrossing { gate, length: width, taut: *taut, traffic: next.traffic };
        let at = lanes.aim_at(membership.lane, radius, &crossing);
        let (own, taut) = (self.in_gate(membership, next, at), self.in_gate(membership, next, next.way.taut));
        let part = |own: i32, taut: i32, eighths: i64| {
            (i64::from(own) + (i64::from(taut) - i64::from(own)) * eighths / 8) as i32
        };
        let nearer = |eighths| Fine::new(part(own.x, taut.x, eighths), part(own.y, taut.y, eighths));
        Some((0..8).map(nearer).find(|&at| has_room(at)).unwrap_or(taut))
    }

    /// The point at which the group's centre crosses the next gate of a unit.
    pub(crate) fn taut(&self, membership: &Membership) -> Option<Fine> {
        let next = self.next_gate(&membership.route)?;
        Some(self.in_gate(membership, next, next.way.taut))
    }

    /// The point to head for, to cross a gate at one of its points.
    fn in_gate(&self, membership: &Membership, gate: &GroupGate, at: Fine) -> Fine {
        let narrow = gate.width < self.width_in(self.lanes(membership.route.branch()));
        gate.way.beyond(at, if narrow { INSIDE } else { BEYOND })
    }
}

/// World: the groups.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Groups {
    pub(crate) list: Slots<GroupTag, Group>,
    /// Derived: the group of each stage, sorted by stage.
    index: Vec<(OrderStage, GroupId)>,
}

impl Groups {
    /// Reserves memory for 16 more groups.
    pub(crate) fn preallocate(&mut self) {
        /// 16 more groups.
        const MORE: usize = 16;
        self.list.reserve(MORE);
        self.index.reserve(MORE);
    }

    /// The group for a stage of an order.
    pub(crate) fn at_stage(&self, stage: OrderStage) -> Option<(GroupId, &Group)> {
        let place = self.index.binary_search_by_key(&stage, |&(stage, _)| stage).ok()?;
        let id = self.index[place].1;
        Some((id, self.list.get(id)?))
    }

    /// Adds a group for a stage that has none.
    pub(crate) fn add(&mut self, group: Group) -> GroupId {
        let stage = group.stage;
        let id = self.list.insert(group);
        let place = self.index.partition_point(|&(other, _)| other < stage);
        self.index.insert(place, (stage, id));
        id
    }

    /// Removes a group.
    pub(crate) fn remove(&mut self, id: GroupId) -> Option<Group> {
        self.index.retain(|entry| entry.1 != id);
        self.list.remove(id)
    }

    /// Makes groups of a loaded list.
    fn of(list: Slots<GroupTag, Group>) -> Self {
        let mut index: Vec<_> = list.iter().map(|(id, group)| (group.stage, id)).collect();
        index.sort_unstable();
        Self { list, index }
    }
}

/// Changes the progress of the members of a group on one of its routes: in their columns, and in `pending` for units that will begin the order.
pub(crate) fn update_routes(
    units: &mut Units,
    id: GroupId,
    pending: &mut Pending,
    branch: Branch,
    mut change: impl FnMut(&mut RouteProgress),
) {
    let mut on_branch = |membership: &mut Membership| {
        if membership.route.branch() == branch {
            change(&mut membership.route);
        }
    };
    units.members_mut(id, &mut on_branch);
    pending.memberships_mut().for_each(on_branch);
}

impl Groups {
    /// Checks the membership of a unit. Its group may be gone.
    ///
    /// # Errors
    /// The first fault.
    pub(crate) fn check_membership(
        &self,
        grid: GridSize,
        membership: &Membership,
    ) -> Result<(), &'static str> {
        if membership.group.index() as usize >= self.list.slot_count() {
            return Err("a unit is a member of a group that never existed");
        }
        if !grid.contains(membership.slot.cell()) {
            return Err("the formation slot of a unit is off the map");
        }
        let group = self.list.get(membership.group);
        if group.is_some_and(|group| {
            usize::from(membership.route.gate()) > group.gates(membership.route.branch()).len()
        }) {
            return Err("the next gate of a unit does not exist");
        }
        Ok(())
    }

    /// Checks every group.
    ///
    /// # Errors
    /// The first fault.
    pub(crate) fn check(&self, map: &impl MapFacts) -> Result<(), &'static str> {
        let grid = map.grid();
        if self.index.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err("two groups for one stage of an order");
        }
        for (id, group) in self.list.iter() {
            if !map.has_costs(group.agent) {
                return Err("a group whose agent has no costs on this map");
            }
            if group.slotted.max(group.right_of_way.since).max(group.over.unwrap_or_default()) > map.now() {
                return Err("a group that was formed, slotted or ended in the future");
            }
            let ordered = group.pending.is_ordered();
            let own = |(_, membership): &(u32, Membership)| {
                membership.group == id && self.check_membership(grid, membership).is_ok()
            };
            if !ordered || !group.pending.iter().all(own) || group.pending.len() > MAX_MEMBERS {
                return Err("a group with a membership that is not valid");
            }
            let length = |way: &RouteGate| i32::from(way.ahead.0).pow(2) + i32::from(way.ahead.1).pow(2);
            let on_map = |way: &RouteGate| grid.contains(way.taut.cell()) && length(way) <= 1 << 21;
            if group.alternate.as_ref().is_some_and(|alternate| !alternate.is_valid(grid, on_map)) {
                return Err("a group with an alternate route that is not valid");
            }
            if group.main_gates.len() > usize::from(u16::MAX)
                || !group
                    .main_gates
                    .iter()
                    .all(|gate| on_map(&gate.way) && grid.contains(gate.crossing.cell()))
            {
                return Err("a group with a gate off the map, or more than 65,535 gates");
            }
            if !grid.contains(group.end) {
                return Err("a group whose route ends off the map");
            }
            if !group.layout.is_valid() || group.march.is_some_and(|march| !march.is_valid(grid)) {
                return Err("a group whose formation frame is not valid");
            }
            let custom =
                if let Some(Formation::Custom(places)) = &group.formation { places.len() } else { 0 };
            if custom > MAX_MEMBERS {
                return Err("a group with a formation of too many slots");
            }
            if !WIDTHS.contains(&group.lanes.width) || group.radius < Fixed::ZERO || group.radius > MAX_RADIUS
            {
                return Err("a group with a width or radius out of range");
            }
        }
        Ok(())
    }
}

persist_choices! {
    Cohesion { Gathering, Together, Broken }
    Reslot { None, Missing, Joined, All }
    Traffic { OneWay, Opposing }
}

persist_fields! {
    LanePlace { rank: u16, across: u16 }
    Lanes { width: i64 }
    Gate { left: Fine, right: Fine }
    RouteGate { gate: Gate, taut: Fine, ahead: (i16, i16), slant: u16 }
    Group {
        stage: OrderStage,
        agent: Agent,
        route_search: PathId,
        main_gates: Vec<GroupGate>,
        alternate: Option<AlternateRoute>,
        detour: DetourSearch,
        lanes: Lanes,
        speed: Fixed,
        radius: Fixed,
        over: Option<Tick>,
        pending: Pending,
        end: CellPos,
        entry: Option<Entry>,
        anchor: Fine,
        first: Fine,
        berth: UnitId,
        formation: Option<Formation>,
        layout: SlotLayout,
        march: Option<March>,
        facing: Option<Angle>,
        reslot: Reslot,
        slotted: Tick,
        cohesion: Cohesion,
        right_of_way: RightOfWay,
        meetings: u16,
    }
}

impl Persist for GroupGate {
    fn save(&self, writer: &mut ByteWriter) {
        self.way.save(writer);
        self.traffic.save(writer);
        self.crossing.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let gate = Self::new(RouteGate::load(reader)?, Traffic::load(reader)?);
        Ok(Self { crossing: Fine::load(reader)?, ..gate })
    }
}

impl Persist for Groups {
    fn save(&self, writer: &mut ByteWriter) {
        self.list.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Slots::load(reader).map(Self::of)
    }
}
