//! Maps of the Tiled editor: `.tmx` and `.tmj`, finite, orthogonal or isometric.
//!
//! A tile's terrain is its property `terrain`, or else its class, or else the property `terrain` of its layer or of a group
//! around it. An integer property `cost` (1..=254, 255 closed) in the same places sets its cost for all locomotors; otherwise the
//! standard rules decide by name. Later layers cover earlier ones. Cells without a tile are [`EMPTY`],
//! closed to all. Objects of class `start` are player starts. Objects of class `building`, or with the property `stamp` (its
//! name), close the cells they touch. Infinite maps, object templates and zstd are refused with an error.
//!
//! Tilesets are read from the map's own folder only.

mod canvas;
mod gids;
mod precheck;
mod resources;
mod tmj;
mod tmx;

#[cfg(test)]
mod tests;

use std::path::Path;

use waymarch::cost::Map;

pub use canvas::EMPTY;

use crate::error::FileResult;
use crate::file_bytes;
use crate::load_options::LoadOptions;
use resources::Resources;

/// Reads a `.tmx` from memory; its tilesets must be embedded.
///
/// # Errors
/// [`FileError`](crate::FileError) with the problem and, if known, its place.
pub fn read_tmx(name: &str, bytes: &[u8]) -> FileResult<Map> {
    tmx::read(name, alone(bytes))
}

/// Reads a `.tmj` from memory; its tilesets must be embedded.
///
/// # Errors
/// [`FileError`](crate::FileError) with the problem and, if known, its place.
pub fn read_tmj(name: &str, bytes: &[u8]) -> FileResult<Map> {
    tmj::read(name, alone(bytes))
}

fn alone(map: &[u8]) -> Resources<'_> {
    Resources { map, folder: None, max_bytes: 0, budget: Default::default() }
}

/// Reads a `.tmx` or `.tmj` file, and the tilesets in its folder. The content tells the two formats apart.
///
/// # Errors
/// [`FileError`](crate::FileError) with the problem and, if known, its place.
pub fn load(path: &Path, options: &LoadOptions) -> FileResult<Map> {
    let name = path.display().to_string();
    let bytes = file_bytes::read_file(path, options.max_file_bytes)?;
    let folder = Some(path.parent().unwrap_or(Path::new("")));
    let resources =
        Resources { map: &bytes, folder, max_bytes: options.max_file_bytes, budget: Default::default() };
    let is_json = bytes.trim_ascii_start().first() == Some(&b'{');
    let mut map = if is_json { tmj::read(&name, resources) } else { tmx::read(&name, resources) }?;
    map.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(map)
}
