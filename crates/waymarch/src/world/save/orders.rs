//! Orders as bytes.

use alloc::vec::Vec;

use crate::base::{
    Angle, ByteReader, ByteWriter, CellPos, Fixed, LoadError, LocomotorId, Persist, Slots, StampId,
    persist_choices, persist_fields,
};
use crate::groups::{Formation, FormationLayout};
use crate::query::Goal;
use crate::world::orders::effort::Efforts;
use crate::world::orders::order::{MAX_QUEUED, Order, When};
use crate::world::orders::order_book::{Entry, OrderBook};
use crate::world::orders::target::{Around, Fire, Target};
use crate::world::units::order_queue::{OrderId, OrderQueue};
use crate::world::units::unit::UnitId;

persist_choices! {
    When { Now, Queued }
}

persist_fields! {
    Entry { order: Order, users: u32 }
}

/// Efforts are saved at the end of the state: older saves have none.
impl Persist for OrderBook {
    fn save(&self, writer: &mut ByteWriter) {
        self.entries.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { entries: Slots::load(reader)?, efforts: Efforts::default() })
    }
}

impl Persist for OrderQueue {
    fn save(&self, writer: &mut ByteWriter) {
        writer.count(self.0.len());
        self.0.iter().for_each(|id| id.save(writer));
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let count = reader.count(8)?;
        if count > MAX_QUEUED {
            return Err(reader.error("a unit's queue has too many orders"));
        }
        (0..count).map(|_| OrderId::load(reader)).collect::<Result<_, _>>().map(Self)
    }
}

impl Persist for Formation {
    fn save(&self, writer: &mut ByteWriter) {
        let code: u8 = match self {
            Self::Adaptive => 0,
            Self::Relative => 1,
            Self::Box => 2,
            Self::Line => 3,
            Self::Column => 4,
            Self::Wedge => 5,
            Self::Circle => 6,
            Self::Scatter => 7,
            Self::Hex => 8,
            Self::Custom(_) => 9,
        };
        code.save(writer);
        if let Self::Custom(places) = self {
            places.save(writer);
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Adaptive,
            1 => Self::Relative,
            2 => Self::Box,
            3 => Self::Line,
            4 => Self::Column,
            5 => Self::Wedge,
            6 => Self::Circle,
            7 => Self::Scatter,
            8 => Self::Hex,
            9 => Self::Custom(Vec::load(reader)?),
            _ => return Err(reader.error("an unknown code of a formation")),
        })
    }
}

impl Persist for Order {
    fn save(&self, writer: &mut ByteWriter) {
        match self {
            Self::Move(goal) => {
                0_u8.save(writer);
                goal.save(writer);
            }
            Self::Patrol(stops) => {
                1_u8.save(writer);
                stops.save(writer);
            }
            Self::Follow { target, distance } => {
                2_u8.save(writer);
                target.save(writer);
                distance.save(writer);
            }
            // A layout that is not the default has a code of its own, so that orders without one keep their bytes and hashes.
            Self::Form { at, formation, facing, layout } => {
                let is_usual = *layout == FormationLayout::default();
                (if is_usual { 5_u8 } else { 11_u8 }).save(writer);
                at.save(writer);
                formation.save(writer);
                facing.save(writer);
                if !is_usual {
                    layout.save(writer);
                }
            }
            Self::Stop => 3_u8.save(writer),
            Self::Hold => 4_u8.save(writer),
            Self::AttackMove { goal, sight } => {
                6_u8.save(writer);
                goal.save(writer);
                sight.save(writer);
            }
            Self::FollowGroup { units, distance } => {
                7_u8.save(writer);
                units.save(writer);
                distance.save(writer);
            }
            Self::Guard { target, leash } => {
                8_u8.save(writer);
                target.save(writer);
                leash.save(writer);
            }
            Self::Around { target, how } => {
                9_u8.save(writer);
                target.save(writer);
                how.save(writer);
            }
            Self::Scatter { distance } => {
                10_u8.save(writer);
                distance.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Move(Goal::load(reader)?),
            1 => Self::Patrol(Vec::load(reader)?),
            2 => Self::Follow { target: UnitId::load(reader)?, distance: Fixed::load(reader)? },
            3 => Self::Stop,
            4 => Self::Hold,
            code @ (5 | 11) => Self::Form {
                at: CellPos::load(reader)?,
                formation: Formation::load(reader)?,
                facing: Option::load(reader)?,
                layout: if code == 5 { FormationLayout::default() } else { load_layout(reader)? },
            },
            6 => Self::AttackMove { goal: Goal::load(reader)?, sight: Fixed::load(reader)? },
            7 => Self::FollowGroup { units: Vec::load(reader)?, distance: Fixed::load(reader)? },
            8 => Self::Guard { target: Target::load(reader)?, leash: Fixed::load(reader)? },
            9 => Self::Around { target: Target::load(reader)?, how: Around::load(reader)? },
            10 => Self::Scatter { distance: Fixed::load(reader)? },
            _ => return Err(reader.error("an unknown code of an order")),
        })
    }
}

/// A layout that is not the default: the default has another code, so that equal orders have equal bytes.
fn load_layout(reader: &mut ByteReader<'_>) -> Result<FormationLayout, LoadError> {
    let layout = FormationLayout::load(reader)?;
    if layout == FormationLayout::default() {
        return Err(reader.error("a layout of a formation that says nothing"));
    }
    Ok(layout)
}

impl Persist for FormationLayout {
    fn save(&self, writer: &mut ByteWriter) {
        let Self { spacing, width, angle, radius } = self;
        spacing.save(writer);
        width.save(writer);
        angle.save(writer);
        radius.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            spacing: Fixed::load(reader)?,
            width: Fixed::load(reader)?,
            angle: Angle::load(reader)?,
            radius: Fixed::load(reader)?,
        })
    }
}

impl Persist for Target {
    fn save(&self, writer: &mut ByteWriter) {
        match self {
            Self::Cell(at) => {
                0_u8.save(writer);
                at.save(writer);
            }
            Self::Unit(unit) => {
                1_u8.save(writer);
                unit.save(writer);
            }
            Self::Stamp(stamp) => {
                2_u8.save(writer);
                stamp.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Cell(CellPos::load(reader)?),
            1 => Self::Unit(UnitId::load(reader)?),
            2 => Self::Stamp(StampId::load(reader)?),
            _ => return Err(reader.error("an unknown code of a target")),
        })
    }
}

impl Persist for Around {
    fn save(&self, writer: &mut ByteWriter) {
        match self {
            Self::InRange { least, most, fire } => {
                0_u8.save(writer);
                least.save(writer);
                most.save(writer);
                match fire {
                    Fire::OverAll => None::<u8>.save(writer),
                    Fire::Along(locomotor) => Some(locomotor.0).save(writer),
                }
            }
            Self::Surround => 1_u8.save(writer),
            Self::Park => 2_u8.save(writer),
            Self::Dock { queue } => {
                3_u8.save(writer);
                queue.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => {
                let (least, most) = (Fixed::load(reader)?, Fixed::load(reader)?);
                let fire =
                    Option::<u8>::load(reader)?.map_or(Fire::OverAll, |id| Fire::Along(LocomotorId(id)));
                Self::InRange { least, most, fire }
            }
            1 => Self::Surround,
            2 => Self::Park,
            3 => Self::Dock { queue: Angle::load(reader)? },
            _ => return Err(reader.error("an unknown code of an arrangement around a target")),
        })
    }
}
