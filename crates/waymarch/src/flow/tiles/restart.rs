//! Beginning a search anew after the ground changed.

use super::corridor::{Beside, Corridor, CorridorScratch, NO_PART};
use super::frame::NO_LABEL;
use super::ground::TileGround;
use super::state::Known;
use crate::base::Dir8;
use crate::cost::{CostLayer, SectorGrid};

impl Corridor {
    /// Begins a search anew. Costs below `least` still hold, and so do the sectors that have no others; the rest is kept in case it
    /// turns out to be the same.
    ///
    /// Costs some nanoseconds for each part, and a look at the border of what holds.
    pub(super) fn restart(
        &mut self,
        grid: SectorGrid,
        ground: TileGround<'_>,
        layer: &CostLayer,
        least: u64,
        scratch: &mut CorridorScratch,
    ) {
        let goal = self.find(grid.of(self.state.aim.goal));
        let is_open = self.is_goal_open(layer);
        let is_same = self.state.goal_open == is_open;
        if let Some(at) = goal.filter(|&at| !is_same && self.state.parts[at].known != Known::Nothing) {
            // As it was.
            self.find_rim(ground, at, scratch);
        }
        let least = if is_same { least } else { 0 };
        self.state.goal_open = is_open;
        for at in 0..self.state.parts.len() {
            if self.state.parts[at].known == Known::Reached && !self.is_below(ground, at, least, scratch) {
                self.state.parts[at].known = Known::Kept;
            }
        }
        self.find_all_beside(grid, &mut scratch.beside);
        let beside = core::mem::take(&mut scratch.beside);
        self.keep_what_leads_on(&beside);
        for (part, made) in self.state.parts.iter_mut().zip(&mut self.made) {
            if part.known != Known::Reached {
                (part.waits, made.outdated) = (NO_LABEL, true);
            }
        }
        if let Some(at) = goal {
            if least == 0 && self.state.parts[at].known == Known::Kept {
                self.state.parts[at].known = Known::Nothing;
            }
            if is_open && self.state.parts[at].known != Known::Reached {
                self.state.parts[at].waits = 0;
            }
        }
        self.offer_to_others(ground, &beside, scratch);
        scratch.beside = beside;
        self.done = self.state.is_done();
    }

    /// Finds the parts around all parts, in one pass for each direction: both lists ascend.
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

    /// Sectors that lead to others which must be found again must be so too: what is reached follows from what is reached.
    fn keep_what_leads_on(&mut self, beside: &[Beside]) {
        let mut more = true;
        while more {
            more = false;
            for (at, beside) in beside.iter().enumerate() {
                if self.state.parts[at].known != Known::Reached {
                    continue;
                }
                let sides = self.made[at].rim.sides();
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

    /// Tells the parts that must be found again of what those have to offer that hold. These have told each other before.
    fn offer_to_others(&mut self, ground: TileGround<'_>, beside: &[Beside], scratch: &mut CorridorScratch) {
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
                let least = self.least_offer(ground, at, other as usize, dir);
                self.wait(other as usize, least);
            }
        }
    }
}
