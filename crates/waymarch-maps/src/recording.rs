//! Recordings as files.

use std::path::Path;

use waymarch::world::Recording;

use crate::{FileError, FileResult, OutputFile, Place, read_file};

/// Recordings longer than 1 GiB are refused before they are read.
const MAX_BYTES: u64 = 1 << 30;

/// Reads a recording.
///
/// # Errors
/// [`FileError`] with the byte at which the recording is damaged.
pub fn load_recording(path: &Path) -> FileResult<Recording> {
    let bytes = read_file(path, MAX_BYTES)?;
    let wrong = |error: waymarch::base::LoadError| {
        FileError::new(path.display().to_string(), error.problem().to_string()).at(Place::Byte(error.at))
    };
    Recording::from_bytes(&bytes).map_err(wrong)
}

/// Writes a recording.
///
/// # Errors
/// [`FileError`] if the file cannot be written.
pub fn save_recording(path: &Path, recording: &Recording) -> FileResult<()> {
    finish_recording(OutputFile::create(path)?, recording)
}

/// Writes a recording to a file that was created before, so that a path that cannot be written is found before the game.
///
/// # Errors
/// [`FileError`] if the file cannot be written.
pub fn finish_recording(file: OutputFile, recording: &Recording) -> FileResult<()> {
    file.finish_with(&recording.to_bytes())
}
