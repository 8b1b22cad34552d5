//! The other files of a Tiled map: only those in its own folder, of limited length, checked before they are parsed.

use std::io::Cursor;
use std::path::{Component, Path};

use ::tiled::ResourceReader;

use super::precheck::{Root, TileBudget, check};
use crate::error::{FileError, FileResult};
use crate::file_bytes;

/// The file name under which the `tiled` crate asks for the map. It has no folder, so the paths of other files are relative to the map's folder.
pub(super) const MAP_NAME: &str = "map.tmx";

/// Scratch: reads the map from memory and tilesets from `folder`. Without a folder there are no other files.
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
    /// [`FileError`] for a path that leads out of the folder, or a file that is missing or too long.
    pub(super) fn read(&self, path: &Path) -> FileResult<Vec<u8>> {
        let refused = |problem: &str| FileError::new(path.display().to_string(), problem);
        let folder = self
            .folder
            .ok_or_else(|| refused("a map from memory cannot use other files: embed the tileset"))?;
        if !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            let error = refused("only files in the map's own folder are read");
            return Err(error.help("move the tileset beside the map, or embed it"));
        }
        let full = folder.join(path);
        // A symbolic link may lead out of the folder too.
        let real = |path: &Path| std::fs::canonicalize(path).map_err(|error| FileError::io(path, &error));
        if !real(&full)?.starts_with(real(if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        })?) {
            return Err(refused(
                "only files in the map's own folder are read, but this one is a link out of it",
            ));
        }
        file_bytes::read_file(&full, self.max_bytes)
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
        check(&name, file_bytes::utf8(&name, &bytes)?, Root::Tileset, &mut self.budget)?;
        Ok(Cursor::new(bytes))
    }
}
