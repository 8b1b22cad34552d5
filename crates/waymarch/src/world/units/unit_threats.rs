//! Threat sources that move with units.

use alloc::vec::Vec;

use crate::base::{ByteReader, ByteWriter, LoadError, Persist, persist_fields};
use crate::cost::{ThreatId, ThreatSource};
use crate::nav::{MapFacts, Navigator};
use crate::world::units::columns::Units;
use crate::world::units::unit::{PlayerId, UnitId};

/// What a threat source belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ThreatOwner {
    /// To no player: it frightens all units that heed threat.
    #[default]
    Nobody,
    /// To a player: it frightens neither its units nor those of its team.
    Player(PlayerId),
    /// To a unit, and so to its player. It moves with the unit, and ends with it.
    Unit(UnitId),
}

/// World: the threat sources of units, by threat source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct UnitThreats {
    list: Vec<UnitThreat>,
}

/// World: a threat source and the unit that it moves with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct UnitThreat {
    source: ThreatId,
    unit: UnitId,
}

impl UnitThreats {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The unit that a source moves with.
    pub(crate) fn unit_of(&self, source: ThreatId) -> Option<UnitId> {
        self.place(source).ok().map(|at| self.list[at].unit)
    }

    fn place(&self, source: ThreatId) -> Result<usize, usize> {
        self.list.binary_search_by_key(&source.index(), |threat| threat.source.index())
    }

    /// Lets a source move with a unit, or with none.
    pub(crate) fn attach(&mut self, source: ThreatId, unit: Option<UnitId>) {
        match (self.place(source), unit) {
            (Ok(at), Some(unit)) => self.list[at] = UnitThreat { source, unit },
            (Err(at), Some(unit)) => self.list.insert(at, UnitThreat { source, unit }),
            (Ok(at), None) => drop(self.list.remove(at)),
            (Err(_), None) => {}
        }
    }

    /// Removes the sources of a unit that is removed.
    pub(crate) fn end_with(&mut self, unit: UnitId, nav: &mut Navigator) {
        self.list.retain(|threat| {
            let stays = threat.unit != unit;
            if !stays {
                // Cannot fail: a source that is removed is taken off the list.
                let _removed = nav.remove_threat(threat.source);
            }
            stays
        });
    }

    /// Moves all sources to their units, and gives them to the owners of these.
    pub(crate) fn follow(&self, units: &Units, nav: &mut Navigator) {
        for threat in &self.list {
            let source = nav.layer().threat().source(threat.source);
            let (Some(index), Some(source)) = (units.index_of(threat.unit), source) else { continue };
            let source = ThreatSource { at: units.cell(index), ..source };
            // Cannot fail: a unit is on the map, and the source exists.
            let _moved = nav.set_threat(threat.source, source);
            let _given = nav.set_threat_owner(threat.source, Some(units.observer(index)));
        }
    }

    /// Checks what loading checks.
    ///
    /// # Errors
    /// The fault.
    pub(crate) fn check(&self, units: &Units, map: &impl MapFacts) -> Result<(), &'static str> {
        let in_order = self.list.windows(2).all(|two| two[0].source.index() < two[1].source.index());
        let exists =
            |threat: &UnitThreat| units.index_of(threat.unit).is_some() && map.has_threat(threat.source);
        if !in_order || !self.list.iter().all(exists) {
            return Err("a threat source of a unit, or its unit, does not exist, or they are not in order");
        }
        Ok(())
    }
}

persist_fields! {
    UnitThreat { source: ThreatId, unit: UnitId }
    UnitThreats { list: Vec<UnitThreat> }
}

impl Persist for ThreatOwner {
    fn save(&self, writer: &mut ByteWriter) {
        match *self {
            Self::Nobody => 0_u8.save(writer),
            Self::Player(player) => {
                1_u8.save(writer);
                player.save(writer);
            }
            Self::Unit(unit) => {
                2_u8.save(writer);
                unit.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Nobody,
            1 => Self::Player(PlayerId::load(reader)?),
            2 => Self::Unit(UnitId::load(reader)?),
            _ => return Err(reader.error("an unknown kind of owner of a threat source")),
        })
    }
}
