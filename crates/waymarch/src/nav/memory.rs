//! Whether a map and its searches fit into the memory that a program can address.

use alloc::format;

use crate::base::GridSize;
use crate::config::{ConfigError, ValidConfig};

/// The most bytes that one program can use: 2^31 − 1 on machines of 32 bits, more than any map needs on others.
pub(super) const ADDRESSABLE: u64 = isize::MAX as u64;

/// A search uses 16 bytes per cell. Each lane of the service has a search, and queries that are answered at once have one more.
const SEARCH_BYTES: u64 = 16;

/// The bytes that a navigator and its service need at least: one per cell and cost field, and the memory of searches.
fn bytes_needed(config: &ValidConfig, grid: GridSize, locomotors: usize) -> u64 {
    let config = config.get();
    let fields = locomotors as u64 * config.size_classes.len() as u64;
    let searches = u64::from(config.path_lanes) + 1;
    let cells = u64::from(grid.width()) * u64::from(grid.height());
    cells * (fields + searches * SEARCH_BYTES)
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
    use crate::config::Config;

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
}
