//! The checks of every parser's answer.
//!
//! An error has a place, and the place lies within the text. A map that was read is valid, and reads back unchanged from
//! our own YAML and from its original format if we write that format. Other faults show up as panics.

use std::fmt::Debug;
use std::sync::OnceLock;

use waymarch::base::{Fixed, GridSize, cell};
use waymarch::cost::{Map, Neighbours};
use waymarch::levels::LevelMap;
use waymarch::query::{Goal, ParseGoalError};
use waymarch::search::goal_distance;
use waymarch_maps::openra::{GameMod, MapBin, Package, Tileset, miniyaml, read_oramap};
use waymarch_maps::{FileError, FileResult, Place, crowd, image, movingai, tiled, yaml};
use zip::CompressionMethod;

use crate::openra_parts::{game, split, toy_parts, zipped};

/// Maps with more than 2¹⁴ cells are not written and read back, because a compressed image of a few bytes may be large.
const MAX_REREAD_CELLS: usize = 1 << 14;

/// Passes an answer on after checking its error, if it is one.
fn answered<T>(answer: FileResult<T>) -> FileResult<T> {
    answer.inspect_err(located)
}

/// Checks that an error has a place, and that the place lies in the text.
fn located(error: &FileError) {
    let shown = error.to_string();
    assert!(!error.problem.is_empty(), "an error without a text: {shown}");
    match &error.place {
        // A file that the input names and that cannot be read is wrong as a whole.
        Place::Whole => assert!(!error.file.starts_with("in."), "an error without a place: {shown}"),
        Place::Text { line, column, span } => {
            assert!(*line >= 1 && *column >= 1, "lines and columns count from 1: {shown}");
            if let (Some((start, len)), Some(text)) = (span, &error.text) {
                let part = start.checked_add(*len).and_then(|end| text.get(*start..end));
                assert!(part.is_some(), "bytes {start}+{len} are not a part of the text: {shown}");
            }
        }
        Place::Byte(_) | Place::Cell(_) | Place::Key(_) => {}
    }
}

/// Checks that a written value reads back unchanged.
fn same<T: PartialEq + Debug>(written: impl Debug, before: &T, after: FileResult<T>) {
    match after {
        Ok(after) => {
            assert!(*before == after, "reads back as\n{after:?}\nand not\n{before:?}\nfrom {written:?}")
        }
        Err(error) => panic!("does not read back: {error}\nfrom {written:?}"),
    }
}

/// Checks that a map is valid and reads back unchanged from our own format.
fn whole(map: &Map) {
    if let Err(error) = map.clone().validate() {
        panic!("a map that was read is not valid: {error}");
    }
    if map.size.cells() <= MAX_REREAD_CELLS {
        let text = yaml::write_map("out.yaml", map).expect("a valid map can be written");
        same(&text, map, yaml::read_map("out.yaml", text.as_bytes()));
    }
}

/// `Fixed::from_str`: a number reads back as it is displayed.
///
/// # Errors
/// As every target: what the parser refuses.
pub fn fixed(bytes: &[u8]) -> FileResult<()> {
    let wrong = |problem: String| FileError::new("number", problem).at(Place::Byte(0));
    let text = std::str::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
    let number: Fixed = text.parse().map_err(|error| wrong(format!("{error}")))?;
    assert_eq!(number.to_string().parse(), Ok(number), "from {text:?}");
    Ok(())
}

/// `Goal::from_str`: its errors lie within the text; a goal reads back as it is displayed and can be evaluated for any cell.
///
/// # Errors
/// As every target: what the parser refuses.
pub fn goal(bytes: &[u8]) -> FileResult<()> {
    let wrong = |problem: String, at: usize| FileError::new("goal", problem).at(Place::Byte(at as u64));
    let text = std::str::from_utf8(bytes).map_err(|error| wrong(error.to_string(), error.valid_up_to()))?;
    let goal: Goal = text.parse().map_err(|error: ParseGoalError| {
        assert!(text.is_char_boundary(error.at()), "{error} is not in {text:?}");
        wrong(error.to_string(), error.at())
    })?;
    assert_eq!(goal.to_string().parse(), Ok(goal.clone()), "from {text:?}");
    for at in [cell(0, 0), cell(7, 3), cell(i32::MIN, i32::MAX), cell(i32::MAX, -1)] {
        let empty = goal.shapes().iter().any(|shape| shape.bounds().is_empty());
        assert!(empty || goal.contains(at) == (goal.gap(at) == 0), "{at} from {text:?}");
        for neighbours in [Neighbours::Eight, Neighbours::Four] {
            let ahead = goal_distance(&goal, at, neighbours);
            assert!(empty || !goal.contains(at) || ahead == 0, "{at} from {text:?}");
        }
    }
    // Whether the goal is legal on a map is checked by `validate`; it must not panic.
    let _ = goal.validate(GridSize::new(20, 10).expect("a legal size"));
    Ok(())
}

/// [`movingai::read_map`].
///
/// # Errors
/// What the parser refuses.
pub fn movingai_map(bytes: &[u8]) -> FileResult<()> {
    let map = answered(movingai::read_map("in.map", bytes))?;
    whole(&map);
    let text = movingai::write_map("in.map", &map).expect("what was read can be written");
    same(&text, &map, movingai::read_map("in.map", text.as_bytes()));
    Ok(())
}

/// [`movingai::read_scen`].
///
/// # Errors
/// What the parser refuses.
pub fn movingai_scen(bytes: &[u8]) -> FileResult<()> {
    let scenario = answered(movingai::read_scen("in.scen", bytes))?;
    for query in &scenario.queries {
        let _ = (query.optimum.tolerance(), query.optimum.to_string());
    }
    Ok(())
}

/// [`crowd::read_scene`]: all coordinates lie in the range that local avoidance supports.
///
/// # Errors
/// What the parser refuses.
pub fn crowd_scene(bytes: &[u8]) -> FileResult<()> {
    let scene = answered(crowd::read_scene("in.json", bytes))?;
    assert!((1..=240).contains(&scene.ticks_per_second), "a tick rate that the engine takes");
    for agent in &scene.agents {
        let near = agent.at.iter().chain(&agent.goal).all(|part| part.abs() <= 4000.0);
        assert!(near && agent.radius > 0.0 && agent.speed > 0.0, "a legal unit: {agent:?}");
    }
    Ok(())
}

/// [`yaml::read_level_map`], then [`yaml::read_map`].
///
/// # Errors
/// What both parsers refuse.
pub fn yaml_map(bytes: &[u8]) -> FileResult<()> {
    if let Ok(map) = answered(yaml::read_level_map("in.yaml", bytes)) {
        if map.base.size.cells() <= MAX_REREAD_CELLS {
            let text = yaml::write_level_map("out.yaml", &map).expect("maps that were read are valid");
            same(&text, &map, yaml::read_level_map("out.yaml", text.as_bytes()));
        }
        if map != LevelMap::new(map.base.clone()) {
            answered(yaml::read_map("in.yaml", bytes)).expect_err("it has several levels");
            return Ok(());
        }
    }
    answered(yaml::read_map("in.yaml", bytes)).map(|map| whole(&map))
}

/// [`yaml::read_rules`].
///
/// # Errors
/// What the parser refuses.
pub fn yaml_rules(bytes: &[u8]) -> FileResult<()> {
    let rules = answered(yaml::read_rules("in.yaml", bytes))?;
    rules.validate().expect("rules that were read are valid");
    let text = yaml::write_rules(&rules);
    same(&text, &rules, yaml::read_rules("in.yaml", text.as_bytes()));
    Ok(())
}

/// [`yaml::read_config`].
///
/// # Errors
/// What the parser refuses.
pub fn yaml_config(bytes: &[u8]) -> FileResult<()> {
    let config = answered(yaml::read_config("in.yaml", bytes))?;
    config.validate().expect("settings that were read are valid");
    Ok(())
}

/// [`image::read_map`], with and without a legend.
///
/// # Errors
/// What the parser refuses.
pub fn png_map(bytes: &[u8]) -> FileResult<()> {
    static LEGEND: OnceLock<image::Legend> = OnceLock::new();
    let by_colour =
        answered(image::read_map("in.png", bytes, Some(LEGEND.get_or_init(image::Legend::default))));
    let map = answered(image::read_map("in.png", bytes, None))?;
    for map in by_colour.iter().chain([&map]).filter(|map| map.size.cells() <= MAX_REREAD_CELLS) {
        whole(map);
        let again = image::read_terrain("in.png", &image::write_map(map), &image::legend_for(map));
        same("a picture", &(map.size, map.terrain.clone()), again);
    }
    Ok(())
}

/// [`image::read_heightmap`].
///
/// # Errors
/// What the parser refuses.
pub fn png_heightmap(bytes: &[u8]) -> FileResult<()> {
    let (size, heights) = answered(image::read_heightmap("in.png", bytes, 1000))?;
    assert_eq!(heights.len(), size.cells());
    assert!(heights.iter().all(|height| (0..=1000).contains(height)), "a height outside black and white");
    Ok(())
}

/// [`image::Legend::parse`].
///
/// # Errors
/// What the parser refuses.
pub fn legend(bytes: &[u8]) -> FileResult<()> {
    let text = String::from_utf8_lossy(bytes);
    let legend = answered(image::Legend::parse("in.yaml", &text))?;
    let written = legend.to_text();
    same(&written, &legend, image::Legend::parse("in.yaml", &written));
    legend.rules().validate().expect("a legend that was read makes valid rules");
    Ok(())
}

/// [`tiled::read_tmx`].
///
/// # Errors
/// What the parser refuses.
pub fn tiled_tmx(bytes: &[u8]) -> FileResult<()> {
    answered(tiled::read_tmx("in.tmx", bytes)).map(|map| whole(&map))
}

/// [`tiled::read_tmj`].
///
/// # Errors
/// What the parser refuses.
pub fn tiled_tmj(bytes: &[u8]) -> FileResult<()> {
    answered(tiled::read_tmj("in.tmj", bytes)).map(|map| whole(&map))
}

/// [`miniyaml::parse_bytes`].
///
/// # Errors
/// What the parser refuses.
pub fn openra_miniyaml(bytes: &[u8]) -> FileResult<()> {
    answered(miniyaml::parse_bytes("in.yaml", bytes)).map(drop)
}

/// [`MapBin::parse`].
///
/// # Errors
/// What the parser refuses.
pub fn openra_map_bin(bytes: &[u8]) -> FileResult<()> {
    let map = answered(MapBin::parse("in.bin", bytes))?;
    let cells = map.size.cells();
    assert_eq!((map.tiles.len(), map.resources.len()), (cells, cells));
    Ok(())
}

/// [`Tileset::parse`].
///
/// # Errors
/// What the parser refuses.
pub fn openra_tileset(bytes: &[u8]) -> FileResult<()> {
    let tileset = answered(Tileset::parse("in.yaml", &String::from_utf8_lossy(bytes)))?;
    assert!((1..=255).contains(&tileset.terrains.len()));
    Ok(())
}

/// [`Package::from_zip`], and its members.
///
/// # Errors
/// What the parser refuses.
pub fn openra_package(bytes: &[u8]) -> FileResult<()> {
    let mut package = answered(Package::from_zip("in.oramap", bytes))?;
    let yaml = answered(package.read("map.yaml"));
    let bin = answered(package.read("map.bin"));
    yaml.and(bin).map(drop)
}

/// [`read_oramap`].
///
/// # Errors
/// What the parser refuses.
pub fn openra_oramap(bytes: &[u8]) -> FileResult<()> {
    static GAME: OnceLock<GameMod> = OnceLock::new();
    let toy = GAME.get_or_init(|| {
        let [_, _, tileset, rules, _] = toy_parts();
        game(tileset, rules).expect("the toy mod can be read")
    });
    answered(read_oramap("in.oramap", bytes, toy)).map(|map| whole(&map))
}

/// [`read_oramap`] with a mod, from the parts of both: mutations here are not caught by a ZIP's checksums.
///
/// # Errors
/// What the parser refuses.
pub fn openra_parts(bytes: &[u8]) -> FileResult<()> {
    let [map_yaml, own_yaml, tileset, rules, map_bin] = split(bytes);
    let game = answered(game(tileset, rules))?;
    let members = [("map.yaml", map_yaml), ("map.bin", map_bin), ("own.yaml", own_yaml)];
    let map = answered(read_oramap("in.oramap", &zipped(&members, CompressionMethod::Stored), &game))?;
    whole(&map);
    Ok(())
}

/// Corrects the checksums of a PNG's chunks.
pub fn repair_png(bytes: &mut [u8]) {
    const SIGNATURE: usize = 8;
    let mut at = SIGNATURE;
    while let Some(head) = bytes.get(at..at + 4) {
        let len = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let sum_at = at + 8 + len;
        let Some(chunk) = bytes.get(at + 4..sum_at) else { return };
        let mut sum = flate2::Crc::new();
        sum.update(chunk);
        let Some(slot) = bytes.get_mut(sum_at..sum_at + 4) else { return };
        slot.copy_from_slice(&sum.sum().to_be_bytes());
        at = sum_at + 4;
    }
}
