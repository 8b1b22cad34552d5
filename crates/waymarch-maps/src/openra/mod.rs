//! OpenRA maps.

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
