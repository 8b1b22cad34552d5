//! The folder of an OpenRA mod: its tilesets, and the rules for actors and locomotors.

use std::path::{Path, PathBuf};

use super::inherit::Definitions;
use super::miniyaml;
use super::tileset::Tileset;
use crate::bounded;
use crate::error::{FileError, FileResult};
use crate::load::LoadOptions;

/// At most this many YAML files are read from one folder of a mod.
const MAX_FILES: usize = 1000;

/// What a map needs to know of the game it was made for.
#[derive(Clone, Debug, Default)]
pub struct GameMod {
    pub(super) tilesets: Vec<Tileset>,
    pub(super) definitions: Definitions,
    /// Where it was read from, for messages.
    pub(super) place: String,
}

impl GameMod {
    /// A mod without anything in it, to be filled.
    #[must_use]
    pub fn new(place: impl Into<String>) -> Self {
        Self { place: place.into(), ..Self::default() }
    }

    /// Adds the text of a tileset file.
    ///
    /// # Errors
    /// Whatever [`Tileset::parse`] finds wrong.
    pub fn add_tileset(&mut self, name: &str, text: &str) -> FileResult<()> {
        self.tilesets.push(Tileset::parse(name, text)?);
        Ok(())
    }

    /// Adds the text of a rules file.
    ///
    /// # Errors
    /// Whatever [`miniyaml::parse`] finds wrong.
    pub fn add_rules(&mut self, name: &str, text: &str) -> FileResult<()> {
        self.definitions.add(name, miniyaml::parse(name, text)?);
        Ok(())
    }

    /// Reads `tilesets/*.yaml` and `rules/*.yaml` of a mod's folder, in the order of their names.
    ///
    /// # Errors
    /// A folder that is missing or empty, or a malformed file.
    pub fn read_dir(dir: &Path, options: &LoadOptions) -> FileResult<Self> {
        let mut game = Self::new(dir.display().to_string());
        for path in yaml_files(&dir.join("tilesets"))? {
            let name = path.display().to_string();
            let bytes = bounded::read_file(&path, options.max_file_bytes)?;
            game.add_tileset(&name, bounded::utf8(&name, &bytes)?)?;
        }
        for path in yaml_files(&dir.join("rules"))? {
            let name = path.display().to_string();
            let bytes = bounded::read_file(&path, options.max_file_bytes)?;
            game.add_rules(&name, bounded::utf8(&name, &bytes)?)?;
        }
        Ok(game)
    }
}

fn yaml_files(dir: &Path) -> FileResult<Vec<PathBuf>> {
    let entries = std::fs::read_dir(dir).map_err(|error| {
        FileError::io(dir, &error).help("an OpenRA map needs its mod: name the mod's folder with --mod")
    })?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| FileError::io(dir, &error))?.path();
        if path.extension().is_some_and(|ext| ext == "yaml") {
            files.push(path);
        }
        if files.len() > MAX_FILES {
            let problem = format!("more than {MAX_FILES} YAML files in one folder");
            return Err(FileError::new(dir.display().to_string(), problem));
        }
    }
    files.sort();
    Ok(files)
}
