//! Reading bytes off one flow's tiles, making those again that are not kept.

use super::aim::TileAim;
use super::cache::{Scratch, TileCache, TileRef, Wanted};
use super::corridor::{Corridor, Known};
use super::frame::Frame;
use super::ground::TileGround;
use super::integrate::TileScratch;
use crate::base::{CellPos, Tick};
use crate::cost::{SectorGrid, SectorId};
use crate::flow::whole::FlowByte;

/// One flow and what is needed to read its tiles.
pub(super) struct Reader<'a> {
    pub(super) corridor: &'a mut Corridor,
    pub(super) cache: &'a mut TileCache,
    pub(super) scratch: &'a mut TileScratch,
    pub(super) ground: TileGround<'a>,
    pub(super) grid: SectorGrid,
    pub(super) now: Tick,
}

impl Reader<'_> {
    /// The tile of a sector and the sector's frame; `None` if units cannot follow it yet, or it is not in the corridor.
    #[inline]
    pub(super) fn tile(&mut self, sector: SectorId) -> Option<(Frame, &[u8])> {
        let at = self.corridor.find_again(sector)?;
        let part = &self.corridor.parts[at];
        if part.known != Known::Reached {
            return None;
        }
        let (frame, mut tile) = (part.frame, part.tile);
        if part.outdated || !self.cache.touch(tile, self.now) {
            let scratch = Scratch::Empty(self.scratch);
            tile = fetch(self.cache, self.corridor, at, self.ground, self.now, scratch);
        }
        Some((frame, self.cache.flow(tile)?))
    }

    /// What the tile of a cell on the map says; `None` as for its tile.
    pub(super) fn byte(&mut self, at: CellPos) -> Option<FlowByte> {
        let (frame, flow) = self.tile(self.grid.of(at))?;
        flow.get(frame.place(at)).map(|&byte| FlowByte(byte))
    }
}

/// Finds or makes the tile of a part.
pub(super) fn fetch(
    cache: &mut TileCache,
    corridor: &mut Corridor,
    at: usize,
    ground: TileGround<'_>,
    now: Tick,
    scratch: Scratch<'_>,
) -> TileRef {
    let TileAim { agent, threat, .. } = corridor.aim;
    let part = &corridor.parts[at];
    cache.release(part.tile);
    let goal = corridor.goal_in(part);
    let wanted = Wanted { sector: part.sector, agent, threat, frame: part.frame, rim: &part.rim, goal };
    let tile = cache.get(ground, &wanted, now, scratch);
    let part = &mut corridor.parts[at];
    (part.tile, part.outdated) = (tile, false);
    tile
}
