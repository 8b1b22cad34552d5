//! Details of units and groups for viewers and debuggers. Nothing here changes the World.

use crate::avoid::Fine;
use crate::base::Angle;
use crate::groups::{Formation, RouteGate, Traffic};
use crate::service::PathId;
use crate::world::groups::group::Cohesion;
use crate::world::state::State;
use crate::world::traffic::wait_events::Waiting;
use crate::world::units::membership::{Branch, GroupId};
use crate::world::units::motion::UnitMotion;
use crate::world::units::progress_monitor::Rung;
use crate::world::units::unit::UnitId;
use crate::world::units::wait_for::WaitFor;
use crate::world::world::World;

impl World {
    /// What kept a unit from its goal in the last tick. [`UnitMotion::Blocked`] and [`UnitMotion::Lost`] are shown after a second. `None` if the unit does
    /// not exist.
    ///
    /// For inspectors and for games that show why a unit stands.
    #[must_use]
    pub fn motion_of(&self, id: UnitId) -> Option<UnitMotion> {
        let monitor = &self.state.units.monitor[self.state.units.index_of(id)?];
        let second = self.nav().config().get().ticks_per_second;
        Some(match monitor.state {
            UnitMotion::Blocked | UnitMotion::Lost if u32::from(monitor.stalled) < second => {
                UnitMotion::Moving
            }
            state => state,
        })
    }

    /// The unit that a slow or pushed-back unit is behind; `None` if there is none, if the unit gets on or rests, or if it does not exist.
    #[must_use]
    pub fn blocker_of(&self, id: UnitId) -> Option<UnitId> {
        let State { service, types, units, .. } = &self.state;
        let index = units.index_of(id)?;
        let wait_for = WaitFor { service, types, units, occupancy: &self.pipeline.occupancy };
        let is_stalled = units.monitor[index].stalled > 0;
        is_stalled.then(|| wait_for.blocker(index)).flatten().and_then(|other| units.id_at(other))
    }

    /// The id of the route that a unit follows or waits for, for queries to [`World::service`]. `None` if the unit does not exist or has no route.
    #[must_use]
    pub fn route_of(&self, id: UnitId) -> Option<PathId> {
        let path = self.state.units.progress[self.state.units.index_of(id)?].path;
        self.state.service.status(path).map(|_| path)
    }

    /// The number of the waypoint that a unit heads for; 0 before it has joined its route. `None` if the unit does not exist.
    #[must_use]
    pub fn next_waypoint(&self, id: UnitId) -> Option<u32> {
        self.state.units.index_of(id).map(|index| self.state.units.progress[index].trace.next)
    }

    /// The remedy that a stuck unit tried last; `None` if the unit does not exist.
    #[must_use]
    pub fn rung_of(&self, id: UnitId) -> Option<Rung> {
        self.state.units.index_of(id).map(|index| self.state.units.monitor[index].rung)
    }

    /// For how many ticks a unit has been stuck, and how many attempts to get another route it has made. Ticks in which other units delay it count less.
    /// `None` if the unit does not exist.
    #[must_use]
    pub fn trouble_of(&self, id: UnitId) -> Option<(u32, u16)> {
        let monitor = &self.state.units.monitor[self.state.units.index_of(id)?];
        Some((monitor.ticks(), monitor.attempts))
    }

    /// A number for a unit's present order, equal for all units of that order; `None` without an order. The number may be used again when no
    /// unit has the order any more.
    #[must_use]
    pub fn order_number(&self, id: UnitId) -> Option<u32> {
        self.state.units.body.queue[self.state.units.index_of(id)?].0.front().map(|order| order.index())
    }

    /// The centre of a unit, in 65,536ths of a cell; `None` if the unit does not exist.
    #[must_use]
    pub fn place_of(&self, id: UnitId) -> Option<Fine> {
        self.state.units.index_of(id).map(|index| self.state.units.middle(index))
    }

    /// The group that a unit belongs to; `None` if there is none. A unit that has arrived keeps the id, even after the group has ended.
    #[must_use]
    pub fn group_of(&self, id: UnitId) -> Option<GroupId> {
        self.state.units.membership(self.state.units.index_of(id)?).map(|membership| membership.group)
    }

    /// The formation slot of a unit: where its centre is to be in the end. `None` if the unit has no slot.
    #[must_use]
    pub fn slot_of(&self, id: UnitId) -> Option<Fine> {
        self.state.units.membership(self.state.units.index_of(id)?).map(|membership| membership.slot)
    }

    /// Where a unit belongs now, so that its group keeps its formation on the way. `None` if the group keeps none at the moment, or if a narrow place
    /// lies between the unit and the formation.
    #[must_use]
    pub fn formation_place_of(&self, id: UnitId) -> Option<Fine> {
        let membership = self.state.units.membership(self.state.units.index_of(id)?)?;
        self.state.groups.list.get(membership.group)?.frame_slot(&membership)
    }

    /// The number of the gate that a unit crosses next; the first gate is 0. The number of gates once the unit has crossed them all. `None` if
    /// the unit belongs to no group.
    #[must_use]
    pub fn next_gate(&self, id: UnitId) -> Option<u16> {
        self.state.units.membership(self.state.units.index_of(id)?).map(|membership| membership.route.gate())
    }

    /// Whether a unit takes, or took, its group's detour around a crowded gate; see `congestion` in [`Config`](crate::config::Config).
    #[must_use]
    pub fn is_on_detour(&self, id: UnitId) -> bool {
        self.state
            .units
            .index_of(id)
            .and_then(|index| self.state.units.membership(index))
            .is_some_and(|membership| membership.route.branch() == Branch::Alternate)
    }

    /// Renamed to [`World::is_on_detour`].
    #[deprecated(since = "0.2.0", note = "renamed to `is_on_detour`")]
    #[must_use]
    pub fn is_sent_round(&self, id: UnitId) -> bool {
        self.is_on_detour(id)
    }

    /// The gates of a group's detour, in order, each with its traffic. Empty if the group has no detour.
    pub fn detour_gates_of(&self, id: GroupId) -> impl Iterator<Item = (RouteGate, Traffic)> {
        let group = self.state.groups.list.get(id);
        let gates = group.map_or(&[][..], |group| group.gates(Branch::Alternate));
        gates.iter().map(|gate| (gate.way, gate.traffic))
    }

    /// Renamed to [`World::detour_gates_of`].
    #[deprecated(since = "0.2.0", note = "renamed to `detour_gates_of`")]
    pub fn gates_round(&self, id: GroupId) -> impl Iterator<Item = (RouteGate, Traffic)> {
        self.detour_gates_of(id)
    }

    /// All groups. A group outlives its order by ten seconds, so that members can exchange formation slots.
    pub fn groups(&self) -> impl Iterator<Item = GroupId> {
        self.state.groups.list.ids()
    }

    /// The gates of a group's main route, in order, each with its traffic: whether units also cross it in the other direction.
    pub fn gates_of(&self, id: GroupId) -> impl Iterator<Item = (RouteGate, Traffic)> {
        let group = self.state.groups.list.get(id);
        group.into_iter().flat_map(|group| group.main_gates.iter().map(|gate| (gate.way, gate.traffic)))
    }

    /// The formation of a group and its facing, if [`World::reform`] set the formation or [`Formation::Adaptive`] chose it. `None` if the order or
    /// the settings name the formation, or if the group does not exist.
    #[must_use]
    pub fn formation_of(&self, id: GroupId) -> Option<(&Formation, Option<Angle>)> {
        let group = self.state.groups.list.get(id)?;
        group.formation.as_ref().map(|formation| (formation, group.facing))
    }

    /// Whether [`World::engage`] has halted a unit until [`World::resume`]; `false` if the unit does not exist.
    #[must_use]
    pub fn is_halted(&self, id: UnitId) -> bool {
        self.state.units.index_of(id).is_some_and(|index| self.state.units.progress[index].halted)
    }

    /// Whether a unit waits until another group of its player or of an ally has passed; `false` if the unit does not exist.
    #[must_use]
    pub fn grants_right_of_way(&self, id: UnitId) -> bool {
        self.state.units.index_of(id).is_some_and(|index| self.state.units.grants_right_of_way(index))
    }

    /// Renamed to [`World::grants_right_of_way`].
    #[deprecated(since = "0.2.0", note = "renamed to `grants_right_of_way`")]
    #[must_use]
    pub fn lets_others_pass(&self, id: UnitId) -> bool {
        self.grants_right_of_way(id)
    }

    /// How members of a group wait for another group to pass; `None` if no member waits or the group does not exist.
    ///
    /// The group's first member gets [`EventKind::GroupWaits`](crate::world::EventKind::GroupWaits) when members begin to wait, and
    /// [`EventKind::GroupGoesOn`](crate::world::EventKind::GroupGoesOn) when none waits any more.
    ///
    /// *Cost:* one pass over all units; if the group waits, two more passes and an allocation. To watch all groups in each tick, use the events.
    ///
    /// ```
    /// use waymarch::base::{CellRect, GridSize, cell};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(96, 96)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let mut squad = |x, y, to| {
    ///     let places: Vec<_> = CellRect::at(cell(x, y), 8, 8).cells().collect();
    ///     let units = world.spawn_many(soldier, PlayerId(0), &places)?;
    ///     world.order(&units, Order::move_to(to))?;
    ///     Ok::<_, Box<dyn std::error::Error>>(units[0])
    /// };
    /// let (east, south) = (squad(20, 44, cell(82, 48))?, squad(44, 20, cell(48, 82))?);
    /// let waits = (0..200).find_map(|_| {
    ///     world.tick();
    ///     world.waiting_of(world.group_of(south)?)
    /// });
    /// assert_eq!(waits.unwrap().waits_for, world.group_of(east));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn waiting_of(&self, id: GroupId) -> Option<Waiting> {
        self.state.waiting_of(id)
    }

    /// How close together a group's members are, computed once a second. `None` if the group does not exist.
    ///
    /// The group's first member gets [`EventKind::GroupBroke`](crate::world::EventKind::GroupBroke) when the group breaks apart, and
    /// [`EventKind::GroupTogether`](crate::world::EventKind::GroupTogether) when it is together again.
    #[must_use]
    pub fn cohesion_of(&self, id: GroupId) -> Option<Cohesion> {
        self.state.groups.list.get(id).map(|group| group.cohesion)
    }
}
