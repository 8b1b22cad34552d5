//! Layer 1 as bytes, and back: made anew, or by what differs from the present one.

use alloc::vec::Vec;

use super::ground::Ground;
use super::layer::{CostLayer, CostSettings};
use super::rules::{Rules, ValidRules};
use super::stamps::StampStore;
use super::stamps_state::StampsState;
use super::terrain::TerrainId;
use super::threat::ThreatMap;
use super::threat_state::ThreatState;
use crate::base::{ByteReader, ByteWriter, CellPos, CellRect, GridSize, LoadError, LocomotorId, Persist};

/// Cells that differ are put together by squares of so many cells a side.
const BLOCK: usize = 32;

/// World: layer 1 as it was saved, checked; terrain and heights stay where they were read from.
#[derive(Clone, Debug)]
pub(crate) struct CostState<'a> {
    grid: GridSize,
    rules: ValidRules,
    terrain: &'a [u8],
    /// Two bytes a cell; none for a flat map.
    elevation: &'a [u8],
    stamps: StampsState,
    threat: ThreatState,
}

impl<'a> CostState<'a> {
    /// Reads and checks.
    pub(crate) fn load(reader: &mut ByteReader<'a>) -> Result<Self, LoadError> {
        let grid = GridSize::load(reader)?;
        let rules = Rules::load(reader)?;
        let Ok(rules) = rules.validate() else { return Err(reader.error("rules that make no sense")) };
        let terrains = rules.rules().terrains.len();
        let terrain = reader.raw(grid.cells())?;
        // All are looked at, which is done many at a time.
        let highest = terrain.iter().fold(0, |highest, &terrain| terrain.max(highest));
        if usize::from(highest) >= terrains {
            return Err(reader.error("a cell of a terrain that the rules do not have"));
        }
        let elevation = if bool::load(reader)? { reader.raw(grid.cells() * 2)? } else { &[] };
        let stamps = StampsState::load(reader, terrains, grid)?;
        let threat = ThreatState::load(reader, grid)?;
        Ok(Self { grid, rules, terrain, elevation, stamps, threat })
    }

    /// The size of the map.
    pub(crate) fn grid(&self) -> GridSize {
        self.grid
    }

    /// Whether the rules have this locomotor.
    pub(crate) fn has_locomotor(&self, locomotor: LocomotorId) -> bool {
        self.rules.locomotor_def(locomotor).is_some()
    }

    /// Whether it is of a map of the same size and rules as `layer`'s, so that [`CostLayer::restore`] may be used.
    pub(crate) fn is_like(&self, layer: &CostLayer) -> bool {
        self.grid == layer.grid() && self.rules == *layer.rules()
    }
}

impl CostLayer {
    /// Writes down what is World of it: map, stamps and threat sources. Costs a byte a cell, three with heights.
    pub(crate) fn save(&self, writer: &mut ByteWriter) {
        let ground = &self.ground;
        ground.grid.save(writer);
        ground.rules.rules().save(writer);
        writer.extend(ground.terrain.iter().map(|terrain| terrain.0));
        let heights = !ground.elevation.is_empty();
        heights.save(writer);
        writer.extend(ground.elevation.iter().flat_map(|height| height.to_le_bytes()));
        ground.stamps.save(writer);
        self.threat.save(writer);
    }

    /// A layer as it was saved, with everything Derived made anew.
    pub(crate) fn from_state(state: CostState<'_>, settings: CostSettings) -> Self {
        let settings = settings.within_range();
        let ground = Ground {
            grid: state.grid,
            rules: state.rules,
            terrain: state.terrain.iter().map(|&terrain| TerrainId(terrain)).collect(),
            elevation: state.elevation.chunks_exact(2).map(height).collect(),
            stamps: StampStore::from_state(state.stamps, state.grid),
        };
        let threat = ThreatMap::new(state.grid, settings.threat_max_cost);
        let mut layer = Self::from_world(ground, settings, threat);
        layer.threat.restore(state.threat, &mut layer.changes);
        layer
    }

    /// Makes this layer the one saved, by what differs: everything Derived follows as it follows edits. The state must be
    /// [like](CostState::is_like) the layer.
    ///
    /// Costs a look at each cell and stamp, and the areas that differ.
    pub(crate) fn restore(&mut self, state: CostState<'_>) {
        let mut changed = core::mem::take(&mut self.expired);
        let width = self.ground.grid.width() as usize;
        let ground = &mut self.ground;
        take_over(width, &mut ground.terrain, &mut changed, |y| {
            state.terrain[y * width..(y + 1) * width].iter().map(|&terrain| TerrainId(terrain))
        });
        let flat = changed.len();
        if ground.elevation.is_empty() && !state.elevation.is_empty() {
            ground.elevation = alloc::vec![0; ground.grid.cells()];
        }
        if state.elevation.is_empty() {
            if !ground.elevation.is_empty() {
                take_over(width, &mut ground.elevation, &mut changed, |_| core::iter::repeat_n(0, width));
                ground.elevation = Vec::new();
            }
        } else {
            take_over(width, &mut ground.elevation, &mut changed, |y| {
                state.elevation[2 * y * width..2 * (y + 1) * width].chunks_exact(2).map(height)
            });
        }
        // A height is felt in the slopes of its neighbours too.
        changed[flat..].iter_mut().for_each(|rect| *rect = rect.grow(1, 1));
        ground.stamps.restore(state.stamps, &mut changed);
        // All is as it was before anything is worked out anew.
        for rect in changed.drain(..) {
            self.update(rect);
        }
        self.expired = changed;
        self.changes.begin();
        self.threat.restore(state.threat, &mut self.changes);
    }
}

fn height(bytes: &[u8]) -> i16 {
    i16::from_le_bytes([bytes[0], bytes[1]])
}

/// Makes `now` what `row_of` gives for each row of `width` cells, and adds the areas in which it was another to `changed`.
fn take_over<T: Copy + PartialEq, I: Iterator<Item = T> + Clone>(
    width: usize,
    now: &mut [T],
    changed: &mut Vec<CellRect>,
    row_of: impl Fn(usize) -> I,
) {
    // One for each block of the present row of blocks; emptied when the next begins.
    let mut blocks = alloc::vec![CellRect::default(); width.div_ceil(BLOCK)];
    for (y, row) in now.chunks_exact_mut(width).enumerate() {
        if y % BLOCK == 0 {
            changed.extend(blocks.iter_mut().map(core::mem::take).filter(|rect| !rect.is_empty()));
        }
        let then = row_of(y);
        // Nearly always nothing differs, and to find that out without stopping is done many cells at a time.
        let differs =
            row.iter().zip(then.clone()).fold(false, |differs, (now, then)| differs | (*now != then));
        if !differs {
            continue;
        }
        for (x, (now, then)) in row.iter_mut().zip(then).enumerate() {
            if *now != then {
                *now = then;
                let at = CellRect::at(CellPos::new(x as i32, y as i32), 1, 1);
                blocks[x / BLOCK] = blocks[x / BLOCK].union(at);
            }
        }
    }
    changed.extend(blocks.into_iter().filter(|rect| !rect.is_empty()));
}
