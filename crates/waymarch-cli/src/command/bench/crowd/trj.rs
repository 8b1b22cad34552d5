//! Trajectory files, for tools that judge every engine alike.

use std::path::Path;

use waymarch_maps::FileError;

use super::play::Record;

/// Little endian: the mark, units, frames and 0 as `u32`, positions as `f32` frame by frame, then microseconds per tick as `f64`.
pub(super) fn write(path: &Path, record: &Record) -> Result<(), FileError> {
    let units = record.frames.first().map_or(0, Vec::len);
    let mut bytes = Vec::with_capacity(16 + record.frames.len() * (units * 8 + 8));
    for word in [0x314a_5254, units as u32, record.frames.len() as u32, 0] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    for part in record.frames.iter().flatten().flatten() {
        bytes.extend_from_slice(&(*part as f32).to_le_bytes());
    }
    for micros in &record.micros {
        bytes.extend_from_slice(&micros.to_le_bytes());
    }
    std::fs::write(path, bytes).map_err(|error| FileError::io(path, &error))
}
