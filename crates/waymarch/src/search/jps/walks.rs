//! The search of a quarter from a node, with planes for the diagonals and without.

use super::along::{across, dx, dy};
use super::diagonals::{DiagonalPlanes, Glance};
use super::quarters::{DIAGONALLY, SIDEWAYS, UP_DOWN};
use super::search::{Diagonals, Search};
use super::steps::StepPlanes;
use crate::base::CellPos;
use crate::cost::DIAGONAL;
use crate::search::probe::Probe;

impl Diagonals for DiagonalPlanes {
    #[inline(always)]
    fn walk<P: Probe, const DIR: usize, const V: usize, const H: usize>(
        &self,
        search: &mut Search<'_, P>,
        node: CellPos,
        so_far: u64,
        todo: u16,
    ) -> u32 {
        if todo & DIAGONALLY == 0 {
            search.straight::<V, H>(node, so_far, todo);
            return 0;
        }
        let start = self.spot::<DIR>(node);
        let mut from = start;
        let mut seen = self.look::<DIR>(start);
        // The node itself is the first cell of the diagonal. Its bits are cleared where `todo` does not ask for the jump.
        let here = 1 << (start & 63);
        if todo & SIDEWAYS == 0 {
            seen.sideways &= !here;
        }
        if todo & UP_DOWN == 0 {
            seen.up_down &= !here;
        }
        loop {
            let base = from & !63;
            let Glance { mut sideways, mut up_down, ends } = seen;
            while sideways != 0 {
                let steps = Self::distance::<DIR>(start, base + sideways.trailing_zeros());
                sideways &= sideways - 1;
                let cost = so_far + u64::from(steps * DIAGONAL);
                search.reach_along::<H>(node, across::<DIR>(node, steps), cost);
            }
            while up_down != 0 {
                let steps = Self::distance::<DIR>(start, base + up_down.trailing_zeros());
                up_down &= up_down - 1;
                let cost = so_far + u64::from(steps * DIAGONAL);
                search.reach_along::<V>(node, across::<DIR>(node, steps), cost);
            }
            match Self::end::<DIR>(from, ends) {
                Ok(last) => return Self::distance::<DIR>(start, last),
                Err(next) => from = next,
            }
            seen = self.look::<DIR>(from);
        }
    }
}

/// Without planes for the diagonals: one step at a time, with a jump to both sides from each cell.
impl Diagonals for StepPlanes {
    #[inline(always)]
    fn walk<P: Probe, const DIR: usize, const V: usize, const H: usize>(
        &self,
        search: &mut Search<'_, P>,
        node: CellPos,
        so_far: u64,
        todo: u16,
    ) -> u32 {
        search.straight::<V, H>(node, so_far, todo);
        if todo & DIAGONALLY == 0 {
            return 0;
        }
        let stops = search.stops;
        let (mut column, mut row) = (stops.spot::<V>(node), stops.spot::<H>(node));
        let (next_column, next_row) =
            (stops.stride::<V>(dx(DIR), dy(DIR)), stops.stride::<H>(dx(DIR), dy(DIR)));
        let legal = self.legal::<DIR>(node);
        let mut steps = 0;
        while steps < legal {
            steps += 1;
            column = column.wrapping_add(next_column);
            row = row.wrapping_add(next_row);
            let up_down = stops.jump_from::<V>(column);
            if !up_down.closed {
                search.find::<DIR, V>(node, so_far, steps, up_down.steps);
            }
            let sideways = stops.jump_from::<H>(row);
            if !sideways.closed {
                search.find::<DIR, H>(node, so_far, steps, sideways.steps);
            }
        }
        legal
    }
}
