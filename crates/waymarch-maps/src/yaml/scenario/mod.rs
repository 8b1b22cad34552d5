//! Reads and writes scenario files, which `docs/scenarios.md` describes.

mod actions;
mod formations;
mod orders;
mod units;
mod values;
mod write;

use waymarch::config::Config;
use waymarch::cost::Map;
use waymarch::world::Setup;

pub use write::write_scenario;

use super::config::set_config;
use super::fields::Reader;
use super::map_read::map_within;
use super::terrain_speeds::{TERRAIN_SPEEDS, read_speeds};
use super::tree::{Limits, Node, Value};
use crate::FileResult;
use crate::scenario::{MAX_SCENARIO_TICKS, Scenario};

/// The keys of a scenario file.
const KEYS: [&str; 15] = [
    "waymarch_scenario",
    "name",
    "about",
    "map",
    TERRAIN_SPEEDS,
    "seed",
    "ticks",
    "config",
    "unit_types",
    "units",
    "groups",
    "formations",
    "orders",
    "edits",
    "actions",
];

/// Reads a scenario. `find_map` returns the map with a name, or a sentence that says why there is none (see
/// [`find_map`](crate::scenario::find_map)).
///
/// # Errors
/// [`FileError`](crate::FileError) with line and column of the first problem.
pub fn read_scenario(
    name: &str,
    bytes: &[u8],
    find_map: &dyn Fn(&str) -> Result<Map, String>,
) -> FileResult<Scenario> {
    let (reader, root) = Reader::open(name, bytes, Limits::MAP, "waymarch_scenario: 1")?;
    let fields = reader.fields(&root, "a scenario file", &KEYS)?;
    let missing = |key: &str| reader.source.error(0, 0, format!("the scenario has no `{key}`"));
    let version = fields.get(KEYS[0]).ok_or_else(|| missing(KEYS[0]))?;
    reader
        .whole(version, KEYS[0], 1..=1)
        .map_err(|error| error.help("this version of Waymarch reads scenario format 1"))?;
    let text = |key: &str| fields.get(key).map(|node| reader.text(node, key)).transpose();
    let number =
        |key: &str, most: u64| fields.get(key).map(|node| reader.whole(node, key, 0..=most)).transpose();
    let mut map = read_map(&reader, fields.get("map").ok_or_else(|| missing("map"))?, find_map)?;
    if let Some(node) = fields.get(TERRAIN_SPEEDS) {
        read_speeds(&reader, node, &mut map.rules)?;
    }
    let mut config = Config::default();
    if let Some(node) = fields.get("config") {
        set_config(&reader, node, "`config`", &mut config)?;
    }
    let (size, rules) = (map.size, map.rules.clone());
    let mut scenario = Scenario {
        name: text("name")?.unwrap_or(name).to_string(),
        about: text("about")?.unwrap_or_default().to_string(),
        setup: Setup { config, map, seed: number("seed", u64::MAX)?.unwrap_or(0) },
        ticks: number("ticks", MAX_SCENARIO_TICKS)?.unwrap_or(1000),
        types: Vec::new(),
        squads: Vec::new(),
        groups: Vec::new(),
        formations: Vec::new(),
        names: Vec::new(),
        actions: Vec::new(),
    };
    if let Some(node) = fields.get("unit_types") {
        scenario.types = units::read_types(&reader, node, &rules, &scenario.setup.config)?;
    }
    if let Some(node) = fields.get("units") {
        units::read_units(&reader, node, size, &mut scenario)?;
    }
    if let Some(node) = fields.get("groups") {
        units::read_groups(&reader, node, &mut scenario)?;
    }
    if let Some(node) = fields.get("formations") {
        formations::read_formations(&reader, node, &mut scenario)?;
    }
    if let Some(node) = fields.get("edits") {
        actions::read_edits(&reader, node, size, &rules, &mut scenario)?;
    }
    if let Some(node) = fields.get("orders") {
        actions::read_orders(&reader, node, size, &rules, &mut scenario)?;
    }
    if let Some(node) = fields.get("actions") {
        actions::read_actions(&reader, node, size, &rules, &mut scenario)?;
    }
    // The sort is stable: within one tick squads come first, then edits, orders and actions, each in the order of the file.
    scenario.actions.sort_by_key(|action| action.tick);
    Ok(scenario)
}

/// A map's name, or the map itself.
fn read_map<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    find_map: &dyn Fn(&str) -> Result<Map, String>,
) -> FileResult<Map> {
    if let Value::Map(_) = node.value {
        return map_within(reader, node);
    }
    let word = reader.text(node, "map")?;
    let map = find_map(word).map_err(|why| reader.wrong(node, "map", format_args!("a map: {why}")))?;
    // The caller provides `find_map`, so the map is validated here.
    let valid = map.validate().map_err(|error| reader.error(node, error.to_string()))?;
    Ok(valid.into_inner())
}
