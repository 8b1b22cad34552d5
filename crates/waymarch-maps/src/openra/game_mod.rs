//! Reads the folder of an OpenRA mod: tilesets, actors and locomotors.

use std::path::{Path, PathBuf};

use super::inherit::Definitions;
use super::miniyaml;
use super::tileset::Tileset;
use crate::error::{FileError, FileResult};
use crate::file_bytes;
use crate::load_options::LoadOptions;

/// At most 1000 YAML files are read from one folder of a mod.
const MAX_FILES: usize = 1000;

/// The part of a game that its maps need.
#[derive(Clone, Debug, Default)]
pub struct GameMod {
    pub(super) tilesets: Vec<Tileset>,
    pub(super) definitions: Definitions,
    /// The folder it was read from, for messages.
    pub(super) place: String,
}

impl GameMod {
    /// An empty mod, to be filled.
    #[must_use]
    pub fn new(place: impl Into<String>) -> Self {
        Self { place: place.into(), ..Self::default() }
    }

    /// Adds the text of a tileset file.
    ///
    /// # Errors
    /// As [`Tileset::parse`].
    pub fn add_tileset(&mut self, name: &str, text: &str) -> FileResult<()> {
        self.tilesets.push(Tileset::parse(name, text)?);
        Ok(())
    }

    /// Adds the text of a rules file.
    ///
    /// # Errors
    /// As [`miniyaml::parse`].
    pub fn add_rules(&mut self, name: &str, text: &str) -> FileResult<()> {
        self.definitions.add(name, miniyaml::parse(name, text)?);
        Ok(())
    }

    /// Reads `tilesets/*.yaml` and `rules/*.yaml` of a mod's folder, sorted by name.
    ///
    /// # Errors
    /// [`FileError`] for a missing or empty folder, or a malformed file.
    pub fn read_dir(dir: &Path, options: &LoadOptions) -> FileResult<Self> {
        let mut game = Self::new(dir.display().to_string());
        for path in yaml_files(&dir.join("tilesets"))? {
            let name = path.display().to_string();
            let bytes = file_bytes::read_file(&path, options.max_file_bytes)?;
            game.add_tileset(&name, file_bytes::utf8(&name, &bytes)?)?;
        }
        for path in yaml_files(&dir.join("rules"))? {
            let name = path.display().to_string();
            let bytes = file_bytes::read_file(&path, options.max_file_bytes)?;
            game.add_rules(&name, file_bytes::utf8(&name, &bytes)?)?;
        }
        Ok(game)
    }
}

fn yaml_files(dir: &Path) -> FileResult<Vec<PathBuf>> {
    let entries = std::fs::read_dir(dir).map_err(|error| {
        FileError::io(dir, &error).help("an OpenRA map needs its mod: pass the mod's folder with --mod")
    })?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| FileError::io(dir, &error))?.path();
        if path.extension().is_some_and(|ext| ext == "yaml") {
            files.push(path);
        }
        if files.len() > MAX_FILES {
            let problem = format!("the folder has more than {MAX_FILES} YAML files");
            return Err(FileError::new(dir.display().to_string(), problem));
        }
    }
    files.sort();
    Ok(files)
}
