//! The cost layer as bytes. Loading makes a new layer, or changes an existing layer where it differs.

use alloc::vec::Vec;

use super::ground::Ground;
use super::layer::CostLayer;
use super::rules::{LocomotorDef, Rules, TerrainId, ValidRules};
use super::settings::CostSettings;
use super::stamps::{SideMask, StampStore, StampsState};
use super::threat::{ThreatId, ThreatMap, ThreatState};
use crate::base::{
    ByteReader, ByteWriter, CellPos, CellRect, CollisionLayers, GridSize, LoadError, LocomotorId, Observer,
    Persist,
};

/// Changed cells are collected in squares of 32 cells per side.
const BLOCK: usize = 32;

/// World: a saved cost layer that passed all checks. Terrain and heights stay in the buffer they were read from.
#[derive(Clone, Debug)]
pub(crate) struct CostState<'a> {
    grid: GridSize,
    rules: ValidRules,
    terrain: &'a [u8],
    /// Two bytes per cell; empty for a flat map.
    elevation: &'a [u8],
    stamps: StampsState,
    threat: ThreatState,
    sides: Vec<u8>,
}

impl<'a> CostState<'a> {
    /// Reads and checks a saved layer.
    pub(crate) fn load(reader: &mut ByteReader<'a>) -> Result<Self, LoadError> {
        let grid = GridSize::load(reader)?;
        let rules = Rules::load(reader)?;
        let Ok(rules) = rules.validate() else { return Err(reader.error("the rules are not valid")) };
        let terrains = rules.rules().terrains.len();
        let terrain = reader.raw(grid.cells())?;
        // The highest number is found many cells at a time.
        let highest = terrain.iter().fold(0, |highest, &terrain| terrain.max(highest));
        if usize::from(highest) >= terrains {
            return Err(reader.error("a cell has a terrain that the rules do not have"));
        }
        let elevation = if bool::load(reader)? { reader.raw(grid.cells() * 2)? } else { &[] };
        let stamps = StampsState::load(reader, terrains, grid)?;
        let threat = ThreatState::load(reader, grid)?;
        let sides: Vec<u8> = reader.added(11, Vec::new)?;
        let known = sides.iter().fold(SideMask::default(), |known, &side| known.with(side));
        let fits = (sides.len() + 1) * rules.rules().locomotors.len() <= 255;
        if known.sides().count() != sides.len() || !fits || !stamps.gates_open_to(known) {
            return Err(reader.error("the sides of gates are too many, repeated or incomplete"));
        }
        Ok(Self { grid, rules, terrain, elevation, stamps, threat, sides })
    }

    /// The size of the map.
    pub(crate) fn grid(&self) -> GridSize {
        self.grid
    }

    /// The number of locomotors, with those of the sides of gates.
    pub(crate) fn locomotors(&self) -> usize {
        self.rules.rules().locomotors.len() * (self.sides.len() + 1)
    }

    /// Whether a threat source exists.
    pub(crate) fn has_threat(&self, id: ThreatId) -> bool {
        self.threat.has_source(id)
    }

    /// The side of an observer.
    pub(crate) fn side(&self, observer: Observer) -> u8 {
        self.threat.side(observer)
    }

    /// Puts an observer on a side. For Worlds that were saved before maps had sides.
    pub(crate) fn set_side(&mut self, observer: Observer, side: u8) {
        self.threat.set_side(observer, side);
    }

    /// Whether the rules have this locomotor.
    pub(crate) fn has_locomotor(&self, locomotor: LocomotorId) -> bool {
        locomotor.index() < self.locomotors()
    }

    /// The collision layers of a locomotor; the ground if the rules do not have it.
    pub(crate) fn locomotor_layers(&self, locomotor: LocomotorId) -> CollisionLayers {
        let own = locomotor.index() % self.rules.rules().locomotors.len().max(1);
        let def = self.rules.locomotor_def(LocomotorId(own as u8)).filter(|_| self.has_locomotor(locomotor));
        def.map(LocomotorDef::collision_layers).unwrap_or_default()
    }

    /// Whether map size, rules and sides of gates are the same as `layer`'s, so that [`CostLayer::restore`] can be used.
    pub(crate) fn is_like(&self, layer: &CostLayer) -> bool {
        self.grid == layer.grid() && self.rules == *layer.rules() && self.sides == layer.ground.sides
    }
}

impl CostLayer {
    /// Writes the World data: map, stamps and threat sources. Costs 1 byte per cell, 3 with heights.
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
        ground.sides.save(writer);
    }

    /// The saved layer, with all Derived data rebuilt.
    pub(crate) fn from_state(state: CostState<'_>, settings: CostSettings) -> Self {
        let settings = settings.within_range();
        let ground = Ground {
            grid: state.grid,
            rules: state.rules,
            terrain: state.terrain.iter().map(|&terrain| TerrainId(terrain)).collect(),
            elevation: state.elevation.chunks_exact(2).map(height).collect(),
            stamps: StampStore::from_state(state.stamps, state.grid),
            sides: state.sides,
            bars: Vec::new(),
        };
        let threat = ThreatMap::new(state.grid, settings.threat_max_cost);
        let mut layer = Self::from_world(ground, settings, threat);
        layer.threat.restore(state.threat, &mut layer.changes);
        layer
    }

    /// This layer takes the place of `before`: readers that followed `before` see that everything may have changed.
    pub(crate) fn replacing(mut self, before: &Self) -> Self {
        self.changes.count_on_from(&before.changes);
        self
    }

    /// Changes this layer into the saved one by applying the differences as edits. The state must be
    /// [like](CostState::is_like) the layer.
    ///
    /// Cost: one comparison per cell and stamp, and an update of the areas that differ.
    pub(crate) fn restore(&mut self, state: CostState<'_>) {
        let width = self.ground.grid.width() as usize;
        let (ground, changed) = (&mut self.ground, &mut self.changed_areas);
        take_over(width, &mut ground.terrain, changed, |y| {
            state.terrain[y * width..(y + 1) * width].iter().map(|&terrain| TerrainId(terrain))
        });
        let flat = changed.len();
        if ground.elevation.is_empty() && !state.elevation.is_empty() {
            ground.elevation = alloc::vec![0; ground.grid.cells()];
        }
        if state.elevation.is_empty() {
            if !ground.elevation.is_empty() {
                take_over(width, &mut ground.elevation, changed, |_| core::iter::repeat_n(0, width));
                ground.elevation = Vec::new();
            }
        } else {
            take_over(width, &mut ground.elevation, changed, |y| {
                state.elevation[2 * y * width..2 * (y + 1) * width].chunks_exact(2).map(height)
            });
        }
        // A height also changes the slopes of the neighbours.
        changed[flat..].iter_mut().for_each(|rect| *rect = rect.grow(1, 1));
        ground.stamps.restore(state.stamps, changed);
        // The World data are complete before costs are recomputed.
        self.update_changed_areas();
        self.changes.begin();
        self.threat.restore(state.threat, &mut self.changes);
    }
}

fn height(bytes: &[u8]) -> i16 {
    i16::from_le_bytes([bytes[0], bytes[1]])
}

/// Copies what `row_of` gives for each row of `width` cells to `now`, and adds the areas that differ to `changed`.
fn take_over<T: Copy + PartialEq, I: Iterator<Item = T> + Clone>(
    width: usize,
    now: &mut [T],
    changed: &mut Vec<CellRect>,
    row_of: impl Fn(usize) -> I,
) {
    // One area per block of the present row of blocks; cleared when the next row of blocks begins.
    let mut blocks = alloc::vec![CellRect::default(); width.div_ceil(BLOCK)];
    for (y, row) in now.chunks_exact_mut(width).enumerate() {
        if y % BLOCK == 0 {
            changed.extend(blocks.iter_mut().map(core::mem::take).filter(|rect| !rect.is_empty()));
        }
        let then = row_of(y);
        // Mostly nothing differs. A comparison without an early exit compares many cells at a time.
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
