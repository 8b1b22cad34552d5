//! Maps as PNG pictures.

use std::path::Path;

use waymarch::cost::Map;

use crate::{FileError, FileResult, LoadOptions};

/// Loads a map.
///
/// # Errors
/// Always, until this reader is merged.
pub fn load(path: &Path, _options: &LoadOptions) -> FileResult<Map> {
    Err(FileError::new(path.display().to_string(), "this kind of map is not built yet"))
}

/// Saves a map.
///
/// # Errors
/// Always, until this writer is merged.
pub fn save(path: &Path, _map: &Map) -> FileResult<()> {
    Err(FileError::new(path.display().to_string(), "pictures are not built yet"))
}
