//! Trajectory files, for tools that compare engines.

use std::path::Path;

use waymarch_maps::{FileError, write_file};

use super::run::Run;

/// Writes a trajectory, little endian: magic number, number of units, number of frames and 0 as `u32`; positions as `f32`, frame by
/// frame; then the microseconds of each tick as `f64`.
pub(super) fn write(path: &Path, run: &Run) -> Result<(), FileError> {
    let units = run.frames.first().map_or(0, Vec::len);
    let mut bytes = Vec::with_capacity(16 + run.frames.len() * (units * 8 + 8));
    for word in [0x314a_5254, units as u32, run.frames.len() as u32, 0] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    for part in run.frames.iter().flatten().flatten() {
        bytes.extend_from_slice(&(*part as f32).to_le_bytes());
    }
    for micros in &run.micros {
        bytes.extend_from_slice(&micros.to_le_bytes());
    }
    write_file(path, &bytes)
}
