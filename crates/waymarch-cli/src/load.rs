//! Finds what a word on the command line names: a map, a settings file, or a scenario.

use std::path::Path;

use waymarch::config::Config;
use waymarch::cost::{Map, ValidMap};
use waymarch::levels::LevelMap;
use waymarch_maps::generate::{BUILTIN, GenerateOptions, builtin, generate, read_recipe};
use waymarch_maps::scenario::{BUILTIN_SCENARIOS, Scenario, builtin_scenario, load_scenario};
use waymarch_maps::{
    LoadOptions, apply_options, has_levels, load_level_map, load_map, read_file, unused_options, yaml,
};

use crate::diagnostics::{Failure, Kind};

/// The map that `word` names: a built-in map, a generated one, or a file.
pub(crate) fn find_map(word: &str, options: &LoadOptions) -> Result<ValidMap, Failure> {
    let map = plain_map(word, options)?;
    map.validate().map_err(|error| Failure::new(Kind::Invalid, format!("{word}: {error}")))
}

/// The map of several levels that `word` names; `None` if it names a map of one level, or none.
pub(crate) fn find_level_map(word: &str, options: &LoadOptions) -> Result<Option<LevelMap>, Failure> {
    let path = Path::new(word);
    let is_file = builtin(word).is_none() && !word.starts_with("generate:") && path.is_file();
    // A file that is unreadable or unknown is reported when it is read as a map of one level.
    if !is_file || !has_levels(path, options).unwrap_or(false) {
        return Ok(None);
    }
    Ok(Some(load_level_map(path, options)?))
}

/// The only map of a command. Refuses `--legend` and `--mod` if the map has no use for them.
pub(crate) fn find_only_map(word: &str, options: &LoadOptions) -> Result<ValidMap, Failure> {
    let is_made_here = builtin(word).is_some() || word.starts_with("generate:");
    let path = Path::new(word);
    let unused = match (is_made_here, &options.legend, &options.mod_dir) {
        (true, Some(_), _) => vec!["legend"],
        (true, None, Some(_)) => vec!["mod_dir"],
        // A file that is missing or unknown is reported when it is read.
        _ => unused_options(path, options).unwrap_or_default(),
    };
    if let Some(unused) = unused.first() {
        let (option, kinds) = match *unused {
            "legend" => ("--legend", "PNG and Tiled maps"),
            _ => ("--mod", "OpenRA maps"),
        };
        return Err(Failure::new(
            Kind::Usage,
            format!("{option}: only {kinds} have a use for it, not `{word}`"),
        ));
    }
    find_map(word, options)
}

fn plain_map(word: &str, options: &LoadOptions) -> Result<Map, Failure> {
    if let Some(map) = builtin(word) {
        return Ok(apply_options(map, options)?);
    }
    if let Some(recipe) = word.strip_prefix("generate:") {
        let wrong = |why: String| {
            let help = "write it as generate:SEED:WxH, for example generate:7:128x96";
            Failure::new(Kind::Usage, format!("`{word}`: {why}")).help(help)
        };
        let (seed, size) = read_recipe(recipe).map_err(wrong)?;
        return Ok(apply_options(generate(seed, size, &GenerateOptions::default()), options)?);
    }
    let path = Path::new(word);
    let is_bare = !word.contains(['/', '\\', '.']);
    if is_bare && !path.exists() {
        let names: Vec<&str> = BUILTIN.iter().map(|(name, _)| *name).collect();
        return Err(Failure::unknown("map file or built-in map", word, &names));
    }
    Ok(load_map(path, options)?)
}

/// The settings in a file; the defaults without one.
pub(crate) fn find_config(path: Option<&Path>) -> Result<Config, Failure> {
    let Some(path) = path else { return Ok(Config::default()) };
    let bytes = read_file(path, LoadOptions::default().max_file_bytes)?;
    Ok(yaml::read_config(&path.display().to_string(), &bytes)?)
}

/// The scenario that `word` names: a built-in one, or a file.
pub(crate) fn find_scenario(word: &str) -> Result<Scenario, Failure> {
    if let Some(scenario) = builtin_scenario(word) {
        return Ok(scenario);
    }
    let path = Path::new(word);
    if !word.contains(['/', '\\', '.']) && !path.exists() {
        let names: Vec<&str> = BUILTIN_SCENARIOS.iter().map(|(name, _)| *name).collect();
        return Err(Failure::unknown("scenario file or built-in scenario", word, &names));
    }
    Ok(load_scenario(path)?)
}
