//! Units that stand in the way of those who ask for a way around them.

use alloc::vec::Vec;

use super::status::PathId;
use crate::base::CellPos;
use crate::query::BlockedBy;

/// Says where units stand. The service knows no units; a world or a game does.
pub trait Blockers: Sync {
    /// Writes to `out` the cells within `reach` columns and rows of `at` in which a unit counts as in the way, in any order. The unit that
    /// asked for `path` is not in its own way, wherever it has got to meanwhile.
    fn near(&self, path: PathId, at: CellPos, reach: i32, mode: BlockedBy, out: &mut Vec<CellPos>);
}

/// No units anywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoBlockers;

impl Blockers for NoBlockers {
    fn near(&self, _path: PathId, _at: CellPos, _reach: i32, _mode: BlockedBy, _out: &mut Vec<CellPos>) {}
}
