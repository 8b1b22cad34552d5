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

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let (threshold, groups) = (u32::load(reader)?, Vec::<Group>::load(reader)?);
        if threshold == 0 || groups.windows(2).any(|pair| pair[0].to >= pair[1].to) {
            return Err(reader.error("the groups of requests are not in order"));
        }
        Ok(Self { threshold, groups })
    }
}
