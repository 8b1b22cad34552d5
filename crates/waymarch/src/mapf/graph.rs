//! The legal steps of one agent in a window, and the distances of cells to a target.

use alloc::vec::Vec;

use super::window::{LocalCell, Window};
use crate::base::{CellPos, Dir8};
use crate::cost::{CostField, StepRule};

/// The distance of a cell from which the target cannot be reached inside the window.
pub(crate) const FAR: u16 = u16::MAX;

/// Scratch: the legal steps of one agent, by local cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepGraph {
    /// One bit per direction. Diagonal steps count only where no two straight steps lead to the same cell.
    steps: Vec<u8>,
}

impl StepGraph {
    /// Reads the legal steps of a cost field in a window. Steps that leave the window are not legal.
    pub(super) fn read(&mut self, window: &Window, field: &CostField, rule: StepRule) {
        self.steps.clear();
        let area = window.area();
        let step = |at: CellPos| {
            if !field.is_passable(at) {
                return 0;
            }
            let legal = field.legal_steps(at, rule);
            let leads = |dir: &Dir8| {
                let has = |dir: Dir8| legal >> dir.index() & 1 != 0;
                let around = dir.is_diagonal() && (has(dir.turn(-1)) || has(dir.turn(1)));
                has(*dir) && !around && area.contains(at.step(*dir))
            };
            Dir8::ALL.iter().filter(|dir| leads(dir)).fold(0, |bits, dir| bits | 1 << dir.index())
        };
        self.steps.extend(area.cells().map(step));
    }

    /// The cells one step from a cell.
    #[inline]
    pub(super) fn beside(&self, window: &Window, at: LocalCell) -> impl Iterator<Item = LocalCell> {
        let (steps, pos, window) = (self.steps[at.index()], window.pos(at), *window);
        let legal = Dir8::ALL.into_iter().filter(move |dir| steps >> dir.index() & 1 != 0);
        legal.filter_map(move |dir| window.local(pos.step(dir)))
    }

    /// The number of cells one step from a cell.
    #[inline]
    pub(super) fn degree(&self, at: LocalCell) -> u32 {
        self.steps[at.index()].count_ones()
    }

    /// Adds to `out` the number of steps from each cell to a target, by local cell; [`FAR`] where no route leads there. No route enters a cell that is
    /// not `open`. `queue` is scratch.
    pub(super) fn distances(
        &self,
        window: &Window,
        target: LocalCell,
        open: impl Fn(LocalCell) -> bool,
        queue: &mut Vec<LocalCell>,
        out: &mut Vec<u16>,
    ) {
        let first = out.len();
        out.resize(first + window.cells(), FAR);
        let distances = &mut out[first..];
        queue.clear();
        queue.push(target);
        distances[target.index()] = 0;
        let mut next = 0;
        while let Some(&cell) = queue.get(next) {
            next += 1;
            let far = distances[cell.index()] + 1;
            for beside in self.beside(window, cell) {
                let known = &mut distances[beside.index()];
                if *known == FAR {
                    *known = far;
                    // A unit that stands there may leave the cell, but no route leads through it.
                    if open(beside) {
                        queue.push(beside);
                    }
                }
            }
        }
    }
}
