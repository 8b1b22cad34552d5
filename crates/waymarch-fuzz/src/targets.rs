//! The list of targets.

use waymarch_maps::FileResult;

use crate::{commands, lazy_field, page_messages, parser_checks, saved_state};

/// How the inputs of a target are changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As texts: words, numbers, lines.
    Text,
    /// As bytes: flipped, cut, recombined from two files.
    Bytes,
}

/// A parser with the checks of its answers.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is also the name of its seed folder, its dictionary and its libFuzzer target.
    pub name: &'static str,
    /// Reads the bytes and checks the answer; panics if a check fails.
    pub check: fn(&[u8]) -> FileResult<()>,
    /// How its inputs are changed.
    pub form: Form,
    /// Corrects checksums; otherwise most mutants would be refused at once.
    pub repair: Option<fn(&mut [u8])>,
    /// How many bytes of memory one byte of input may take.
    ///
    /// For a compressed format this is the largest legal expansion; sizes in headers are not trusted.
    pub bytes_per_byte: u64,
    /// How many bytes of memory the numbers in an input ask for, such as the size of a map to generate.
    pub asked_bytes: fn(&[u8]) -> u64,
}

impl Target {
    /// The most memory that an input may take, in bytes.
    #[must_use]
    pub fn allowed_bytes(&self, input: &[u8]) -> u64 {
        BASE_BYTES + self.bytes_per_byte * input.len() as u64 + (self.asked_bytes)(input)
    }
}

/// An input whose numbers ask for no memory.
const fn nothing(_: &[u8]) -> u64 {
    0
}

/// Any input may take 64 MiB of memory besides [`Target::bytes_per_byte`] and [`Target::asked_bytes`].
pub const BASE_BYTES: u64 = 64 << 20;

const fn target(name: &'static str, check: fn(&[u8]) -> FileResult<()>) -> Target {
    Target { name, check, form: Form::Text, repair: None, bytes_per_byte: 64, asked_bytes: nothing }
}

/// A target that reads PNG images. One input byte may take 33,024 bytes: deflate packs 1032 bytes into one, a byte holds 8 pixels of one bit, and
/// such a pixel is read as 4 bytes.
const fn picture(name: &'static str, check: fn(&[u8]) -> FileResult<()>) -> Target {
    let bytes_per_byte = 1032 * 8 * 4;
    Target {
        name,
        check,
        form: Form::Text,
        repair: Some(parser_checks::repair_png),
        bytes_per_byte,
        asked_bytes: nothing,
    }
}

/// A target that loads saved state. One input byte may take 32 KiB: a cell of a map is one byte and has costs for up to 32 locomotors of 16 sizes,
/// and a stamp of a few bytes covers up to 4096 cells.
const fn state(name: &'static str, check: fn(&[u8]) -> FileResult<()>) -> Target {
    let repair = Some(saved_state::repair_frame as fn(&mut [u8]));
    Target { name, check, form: Form::Bytes, repair, bytes_per_byte: 1 << 15, asked_bytes: nothing }
}

/// A target that reads commands in bytes, which have no checksum. One input byte may take 32 KiB, as in saved state.
const fn unframed(name: &'static str, check: fn(&[u8]) -> FileResult<()>) -> Target {
    Target { name, check, form: Form::Bytes, repair: None, bytes_per_byte: 1 << 15, asked_bytes: nothing }
}

/// A target that reads commands as text. One input byte may take 32 KiB.
const fn commands_text(name: &'static str, check: fn(&[u8]) -> FileResult<()>) -> Target {
    Target { name, check, form: Form::Text, repair: None, bytes_per_byte: 1 << 15, asked_bytes: nothing }
}

/// A target that reads messages of pages. One input byte may take 8 KiB, and a map what [`page_messages::asked_bytes`] says.
const fn spoken(name: &'static str, check: fn(&[u8]) -> FileResult<()>) -> Target {
    let asked_bytes = page_messages::asked_bytes;
    Target { name, check, form: Form::Text, repair: None, bytes_per_byte: 1 << 13, asked_bytes }
}

/// Every parser.
pub const TARGETS: [Target; 27] = [
    unframed("commands", commands::commands),
    commands_text("commands_json", commands::commands_json),
    target("crowd_scene", parser_checks::crowd_scene),
    target("fixed", parser_checks::fixed),
    target("goal", parser_checks::goal),
    target("lazy_flow", lazy_field::lazy_flow),
    target("legend", parser_checks::legend),
    target("movingai_map", parser_checks::movingai_map),
    target("movingai_scen", parser_checks::movingai_scen),
    state("navigator_state", saved_state::navigator_state),
    target("openra_map_bin", parser_checks::openra_map_bin),
    target("openra_miniyaml", parser_checks::openra_miniyaml),
    target("openra_oramap", parser_checks::openra_oramap),
    target("openra_package", parser_checks::openra_package),
    target("openra_parts", parser_checks::openra_parts),
    target("openra_tileset", parser_checks::openra_tileset),
    spoken("page_message", page_messages::page_message),
    picture("png_heightmap", parser_checks::png_heightmap),
    picture("png_map", parser_checks::png_map),
    state("recording", saved_state::recording),
    target("tiled_tmj", parser_checks::tiled_tmj),
    target("tiled_tmx", parser_checks::tiled_tmx),
    state("world_state", saved_state::world_state),
    target("yaml_config", parser_checks::yaml_config),
    target("yaml_map", parser_checks::yaml_map),
    target("yaml_rules", parser_checks::yaml_rules),
    target("yaml_scenario", saved_state::yaml_scenario),
];

/// The target with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs one input through the target called `name`, for libFuzzer.
///
/// # Panics
/// If there is no such target, or a check fails.
pub fn run(name: &str, bytes: &[u8]) {
    let target = find(name).expect("a target of the list");
    // Most inputs are refused; the check has already looked at the error.
    let _ = (target.check)(bytes);
}
