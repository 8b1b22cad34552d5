//! The settings of the cost layer.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::SizeClass;

/// What the cost layer needs besides the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostSettings {
    /// Cells per side of a sector: a power of two from 8 to 128.
    pub sector_size: u32,
    /// The unit sizes in use, ascending from one cell.
    pub sizes: Vec<SizeClass>,
    /// The most that threat adds to a cell, 0..=254.
    pub threat_max_cost: u8,
    /// Ticks between two refreshes of the threat map, 1..=1000.
    pub threat_every: u32,
}

impl Default for CostSettings {
    /// Sectors of 32 cells per side, unit sizes 1 to 3, a threat of at most 128, and a refresh every 4 ticks.
    fn default() -> Self {
        let sizes = vec![SizeClass::ONE, SizeClass::TWO, SizeClass::THREE];
        Self { sector_size: 32, sizes, threat_max_cost: 128, threat_every: 4 }
    }
}

impl CostSettings {
    /// The nearest legal settings: all numbers within their ranges, and the sizes sorted with size one among them.
    #[must_use]
    pub fn within_range(mut self) -> Self {
        self.sector_size = self.sector_size.clamp(8, 128).next_power_of_two();
        self.sizes.push(SizeClass::ONE);
        self.sizes.sort_unstable();
        self.sizes.dedup();
        self.threat_max_cost = self.threat_max_cost.min(254);
        self.threat_every = self.threat_every.clamp(1, 1000);
        self
    }
}
