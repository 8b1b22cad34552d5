//! Restarting a search after the ground changed.

use super::corridor::{Beside, Corridor, CorridorScratch, NO_PART, SearchScratch};
use super::frame::NO_LABEL;
use super::ground::TileGround;
use super::state::Known;
use crate::base::Dir8;
use crate::cost::{CostLayer, SectorGrid};

impl Corridor {
    /// Restarts the search. Labels below `least` still hold, and so do the parts whose labels are all below it. The other parts keep their
    /// labels as candidates, in case they turn out to be unchanged.
    ///
    /// Costs a few nanoseconds per part, and a check of the borders of the parts that still hold.
    pub(super) fn restart(
        &mut self,
        grid: SectorGrid,
        ground: TileGround<'_>,
        layer: &CostLayer,
        least: u64,
        scratch: &mut CorridorScratch,
    ) {
        let CorridorScratch { search, beside } = scratch;
        let goal = self.find(grid.of(self.state.target.goal));
        let is_open = self.is_goal_open(layer);
        let is_same = self.state.goal_open == is_open;
        if let Some(at) = goal.filter(|&at| !is_same && self.state.parts[at].known != Known::Nothing) {
            // Find the rim with the goal's former state.
            self.find_rim(ground, at, search);
        }
        let least = if is_same { least } else { 0 };
        self.state.goal_open = is_open;
        for at in 0..self.state.parts.len() {
            if self.state.parts[at].known == Known::Reached && !self.is_below(ground, at, least, search) {
                self.state.parts[at].known = Known::Kept;
            }
        }
        self.find_all_beside(grid, beside);
        self.demote_dependents(beside);
        for (part, derived) in self.state.parts.iter_mut().zip(&mut self.derived) {
            if part.known != Known::Reached {
                (part.queue_cost, derived.outdated) = (NO_LABEL, true);
            }
        }
        if let Some(at) = goal {
            if least == 0 && self.state.parts[at].known == Known::Kept {
                self.state.parts[at].known = Known::Nothing;
            }
            if is_open && self.state.parts[at].known != Known::Reached {
                self.state.parts[at].queue_cost = 0;
            }
        }
        self.enqueue_unreached(ground, beside, search);
        self.done = self.state.is_done();
    }

    /// Finds the neighbours of all parts, in one pass per direction: both lists ascend.
    pub(super) fn find_all_beside(&self, grid: SectorGrid, all: &mut alloc::vec::Vec<Beside>) {
        let parts = &self.state.parts;
        all.clear();
        all.resize(parts.len(), [NO_PART; 8]);
        for dir in Dir8::ALL {
            let mut other = 0;
            for (part, beside) in parts.iter().zip(all.iter_mut()) {
                let Some(sector) = grid.beside(part.sector, dir) else { continue };
                while parts.get(other).is_some_and(|part| part.sector < sector) {
                    other += 1;
                }
                if parts.get(other).is_some_and(|part| part.sector == sector) {
                    beside[usize::from(dir.index())] = other as u32;
                }
            }
        }
    }

    /// A reached part may lead only to reached parts. Parts that lead to others must be searched again too.
    fn demote_dependents(&mut self, beside: &[Beside]) {
        let mut more = true;
        while more {
            more = false;
            for (at, beside) in beside.iter().enumerate() {
                if self.state.parts[at].known != Known::Reached {
                    continue;
                }
                let sides = self.derived[at].rim.sides();
                let leads_astray = |(dir, &next): (usize, &u32)| {
                    let next = self.state.parts.get(next as usize);
                    sides >> dir & 1 == 1 && next.is_none_or(|next| next.known != Known::Reached)
                };
                if sides != 0 && beside.iter().enumerate().any(leads_astray) {
                    self.state.parts[at].known = Known::Kept;
                    more = true;
                }
            }
        }
    }

    /// Queues the parts that must be searched again and have a reached neighbour.
    fn enqueue_unreached(&mut self, ground: TileGround<'_>, beside: &[Beside], scratch: &mut SearchScratch) {
        for (at, beside) in beside.iter().enumerate() {
            if self.state.parts[at].known != Known::Reached {
                continue;
            }
            for (dir, &other) in Dir8::ALL.into_iter().zip(beside) {
                let is_reached = |part: &super::state::PartState| part.known == Known::Reached;
                if self.state.parts.get(other as usize).is_none_or(is_reached) {
                    continue;
                }
                self.find_rim(ground, at, scratch);
                let least = self.least_improvement(ground, at, other as usize, dir);
                self.enqueue(other as usize, least);
            }
        }
    }
}
