//! Reading bytes off one flow's tiles, making those again that are not kept.

use alloc::vec::Vec;

use super::aim::TileAim;
use super::corridor::Corridor;
use super::flows::{FlowId, TileFlows};
use super::frame::Frame;
use super::ground::TileGround;
use super::integrate::TileScratch;
use super::key::{Labels, TileKey};
use super::state::Known;
use crate::base::CellPos;
use crate::cost::{CostLayer, SectorId};
use crate::flow::whole::FlowByte;

/// Tiles that a reader keeps for itself.
const KEPT: usize = 8;

/// Scratch for reading headings; each thread has its own. No answer depends on what is in it.
///
/// Tiles that [`TileFlows::prepare`] did not make are made here when they are read, and a few of them kept.
#[derive(Clone, Debug, Default)]
pub struct TileReader {
    /// The part looked for last.
    hint: usize,
    probe: TileKey,
    tile: TileScratch,
    kept: Vec<Kept>,
    /// How many of them hold a tile.
    filled: usize,
    /// Which of them goes next.
    oldest: usize,
    /// Tiles made here so far.
    made: u64,
}

impl TileReader {
    /// Makes room for tiles of sectors of so many cells a side: all at once, when the first has to be made.
    pub(super) fn make_room(&mut self, side: usize) {
        if self.kept.is_empty() {
            self.tile.make_room(side);
            self.probe.make_room(4 * side);
            self.kept.resize_with(KEPT, Kept::default);
            for kept in &mut self.kept {
                kept.key.make_room(4 * side);
                kept.flow.reserve_exact(side * side);
            }
        }
    }
}

/// A tile that a reader made.
#[derive(Clone, Debug, Default)]
struct Kept {
    key: TileKey,
    /// Of the sector's ground.
    version: u32,
    flow: Vec<u8>,
}

impl TileReader {
    /// Nothing made yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills it with rubbish; tiles that it keeps are forgotten. No heading changes. For tests.
    pub fn poison(&mut self) {
        (self.hint, self.oldest) = (7, 0);
        self.filled = 0;
        self.probe = TileKey::default();
        self.tile.poison();
    }

    /// How many tiles it had to make, for reports.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.made
    }

    /// The tile with the key that was filled in.
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

/// One flow and what is needed to read its tiles.
#[derive(Clone, Copy)]
pub(super) struct Read<'a> {
    flows: &'a TileFlows,
    pub(super) corridor: &'a Corridor,
    layer: &'a CostLayer,
    pub(super) ground: TileGround<'a>,
    /// Whether all that changed was followed.
    pub(super) is_current: bool,
}

impl TileFlows {
    /// Somebody who reads a flow's tiles; `None` if there is no such flow, or the layer is another.
    #[inline]
    pub(super) fn read<'a>(&'a self, layer: &'a CostLayer, id: FlowId) -> Option<Read<'a>> {
        let corridor = self.flows.get(id).filter(|_| layer.grid() == self.size)?;
        let TileAim { agent, threat, .. } = corridor.state.aim;
        let ground = TileGround::new(layer, agent, threat, self.rule)?;
        Some(Read { flows: self, corridor, layer, ground, is_current: self.is_current(layer) })
    }
}

impl<'a> Read<'a> {
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

    /// The same, if the tile is kept.
    #[inline]
    pub(super) fn tile_at_hand(&self, at: usize) -> Option<(Frame, &'a [u8])> {
        let made = self.corridor.made.get(at)?;
        let is_current = !made.outdated && (self.is_current || self.is_untouched(at));
        self.flows.cache.flow(made.tile).filter(|_| is_current).map(|flow| (made.frame, flow))
    }

    /// Whether nothing that the tile of a part follows from can have changed, where something has that was not followed yet.
    fn is_untouched(&self, at: usize) -> bool {
        let Corridor { state, done, .. } = self.corridor;
        let Some(part) = state.parts.get(at) else { return false };
        let is_behind = |sector| self.flows.is_behind(self.layer, sector);
        // Ways out of a sector that is not reached, and doors, lead into others that may have changed.
        part.known == Known::Reached
            && (*done || part.doors.is_empty())
            && !is_behind(part.sector)
            && !is_behind(self.flows.grid.of(state.aim.goal))
    }

    /// The same, of a part whose tile is not at hand.
    #[cold]
    fn make<'b>(&self, at: usize, reader: &'b mut TileReader) -> Option<(Frame, &'b [u8])>
    where
        'a: 'b,
    {
        let (part, frame) = (self.corridor.state.parts.get(at)?, self.corridor.made.get(at)?.frame);
        let is_behind = !self.is_current && self.flows.is_behind(self.layer, part.sector);
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
        reader.make_room(self.flows.grid.side() as usize);
        Some((frame, reader.make(self.ground, frame, self.layer.changes().version(part.sector))))
    }

    /// What the tile of a cell on the map says; `None` as for its tile.
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
