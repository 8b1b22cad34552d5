//! OpenRA maps: a folder or a `.oramap` (ZIP) with `map.yaml` and `map.bin`, and the mod they were made for.
//!
//! A cell's terrain comes from its tile, then from a resource that grows on it; outside `Bounds` it is [`OUTSIDE`],
//! closed to all. Buildings become stamps, `mpspawn` actors become starts, the mod's locomotors become the rules (see
//! `locomotors.rs` for costs). Heights are not imported. Of a ZIP only `map.yaml`, `map.bin` and the map's own rules
//! are ever unpacked, within limits.

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

pub use assemble::OUTSIDE;
pub use game_mod::GameMod;
pub use map_bin::{MapBin, Tile};
pub use package::{MAX_MEMBER_BYTES, MAX_MEMBERS, MAX_RATIO, Package};
pub use tileset::Tileset;

use crate::bounded;
use crate::error::FileResult;
use crate::load::LoadOptions;

/// Reads a `.oramap` from memory.
///
/// # Errors
/// What is wrong with the ZIP or a member, with its place.
pub fn read_oramap(name: &str, bytes: &[u8], game: &GameMod) -> FileResult<Map> {
    let mut map = assemble::assemble(&mut Package::from_zip(name, bytes)?, game)?;
    if map.name.is_empty() {
        name.clone_into(&mut map.name);
    }
    Ok(map)
}

/// Reads an OpenRA map from a folder or a `.oramap` file.
///
/// The mod is `options.mod_dir`, or the folder `mod` beside the folder the map lies in (`maps/x.oramap` → `mod`).
///
/// # Errors
/// What is wrong with the map or its mod, with file and place.
pub fn load(path: &Path, options: &LoadOptions) -> FileResult<Map> {
    let game = GameMod::read_dir(&mod_dir(path, options), options)?;
    let mut map = if path.is_dir() {
        assemble::assemble(&mut Package::Folder { path, max_bytes: options.max_file_bytes }, &game)?
    } else {
        read_oramap(&path.display().to_string(), &bounded::read_file(path, options.max_file_bytes)?, &game)?
    };
    if map.name.is_empty() {
        map.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    Ok(map)
}

fn mod_dir(path: &Path, options: &LoadOptions) -> PathBuf {
    match &options.mod_dir {
        Some(dir) => dir.clone(),
        // Made whole first: the parent of `.` or of a bare name is not in its text.
        None => std::path::absolute(path)
            .ok()
            .and_then(|whole| std::fs::canonicalize(&whole).ok().or(Some(whole)))
            .and_then(|whole| Some(whole.parent()?.join("..").join("mod")))
            .unwrap_or_else(|| PathBuf::from("mod")),
    }
}
