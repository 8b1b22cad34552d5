//! Reading a flow's tiles, and making the tiles that are not in the cache.

use alloc::vec::Vec;

use super::corridor::Corridor;
use super::flows::TileFlows;
use super::frame::Frame;
use super::ground::TileGround;
use super::integrate::TileScratch;
use super::key::{Labels, TileKey};
use super::state::{FlowId, Known};
use super::target::FlowTarget;
use crate::base::{CellPos, Scratch};
use crate::cost::{CostLayer, SectorId};
use crate::flow::dijkstra::FlowByte;

/// A reader keeps up to 8 tiles for itself.
const KEPT: usize = 8;

/// Scratch for reading headings. Each thread needs its own. No answer depends on its content.
///
/// If [`TileFlows::prepare`] did not make a tile, the reader makes it when it is read. The reader keeps the last few of these tiles.
#[derive(Clone, Debug, Default)]
pub struct TileReader {
    /// The part that was found last.
    hint: usize,
    probe: TileKey,
    tile: TileScratch,
    kept: Vec<Kept>,
    /// How many entries of `kept` hold a tile.
    filled: usize,
    /// The entry of `kept` that is replaced next.
    oldest: usize,
    /// The number of tiles made here.
    made: u64,
}

impl Scratch for TileReader {
    /// The cells per side of a sector.
    type Demand = usize;

    fn poison(&mut self) {
        TileReader::poison(self);
    }

    fn reserve(&mut self, side: usize) {
        if self.kept.is_empty() {
            self.tile.reserve(side);
            self.probe.reserve(4 * side);
            self.kept.resize_with(KEPT, Kept::default);
            for kept in &mut self.kept {
                kept.key.reserve(4 * side);
                kept.flow.reserve_exact(side * side);
            }
        }
    }
}

/// A tile that a reader made.
#[derive(Clone, Debug, Default)]
struct Kept {
    key: TileKey,
    /// The version of the sector's ground.
    version: u32,
    flow: Vec<u8>,
}

impl TileReader {
    /// An empty reader.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Poisons the reader: fills its memory with values that another flow could have left, and drops the kept tiles. No heading changes.
    /// For tests.
    pub fn poison(&mut self) {
        (self.hint, self.oldest) = (7, 0);
        self.filled = 0;
        self.probe = TileKey::default();
        self.tile.poison();
    }

    /// How many tiles this reader had to make, for reports.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.made
    }

    /// The tile with the key in `probe`, made if it is not kept.
    fn make(&mut self, ground: TileGround<'_>, frame: Frame, version: u32) -> &[u8] {
        let is_it = |kept: &Kept| kept.version == version && kept.key == self.probe;
        if let Some(at) = self.kept.iter().take(self.filled).position(is_it) {
            return &self.kept[at].flow;
        }
        if self.filled < KEPT {
            self.oldest = self.filled;
            self.filled += 1;
        }
        self.probe.integrate(ground, frame, &mut self.tile);
        self.made += 1;
        let at = self.oldest;
        self.oldest = (at + 1) % KEPT;
        let kept = &mut self.kept[at];
        kept.key.copy_from(&self.probe);
        kept.version = version;
        kept.key.write(frame, &self.tile, Labels::Relative, &mut kept.flow);
        &kept.flow
    }
}

/// One flow, and what is needed to read its tiles.
#[derive(Clone, Copy)]
pub(super) struct FlowView<'a> {
    flows: &'a TileFlows,
    pub(super) corridor: &'a Corridor,
    layer: &'a CostLayer,
    pub(super) ground: TileGround<'a>,
    /// Whether all edits were followed.
    pub(super) is_current: bool,
}

impl TileFlows {
    /// A view of a flow; `None` if there is no such flow, or the layer has another size.
    #[inline]
    pub(super) fn read<'a>(&'a self, layer: &'a CostLayer, id: FlowId) -> Option<FlowView<'a>> {
        let corridor = self.flows.get(id).filter(|_| layer.grid() == self.size)?;
        let FlowTarget { agent, threat, .. } = corridor.state.target;
        let ground = TileGround::new(layer, agent, threat, self.rule)?;
        Some(FlowView { flows: self, corridor, layer, ground, is_current: self.is_current(layer) })
    }
}

impl<'a> FlowView<'a> {
    /// The part of a sector.
    #[inline]
    pub(super) fn part(&self, sector: SectorId, reader: &mut TileReader) -> Option<usize> {
        let parts = &self.corridor.state.parts;
        if parts.get(reader.hint).is_none_or(|part| part.sector != sector) {
            reader.hint = self.corridor.find(sector)?;
        }
        Some(reader.hint)
    }

    /// The tile of a part and the sector's frame; `None` if nothing is known that units could follow.
    #[inline]
    pub(super) fn tile<'b>(&self, at: usize, reader: &'b mut TileReader) -> Option<(Frame, &'b [u8])>
    where
        'a: 'b,
    {
        match self.tile_at_hand(at) {
            Some(tile) => Some(tile),
            None => self.make(at, reader),
        }
    }

    /// The tile of a part, if it is in the cache and up to date.
    #[inline]
    pub(super) fn tile_at_hand(&self, at: usize) -> Option<(Frame, &'a [u8])> {
        let derived = self.corridor.derived.get(at)?;
        let is_current = !derived.outdated && (self.is_current || self.is_untouched(at));
        self.flows.cache.flow(derived.tile).filter(|_| is_current).map(|flow| (derived.frame, flow))
    }

    /// Whether edits that were not followed yet cannot have changed the tile of a part.
    fn is_untouched(&self, at: usize) -> bool {
        let Corridor { state, done, .. } = self.corridor;
        let Some(part) = state.parts.get(at) else { return false };
        let is_behind = |sector| self.flows.edits.is_stale(self.layer, sector);
        // If a part is not reached or has doors, its tile also depends on neighbouring sectors, which may have changed.
        part.known == Known::Reached
            && (*done || part.doors.is_empty())
            && !is_behind(part.sector)
            && !is_behind(self.flows.grid.of(state.target.goal))
    }

    /// As [`FlowView::tile`], for a part whose tile is not in the cache or not up to date.
    #[cold]
    fn make<'b>(&self, at: usize, reader: &'b mut TileReader) -> Option<(Frame, &'b [u8])>
    where
        'a: 'b,
    {
        let (part, frame) = (self.corridor.state.parts.get(at)?, self.corridor.derived.get(at)?.frame);
        let is_behind = !self.is_current && self.flows.edits.is_stale(self.layer, part.sector);
        let known = if is_behind { Known::Nothing } else { part.known };
        if !self.corridor.fill_key(self.ground, at, known, &mut reader.probe, &mut reader.tile) {
            return None;
        }
        if !is_behind {
            if let Some(flow) =
                self.flows.cache.find(&reader.probe).and_then(|tile| self.flows.cache.flow(tile))
            {
                return Some((frame, flow));
            }
        }
        reader.reserve(self.flows.grid.side() as usize);
        Some((frame, reader.make(self.ground, frame, self.layer.changes().version(part.sector))))
    }

    /// The tile's byte of a cell on the map; `None` as for [`FlowView::tile`].
    pub(super) fn byte(&self, at: CellPos, reader: &mut TileReader) -> Option<FlowByte> {
        let part = self.part(self.flows.grid.of(at), reader)?;
        let (frame, flow) = self.tile(part, reader)?;
        flow.get(frame.place(at)).map(|&byte| FlowByte(byte))
    }

    /// The sector of a cell on the map.
    #[inline]
    pub(super) fn sector(&self, at: CellPos) -> SectorId {
        self.flows.grid.of(at)
    }
}
