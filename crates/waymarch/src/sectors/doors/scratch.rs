//! Scratch of searches over doors.

use alloc::vec::Vec;

use super::distances::SectorDistances;
use super::frontier::Frontier;
use crate::base::{Scratch, poison_list};

/// Scratch for routes over doors; meaningless between calls.
#[derive(Clone, Debug, Default)]
pub struct DoorScratch {
    pub(super) inside: SectorDistances,
    /// The search for the whole route.
    pub(super) far: Frontier,
    /// The search within one block.
    pub(super) near: Frontier,
    pub(super) from_start: Vec<u32>,
    pub(super) to_goal: Vec<u32>,
    pub(super) block_row: Vec<u32>,
}

impl Scratch for DoorScratch {
    /// The number of cells of the map.
    type Demand = usize;

    fn poison(&mut self) {
        self.inside.poison();
        self.far.poison();
        self.near.poison();
        for list in [&mut self.from_start, &mut self.to_goal, &mut self.block_row] {
            poison_list(list, 7);
        }
    }

    fn reserve(&mut self, cells: usize) {
        // Ordinary ground has about 30 doors per sector of 1024 cells.
        self.far.reserve(cells / 32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{GridSize, LocomotorId, Tick, cell};
    use crate::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
    use crate::query::Threat;
    use crate::sectors::{DoorRoute, Doors};

    #[test]
    fn a_poisoned_scratch_finds_the_same_route() {
        let size = GridSize::new(1400, 96).expect("legal");
        let map = Map::flat("long", size, Rules::standard()).validate().expect("legal");
        let mut layer = CostLayer::new(&map, CostSettings::default());
        for x in (40..1400).step_by(90) {
            layer.place(&Stamp::solid(1, 60), cell(x, x % 30), Tick::ZERO).expect("on the map");
        }
        let foot = LocomotorId(0).into();
        let (mut fresh, mut used) = (DoorScratch::default(), DoorScratch::default());
        let (mut expected, mut found) = (DoorRoute::default(), DoorRoute::default());
        // Costs are found in each search, because each has doors of its own.
        let doors = || Doors::new(&layer, foot, StepRule::default(), Threat::Ignore).expect("known");
        assert!(doors().route(&layer, cell(3, 3), cell(1390, 90), &mut fresh, &mut expected));
        for _ in 0..2 {
            used.poison();
            assert!(doors().route(&layer, cell(3, 3), cell(1390, 90), &mut used, &mut found));
            assert_eq!(found, expected);
        }
    }
}
