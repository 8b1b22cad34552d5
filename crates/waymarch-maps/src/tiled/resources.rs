//! The files a Tiled map may name: those in its own folder, of bounded length, checked before they are parsed.

use std::io::Cursor;
use std::path::{Component, Path};

use ::tiled::ResourceReader;

use super::precheck::{Root, TileBudget, check};
use crate::bounded;
use crate::error::{FileError, FileResult};

/// What the map is called towards the `tiled` crate, so that other files come out relative to its folder.
pub(super) const MAP_NAME: &str = "map.tmx";

/// Reads the map itself from memory and tilesets from `folder`; without one there are no other files.
#[derive(Debug)]
pub(super) struct Resources<'a> {
    pub(super) map: &'a [u8],
    pub(super) folder: Option<&'a Path>,
    pub(super) max_bytes: u64,
    pub(super) budget: TileBudget,
}

impl Resources<'_> {
    /// The bytes of a file in the folder.
    ///
    /// # Errors
    /// A path that leads out of the folder, or a file that is missing or too long.
    pub(super) fn read(&self, path: &Path) -> FileResult<Vec<u8>> {
        let refused = |problem: &str| FileError::new(path.display().to_string(), problem);
        let folder = self.folder.ok_or_else(|| refused("this map was read without its folder"))?;
        if !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            let error = refused("only files in the map's own folder are read");
            return Err(error.help("move the tileset beside the map, or embed it"));
        }
        let full = folder.join(path);
        // A link may lead out of the folder too.
        let real = |path: &Path| std::fs::canonicalize(path).map_err(|error| FileError::io(path, &error));
        if !real(&full)?.starts_with(real(if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        })?) {
            return Err(refused("only files in the map's own folder are read, this links out of it"));
        }
        bounded::read_file(&full, self.max_bytes)
    }
}

impl ResourceReader for Resources<'_> {
    type Resource = Cursor<Vec<u8>>;
    type Error = FileError;

    fn read_from(&mut self, path: &Path) -> Result<Self::Resource, FileError> {
        if path == Path::new(MAP_NAME) && !self.map.is_empty() {
            return Ok(Cursor::new(self.map.to_vec()));
        }
        let bytes = self.read(path)?;
        let name = path.display().to_string();
        check(&name, bounded::utf8(&name, &bytes)?, Root::Tileset, &mut self.budget)?;
        Ok(Cursor::new(bytes))
    }
}
