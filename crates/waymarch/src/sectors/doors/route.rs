//! Routes over doors.

use alloc::vec::Vec;

use crate::base::CellPos;

/// Where a route over doors starts and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DoorQuery {
    /// The start.
    pub from: CellPos,
    /// The goal.
    pub to: CellPos,
}

/// A route over doors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DoorRoute {
    /// The start, then both cells of each door that the route passes, then the goal.
    pub cells: Vec<CellPos>,
    /// The cost of the cheapest route of cells through these doors.
    pub cost: u64,
    /// The number of doors that the search expanded.
    pub expanded: u32,
}
