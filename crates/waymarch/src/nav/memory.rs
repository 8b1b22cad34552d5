//! Whether a map and its searches fit into the memory that a program can address.

use alloc::format;

use crate::base::GridSize;
use crate::config::{ConfigError, ValidConfig};

/// The most bytes that one program can use: 2^31 − 1 on machines of 32 bits, more than any map needs on others.
pub(super) const ADDRESSABLE: u64 = isize::MAX as u64;

/// A search uses 16 bytes per cell. Each lane of the service has a search, and queries that are answered at once have one more.
const SEARCH_BYTES: u64 = 16;

/// The map has at least 3 bytes per cell beside the costs, for terrain and for what edits need.
const MAP_BYTES: u64 = 3;

/// Sectors have at least 2 bytes per cell. Rough ground takes up to 15.
const SECTOR_BYTES: u64 = 2;

/// Straight jump planes of ground of one cost take at least 1 byte per cell and size class.
const STRAIGHT_PLANE_BYTES: u64 = 1;

/// Jump planes with diagonals take at least 3 bytes per cell and size class, on ground of one cost.
const FULL_PLANE_BYTES: u64 = 3;

/// Planes are counted for at most 6 size classes: rough ground has planes only for agents in use, with about 20 bytes per cell each.
const MOST_PLANE_SIZES: u64 = 6;

/// The doors of one agent take at least 64 bytes per sector.
const DOOR_BYTES: u64 = 64;

/// The bytes that a navigator and its service need at least, with one agent that searches for routes and follows flows.
///
/// It depends on the ground how much more is needed, and on the number of agents that are used.
fn bytes_needed(config: &ValidConfig, grid: GridSize, locomotors: usize) -> u64 {
    let config = config.get();
    let cells = u64::from(grid.width()) * u64::from(grid.height());
    let fields = locomotors as u64 * config.size_classes.len() as u64;
    let searches = u64::from(config.path_lanes) + 1;
    let planes_of_size = if config.jps_precomputed { FULL_PLANE_BYTES } else { STRAIGHT_PLANE_BYTES };
    let planes = planes_of_size * (config.size_classes.len() as u64).min(MOST_PLANE_SIZES);
    let per_cell = MAP_BYTES + SECTOR_BYTES + fields + planes + searches * SEARCH_BYTES;
    let sector = u64::from(config.sector_size).pow(2);
    // Tiles of one byte per cell stay in memory up to the limit of the cache. One flow has at most one per sector.
    let tiles = (u64::from(config.flowfield_cache_max_tiles) * sector).min(cells);
    cells * per_cell + cells / sector * DOOR_BYTES + tiles
}

/// Refuses settings and maps that need more than `most` bytes: allocating so much would end the program.
///
/// # Errors
/// [`ConfigError`] naming the setting that is easiest to change.
pub(super) fn check_memory(
    config: &ValidConfig,
    grid: GridSize,
    locomotors: usize,
    most: u64,
) -> Result<(), ConfigError> {
    let bytes = bytes_needed(config, grid, locomotors);
    if bytes <= most {
        return Ok(());
    }
    let lanes = config.get().path_lanes;
    let value = format!("{lanes} with {locomotors} locomotors on a map of {grid}, which needs {bytes} bytes");
    let expected = "few enough for the memory that this machine can address (or use a smaller map)";
    Err(ConfigError { key: "path_lanes", value, expected })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Purpose, Rng, Tick, cell};
    use crate::config::Config;
    use crate::cost::{Map, Rules, TerrainId};
    use crate::nav::Navigator;
    use crate::query::PathQuery;

    const BITS_32: u64 = i32::MAX as u64;

    #[test]
    fn a_default_world_of_8192_cells_a_side_is_refused_on_32_bits_only() {
        let config = ValidConfig::default();
        let grid = |side| GridSize::new(side, side).expect("legal");
        assert_eq!(check_memory(&config, grid(4096), 4, BITS_32), Ok(()));
        let refused = check_memory(&config, grid(8192), 4, BITS_32).expect_err("6 GB");
        let told = alloc::string::ToString::to_string(&refused);
        assert!(told.contains("path_lanes") && told.contains("8192×8192"), "{told}");
        assert_eq!(check_memory(&config, grid(8192), 4, i64::MAX as u64), Ok(()));
        let most = Config { path_lanes: 64, size_classes: (1..=16).collect(), ..Config::default() };
        let most = most.validate().expect("legal");
        assert_eq!(check_memory(&most, grid(8192), 32, i64::MAX as u64), Ok(()));
    }

    /// What a navigator holds once an agent is ready, apart from searches and flow tiles.
    fn measured(config: &ValidConfig, terrains: &[u8]) -> u64 {
        let size = GridSize::new(512, 512).expect("legal");
        let mut map = Map::flat("field", size, Rules::standard());
        let mut random = Rng::keyed(3, Tick::ZERO, 0, Purpose(1));
        for terrain in &mut map.terrain {
            *terrain = TerrainId(terrains[random.below(terrains.len() as u32) as usize]);
        }
        let mut nav = Navigator::new(map, config.get().clone()).expect("legal");
        let foot = nav.locomotor("foot").expect("in the rules");
        let (from, to) = (cell(3, 3), cell(500, 500));
        let query = PathQuery::new(from, to, foot);
        nav.make_ready(foot);
        nav.prepare(&[query]);
        let parts = [nav.layer().memory_bytes(), nav.sectors().memory_bytes(), nav.planner_memory_bytes()];
        parts.iter().sum::<usize>() as u64
    }

    #[test]
    fn the_needed_bytes_are_no_more_than_a_navigator_holds_and_most_of_it_on_open_ground() {
        for (precomputed, sizes) in [(true, 1..=3), (false, 1..=3), (true, 1..=1)] {
            let config = Config {
                jps_precomputed: precomputed,
                size_classes: sizes.clone().collect(),
                ..Config::default()
            };
            let config = config.validate().expect("legal");
            let grid = GridSize::new(512, 512).expect("legal");
            let cells = 512 * 512;
            let tiles = u64::from(config.get().flowfield_cache_max_tiles) * 32 * 32;
            let searches = cells * (u64::from(config.get().path_lanes) + 1) * SEARCH_BYTES;
            let needed = bytes_needed(&config, grid, Rules::standard().locomotors.len()) - tiles - searches;
            let (open, rough) = (measured(&config, &[0]), measured(&config, &[0, 0, 0, 0, 2, 4]));
            let told = format!("{precomputed} {sizes:?}: {needed} of {open} and {rough} bytes");
            assert!(needed <= open && open <= rough && open < needed * 3 / 2, "{told}");
        }
    }

    #[test]
    fn a_map_whose_searches_fit_but_not_its_planes_and_tiles_is_refused() {
        let lanes = Config { path_lanes: 64, flowfield_cache_max_tiles: 1_000_000, ..Config::default() };
        let (config, grid) = (lanes.validate().expect("legal"), GridSize::new(1024, 1024).expect("legal"));
        let cells = 1024 * 1024;
        let searches_and_costs = cells * (12 + 65 * SEARCH_BYTES);
        assert!(check_memory(&config, grid, 4, searches_and_costs).is_err());
        let all = bytes_needed(&config, grid, 4);
        // Map, sectors, planes and tiles have 15 bytes per cell, doors 64 for each of 1,024 sectors.
        assert_eq!(all, searches_and_costs + 15 * cells + 1024 * 64);
        assert_eq!(check_memory(&config, grid, 4, all), Ok(()));
    }
}
