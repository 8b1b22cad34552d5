//! The counts of requests for each destination, as bytes.

use alloc::vec::Vec;

use super::grouping::{Destination, Group, GroupMode, Grouping, Stage};
use crate::base::{Agent, ByteReader, ByteWriter, LoadError, Persist, persist_choices, persist_fields};
use crate::cost::SectorId;
use crate::query::Threat;
use crate::sectors::RoomId;

persist_choices! {
    GroupMode { Routes, FlowField }
    Stage { Pending, Live }
}

persist_fields! {
    RoomId { sector: SectorId, part: u16 }
    Destination { agent: Agent, threat: Threat, room: RoomId }
    Group { to: Destination, pending: u32, live: u32, mode: GroupMode }
}

impl Persist for Grouping {
    fn save(&self, writer: &mut ByteWriter) {
        self.threshold.save(writer);
        self.groups.save(writer);
    }

    /// The caller checks `Grouping::is_ordered`.
    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let (threshold, groups) = (u32::load(reader)?, Vec::<Group>::load(reader)?);
        Ok(Self { threshold, groups })
    }
}

impl Grouping {
    /// Whether the destinations ascend, and the threshold is not 0.
    pub(crate) fn is_ordered(&self) -> bool {
        self.threshold != 0 && self.groups.windows(2).all(|pair| pair[0].to < pair[1].to)
    }
}
