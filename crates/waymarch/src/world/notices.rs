//! Notices: events that commands and rules cause between two ticks. The next tick sends them.

use alloc::vec::Vec;

use crate::base::{ByteReader, ByteWriter, CellPos, LoadError, Persist};
use crate::world::events::{Death, Displaced, EventKind, Events, GiveUp};
use crate::world::units::unit::{PlayerId, UnitId};
use crate::world::units::unit_type::UnitTypeId;

/// What a notice says: the event that the next tick sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum News {
    OwnerChanged(PlayerId),
    KindChanged(UnitTypeId),
    Boarded(UnitId),
    Unboarded(UnitId),
    Immobile,
    Displaced(Displaced),
    Died(Death),
}

/// World: events that happened after the last tick. They are saved, other than the events of a tick: a save must not lose them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Notices {
    list: Vec<(UnitId, News)>,
}

impl Notices {
    /// Notes something that happened to a unit.
    pub(crate) fn add(&mut self, unit: UnitId, news: News) {
        self.list.push((unit, news));
    }

    /// Whether nothing has happened.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Moves all notices to the events of a tick, in the order in which they happened.
    pub(crate) fn announce(&mut self, events: &mut Events) {
        for (unit, news) in self.list.drain(..) {
            events.add(unit, news.into());
        }
    }
}

impl From<News> for EventKind {
    fn from(news: News) -> Self {
        match news {
            News::OwnerChanged(before) => Self::OwnerChanged(before),
            News::KindChanged(before) => Self::KindChanged(before),
            News::Boarded(transport) => Self::Boarded(transport),
            News::Unboarded(transport) => Self::Unboarded(transport),
            News::Immobile => Self::GaveUp(GiveUp::Immobile),
            News::Displaced(how) => Self::Displaced(how),
            News::Died(why) => Self::Died(why),
        }
    }
}

impl Persist for Notices {
    fn save(&self, writer: &mut ByteWriter) {
        self.list.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { list: Vec::load(reader)? })
    }
}

impl Persist for News {
    fn save(&self, writer: &mut ByteWriter) {
        match self {
            Self::OwnerChanged(before) => {
                0_u8.save(writer);
                before.save(writer);
            }
            Self::KindChanged(before) => {
                1_u8.save(writer);
                before.save(writer);
            }
            Self::Boarded(transport) => {
                2_u8.save(writer);
                transport.save(writer);
            }
            Self::Unboarded(transport) => {
                3_u8.save(writer);
                transport.save(writer);
            }
            Self::Immobile => 4_u8.save(writer),
            Self::Displaced(Displaced::Stays) => 5_u8.save(writer),
            Self::Displaced(Displaced::Walks(to)) => {
                6_u8.save(writer);
                to.save(writer);
            }
            Self::Displaced(Displaced::Put(to)) => {
                7_u8.save(writer);
                to.save(writer);
            }
            Self::Died(Death::WithTransport(transport)) => {
                8_u8.save(writer);
                transport.save(writer);
            }
            Self::Died(Death::OnClosedGround) => 9_u8.save(writer),
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::OwnerChanged(PlayerId::load(reader)?),
            1 => Self::KindChanged(UnitTypeId::load(reader)?),
            2 => Self::Boarded(UnitId::load(reader)?),
            3 => Self::Unboarded(UnitId::load(reader)?),
            4 => Self::Immobile,
            5 => Self::Displaced(Displaced::Stays),
            6 => Self::Displaced(Displaced::Walks(CellPos::load(reader)?)),
            7 => Self::Displaced(Displaced::Put(CellPos::load(reader)?)),
            8 => Self::Died(Death::WithTransport(UnitId::load(reader)?)),
            9 => Self::Died(Death::OnClosedGround),
            _ => return Err(reader.error("an unknown code of a notice")),
        })
    }
}
