//! OpenRA maps: a folder or a `.oramap` (ZIP) with `map.yaml` and `map.bin`, and the mod they belong to.
//!
//! A cell's terrain comes from its tile, or from a resource that grows on it. Outside `Bounds` it is [`OUTSIDE`],
//! which is closed to all. Buildings become stamps, `mpspawn` actors become starts, the mod's locomotors become the rules (see
//! `locomotors.rs` for costs). Heights are not imported. From a ZIP only `map.yaml`, `map.bin` and the map's own rules
//! are unpacked, within limits.

mod assemble;
mod footprint;
mod game_mod;
mod inherit;
mod locomotors;
mod map_bin;
pub mod miniyaml;
mod package;
mod tileset;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use waymarch::cost::Map;

use assemble::MapParts;
pub use assemble::OUTSIDE;
pub use game_mod::GameMod;
pub use map_bin::{MapBin, Tile};
pub use package::{MAX_MEMBER_BYTES, MAX_MEMBERS, MAX_RATIO, Package};
pub use tileset::Tileset;

use crate::error::FileResult;
use crate::file_bytes;
use crate::load_options::LoadOptions;

/// Reads a `.oramap` from memory.
///
/// # Errors
/// [`FileError`](crate::FileError) with the place of a problem in the ZIP or one of its members.
pub fn read_oramap(name: &str, bytes: &[u8], game: &GameMod) -> FileResult<Map> {
    let mut package = Package::from_zip(name, bytes)?;
    let parts = MapParts::read(&mut package)?;
    let mut map = assemble::assemble(&mut package, &parts, game)?;
    if map.name.is_empty() {
        name.clone_into(&mut map.name);
    }
    Ok(map)
}

/// Reads an OpenRA map from a folder or a `.oramap` file.
///
/// The mod is `options.mod_dir`, or the folder `mod` beside the folder that contains the map (`maps/x.oramap` → `mod`).
///
/// # Errors
/// [`FileError`](crate::FileError) with file and place of a problem in the map or its mod.
pub fn load(path: &Path, options: &LoadOptions) -> FileResult<Map> {
    let name = path.display().to_string();
    let bytes;
    let mut package = if path.is_dir() {
        Package::Folder { path, max_bytes: options.max_file_bytes }
    } else {
        bytes = file_bytes::read_file(path, options.max_file_bytes)?;
        Package::from_zip(&name, &bytes)?
    };
    // The map is read before its mod, so that the error for a damaged map is not hidden by one about the mod.
    let parts = MapParts::read(&mut package)?;
    let game = GameMod::read_dir(&mod_dir(path, options), options)?;
    let mut map = assemble::assemble(&mut package, &parts, &game)?;
    if map.name.is_empty() {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        map.name = if path.is_dir() { stem } else { name };
    }
    Ok(map)
}

fn mod_dir(path: &Path, options: &LoadOptions) -> PathBuf {
    match &options.mod_dir {
        Some(dir) => dir.clone(),
        // The path is made absolute first, because a path like `.` or `x.oramap` does not name its parent folder.
        None => std::path::absolute(path)
            .ok()
            .and_then(|whole| std::fs::canonicalize(&whole).ok().or(Some(whole)))
            .and_then(|whole| Some(whole.parent()?.join("..").join("mod")))
            .unwrap_or_else(|| PathBuf::from("mod")),
    }
}
