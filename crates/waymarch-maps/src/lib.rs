//! Files in and out: maps, rules, settings, scenarios, recordings and search traces; and generated maps.
//!
//! - [`load_map`] and [`save_map`] choose the format by a file's extension or content
//! - map formats: [`movingai`], [`yaml`] (Waymarch's own), [`image`] (PNG), [`tiled`], [`openra`]
//! - [`generate`]: built-in maps and the seeded map generator
//! - [`scenario`]: a map with units, orders and edits, and the [`Simulation`](scenario::Simulation) that plays it
//! - [`crowd`]: crowd scenes in JSON, for comparison with other engines
//! - [`posthoc`]: search traces for the Posthoc visualiser; [`recording`]: recorded games
//!
//! [`OutputFile`] and [`write_file`] write every file: a failed write leaves the old file as it was.
//!
//! Every reader checks sizes before it allocates, and every error is a [`FileError`] with file, place, problem and hint.
#![allow(
    clippy::disallowed_types,
    reason = "files and pictures are outside the simulation; results that matter are integers"
)]

mod apply_options;
pub mod crowd;
mod error;
mod file_bytes;
pub mod generate;
pub mod image;
mod load;
mod load_options;
pub mod movingai;
pub mod openra;
mod output_file;
pub mod posthoc;
pub mod recording;
mod rules_by_name;
pub mod scenario;
pub mod suggest;
mod text_source;
pub mod tiled;
pub mod yaml;

pub use apply_options::{apply_options, with_rules};
pub use error::{FileError, FileResult, Place};
pub use file_bytes::read_file;
pub use load::{has_levels, load_level_map, load_map, save_map, unused_options};
pub use load_options::LoadOptions;
pub use output_file::{OutputFile, remove_unfinished_files, write_file};

/// Renamed to [`recording`].
#[deprecated(since = "0.2.0", note = "renamed to `recording`")]
pub mod replay {
    pub use crate::recording::{load_recording, save_recording};
}

/// Renamed to [`apply_options`].
///
/// # Errors
/// As [`apply_options`].
#[deprecated(since = "0.2.0", note = "renamed to `apply_options`")]
pub fn refine(map: waymarch::cost::Map, options: &LoadOptions) -> FileResult<waymarch::cost::Map> {
    apply_options(map, options)
}
