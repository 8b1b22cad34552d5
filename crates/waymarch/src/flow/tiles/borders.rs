//! How costs pass over the borders between neighbouring sectors of a corridor.

use alloc::vec::Vec;

use super::corridor::{Corridor, DerivedPart};
use super::frame::{NO_LABEL, cost_of};
use super::ground::TileGround;
use super::state::Known;
use crate::base::{CellPos, Dir8};
use crate::cost::{SectorGrid, SectorId, step_length};

impl Corridor {
    /// The neighbours of a part, by direction.
    pub(super) fn beside(&self, grid: SectorGrid, at: usize) -> [Option<usize>; 8] {
        Dir8::ALL.map(|dir| self.find(grid.beside(self.state.parts[at].sector, dir)?))
    }

    /// Writes the label of each rim cell for leaving the sector there. Reads the rims of the neighbours that the search has reached.
    pub(super) fn collect_exits(
        &self,
        ground: TileGround<'_>,
        at: usize,
        beside: &[Option<usize>; 8],
        exits: &mut Vec<u64>,
    ) {
        let frame = self.derived[at].frame;
        exits.clear();
        exits.resize(frame.rim_len(), NO_LABEL);
        for (side, &other) in Dir8::ALL.into_iter().zip(beside) {
            let Some(other) = other.filter(|&other| self.state.parts[other].known == Known::Reached) else {
                continue;
            };
            let other = &self.derived[other];
            // A diagonal neighbour touches this sector in one cell.
            let near = other.frame.area.grow(1, 1).intersect(frame.area);
            for at in near.cells() {
                let place = frame.rim_place(at);
                exits[place] = exits[place].min(best_exit(ground, other, at, side));
            }
        }
    }

    /// Whether the rim would stay the same if the part were integrated again from `exits`.
    pub(super) fn matches_exits(&self, at: usize, exits: &[u64]) -> bool {
        let DerivedPart { frame, rim, .. } = &self.derived[at];
        frame.rim().all(|at| {
            let place = frame.rim_place(at);
            let (label, exit) = (rim.label(place), exits[place]);
            if frame.is_exit(at, label) { exit == label } else { exit >= label }
        })
    }

    /// The least remaining cost on the rim of `from` that would lower a label of `to`; `NO_LABEL` if none would.
    ///
    /// A part that is not reached yet has no labels, so every label of `from` counts.
    pub(super) fn least_improvement(&self, ground: TileGround<'_>, from: usize, to: usize, dir: Dir8) -> u64 {
        let is_reached = self.state.parts[to].known == Known::Reached;
        let (from, to) = (&self.derived[from], &self.derived[to]);
        let mut least = NO_LABEL;
        // The cells of `from` that touch `to`.
        let near = to.frame.area.grow(1, 1).intersect(from.frame.area);
        for at in near.cells() {
            let label = from.rim.label(from.frame.rim_place(at));
            if label == NO_LABEL || cost_of(label) >= least {
                continue;
            }
            if !is_reached {
                least = cost_of(label);
                continue;
            }
            let cost = u64::from(ground.cost(at));
            let is_better = |side: Dir8| {
                let next = at.step(side);
                if !to.frame.area.contains(next) {
                    return false;
                }
                let back = side.opposite();
                let offer = cost_of(label) + u64::from(step_length(back)) * cost + u64::from(back.index());
                let there = to.rim.label(to.frame.rim_place(next));
                offer < there && (there != NO_LABEL || ground.field().is_passable(next))
            };
            if [dir.turn(-1), dir, dir.turn(1)].into_iter().any(is_better) {
                least = cost_of(label);
            }
        }
        least
    }

    /// The least remaining cost of the exits that an edit of `sector` may have made wrong.
    ///
    /// These are the exits of the sector itself, and the exits of its neighbours that pass its border. Routes that cost less do not
    /// enter the sector.
    pub(super) fn least_invalidated(&self, grid: SectorGrid, sector: SectorId) -> u64 {
        let area = grid.area(sector);
        if area.contains(self.state.target.goal) {
            return 0;
        }
        let mut least = NO_LABEL;
        let around = Dir8::ALL.into_iter().filter_map(|dir| grid.beside(sector, dir));
        for at in around.chain([sector]).filter_map(|sector| self.find(sector)) {
            let (part, frame) = (&self.state.parts[at], self.derived[at].frame);
            if part.sector == sector {
                least = part.exits.iter().fold(least, |least, exit| least.min(exit.label()));
                continue;
            }
            let near = area.grow(1, 1).intersect(frame.area);
            for place in near.cells().map(|at| frame.rim_place(at) as u16) {
                if let Ok(at) = part.exits.binary_search_by_key(&place, |exit| exit.place()) {
                    least = least.min(part.exits[at].label());
                }
            }
        }
        cost_of(least)
    }
}

/// The cheapest step from `at` into the neighbour `other` on side `side`, plus the remaining cost from there.
#[inline]
fn best_exit(ground: TileGround<'_>, other: &DerivedPart, at: CellPos, side: Dir8) -> u64 {
    if !ground.field().is_passable(at) {
        return NO_LABEL;
    }
    let legal = ground.legal(at);
    let mut best = NO_LABEL;
    for dir in [side.turn(-1), side, side.turn(1)] {
        let next = at.step(dir);
        if legal >> dir.index() & 1 == 0 || !other.frame.area.contains(next) {
            continue;
        }
        let label = other.rim.label(other.frame.rim_place(next));
        if label != NO_LABEL {
            let step = u64::from(step_length(dir)) * u64::from(ground.cost(next));
            best = best.min(cost_of(label) + step + u64::from(dir.index()));
        }
    }
    best
}
