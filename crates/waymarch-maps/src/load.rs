//! Loads and saves maps of all formats: chooses the reader by extension or content.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use waymarch::cost::Map;
use waymarch::levels::LevelMap;

use crate::apply_options::apply_options;
use crate::file_bytes::read_file;
use crate::load_options::LoadOptions;
use crate::output_file::write_file;
use crate::{FileError, FileResult, image, movingai, openra, tiled, yaml};

/// The format of a file, by its name and first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    MovingAi,
    Yaml,
    OpenRa,
    Picture,
    Tiled,
}

/// Loads a map of any known format: `.map` (MovingAI), `.yaml` or `.yml` (Waymarch's own), `.png`, `.tmx` or `.tmj`
/// (Tiled), `.oramap` or a folder (OpenRA). Without a known extension the content decides. Other rules and heights replace those of
/// the map if the options name them.
///
/// # Errors
/// [`FileError`] with the file, the place in it and the problem.
pub fn load_map(path: &Path, options: &LoadOptions) -> FileResult<Map> {
    apply_options(read(path, options)?, options)
}

/// Whether a file is a map of several levels: a Waymarch map with decks, links or heights of units.
///
/// # Errors
/// [`FileError`] if the file cannot be read, or its format is not known.
pub fn has_levels(path: &Path, options: &LoadOptions) -> FileResult<bool> {
    if kind_of(path)? != Kind::Yaml {
        return Ok(false);
    }
    let bytes = read_file(path, options.max_file_bytes)?;
    // Only a key at the beginning of a line belongs to the map itself. Other notations are refused when the map is read.
    let keys = [b"decks:".as_slice(), b"links:", b"unit_heights:"];
    Ok(bytes.split(|&byte| byte == b'\n').any(|line| keys.iter().any(|key| line.starts_with(key))))
}

/// Loads a map of one or several levels. Only Waymarch's own format has several.
///
/// # Errors
/// As [`load_map`]. Other rules and heights are refused for a map of several levels.
pub fn load_level_map(path: &Path, options: &LoadOptions) -> FileResult<LevelMap> {
    if !has_levels(path, options)? {
        return load_map(path, options).map(LevelMap::new);
    }
    let name = path.display().to_string();
    if options.rules.is_some() || options.heights.is_some() {
        return Err(FileError::new(
            name,
            "a map of several levels takes no other rules and no other heights",
        ));
    }
    yaml::read_level_map(&name, &read_file(path, options.max_file_bytes)?)
}

/// The options among `legend` and `mod_dir` that are set but that the map has no use for, by name.
///
/// # Errors
/// [`FileError`] if the file cannot be read, or its format is not known.
pub fn unused_options(path: &Path, options: &LoadOptions) -> FileResult<Vec<&'static str>> {
    let kind = kind_of(path)?;
    let legend = options.legend.is_some() && !matches!(kind, Kind::Picture | Kind::Tiled);
    let mod_dir = options.mod_dir.is_some() && kind != Kind::OpenRa;
    Ok([(legend, "legend"), (mod_dir, "mod_dir")].into_iter().filter(|it| it.0).map(|it| it.1).collect())
}

fn kind_of(path: &Path) -> FileResult<Kind> {
    if path.is_dir() {
        return Ok(Kind::OpenRa);
    }
    match by_extension(path) {
        Some(Kind::Yaml) if is_openra_yaml(&read_start(path)?) => Ok(Kind::OpenRa),
        Some(kind) => Ok(kind),
        None => by_content(&read_start(path)?).ok_or_else(|| {
            FileError::new(path.display().to_string(), "this is not a map file of a known format")
                .help("known: .map, .yaml, .png, .tmx, .tmj, .oramap, an OpenRA map folder")
        }),
    }
}

fn read(path: &Path, options: &LoadOptions) -> FileResult<Map> {
    let name = path.display().to_string();
    match kind_of(path)? {
        Kind::OpenRa if by_extension(path) == Some(Kind::Yaml) && !path.is_dir() => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            openra::load(folder.unwrap_or(Path::new(".")), options)
        }
        Kind::MovingAi => movingai::read_map(&name, &read_file(path, options.max_file_bytes)?),
        Kind::Yaml => yaml::read_map(&name, &read_file(path, options.max_file_bytes)?),
        Kind::OpenRa => openra::load(path, options),
        Kind::Picture => image::load(path, options),
        Kind::Tiled => tiled::load(path, options),
    }
}

/// Saves a map in the format of its extension. `.yaml` and `.yml` keep everything. `.png` keeps terrain, with costs in a
/// legend file, but no heights, stamps and starts. `.map` (MovingAI) keeps terrain without its rules, and refuses maps with anything else.
///
/// # Errors
/// [`FileError`] if the file cannot be written, or the format cannot hold the map.
pub fn save_map(path: &Path, map: &Map) -> FileResult<()> {
    let name = path.display().to_string();
    let text = match by_extension(path) {
        Some(Kind::Yaml) => yaml::write_map(&name, map)?,
        Some(Kind::MovingAi) => movingai::write_map(&name, map)?,
        Some(Kind::Picture) => return image::save(path, map),
        _ => {
            let problem = "a map can be saved as .yaml, .png or .map only";
            return Err(FileError::new(name, problem));
        }
    };
    write_file(path, text.as_bytes())
}

/// The first 4096 bytes of a file.
fn read_start(path: &Path) -> FileResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let io = |error: std::io::Error| FileError::io(path, &error);
    File::open(path).map_err(io)?.take(4096).read_to_end(&mut bytes).map_err(io)?;
    Ok(bytes)
}

fn by_extension(path: &Path) -> Option<Kind> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "map" => Some(Kind::MovingAi),
        "yaml" | "yml" => Some(Kind::Yaml),
        "oramap" => Some(Kind::OpenRa),
        "png" => Some(Kind::Picture),
        "tmx" | "tmj" => Some(Kind::Tiled),
        _ => None,
    }
}

fn by_content(start: &[u8]) -> Option<Kind> {
    let text = String::from_utf8_lossy(start);
    let has_line = |key: &str| text.lines().any(|line| line.starts_with(key));
    match start {
        [0x89, b'P', b'N', b'G', ..] => Some(Kind::Picture),
        [b'P', b'K', 3, 4, ..] => Some(Kind::OpenRa),
        _ if text.trim_start().starts_with("type octile") => Some(Kind::MovingAi),
        _ if has_line("waymarch_map:") => Some(Kind::Yaml),
        _ if text.contains("<map ") || text.contains("\"tilewidth\"") => Some(Kind::Tiled),
        _ => None,
    }
}

/// Whether a YAML file is the `map.yaml` of an OpenRA map folder.
fn is_openra_yaml(start: &[u8]) -> bool {
    String::from_utf8_lossy(start).lines().any(|line| line.starts_with("MapFormat:"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    const OCTILE: &[u8] = b"type octile\nheight 1\nwidth 2\nmap\n.T\n";

    /// A folder for one test, removed afterwards.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let path = std::env::temp_dir().join(format!("waymarch-load-{}-{test}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
            let path = self.0.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_map_is_saved_and_loaded_by_its_extension() {
        let folder = Folder::new("extension");
        let map = load_map(&folder.file("a.map", OCTILE), &LoadOptions::default()).unwrap();
        for name in ["a.yaml", "a.YML", "a.map"] {
            let path = folder.0.join(name);
            save_map(&path, &map).unwrap();
            assert_eq!(load_map(&path, &LoadOptions::default()).unwrap(), map);
        }
        let error = save_map(&folder.0.join("a.doc"), &map).unwrap_err();
        assert!(error.problem.contains(".yaml, .png or .map"));
    }

    #[test]
    fn without_an_extension_the_content_decides() {
        let folder = Folder::new("content");
        let map = load_map(&folder.file("octile", OCTILE), &LoadOptions::default()).unwrap();
        let text = yaml::write_map("", &map).unwrap();
        assert_eq!(load_map(&folder.file("ours", text.as_bytes()), &LoadOptions::default()).unwrap(), map);
        let error = load_map(&folder.file("other", b"hello"), &LoadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("not a map file of a known format"));
    }

    #[test]
    fn a_file_over_the_limit_is_refused_unread_and_a_missing_one_is_named() {
        let folder = Folder::new("limit");
        let path = folder.file("a.map", OCTILE);
        let short = LoadOptions { max_file_bytes: 10, ..LoadOptions::default() };
        assert!(load_map(&path, &short).unwrap_err().problem.contains("the limit is 10"));
        let error = load_map(&folder.0.join("missing.map"), &LoadOptions::default()).unwrap_err();
        assert!(error.file.ends_with("missing.map"));
    }
}
