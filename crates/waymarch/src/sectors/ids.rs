//! Names of rooms and domains.

use crate::cost::SectorId;

/// Names a domain: a set of cells that are connected for one agent, and connected to nothing else.
///
/// Compare it only with ids of the same agent. The numbers are the same on every machine. They depend on the present
/// map, not on earlier edits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DomainId(pub u32);

/// Names a room: a part of a sector that is connected within it, for one agent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RoomId {
    /// The sector.
    pub sector: SectorId,
    /// The room's number in the sector. Rooms are numbered by their first cells.
    pub part: u16,
}
