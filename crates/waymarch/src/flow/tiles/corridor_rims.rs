//! Finding the rims of a corridor's sectors again after loading.

use super::corridor::{Corridor, SearchScratch};
use super::frame::{NO_LABEL, cost_of};
use super::ground::TileGround;
use super::integrate::Sources;
use super::state::Known;

impl Corridor {
    /// Makes sure that the rim of a part is found. Costs an integration the first time after loading.
    #[inline]
    pub(super) fn find_rim(&mut self, ground: TileGround<'_>, at: usize, scratch: &mut SearchScratch) {
        if !self.derived[at].rim.is_found() {
            self.find_rim_again(ground, at, scratch);
        }
    }

    #[cold]
    fn find_rim_again(&mut self, ground: TileGround<'_>, at: usize, scratch: &mut SearchScratch) {
        let goal = self.goal_in(at);
        let frame = self.derived[at].frame;
        scratch.exits.clear();
        scratch.exits.resize(frame.rim_len(), NO_LABEL);
        for exit in &self.state.parts[at].exits {
            scratch.exits[usize::from(exit.place())] = exit.label();
        }
        scratch.tile.integrate(ground, Sources { frame, exits: &scratch.exits, goal });
        self.derived[at].rim.write(frame, &scratch.tile, &mut scratch.lists.rims);
    }

    /// Finds the rims of a part and of its reached neighbours.
    pub(super) fn find_rims(
        &mut self,
        ground: TileGround<'_>,
        at: usize,
        beside: &[Option<usize>; 8],
        scratch: &mut SearchScratch,
    ) {
        if self.state.parts[at].known != Known::Nothing {
            self.find_rim(ground, at, scratch);
        }
        for other in beside.iter().copied().flatten() {
            if self.state.parts[other].known == Known::Reached {
                self.find_rim(ground, other, scratch);
            }
        }
    }

    /// Whether all cells on the rim of a reached part cost less than `least`.
    pub(super) fn is_below(
        &mut self,
        ground: TileGround<'_>,
        at: usize,
        least: u64,
        scratch: &mut SearchScratch,
    ) -> bool {
        if !self.derived[at].rim.is_found() {
            // Exits lie on the rim. If an exit costs `least` or more, the answer needs no integration.
            if self.state.parts[at].exits.iter().any(|exit| cost_of(exit.label()) >= least) {
                return false;
            }
            self.find_rim_again(ground, at, scratch);
        }
        self.derived[at].rim.bound() <= least
    }
}
