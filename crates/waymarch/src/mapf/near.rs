//! Distances near targets: many units with targets of their own need little memory and time.

use alloc::vec::Vec;

use super::graph::{FAR, StepGraph};
use super::window::{LocalCell, Window};
use crate::base::{Scratch, poison_list};

/// Distances are known up to 8 cells from a target.
const REACH: i32 = 8;
/// The square around a target is 17 cells wide.
const SIDE: i32 = 2 * REACH + 1;
/// The number of cells in the square.
const CELLS: usize = (SIDE * SIDE) as usize;

/// Scratch: the distances in the square around each target, row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct NearFields {
    targets: Vec<LocalCell>,
    distances: Vec<u16>,
}

impl NearFields {
    pub(super) fn clear(&mut self) {
        self.targets.clear();
        self.distances.clear();
    }

    /// Adds the distances to a target. Routes neither leave the square nor enter a cell that is not `open`. Returns the number of the target.
    pub(super) fn add(
        &mut self,
        window: &Window,
        graph: &StepGraph,
        target: LocalCell,
        open: impl Fn(LocalCell) -> bool,
        queue: &mut Vec<LocalCell>,
    ) -> u16 {
        let number = self.targets.len();
        self.targets.push(target);
        self.distances.resize((number + 1) * CELLS, FAR);
        let distances = &mut self.distances[number * CELLS..];
        let place = |at: LocalCell| near_place(window, target, at);
        queue.clear();
        queue.push(target);
        if let Some(place) = place(target) {
            distances[place] = 0;
        }
        let mut next = 0;
        while let Some(&cell) = queue.get(next) {
            next += 1;
            let far = place(cell).map_or(FAR, |place| distances[place]).saturating_add(1);
            for beside in graph.beside(window, cell) {
                let Some(place) = place(beside).filter(|&place| distances[place] == FAR) else { continue };
                distances[place] = far;
                // A unit that stands there may leave the cell, but no route leads through it.
                if open(beside) {
                    queue.push(beside);
                }
            }
        }
        number as u16
    }

    /// The distance of a cell to a target; [`FAR`] outside the square, or where no route leads there inside it.
    pub(super) fn distance(&self, window: &Window, number: u16, at: LocalCell) -> u16 {
        let number = usize::from(number);
        near_place(window, self.targets[number], at)
            .map_or(FAR, |place| self.distances[number * CELLS + place])
    }
}

/// The place of a cell in the square around a target; `None` outside.
pub(super) fn near_place(window: &Window, target: LocalCell, at: LocalCell) -> Option<usize> {
    let (target, at) = (window.pos(target), window.pos(at));
    let (x, y) = (at.x - target.x + REACH, at.y - target.y + REACH);
    let inside = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
    inside.then_some((y * SIDE + x) as usize)
}

impl Scratch for NearFields {
    type Demand = ();

    fn poison(&mut self) {
        poison_list(&mut self.targets, LocalCell(7));
        poison_list(&mut self.distances, 7);
    }

    fn reserve(&mut self, (): ()) {}
}
