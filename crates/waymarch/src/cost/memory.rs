//! How much memory the cost layer holds.

use alloc::vec::Vec;

use super::fields::CostField;
use super::layer::CostLayer;

/// Bytes held by a layer, by component.
///
/// ```
/// use waymarch::base::GridSize;
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules};
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let memory = layer.memory();
/// assert_eq!((memory.terrain, memory.heights), (64 * 64, 0)); // a byte a cell; flat maps have no heights
/// assert_eq!(memory.total(), layer.memory_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CostMemory {
    /// The map's terrain.
    pub terrain: usize,
    /// The map's heights; 0 for a flat map.
    pub heights: usize,
    /// Standing stamps by cell, and the no-stop cells.
    pub stamps: usize,
    /// Costs and passability, by locomotor, all sizes together.
    pub fields: Vec<usize>,
    /// Threat; 0 until there is a source.
    pub threat: usize,
    /// The change log.
    pub changes: usize,
}

impl CostMemory {
    /// The sum of all components.
    #[must_use]
    pub fn total(&self) -> usize {
        let world = self.terrain + self.heights + self.stamps + self.threat + self.changes;
        world + self.fields.iter().sum::<usize>()
    }
}

impl CostLayer {
    /// Bytes held, by component.
    #[must_use]
    pub fn memory(&self) -> CostMemory {
        let sizes = |sizes: &[CostField]| sizes.iter().map(CostField::memory_bytes).sum();
        CostMemory {
            terrain: self.ground.terrain.len(),
            heights: self.ground.elevation.len() * 2,
            stamps: self.ground.stamps.memory_bytes() + self.no_stop.memory_bytes(),
            fields: self.fields.iter().map(|fields| sizes(&fields.sizes)).collect(),
            threat: self.threat.memory_bytes(),
            changes: self.changes.memory_bytes(),
        }
    }

    /// Bytes held, apart from small structs.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.memory().total()
    }
}
