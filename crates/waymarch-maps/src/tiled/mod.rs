//! Maps of the Tiled editor: `.tmx` and `.tmj`, finite, orthogonal or isometric.
//!
//! A tile's terrain is its property `terrain`, else its class, else the property `terrain` of its layer or of a group
//! around it; an integer property `cost` (1..=254, 255 closed) in the same places gives it a cost for everyone, else the
//! standard rules do by name. Later layers cover earlier ones where they have a tile; cells without any are [`EMPTY`],
//! closed to all. Objects of class `start` are player starts; of class `building`, or with the property `stamp` (its
//! name), they close the cells they touch. Infinite maps, object templates and zstd are refused with an error.
//!
//! Other files (tilesets) are read from the map's own folder only.

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

use crate::bounded;
use crate::error::FileResult;
use crate::load::LoadOptions;
use resources::Resources;

/// Reads a `.tmx` from memory; its tilesets must be embedded.
///
/// # Errors
/// What is wrong, with its place where there is one.
pub fn read_tmx(name: &str, bytes: &[u8]) -> FileResult<Map> {
    tmx::read(name, alone(bytes))
}

/// Reads a `.tmj` from memory; its tilesets must be embedded.
///
/// # Errors
/// What is wrong, with its place where there is one.
pub fn read_tmj(name: &str, bytes: &[u8]) -> FileResult<Map> {
    tmj::read(name, alone(bytes))
}

fn alone(map: &[u8]) -> Resources<'_> {
    Resources { map, folder: None, max_bytes: 0, budget: Default::default() }
}

/// Reads a `.tmx` or `.tmj` file, which the content tells apart, and the tilesets in its folder.
///
/// # Errors
/// What is wrong, with its place where there is one.
pub fn load(path: &Path, options: &LoadOptions) -> FileResult<Map> {
    let name = path.display().to_string();
    let bytes = bounded::read_file(path, options.max_file_bytes)?;
    let folder = Some(path.parent().unwrap_or(Path::new("")));
    let resources =
        Resources { map: &bytes, folder, max_bytes: options.max_file_bytes, budget: Default::default() };
    let is_json = bytes.trim_ascii_start().first() == Some(&b'{');
    let mut map = if is_json { tmj::read(&name, resources) } else { tmx::read(&name, resources) }?;
    map.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(map)
}
