//! What commands and rules have changed about a unit: whether a transport carries it, whether enemies see it, whether it leaves ground that it must not stand on.

use alloc::vec::Vec;

use crate::base::{ByteReader, ByteWriter, CellPos, LoadError, Persist, persist_choices, persist_fields};
use crate::service::PathReason;
use crate::world::events::GiveUp;
use crate::world::units::motion::UnitMotion;
use crate::world::units::unit::UnitId;

/// Whether enemies see a unit; see [`World::set_concealment`](crate::world::World::set_concealment).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Concealment {
    /// Enemies see the unit.
    #[default]
    Visible,
    /// Enemies do not see the unit: it is cloaked or burrowed. It is as solid as before.
    Hidden,
}

/// What a unit does about the ground under it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Footing {
    /// The ground is open, or nothing is known of it.
    #[default]
    Open,
    /// An edit has closed the ground, and the unit stays. It has sent its event.
    Stays,
    /// An edit has closed the ground, and the unit walks straight to this open cell.
    Leaves(CellPos),
}

/// How an order ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Arrived,
    GaveUp(GiveUp),
}

/// Whether a unit is about to end its order. Before that, it leaves ground that units keep free.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ending {
    /// The order goes on.
    #[default]
    None,
    /// The order ends at the end of this tick, unless the unit stands on ground that units keep free.
    Due(Outcome),
    /// The unit walks to this cell, where the order ends.
    Leaves(Outcome, CellPos),
}

/// World: what commands and rules have changed about one unit. Most units have the default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Condition {
    /// The transport that carries the unit; dead if none does.
    pub(crate) carrier: UnitId,
    pub(crate) concealment: Concealment,
    pub(crate) footing: Footing,
    pub(crate) ending: Ending,
}

impl Default for Condition {
    fn default() -> Self {
        Self {
            carrier: UnitId::DEAD,
            concealment: Concealment::Visible,
            footing: Footing::Open,
            ending: Ending::None,
        }
    }
}

/// World: the condition of each unit, by unit index.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Conditions {
    list: Vec<Condition>,
    /// Derived: the number of conditions that are not the default. While it is 0, questions cost one comparison.
    special: u32,
}

impl Conditions {
    /// Makes the column one index longer.
    pub(super) fn grow(&mut self) {
        self.list.push(Condition::default());
    }

    /// Whether all units have the default.
    #[inline]
    pub(crate) fn are_default(&self) -> bool {
        self.special == 0
    }

    /// The condition of the unit at an index.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Condition {
        self.list[index]
    }

    /// Gives the unit at an index another condition.
    pub(crate) fn set(&mut self, index: usize, condition: Condition) {
        let is_special = |condition: Condition| u32::from(condition != Condition::default());
        self.special = self.special + is_special(condition) - is_special(self.list[index]);
        self.list[index] = condition;
    }

    /// Changes what a unit does about the ground under it.
    pub(crate) fn set_footing(&mut self, index: usize, footing: Footing) {
        self.set(index, Condition { footing, ..self.list[index] });
    }

    /// Changes how a unit ends its order.
    pub(crate) fn set_ending(&mut self, index: usize, ending: Ending) {
        self.set(index, Condition { ending, ..self.list[index] });
    }

    /// Whether a unit is about to end its order.
    #[inline]
    pub(crate) fn ending(&self, index: usize) -> Ending {
        if self.special == 0 { Ending::None } else { self.list[index].ending }
    }

    /// The transport that carries a unit.
    #[inline]
    pub(crate) fn carrier(&self, index: usize) -> Option<UnitId> {
        if self.special == 0 {
            return None;
        }
        Some(self.list[index].carrier).filter(|&carrier| carrier != UnitId::DEAD)
    }

    /// Whether a transport carries a unit, so that it has no body.
    #[inline]
    pub(crate) fn is_aboard(&self, index: usize) -> bool {
        self.special > 0 && self.list[index].carrier != UnitId::DEAD
    }

    /// Whether enemies do not see a unit.
    #[inline]
    pub(crate) fn is_hidden(&self, index: usize) -> bool {
        self.special > 0 && self.list[index].concealment == Concealment::Hidden
    }

    /// The open cell that a unit on closed ground walks to.
    #[inline]
    pub(crate) fn way_out(&self, index: usize) -> Option<CellPos> {
        match self.list[index].footing {
            Footing::Leaves(to) if self.special > 0 => Some(to),
            _ => None,
        }
    }

    /// The indices of units whose condition is not the default, ascending. *Cost:* nothing if there are none, else a pass over all units.
    pub(crate) fn special(&self) -> impl Iterator<Item = usize> + '_ {
        let list = if self.special == 0 { &[][..] } else { &self.list[..] };
        let is_special = |(_, condition): &(usize, &Condition)| **condition != Condition::default();
        list.iter().enumerate().filter(is_special).map(|(index, _)| index)
    }

    /// The indices of the units that a transport carries, ascending.
    pub(crate) fn passengers(&self, transport: UnitId) -> impl Iterator<Item = usize> + '_ {
        self.special().filter(move |&index| self.list[index].carrier == transport)
    }

    /// Writes the conditions that are not the default.
    pub(crate) fn save(&self, writer: &mut ByteWriter) {
        writer.count(self.special as usize);
        for index in self.special() {
            (index as u32).save(writer);
            self.list[index].save(writer);
        }
    }

    /// Reads what [`Conditions::save`] wrote. `is_unit` says whether there is a unit at an index.
    pub(super) fn load(
        &mut self,
        reader: &mut ByteReader<'_>,
        is_unit: impl Fn(usize) -> bool,
    ) -> Result<(), LoadError> {
        let mut least = 0;
        // An entry has at least 14 bytes: index, carrier, and two choices.
        for _ in 0..reader.count(14)? {
            let index = u32::load(reader)? as usize;
            let condition = Condition::load(reader)?;
            if index < least || !is_unit(index) || condition == Condition::default() {
                return Err(reader.error("conditions of units are not in order, or one is the default"));
            }
            self.set(index, condition);
            least = index + 1;
        }
        Ok(())
    }
}

persist_choices! {
    Concealment { Visible, Hidden }
}

persist_fields! {
    Condition { carrier: UnitId, concealment: Concealment, footing: Footing, ending: Ending = since 11 or Ending::None }
}

impl Persist for Footing {
    fn save(&self, writer: &mut ByteWriter) {
        match self {
            Self::Open => 0_u8.save(writer),
            Self::Stays => 1_u8.save(writer),
            Self::Leaves(to) => {
                2_u8.save(writer);
                to.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Open,
            1 => Self::Stays,
            2 => Self::Leaves(CellPos::load(reader)?),
            _ => return Err(reader.error("an unknown code of what a unit does about closed ground")),
        })
    }
}

impl Persist for Ending {
    fn save(&self, writer: &mut ByteWriter) {
        match self {
            Self::None => 0_u8.save(writer),
            Self::Due(outcome) => {
                1_u8.save(writer);
                outcome.save(writer);
            }
            Self::Leaves(outcome, to) => {
                2_u8.save(writer);
                outcome.save(writer);
                to.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::None,
            1 => Self::Due(Outcome::load(reader)?),
            2 => Self::Leaves(Outcome::load(reader)?, CellPos::load(reader)?),
            _ => return Err(reader.error("an unknown code of how an order ends")),
        })
    }
}

impl Persist for Outcome {
    fn save(&self, writer: &mut ByteWriter) {
        match *self {
            Self::Arrived => 0_u8.save(writer),
            Self::GaveUp(GiveUp::Nearest(reason)) => (1_u8, reason).save(writer),
            Self::GaveUp(GiveUp::NoRoute(reason)) => (2_u8, reason).save(writer),
            Self::GaveUp(GiveUp::Stuck { state, by }) => {
                3_u8.save(writer);
                state.save(writer);
                by.save(writer);
            }
            Self::GaveUp(GiveUp::TargetGone) => 4_u8.save(writer),
            Self::GaveUp(GiveUp::Immobile) => 5_u8.save(writer),
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Arrived,
            1 => Self::GaveUp(GiveUp::Nearest(PathReason::load(reader)?)),
            2 => Self::GaveUp(GiveUp::NoRoute(PathReason::load(reader)?)),
            3 => Self::GaveUp(GiveUp::Stuck {
                state: UnitMotion::load(reader)?,
                by: Option::<UnitId>::load(reader)?,
            }),
            4 => Self::GaveUp(GiveUp::TargetGone),
            5 => Self::GaveUp(GiveUp::Immobile),
            _ => return Err(reader.error("an unknown code of the outcome of an order")),
        })
    }
}
