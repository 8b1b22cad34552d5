//! Scenario files, and the maps that they name.

use std::path::Path;

use waymarch::cost::{Map, Rules};

use super::types::Scenario;
use crate::generate::{BUILTIN, GenerateOptions, builtin, generate, read_recipe, read_size};
use crate::{FileResult, LoadOptions, load_map, read_file, suggest, yaml};

/// Reads the scenario file at `path`. Maps that it names are looked up in the same folder.
///
/// # Errors
/// [`FileError`](crate::FileError) with the place of the first problem.
pub fn load_scenario(path: &Path) -> FileResult<Scenario> {
    let bytes = read_file(path, LoadOptions::default().max_file_bytes)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    yaml::read_scenario(&path.display().to_string(), &bytes, &|word| find_map(word, Some(folder)))
}

/// The map that `word` names: a built-in map, `generate:SEED:WxH`, `flat:WxH`, or a file in `folder`.
///
/// # Errors
/// A sentence with the problem and, if possible, a suggestion.
pub fn find_map(word: &str, folder: Option<&Path>) -> Result<Map, String> {
    if let Some(map) = builtin(word) {
        return Ok(map);
    }
    if let Some(recipe) = word.strip_prefix("generate:") {
        let (seed, size) = read_recipe(recipe)?;
        return Ok(generate(seed, size, &GenerateOptions::default()));
    }
    if let Some(size) = word.strip_prefix("flat:") {
        return Ok(Map::flat(word, read_size(size)?, Rules::standard()));
    }
    let names = BUILTIN.iter().map(|(name, _)| *name);
    let unknown = |why: &str| {
        let hint = suggest::hint(word, names.clone()).map_or(String::new(), |hint| format!(" ({hint})"));
        format!("{why}{hint}")
    };
    let Some(folder) = folder else { return Err(unknown("there is no built-in map with this name")) };
    let path = folder.join(word);
    if !path.exists() {
        return Err(unknown("there is neither a built-in map nor a file beside the scenario with this name"));
    }
    load_map(&path, &LoadOptions::default()).map_err(|error| error.to_string())
}
