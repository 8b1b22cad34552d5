//! Units: a column for each thing known about them, by slot; ids that outlive them.

use alloc::vec::Vec;

use super::errand::Errand;
use super::group::Post;
use super::orders::OrderQueue;
use super::stuck::Stuck;
use super::unit_type::{UnitType, UnitTypeId, UnitTypes, shift_of};
use crate::avoid::{Crowd, FINE_BITS, Fine, KindId, Member, Spawn, Stance};
use crate::base::{Angle, ByteReader, ByteWriter, CellPos, Fixed, Id, LoadError, Persist, Slots, Vec2};

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
///
/// Where units are and how they move is in the crowd, and nowhere else. Its places are dense and mean nothing: what layer 4 does
/// depends on ids, which are slots there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Units {
    pub(super) ids: Slots<UnitTag, Alive>,
    pub(super) kind: Vec<UnitTypeId>,
    pub(super) owner: Vec<PlayerId>,
    pub(super) queue: Vec<OrderQueue>,
    pub(super) errand: Vec<Errand>,
    pub(super) stuck: Vec<Stuck>,
    /// Their parts in groups. Who has arrived keeps its own until it begins something else.
    pub(super) post: Vec<Option<Post>>,
    /// Who is where in the crowd, by slot; rubbish for slots without a unit.
    place: Vec<u32>,
    pub(super) crowd: Crowd,
    /// Derived from the types: see [`shift_of`].
    shift: Vec<Fine>,
}

/// A place as the rest of the engine knows it: never beyond the finer one's cell.
#[inline]
pub(super) const fn coarse(at: Fine) -> Vec2 {
    const DOWN: u32 = FINE_BITS - Fixed::BITS;
    Vec2::new(Fixed::from_raw(at.x >> DOWN), Fixed::from_raw(at.y >> DOWN))
}

/// The difference, per component.
#[inline]
pub(super) const fn less(at: Fine, by: Fine) -> Fine {
    Fine::new(at.x.saturating_sub(by.x), at.y.saturating_sub(by.y))
}

impl Units {
    /// None, at so many ticks a second.
    pub(super) fn new(ticks_per_second: u32) -> Self {
        Self {
            ids: Slots::default(),
            kind: Vec::new(),
            owner: Vec::new(),
            queue: Vec::new(),
            errand: Vec::new(),
            stuck: Vec::new(),
            post: Vec::new(),
            place: Vec::new(),
            crowd: Crowd::new(u16::try_from(ticks_per_second).unwrap_or(u16::MAX)),
            shift: Vec::new(),
        }
    }

    /// Another kind of unit, which is legal, has become known.
    pub(super) fn know(&mut self, kind: &UnitType) {
        let how = kind.kinematics(self.crowd.ticks_per_second());
        // Legal kinds move in a legal way.
        if self.crowd.add_kind(how).is_ok() {
            self.shift.push(shift_of(kind.agent.size));
        }
    }

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

    /// Where the unit of a slot is in the crowd.
    #[inline]
    pub(super) fn place(&self, slot: usize) -> usize {
        self.place[slot] as usize
    }

    /// By how much the middles of units of a kind lie beyond the middles of their cells.
    #[inline]
    pub(super) fn shift(&self, kind: UnitTypeId) -> Fine {
        self.shift.get(kind.index()).copied().unwrap_or_default()
    }

    /// Where the middle of the unit in a slot is.
    #[inline]
    pub(super) fn middle(&self, slot: usize) -> Fine {
        self.crowd.positions()[self.place(slot)]
    }

    /// Where the unit in a slot is on its way: the point that routes lead. For units of an odd number of cells that is their middle.
    #[inline]
    pub(super) fn fine(&self, slot: usize) -> Fine {
        less(self.middle(slot), self.shift(self.kind[slot]))
    }

    /// The same on the map's scale.
    #[inline]
    pub(super) fn at(&self, slot: usize) -> Vec2 {
        coarse(self.fine(slot))
    }

    /// The cell that stands for the unit in a slot.
    #[inline]
    pub(super) fn cell(&self, slot: usize) -> CellPos {
        self.fine(slot).cell()
    }

    /// What the unit in a slot is about.
    #[inline]
    pub(super) fn stance(&self, slot: usize) -> Stance {
        self.crowd.stance(self.place(slot))
    }

    /// Adds a unit of a kind that is known, for a cell.
    pub(super) fn add(&mut self, kind: &UnitType, unit: NewUnit) -> UnitId {
        let id = self.ids.insert(Alive);
        let slot = id.index() as usize;
        if slot == self.slots() {
            self.grow();
        }
        (self.kind[slot], self.owner[slot]) = (unit.kind, unit.owner);
        let spawn = Spawn {
            id: id.index(),
            kind: KindId(unit.kind.0),
            at: Fine::centre(unit.at).plus(self.shift(unit.kind)),
            team: unit.owner.0,
            group: 0,
            heading: unit.facing,
            mover: kind.mover,
        };
        // The kind is known, and there are fewer units than a crowd can have.
        let place = self.crowd.spawn_known(&spawn).unwrap_or_default();
        self.place[slot] = place as u32;
        let at = self.at(slot);
        self.stuck[slot].reset(at);
        id
    }

    /// One slot more, in every column.
    fn grow(&mut self) {
        self.kind.push(UnitTypeId::default());
        self.owner.push(PlayerId::default());
        self.queue.push(OrderQueue::default());
        self.errand.push(Errand::default());
        self.stuck.push(Stuck::default());
        self.post.push(None);
        self.place.push(0);
    }

    /// Forgets a unit whose orders and paths have been let go of.
    pub(super) fn forget(&mut self, id: UnitId) {
        if self.ids.remove(id).is_none() {
            return;
        }
        let slot = id.index() as usize;
        let place = self.place(slot);
        self.crowd.remove(place);
        // The last one has taken its place.
        if let Some(&moved) = self.crowd.ids().get(place) {
            self.place[moved as usize] = place as u32;
        }
        self.place[slot] = 0;
        (self.kind[slot], self.owner[slot]) = (UnitTypeId::default(), PlayerId::default());
        self.queue[slot].0.clear();
        self.errand[slot] = Errand::default();
        self.stuck[slot] = Stuck::default();
        self.post[slot] = None;
    }

    pub(super) fn get(&self, id: UnitId) -> Option<Unit> {
        let slot = self.slot(id)?;
        let place = self.place(slot);
        Some(Unit {
            id,
            kind: self.kind[slot],
            owner: self.owner[slot],
            position: coarse(self.crowd.positions()[place]),
            facing: self.crowd.heading(place),
            velocity: Vec2::from(self.crowd.velocities()[place]),
            stance: self.crowd.stance(place),
        })
    }
}

/// A unit to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewUnit {
    pub(super) kind: UnitTypeId,
    pub(super) owner: PlayerId,
    pub(super) at: CellPos,
    pub(super) facing: Angle,
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

impl Units {
    /// Slots without a unit are written as their generations only. Places in the crowd are not written: units are taken up by slot.
    pub(super) fn save(&self, writer: &mut ByteWriter) {
        self.ids.save(writer);
        for slot in self.ids.ids().map(|id| id.index() as usize) {
            self.kind[slot].save(writer);
            self.owner[slot].save(writer);
            self.queue[slot].save(writer);
            self.errand[slot].save(writer);
            self.stuck[slot].save(writer);
            self.post[slot].save(writer);
            if let Some(member) = self.crowd.member(self.place(slot)) {
                member.save(writer);
            }
        }
    }

    /// Reads what was written, for kinds that were read before and are legal.
    pub(super) fn load(
        reader: &mut ByteReader<'_>,
        types: &UnitTypes,
        ticks_per_second: u32,
    ) -> Result<Self, LoadError> {
        let mut units = Self { ids: Slots::load(reader)?, ..Self::new(ticks_per_second) };
        types.list.iter().for_each(|kind| units.know(kind));
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
            units.queue[slot] = OrderQueue::load(reader)?;
            units.errand[slot] = Errand::load(reader)?;
            units.stuck[slot] = Stuck::load(reader)?;
            units.post[slot] = Option::load(reader)?;
            let member = Member::load(reader)?;
            let alike = (member.kind(), member.team()) == (KindId(units.kind[slot].0), units.owner[slot].0);
            let place = units.crowd.take_in(slot as u32, &member).filter(|_| alike);
            units.place[slot] = place.ok_or_else(|| reader.error("a unit that cannot be"))? as u32;
        }
        Ok(units)
    }
}
