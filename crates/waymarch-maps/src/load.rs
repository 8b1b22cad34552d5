//! One door for every map file: which reader, by extension and content.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use waymarch::cost::{ELEVATION_UNIT, Map};

use crate::bounded::read_file;
use crate::refine::refine;
use crate::{FileError, FileResult, image, movingai, openra, tiled, yaml};

/// What a reader may need besides the file itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadOptions {
    /// The folder of the OpenRA mod (tilesets and rules) that OpenRA maps are made for.
    pub mod_dir: Option<PathBuf>,
    /// A legend file that says which colour or tile is which terrain, for pictures and Tiled maps.
    pub legend: Option<PathBuf>,
    /// Other rules for the map: the name of a built-in set (see [`yaml::builtin_rules`]) or a rules file.
    pub rules: Option<String>,
    /// A grey picture of the map's size with its heights.
    pub heights: Option<PathBuf>,
    /// The height of a white pixel in [`LoadOptions::heights`], 256 to a cell-width.
    pub white_height: i16,
    /// Files longer than this are refused before they are read.
    pub max_file_bytes: u64,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            mod_dir: None,
            legend: None,
            rules: None,
            heights: None,
            white_height: 8 * ELEVATION_UNIT,
            max_file_bytes: 512 << 20,
        }
    }
}

/// What a file is, as far as its name and first bytes say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    MovingAi,
    Yaml,
    OpenRa,
    Picture,
    Tiled,
}

/// Loads a map of any known kind: `.map` (MovingAI), `.yaml` or `.yml` (Waymarch's own), `.png`, `.tmx` or `.tmj`
/// (Tiled), `.oramap` or a folder (OpenRA). Without a known extension the content decides. Other rules and heights are laid
/// over it if the options say so.
///
/// # Errors
/// [`FileError`] naming the file, the place in it and what is wrong.
pub fn load_map(path: &Path, options: &LoadOptions) -> FileResult<Map> {
    refine(read(path, options)?, options)
}

fn read(path: &Path, options: &LoadOptions) -> FileResult<Map> {
    if path.is_dir() {
        return openra::load(path, options);
    }
    let name = path.display().to_string();
    let kind = match by_extension(path) {
        Some(Kind::Yaml) if is_openra_yaml(&read_start(path)?) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            return openra::load(folder.unwrap_or(Path::new(".")), options);
        }
        Some(kind) => kind,
        None => by_content(&read_start(path)?).ok_or_else(|| {
            FileError::new(&name, "no map of a kind that is known here")
                .help("known: .map, .yaml, .png, .tmx, .tmj, .oramap, an OpenRA map folder")
        })?,
    };
    match kind {
        Kind::MovingAi => movingai::read_map(&name, &read_file(path, options.max_file_bytes)?),
        Kind::Yaml => yaml::read_map(&name, &read_file(path, options.max_file_bytes)?),
        Kind::OpenRa => openra::load(path, options),
        Kind::Picture => image::load(path, options),
        Kind::Tiled => tiled::load(path, options),
    }
}

/// Saves a map by its extension: `.yaml` or `.yml` keeps everything; `.png` and `.map` (MovingAI) what they can say.
///
/// # Errors
/// [`FileError`] when the file cannot be written, or the format cannot hold the map.
pub fn save_map(path: &Path, map: &Map) -> FileResult<()> {
    let name = path.display().to_string();
    let text = match by_extension(path) {
        Some(Kind::Yaml) => yaml::write_map(&name, map)?,
        Some(Kind::MovingAi) => movingai::write_map(&name, map)?,
        Some(Kind::Picture) => return image::save(path, map),
        _ => {
            let problem = "maps are saved as .yaml, .png or .map";
            return Err(FileError::new(name, problem));
        }
    };
    std::fs::write(path, text).map_err(|error| FileError::io(path, &error))
}

/// The first few thousand bytes of a file.
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
    use super::*;

    const OCTILE: &[u8] = b"type octile\nheight 1\nwidth 2\nmap\n.T\n";

    /// A folder of its own for one test, removed afterwards.
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
        assert!(error.to_string().contains("no map of a kind that is known here"));
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
