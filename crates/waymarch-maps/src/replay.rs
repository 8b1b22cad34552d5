//! Recorded games as files.

use std::path::Path;

use waymarch::world::Recording;

use crate::{FileError, FileResult, Place, read_file};

/// Recordings longer than this are refused before they are read.
const MAX_BYTES: u64 = 1 << 30;

/// Reads a recorded game.
///
/// # Errors
/// [`FileError`] naming the byte at which it is not what was recorded.
pub fn load_recording(path: &Path) -> FileResult<Recording> {
    let bytes = read_file(path, MAX_BYTES)?;
    let wrong = |error: waymarch::base::LoadError| {
        FileError::new(path.display().to_string(), error.what).at(Place::Byte(error.at))
    };
    Recording::from_bytes(&bytes).map_err(wrong)
}

/// Writes a recorded game.
///
/// # Errors
/// [`FileError`] if the file cannot be written.
pub fn save_recording(path: &Path, recording: &Recording) -> FileResult<()> {
    std::fs::write(path, recording.to_bytes()).map_err(|error| FileError::io(path, &error))
}
