//! The World data of flows as bytes.

use alloc::vec::Vec;

use super::state::{DoorList, DoorStep, Exit, FlowState, FlowTag, Known, PartState, TileFlowsState};
use super::target::FlowTarget;
use crate::base::{
    Agent, ByteReader, ByteWriter, CellPos, Dir8, LoadError, Persist, Slots, Tick, persist_choices,
    persist_fields,
};
use crate::cost::SectorId;
use crate::query::Threat;

persist_choices! {
    Known { Nothing, Kept, Reached }
}

persist_fields! {
    FlowTarget { agent: Agent, threat: Threat, goal: CellPos }
    PartState {
        sector: SectorId,
        known: Known,
        queue_cost: u64,
        used: Option<Tick>,
        exits: Vec<Exit>,
        doors: DoorList,
        era: u32,
    }
    FlowState { target: FlowTarget, goal_open: bool, era: u32, parts: Vec<PartState> }
    TileFlowsState {
        now: Tick,
        turn: u32,
        owed: u32,
        behind: Vec<SectorId>,
        flows: Slots<FlowTag, FlowState>,
    }
}

impl Persist for Exit {
    fn save(&self, writer: &mut ByteWriter) {
        self.label().save(writer);
        self.place().save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let (label, place) = (u64::load(reader)?, u16::load(reader)?);
        Self::checked(label, place).ok_or_else(|| reader.error("an exit of a flow costs too much"))
    }
}

impl Persist for DoorList {
    fn save(&self, writer: &mut ByteWriter) {
        writer.all(self);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let mut doors = Self::default();
        for _ in 0..reader.count(9)? {
            if !doors.push(DoorStep::load(reader)?) {
                return Err(reader.error("a sector of a flow has more than 8 doors"));
            }
        }
        Ok(doors)
    }
}

impl Persist for DoorStep {
    fn save(&self, writer: &mut ByteWriter) {
        self.at.save(writer);
        self.dir.index().save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let (at, dir) = (CellPos::load(reader)?, u8::load(reader)?);
        let dir = Dir8::ALL.get(usize::from(dir)).copied();
        Ok(Self { at, dir: dir.ok_or_else(|| reader.error("a door of a flow has an unknown direction"))? })
    }
}
