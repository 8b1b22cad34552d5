//! The bytes that flow tiles hold, as counted by the allocator.

use waymarch::base::{LocomotorId, cell};
use waymarch::cost::{CostLayer, CostSettings, StepRule};
use waymarch::flow::tiles::{Breadth, FlowTarget, TileFlows, TileSettings};
use waymarch::sectors::DoorRoute;
use waymarch_testkit::alloc::held_by;
use waymarch_testkit::grids::every_kind;
use waymarch_testkit::splitmix::SplitMix;

/// The count includes the corridor, its rims and exits, tiles and their keys, the cells that see the goal, and scratch.
#[test]
fn sixty_four_tiles_take_at_most_five_bytes_per_cell_in_all() {
    let mut rng = SplitMix::new(31);
    for (name, grid) in every_kind(32, 256, 256) {
        let map = grid.to_map("memory").validate().expect("legal");
        let layer = CostLayer::new(&map, CostSettings { sector_size: 32, ..CostSettings::default() });
        let goal = grid.random_open(&mut rng).expect("open");
        let corners: Vec<DoorRoute> = (0..64)
            .map(|sector| cell(sector % 8 * 32, sector / 8 * 32))
            .map(|at| DoorRoute { cells: vec![at, at], ..DoorRoute::default() })
            .collect();
        let (held, flows) = held_by(|| {
            let mut flows = TileFlows::new(&layer, StepRule::default(), TileSettings::default());
            let id = flows.open(&layer, FlowTarget::new(LocomotorId(0), goal)).expect("open");
            for corner in &corners {
                assert!(flows.widen(&layer, id, corner, Breadth::Route));
            }
            flows.finish(&layer, id);
            flows
        });
        let per_thousand = held * 1000 / (64 * 1024);
        println!("{name}: {} tiles, {held} bytes, {per_thousand} per 1000 cells", flows.tiles());
        assert!(per_thousand <= 5000, "{name} {per_thousand}");
        assert!(flows.memory_bytes() as u64 * 10 >= held * 9, "{name}: {} stated", flows.memory_bytes());
        assert!(flows.tiles() >= 48, "{name}: {}", flows.tiles());
    }
}
