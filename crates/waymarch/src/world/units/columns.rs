//! Units: a column per fact, by unit index.

use alloc::vec::Vec;

use crate::avoid::{Drive, KindId, SavedUnit, Stance, USUAL_SPEED};
use crate::base::{
    Agent, ByteReader, ByteWriter, CellPos, Fine, Fixed, LoadError, Observer, Persist, Slots, Vec2,
};
use crate::cost::CostLayer;
use crate::nav::MapFacts;
use crate::world::units::bodies::{Bodies, NewUnit};
use crate::world::units::condition::{Condition, Conditions, Ending};
use crate::world::units::members::Members;
use crate::world::units::membership::{GroupId, Membership};
use crate::world::units::order_progress::{OrderProgress, Phase, WaypointProgress};
use crate::world::units::order_queue::{OrderId, OrderQueue, OrderStage};
use crate::world::units::passage_wait::{PassageLine, PassageWait};
use crate::world::units::progress_monitor::ProgressMonitor;
use crate::world::units::teams::Teams;
use crate::world::units::unit::{MAX_UNITS, PlayerId, Unit, UnitId};
use crate::world::units::unit_type::{UnitType, UnitTypeId, UnitTypes};
use crate::world::units::zone_step::ZoneStep;

/// World: the units. An index without a unit holds defaults, so that no trace of a removed unit is left.
#[derive(Clone, Debug)]
pub(crate) struct Units {
    pub(crate) body: Bodies,
    pub(crate) progress: Vec<OrderProgress>,
    pub(crate) monitor: Vec<ProgressMonitor>,
    /// The step that a unit in a deadlock zone is told to make. Only `deadlock/` changes it.
    pub(crate) step: Vec<Option<ZoneStep>>,
    /// The passage that a unit waits before. Only `reservation/` changes it.
    pub(crate) waits: Vec<Option<PassageWait>>,
    /// The passage that a unit lines up for, or crosses in a line. Only `reservation/` changes it.
    pub(crate) lines: Vec<Option<PassageLine>>,
    /// A unit that has arrived keeps its membership until it begins another order.
    membership: Vec<Option<Membership>>,
    /// What commands and rules have changed. Only `changes/` changes it.
    pub(crate) conditions: Conditions,
    /// Derived from the memberships.
    members: Members,
}

/// The columns that a parallel phase changes. Each unit changes its own entries only.
pub(crate) struct OwnColumns<'a> {
    pub(crate) progress: &'a mut [OrderProgress],
    pub(crate) monitor: &'a mut [ProgressMonitor],
    /// The group of a membership must not change.
    pub(crate) membership: &'a mut [Option<Membership>],
}

impl Units {
    /// No units, at this number of ticks per second.
    pub(crate) fn new(ticks_per_second: u32) -> Self {
        Self {
            body: Bodies::new(ticks_per_second),
            progress: Vec::new(),
            monitor: Vec::new(),
            step: Vec::new(),
            waits: Vec::new(),
            lines: Vec::new(),
            membership: Vec::new(),
            conditions: Conditions::default(),
            members: Members::default(),
        }
    }

    /// The length of each column: one more than the largest unit index so far.
    #[inline]
    pub(crate) fn column_len(&self) -> usize {
        self.body.kind.len()
    }

    /// The id of the unit at an index.
    #[inline]
    pub(crate) fn id_at(&self, index: usize) -> Option<UnitId> {
        self.body.id_at(index)
    }

    /// The index of a unit; `None` after its removal.
    pub(crate) fn index_of(&self, id: UnitId) -> Option<usize> {
        self.body.ids.contains(id).then_some(id.index() as usize)
    }

    /// See [`Bodies::place`].
    #[inline]
    pub(crate) fn place(&self, index: usize) -> usize {
        self.body.place(index)
    }

    /// See [`Bodies::shift`].
    #[inline]
    pub(crate) fn shift(&self, kind: UnitTypeId) -> Fine {
        self.body.shift(kind)
    }

    /// The unit's centre.
    #[inline]
    pub(crate) fn middle(&self, index: usize) -> Fine {
        self.body.middle(index)
    }

    /// The point of the unit that follows routes, in 1024ths of a cell.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> Vec2 {
        self.body.at(index)
    }

    /// The observer that a unit's queries are asked as.
    pub(crate) fn observer(&self, index: usize) -> Observer {
        self.body.owner[index].into()
    }

    /// The agent of a unit: that of its type, with the costs for its team.
    #[inline]
    pub(crate) fn agent(&self, index: usize, kind: &UnitType, layer: &CostLayer) -> Agent {
        layer.as_side(kind.agent, self.body.team(index).0)
    }

    /// The cell of that point.
    #[inline]
    pub(crate) fn cell(&self, index: usize) -> CellPos {
        self.body.cell(index)
    }

    /// The unit's stance in avoidance.
    #[inline]
    pub(crate) fn stance(&self, index: usize) -> Stance {
        self.body.stance(index)
    }

    /// The unit's part in a group.
    #[inline]
    pub(crate) fn membership(&self, index: usize) -> Option<Membership> {
        self.membership[index]
    }

    /// All memberships, by unit index.
    #[inline]
    pub(crate) fn memberships(&self) -> &[Option<Membership>] {
        &self.membership
    }

    /// The unit's part in a group, to change anything but the group.
    #[inline]
    pub(crate) fn membership_mut(&mut self, index: usize) -> Option<&mut Membership> {
        self.membership[index].as_mut()
    }

    /// Gives a unit a part in a group, or none.
    pub(crate) fn set_membership(&mut self, index: usize, membership: Option<Membership>) {
        let group = |membership: Option<Membership>| membership.map(|membership| membership.group);
        if group(self.membership[index]) != group(membership) {
            self.members.invalidate();
        }
        self.membership[index] = membership;
    }

    /// Whether a unit waits until a group with right of way has passed. Such a unit has pace zero.
    pub(crate) fn grants_right_of_way(&self, index: usize) -> bool {
        self.body.crowd.pace(self.place(index)) == Fixed::ZERO
    }

    /// Resets the progress monitor of a unit at its present position.
    pub(crate) fn reset_monitor(&mut self, index: usize) {
        let at = self.at(index);
        self.monitor[index].reset(at);
    }

    /// Resets the progress of a unit along its route, because the unit joins another one.
    pub(crate) fn rejoin(&mut self, index: usize) {
        self.progress[index].trace = WaypointProgress::default();
        self.monitor[index].join_route();
    }

    /// Brings [`Units::members`] up to date.
    pub(crate) fn refresh_members(&mut self) {
        self.members.refresh(&self.membership);
    }

    /// The members of a group, in the order of unit indices. Call [`Units::refresh_members`] first if memberships may have changed.
    pub(crate) fn members(&self, group: GroupId) -> impl Iterator<Item = (usize, Membership)> {
        let own = move |&index: &u32| {
            let membership =
                self.membership[index as usize].filter(|membership| membership.group == group)?;
            Some((index as usize, membership))
        };
        self.members.at(group).iter().filter_map(own)
    }

    /// Changes the members of a group, in the order of unit indices. `visit` must not change the group.
    pub(crate) fn members_mut(&mut self, group: GroupId, mut visit: impl FnMut(&mut Membership)) {
        self.refresh_members();
        for &index in self.members.at(group) {
            if let Some(membership) = &mut self.membership[index as usize] {
                if membership.group == group {
                    visit(membership);
                }
            }
        }
    }

    /// Splits the columns for a parallel phase: bodies to read, and columns to change.
    pub(crate) fn split(&mut self) -> (&Bodies, OwnColumns<'_>) {
        let Self { body, progress, monitor, membership, .. } = self;
        (body, OwnColumns { progress, monitor, membership })
    }

    /// Reserves memory for the members of this number of groups.
    pub(crate) fn reserve_members(&mut self, groups: usize) {
        self.members.reserve(self.membership.len(), groups);
    }

    /// The present order of a unit and the number of its patrol stop. Units with equal stages belong together.
    pub(crate) fn stage(&self, index: usize) -> Option<OrderStage> {
        let order = self.body.queue[index].front()?;
        Some(OrderStage { order, leg: self.progress[index].leg })
    }

    /// Whether a unit is about to begin its present order, or has begun it without a group and without a route.
    pub(crate) fn is_to_begin(&self, index: usize) -> bool {
        if self.conditions.ending(index) != Ending::None {
            return false;
        }
        match self.progress[index].phase {
            Phase::Idle => true,
            Phase::Asking => self.membership(index).is_none(),
            Phase::Going | Phase::Waiting => false,
        }
    }

    /// Whether a unit belongs to the group for a stage: it is at that stage, or the order waits in its queue and the stage is its first.
    pub(crate) fn belongs_to(&self, index: usize, stage: OrderStage) -> bool {
        match self.stage(index) {
            // A unit that ends this order does not go on with its group.
            Some(own) if own.order == stage.order => {
                own == stage && self.conditions.ending(index) == Ending::None
            }
            _ => stage.leg == 0 && self.has_order(index, stage.order),
        }
    }

    /// The orders that call a unit when a group is formed: all orders in its queue, the present one first.
    ///
    /// Wider than [`Units::belongs_to`]: a unit at another stop of the same patrol is called too, so that a patrol stays together.
    pub(crate) fn called_by(&self, index: usize) -> impl Iterator<Item = OrderId> {
        self.body.queue[index].0.iter().copied()
    }

    /// Whether a unit has an order, present or queued. Other than [`Units::belongs_to`], the patrol stop does not count.
    pub(crate) fn has_order(&self, index: usize, order: OrderId) -> bool {
        self.body.queue[index].0.contains(&order)
    }

    /// Whether an order is the present one of a unit. Other than [`Units::belongs_to`], the patrol stop does not count, and a queued order is not enough.
    pub(crate) fn is_under(&self, index: usize, order: OrderId) -> bool {
        self.body.queue[index].front() == Some(order)
    }

    /// Adds a unit of a known type in the middle of a cell.
    pub(crate) fn add(&mut self, kind: &UnitType, unit: NewUnit) -> UnitId {
        let id = self.body.add(kind, unit);
        let index = id.index() as usize;
        if index == self.progress.len() {
            self.grow_own();
        }
        self.reset_monitor(index);
        id
    }

    fn grow_own(&mut self) {
        self.progress.push(OrderProgress::default());
        self.monitor.push(ProgressMonitor::default());
        self.step.push(None);
        self.waits.push(None);
        self.lines.push(None);
        self.membership.push(None);
        self.conditions.grow();
    }

    /// Removes a unit. The caller has dropped its orders and routes before.
    pub(crate) fn remove(&mut self, id: UnitId) {
        if let Some(index) = self.body.remove(id) {
            self.progress[index] = OrderProgress::default();
            self.monitor[index] = ProgressMonitor::default();
            self.step[index] = None;
            self.waits[index] = None;
            self.lines[index] = None;
            self.conditions.set(index, Condition::default());
            self.set_membership(index, None);
        }
    }

    /// What a caller can see of a unit.
    pub(crate) fn get(&self, id: UnitId) -> Option<Unit> {
        let index = self.index_of(id)?;
        let (place, crowd) = (self.place(index), &self.body.crowd);
        Some(Unit {
            id,
            kind: self.body.kind[index],
            owner: self.body.owner[index],
            position: crowd.positions()[place].floor(),
            facing: crowd.heading(place),
            velocity: Vec2::from(crowd.velocities()[place]),
            stance: crowd.stance(place),
            speed: crowd.speed_percent(place),
            concealment: self.conditions.get(index).concealment,
            transport: self.conditions.carrier(index),
        })
    }

    /// Whether the body of a unit has the unit's type, its owner's team, and is moved as the type and the unit's condition say.
    pub(crate) fn fits_body(&self, index: usize, kind: &UnitType) -> bool {
        let body = &self.body;
        let saved = body.crowd.saved_unit(body.place(index));
        let own = (KindId(body.kind[index].0), body.teams.of(body.owner[index]).0, self.drive(index, kind));
        saved.is_some_and(|saved| (saved.kind(), saved.team(), saved.drive()) == own)
    }

    /// What moves a unit: its transport, the rule that leads it off closed ground, or what its type says.
    pub(crate) fn drive(&self, index: usize, kind: &UnitType) -> Drive {
        if self.conditions.is_aboard(index) {
            Drive::Carried
        } else if self.conditions.way_out(index).is_some() {
            Drive::Game
        } else {
            kind.mover.into()
        }
    }

    /// Whether a unit does nothing for its orders: a transport carries it, it walks off closed ground, or the game has halted it.
    #[inline]
    pub(crate) fn is_paused(&self, index: usize) -> bool {
        self.progress[index].halted
            || self.conditions.is_aboard(index)
            || self.conditions.way_out(index).is_some()
    }

    /// The full speed of a unit per tick: its type's, with the part that commands give it, up to one cell.
    #[inline]
    pub(crate) fn speed(&self, index: usize, kind: &UnitType) -> Fixed {
        match self.body.crowd.speed_percent(self.place(index)) {
            USUAL_SPEED => kind.speed,
            percent => {
                let raw = (kind.speed.raw() * i32::from(percent) + 50) / 100;
                Fixed::from_raw(raw.min(Fixed::ONE.raw()).max(kind.speed.raw().min(1)))
            }
        }
    }

    /// Writes the units without their conditions; see [`Units::save_conditions`]. An index without a unit is written as its generation only. Places in the crowd are not written.
    pub(crate) fn save(&self, writer: &mut ByteWriter) {
        let body = &self.body;
        body.ids.save(writer);
        for index in body.ids.ids().map(|id| id.index() as usize) {
            body.kind[index].save(writer);
            body.owner[index].save(writer);
            body.queue[index].save(writer);
            self.progress[index].save(writer);
            self.monitor[index].save(writer);
            self.step[index].save(writer);
            self.waits[index].save(writer);
            self.lines[index].save(writer);
            self.membership[index].save(writer);
            if let Some(saved) = body.crowd.saved_unit(body.place(index)) {
                saved.save(writer);
            }
        }
    }

    /// Writes what [`Units::save`] leaves out, because games without it keep the hash that they had before it existed.
    pub(crate) fn save_conditions(&self, writer: &mut ByteWriter) {
        self.conditions.save(writer);
    }

    /// Reads what [`Units::save`] and then [`Units::save_conditions`] wrote. `types` and `teams` are valid and were read before.
    pub(crate) fn load(
        reader: &mut ByteReader<'_>,
        types: &UnitTypes,
        teams: Teams,
        map: &impl MapFacts,
    ) -> Result<Self, LoadError> {
        let mut units = Self::new(map.ticks_per_second());
        units.body.ids = Slots::load(reader)?;
        units.body.teams = teams;
        for kind in &types.list {
            units.body.add_type(kind, map.locomotor_layers(kind.agent.locomotor));
        }
        let count = units.body.ids.slot_count();
        if count > MAX_UNITS {
            return Err(reader.error("more than 1,048,576 units"));
        }
        for index in 0..count {
            units.body.grow();
            units.grow_own();
            if units.id_at(index).is_none() {
                continue;
            }
            let body = &mut units.body;
            body.kind[index] = UnitTypeId::load(reader)?;
            body.owner[index] = PlayerId::load(reader)?;
            body.queue[index] = OrderQueue::load(reader)?;
            units.progress[index] = OrderProgress::load(reader)?;
            units.monitor[index] = ProgressMonitor::load(reader)?;
            units.step[index] = Option::load(reader)?;
            units.waits[index] = Option::load(reader)?;
            units.lines[index] = Option::load(reader)?;
            units.membership[index] = Option::load(reader)?;
            let saved = SavedUnit::load(reader)?;
            let place = body.crowd.add_saved(index as u32, &saved);
            body.place[index] = place
                .ok_or_else(|| reader.error("the body of a unit has values that no tick can produce"))?
                as u32;
        }
        if reader.version() >= 11 {
            let Self { conditions, body, .. } = &mut units;
            conditions.load(reader, |index| index < count && body.id_at(index).is_some())?;
        }
        units.members.invalidate();
        Ok(units)
    }
}
