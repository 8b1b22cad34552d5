//! What sectors of a corridor have to offer to those beside them.

use alloc::vec::Vec;

use super::corridor::{Corridor, Made};
use super::frame::{NO_LABEL, cost_of};
use super::ground::TileGround;
use super::state::Known;
use crate::base::{CellPos, Dir8};
use crate::cost::{SectorGrid, SectorId, step_length};

impl Corridor {
    /// The parts around one, by direction.
    pub(super) fn beside(&self, grid: SectorGrid, at: usize) -> [Option<usize>; 8] {
        Dir8::ALL.map(|dir| self.find(grid.beside(self.state.parts[at].sector, dir)?))
    }

    /// What the ways out of a sector cost, by what is known of its neighbours.
    pub(super) fn gather(
        &self,
        ground: TileGround<'_>,
        at: usize,
        beside: &[Option<usize>; 8],
        exits: &mut Vec<u64>,
    ) {
        let frame = self.made[at].frame;
        exits.clear();
        exits.resize(frame.rim_len(), NO_LABEL);
        for (side, &other) in Dir8::ALL.into_iter().zip(beside) {
            let Some(other) = other.filter(|&other| self.state.parts[other].known == Known::Reached) else {
                continue;
            };
            let other = &self.made[other];
            // Of a diagonal neighbour one cell is touched.
            let near = other.frame.area.grow(1, 1).intersect(frame.area);
            for at in near.cells() {
                let place = frame.rim_place(at);
                exits[place] = exits[place].min(best_exit(ground, other, at, side));
            }
        }
    }

    /// Whether integrating from these exits would give what is there.
    pub(super) fn fits(&self, at: usize, exits: &[u64]) -> bool {
        let Made { frame, rim, .. } = &self.made[at];
        frame.rim().all(|at| {
            let place = frame.rim_place(at);
            let (label, exit) = (rim.label(place), exits[place]);
            if frame.is_exit(at, label) { exit == label } else { exit >= label }
        })
    }

    /// The least cost at which a part has something new to offer to the one beside it; `NO_LABEL` if it has nothing.
    pub(super) fn least_offer(&self, ground: TileGround<'_>, from: usize, to: usize, dir: Dir8) -> u64 {
        let is_reached = self.state.parts[to].known == Known::Reached;
        let (from, to) = (&self.made[from], &self.made[to]);
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
                offer < there && (there != NO_LABEL || ground.field.is_passable(next))
            };
            if [dir.turn(-1), dir, dir.turn(1)].into_iter().any(is_better) {
                least = cost_of(label);
            }
        }
        least
    }

    /// The least that is left to pay at a way out that a change of a sector's ground may have spoilt: one of its own, or one of a sector
    /// beside it that passes its corner. Ways that cost less do not lead there.
    pub(super) fn least_spoilt(&self, grid: SectorGrid, sector: SectorId) -> u64 {
        let area = grid.area(sector);
        if area.contains(self.state.aim.goal) {
            return 0;
        }
        let mut least = NO_LABEL;
        let around = Dir8::ALL.into_iter().filter_map(|dir| grid.beside(sector, dir));
        for at in around.chain([sector]).filter_map(|sector| self.find(sector)) {
            let (part, frame) = (&self.state.parts[at], self.made[at].frame);
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

/// The best step from a cell into the part beside its own, on side `side`, with what is left from there.
#[inline]
fn best_exit(ground: TileGround<'_>, other: &Made, at: CellPos, side: Dir8) -> u64 {
    if !ground.field.is_passable(at) {
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
