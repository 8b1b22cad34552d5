//! What a caller may say about loading a map file.

use std::path::PathBuf;

/// Where to look for what a map file does not hold itself, and how much to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadOptions {
    /// The folder of an OpenRA mod (`rules/`, `tilesets/`); `None` looks beside the map.
    pub mod_dir: Option<PathBuf>,
    /// The legend of a colour image; `None` uses the one beside the image or the standard colours.
    pub legend: Option<PathBuf>,
    /// The longest file that is read, in bytes.
    pub max_file_bytes: u64,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { mod_dir: None, legend: None, max_file_bytes: 512 << 20 }
    }
}
