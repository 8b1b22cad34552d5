//! Where units stand, for requests that ask for a route around them.

use alloc::vec::Vec;

use super::status::PathId;
use crate::base::CellPos;
use crate::query::BlockedBy;

/// Tells the service where units stand. The service knows no units; a world or a game does.
pub trait Blockers: Sync {
    /// Adds to `out` the cells with units that block a route, within `reach` columns and rows of `at`, in any order. The unit of the
    /// request `path` does not block its own route, wherever it is.
    fn near(&self, path: PathId, at: CellPos, reach: i32, mode: BlockedBy, out: &mut Vec<CellPos>);
}

/// For a game without units: no cell is blocked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoBlockers;

impl Blockers for NoBlockers {
    fn near(&self, _path: PathId, _at: CellPos, _reach: i32, _mode: BlockedBy, _out: &mut Vec<CellPos>) {}
}
