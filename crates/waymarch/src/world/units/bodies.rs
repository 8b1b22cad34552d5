//! What every unit has, with or without an order: type, owner, order queue, and a body in the crowd.

use alloc::vec::Vec;

use crate::avoid::{Crowd, Drive, KindId, Spawn, Stance};
use crate::base::{
    Angle, ByteReader, ByteWriter, CellPos, CollisionLayers, Fine, LoadError, Persist, Slots, Vec2,
};
use crate::cost::ThreatMap;
use crate::query::Observer;
use crate::world::units::order_queue::OrderQueue;
use crate::world::units::teams::{Relation, TeamId, Teams};
use crate::world::units::unit::{PlayerId, UnitId, UnitTag};
use crate::world::units::unit_type::{UnitType, UnitTypeId, shift_of};

/// What [`Bodies::ids`] stores for a unit: nothing, as all facts are in columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Alive;

impl Persist for Alive {
    fn save(&self, _: &mut ByteWriter) {}

    fn load(_: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self)
    }
}

/// World: ids, types, owners, order queues and bodies of units, by unit index.
///
/// Positions and velocities are in the crowd and nowhere else. A place is an index into the crowd's columns. Places are dense, and
/// change when units are removed. No result depends on them: the crowd orders units by id, and its ids are unit indices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bodies {
    pub(crate) ids: Slots<UnitTag, Alive>,
    pub(crate) kind: Vec<UnitTypeId>,
    pub(crate) owner: Vec<PlayerId>,
    pub(crate) teams: Teams,
    pub(crate) queue: Vec<OrderQueue>,
    /// The unit's place in the crowd; meaningless for an index without a unit.
    pub(super) place: Vec<u32>,
    pub(crate) crowd: Crowd,
    /// Derived from the types: see [`shift_of`].
    shift: Vec<Fine>,
}

/// A unit that is to be added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewUnit {
    pub(crate) kind: UnitTypeId,
    pub(crate) owner: PlayerId,
    pub(crate) at: CellPos,
    pub(crate) facing: Angle,
}

impl Bodies {
    /// No bodies, at this number of ticks per second.
    pub(super) fn new(ticks_per_second: u32) -> Self {
        Self {
            ids: Slots::default(),
            kind: Vec::new(),
            owner: Vec::new(),
            teams: Teams::default(),
            queue: Vec::new(),
            place: Vec::new(),
            crowd: Crowd::new(u16::try_from(ticks_per_second).unwrap_or(u16::MAX)),
            shift: Vec::new(),
        }
    }

    /// Adds a valid unit type. Types are added in the order of their ids. `usual` are the layers of its locomotor.
    pub(crate) fn add_type(&mut self, kind: &UnitType, usual: CollisionLayers) {
        let how = kind.kinematics(self.crowd.ticks_per_second());
        // A valid type has valid kinematics.
        if self.crowd.add_kind_on(how, kind.layers.unwrap_or(usual)).is_ok() {
            self.shift.push(shift_of(kind.agent.size));
        }
    }

    /// The id of the unit at an index.
    pub(crate) fn id_at(&self, index: usize) -> Option<UnitId> {
        self.ids.id_at(u32::try_from(index).ok()?)
    }

    /// The unit's place in the crowd.
    #[inline]
    pub(crate) fn place(&self, index: usize) -> usize {
        self.place[index] as usize
    }

    /// The offset from the centre of a unit's cell to the unit's centre. It is not 0 for units an even number of cells wide.
    #[inline]
    pub(crate) fn shift(&self, kind: UnitTypeId) -> Fine {
        self.shift.get(kind.index()).copied().unwrap_or_default()
    }

    /// The unit's centre.
    #[inline]
    pub(crate) fn middle(&self, index: usize) -> Fine {
        self.crowd.positions()[self.place(index)]
    }

    /// The point of the unit that follows routes: its centre without the shift.
    #[inline]
    pub(crate) fn fine(&self, index: usize) -> Fine {
        self.middle(index).minus(self.shift(self.kind[index]))
    }

    /// The same point, in 1024ths of a cell.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> Vec2 {
        self.fine(index).floor()
    }

    /// The cell of that point.
    #[inline]
    pub(crate) fn cell(&self, index: usize) -> CellPos {
        self.fine(index).cell()
    }

    /// The unit's stance in avoidance.
    #[inline]
    pub(crate) fn stance(&self, index: usize) -> Stance {
        self.crowd.stance(self.place(index))
    }

    /// The collision layers of a unit.
    #[inline]
    pub(crate) fn layers(&self, index: usize) -> CollisionLayers {
        self.crowd.layers_of(KindId(self.kind[index].0))
    }

    /// Whether two units have a common layer: whether one can be in the way of the other.
    #[inline]
    pub(crate) fn can_meet(&self, index: usize, other: usize) -> bool {
        self.layers(index).meets(self.layers(other))
    }

    /// The team of a unit's owner. Units of one team are friendly to each other: see [`Teams::relation`].
    #[inline]
    pub(crate) fn team(&self, index: usize) -> TeamId {
        self.teams.of(self.owner[index])
    }

    /// What the owner of a unit is to the owner of another one.
    #[inline]
    pub(crate) fn relation(&self, index: usize, other: usize) -> Relation {
        self.teams.relation(self.owner[index], self.owner[other])
    }

    /// Puts a player with all its units into a team. All units wake: each may have to make way for others now.
    pub(crate) fn set_team(&mut self, player: PlayerId, team: TeamId) {
        if self.teams.of(player) == team {
            return;
        }
        self.teams.set(player, team);
        for id in self.ids.ids() {
            let index = id.index() as usize;
            if self.owner[index] == player {
                self.crowd.set_team(self.place[index] as usize, team.0);
            }
        }
        self.crowd.wake_all();
    }

    /// Takes over the sides of a map as the teams of the players.
    pub(crate) fn take_sides(&mut self, threat: &ThreatMap) {
        for player in (0..=u8::MAX).map(PlayerId) {
            self.set_team(player, TeamId(threat.side(Observer(player.0))));
        }
    }

    /// Gives a body to another player. Call `wake_all` of the crowd after the last one.
    pub(crate) fn set_owner(&mut self, index: usize, owner: PlayerId) {
        self.owner[index] = owner;
        self.crowd.set_team(self.place(index), self.teams.of(owner).0);
    }

    /// Gives a body another known type, and what moves it. Call `wake_all` of the crowd after the last one.
    pub(crate) fn set_kind(&mut self, index: usize, kind: UnitTypeId, drive: Drive) {
        self.kind[index] = kind;
        self.crowd.set_kind(self.place(index), KindId(kind.0), drive);
    }

    /// Adds a body of a known type. Returns its id.
    pub(super) fn add(&mut self, kind: &UnitType, unit: NewUnit) -> UnitId {
        let id = self.ids.insert(Alive);
        let index = id.index() as usize;
        if index == self.kind.len() {
            self.grow();
        }
        (self.kind[index], self.owner[index]) = (unit.kind, unit.owner);
        let spawn = Spawn {
            id: id.index(),
            kind: KindId(unit.kind.0),
            at: Fine::centre(unit.at).plus(self.shift(unit.kind)),
            team: self.teams.of(unit.owner).0,
            group: 0,
            heading: unit.facing,
            mover: kind.mover,
        };
        // The type is known, and MAX_UNITS is less than a crowd can hold.
        let place = self.crowd.spawn_with_new_id(&spawn).unwrap_or_default();
        self.place[index] = place as u32;
        id
    }

    /// Makes every column one index longer.
    pub(super) fn grow(&mut self) {
        self.kind.push(UnitTypeId::default());
        self.owner.push(PlayerId::default());
        self.queue.push(OrderQueue::default());
        self.place.push(0);
    }

    /// Removes a body. Returns its index, or `None` if there is no such unit.
    pub(super) fn remove(&mut self, id: UnitId) -> Option<usize> {
        self.ids.remove(id)?;
        let index = id.index() as usize;
        let place = self.place(index);
        self.crowd.remove(place);
        // The crowd fills the gap with its last body.
        if let Some(&moved) = self.crowd.ids().get(place) {
            self.place[moved as usize] = place as u32;
        }
        self.place[index] = 0;
        (self.kind[index], self.owner[index]) = (UnitTypeId::default(), PlayerId::default());
        self.queue[index].0.clear();
        Some(index)
    }
}
