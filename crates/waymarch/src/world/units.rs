//! Units: a column for each thing known about them, by slot; ids that outlive them.

use alloc::vec::Vec;

use super::errand::Errand;
use super::orders::OrderQueue;
use super::stuck::Stuck;
use super::unit_type::UnitTypeId;
use crate::base::{
    Angle, ByteReader, ByteWriter, CellPos, Id, LoadError, Persist, Slots, Vec2, persist_choices,
};

/// At most so many units at once.
pub const MAX_UNITS: usize = 1 << 20;

/// What a [`UnitId`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnitTag {}

/// The name of a unit; an id of one that is gone is told from all later ones.
pub type UnitId = Id<UnitTag>;

/// Whose unit it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayerId(pub u8);

/// How a unit stands in the way of others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Stance {
    /// It stands about and may be asked to make way.
    #[default]
    Idle,
    /// It is under way.
    Moving,
    /// It holds its ground and gives way to nobody.
    Holding,
}

/// What is known about one unit, for those who look: see [`World::unit`](super::World::unit).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Its name.
    pub id: UnitId,
    /// Its kind.
    pub kind: UnitTypeId,
    /// Whose it is.
    pub owner: PlayerId,
    /// Where its middle is.
    pub position: Vec2,
    /// Where it faces.
    pub facing: Angle,
    /// How far it went in the last tick.
    pub velocity: Vec2,
    /// How it stands in the way of others.
    pub stance: Stance,
}

/// What a slot with a unit holds; all else is in columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Alive;

/// World: the units, a column for each thing known about them. A slot without a unit holds nothing but defaults, so that equal units
/// are equal bit for bit, whatever was there before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Units {
    pub(super) ids: Slots<UnitTag, Alive>,
    pub(super) kind: Vec<UnitTypeId>,
    pub(super) owner: Vec<PlayerId>,
    pub(super) position: Vec<Vec2>,
    pub(super) facing: Vec<Angle>,
    pub(super) velocity: Vec<Vec2>,
    pub(super) stance: Vec<Stance>,
    pub(super) queue: Vec<OrderQueue>,
    pub(super) errand: Vec<Errand>,
    pub(super) stuck: Vec<Stuck>,
}

impl Units {
    /// How many slots there are: the length of each column.
    pub(super) fn slots(&self) -> usize {
        self.kind.len()
    }

    /// Which unit is in a slot.
    pub(super) fn id_at(&self, slot: usize) -> Option<UnitId> {
        self.ids.id_at(u32::try_from(slot).ok()?)
    }

    /// The slot of a unit that lives.
    pub(super) fn slot(&self, id: UnitId) -> Option<usize> {
        self.ids.contains(id).then_some(id.index() as usize)
    }

    pub(super) fn cell(&self, slot: usize) -> CellPos {
        let at = self.position[slot];
        CellPos::new(at.x.floor_cells(), at.y.floor_cells())
    }

    pub(super) fn add(&mut self, kind: UnitTypeId, owner: PlayerId, at: Vec2, facing: Angle) -> UnitId {
        let id = self.ids.insert(Alive);
        let slot = id.index() as usize;
        if slot == self.slots() {
            self.grow();
        }
        (self.kind[slot], self.owner[slot]) = (kind, owner);
        (self.position[slot], self.facing[slot]) = (at, facing);
        self.stuck[slot].anchor = at;
        id
    }

    /// One slot more, in every column.
    fn grow(&mut self) {
        self.kind.push(UnitTypeId::default());
        self.owner.push(PlayerId::default());
        self.position.push(Vec2::ZERO);
        self.facing.push(Angle::ZERO);
        self.velocity.push(Vec2::ZERO);
        self.stance.push(Stance::Idle);
        self.queue.push(OrderQueue::default());
        self.errand.push(Errand::default());
        self.stuck.push(Stuck::default());
    }

    /// Forgets a unit whose orders and paths have been let go of.
    pub(super) fn forget(&mut self, id: UnitId) {
        if self.ids.remove(id).is_none() {
            return;
        }
        let slot = id.index() as usize;
        (self.kind[slot], self.owner[slot]) = (UnitTypeId::default(), PlayerId::default());
        (self.position[slot], self.facing[slot]) = (Vec2::ZERO, Angle::ZERO);
        (self.velocity[slot], self.stance[slot]) = (Vec2::ZERO, Stance::Idle);
        self.queue[slot].0.clear();
        self.errand[slot] = Errand::default();
        self.stuck[slot] = Stuck::default();
    }

    pub(super) fn get(&self, id: UnitId) -> Option<Unit> {
        let slot = self.slot(id)?;
        Some(Unit {
            id,
            kind: self.kind[slot],
            owner: self.owner[slot],
            position: self.position[slot],
            facing: self.facing[slot],
            velocity: self.velocity[slot],
            stance: self.stance[slot],
        })
    }
}

persist_choices! {
    Stance { Idle, Moving, Holding }
}

impl Persist for Alive {
    fn save(&self, _: &mut ByteWriter) {}

    fn load(_: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self)
    }
}

impl Persist for PlayerId {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u8::load(reader).map(Self)
    }
}

/// Slots without a unit are written as their generations only.
impl Persist for Units {
    fn save(&self, writer: &mut ByteWriter) {
        self.ids.save(writer);
        for slot in self.ids.ids().map(|id| id.index() as usize) {
            self.kind[slot].save(writer);
            self.owner[slot].save(writer);
            self.position[slot].save(writer);
            self.facing[slot].save(writer);
            self.velocity[slot].save(writer);
            self.stance[slot].save(writer);
            self.queue[slot].save(writer);
            self.errand[slot].save(writer);
            self.stuck[slot].save(writer);
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let mut units = Self { ids: Slots::load(reader)?, ..Self::default() };
        if units.ids.slot_count() > MAX_UNITS {
            return Err(reader.error("too many units"));
        }
        for slot in 0..units.ids.slot_count() {
            units.grow();
            if units.id_at(slot).is_none() {
                continue;
            }
            units.kind[slot] = UnitTypeId::load(reader)?;
            units.owner[slot] = PlayerId::load(reader)?;
            units.position[slot] = Vec2::load(reader)?;
            units.facing[slot] = Angle::load(reader)?;
            units.velocity[slot] = Vec2::load(reader)?;
            units.stance[slot] = Stance::load(reader)?;
            units.queue[slot] = OrderQueue::load(reader)?;
            units.errand[slot] = Errand::load(reader)?;
            units.stuck[slot] = Stuck::load(reader)?;
        }
        Ok(units)
    }
}
