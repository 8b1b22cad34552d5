//! Options of map readers.

use std::path::PathBuf;

use waymarch::cost::ELEVATION_UNIT;

/// What a map reader may need besides the map file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadOptions {
    /// The folder of the OpenRA mod (tilesets and rules) that an OpenRA map belongs to.
    pub mod_dir: Option<PathBuf>,
    /// A legend file that says which colour or tile is which terrain, for images and Tiled maps.
    pub legend: Option<PathBuf>,
    /// Other rules for the map: the name of built-in rules (see [`yaml::builtin_rules`](crate::yaml::builtin_rules)) or a rules file.
    pub rules: Option<String>,
    /// A grey image of the map's size with its heights.
    pub heights: Option<PathBuf>,
    /// The height of a white pixel in [`LoadOptions::heights`]; 256 is one cell.
    pub white_height: i16,
    /// Files with more bytes are refused before they are read. The default is 512 MiB.
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
