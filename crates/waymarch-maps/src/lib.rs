//! Maps, rules and settings in and out: MovingAI, Waymarch's own YAML, images, Tiled, OpenRA, and generated maps.
//! Search traces out, for Posthoc. Scenarios and recorded games.
#![allow(
    clippy::disallowed_types,
    reason = "files and pictures are outside the simulation; results that matter are integers"
)]

mod bounded;
pub mod crowd;
mod error;
pub mod generate;
pub mod image;
mod load;
pub mod movingai;
mod named;
pub mod openra;
pub mod posthoc;
mod refine;
pub mod replay;
pub mod scenario;
mod source;
pub mod suggest;
pub mod tiled;
pub mod yaml;

pub use bounded::read_file;
pub use error::{FileError, FileResult, Place};
pub use load::{LoadOptions, load_map, save_map};
pub use refine::{refine, with_rules};
