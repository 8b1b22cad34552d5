//! The scenarios in the program, by name.

use super::load::find_map;
use super::types::Scenario;
use crate::yaml::read_scenario;

/// Names and files of the built-in scenarios. The first is the default.
pub const BUILTIN_SCENARIOS: &[(&str, &str)] = &[
    ("valley-march", include_str!("builtin/valley-march.yaml")),
    ("corner", include_str!("builtin/corner.yaml")),
    ("door", include_str!("builtin/door.yaml")),
    ("crossing", include_str!("builtin/crossing.yaml")),
    ("circle-swap", include_str!("builtin/circle-swap.yaml")),
    ("order-storm", include_str!("builtin/order-storm.yaml")),
    ("bridge-destroyed", include_str!("builtin/bridge-destroyed.yaml")),
    ("two-bridges", include_str!("builtin/two-bridges.yaml")),
    ("siege", include_str!("builtin/siege.yaml")),
    ("maze", include_str!("builtin/maze.yaml")),
    ("islands", include_str!("builtin/islands.yaml")),
    ("patrol", include_str!("builtin/patrol.yaml")),
    ("walled-in", include_str!("builtin/walled-in.yaml")),
    ("edit-storm", include_str!("builtin/edit-storm.yaml")),
    ("landing", include_str!("builtin/landing.yaml")),
];

/// The built-in scenario called `name`, or `None`. It is the same on every machine.
///
/// ```
/// let scenario = waymarch_maps::scenario::builtin_scenario("crossing").unwrap();
/// assert!(!scenario.squads.is_empty());
/// ```
#[must_use]
pub fn builtin_scenario(name: &str) -> Option<Scenario> {
    let (_, text) = BUILTIN_SCENARIOS.iter().find(|(known, _)| *known == name)?;
    // A test reads all of them, so this never fails.
    read_scenario(name, text.as_bytes(), &|word| find_map(word, None)).ok()
}
