//! The list of targets.

use waymarch_maps::FileResult;

use crate::{lazy, oracle, page, saved};

/// One parser with what must hold of its answers.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: of its seeds' folder, its dictionary, and its libFuzzer target.
    pub name: &'static str,
    /// Reads the bytes and checks the answer; panics when a promise is broken.
    pub check: fn(&[u8]) -> FileResult<()>,
    /// Makes checksums right again, without which most mutants would be refused at the door.
    pub repair: Option<fn(&mut [u8])>,
    /// How many bytes of memory one byte of input may cost.
    ///
    /// Where a format packs its data this is what a byte can honestly unpack to, not a licence to believe headers.
    pub bytes_per_byte: u64,
}

/// What any input may cost in memory, besides [`Target::bytes_per_byte`].
pub const BASE_BYTES: u64 = 64 << 20;

const fn target(name: &'static str, check: fn(&[u8]) -> FileResult<()>) -> Target {
    Target { name, check, repair: None, bytes_per_byte: 64 }
}

/// Deflate packs 1032 bytes into one, a byte holds 8 pixels of one bit, and such a pixel is read as 4 bytes.
const fn picture(name: &'static str, check: fn(&[u8]) -> FileResult<()>) -> Target {
    let bytes_per_byte = 1032 * 8 * 4;
    Target { name, check, repair: Some(oracle::repair_png), bytes_per_byte }
}

/// A cell of a map, one byte, has costs for up to 32 locomotors of 16 sizes, and a stamp of a few bytes covers up to 4096 cells.
const fn state(name: &'static str, check: fn(&[u8]) -> FileResult<()>) -> Target {
    Target { name, check, repair: Some(saved::repair_frame), bytes_per_byte: 1 << 15 }
}

/// A word can ask for a map of 2048×2048 cells with all that is built on it, or for 5000 units.
const fn spoken(name: &'static str, check: fn(&[u8]) -> FileResult<()>) -> Target {
    Target { name, check, repair: None, bytes_per_byte: 1 << 24 }
}

/// Every parser.
pub const TARGETS: [Target; 25] = [
    target("crowd_scene", oracle::crowd_scene),
    target("fixed", oracle::fixed),
    target("goal", oracle::goal),
    target("lazy_flow", lazy::lazy_flow),
    target("legend", oracle::legend),
    target("movingai_map", oracle::movingai_map),
    target("movingai_scen", oracle::movingai_scen),
    state("navigator_state", saved::navigator_state),
    target("openra_map_bin", oracle::openra_map_bin),
    target("openra_miniyaml", oracle::openra_miniyaml),
    target("openra_oramap", oracle::openra_oramap),
    target("openra_package", oracle::openra_package),
    target("openra_parts", oracle::openra_parts),
    target("openra_tileset", oracle::openra_tileset),
    spoken("page_message", page::page_message),
    picture("png_heightmap", oracle::png_heightmap),
    picture("png_map", oracle::png_map),
    state("recording", saved::recording),
    target("tiled_tmj", oracle::tiled_tmj),
    target("tiled_tmx", oracle::tiled_tmx),
    state("world_state", saved::world_state),
    target("yaml_config", oracle::yaml_config),
    target("yaml_map", oracle::yaml_map),
    target("yaml_rules", oracle::yaml_rules),
    target("yaml_scenario", saved::yaml_scenario),
];

/// The target of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs one input through the target called `name`, for libFuzzer.
///
/// # Panics
/// When there is no such target, or when a promise is broken.
pub fn run(name: &str, bytes: &[u8]) {
    let target = find(name).expect("a target of the list");
    // Being refused is what most inputs deserve; whether the refusal is a good one was checked.
    let _ = (target.check)(bytes);
}
