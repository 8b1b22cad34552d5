//! `terrain_speeds` in files: where the key is allowed, and its effect.

use waymarch::base::{Fixed, LocomotorId, cell};
use waymarch::cost::{CostLayer, CostSettings, Map, Rules, TerrainId};
use waymarch_maps::scenario::find_map;
use waymarch_maps::yaml::{read_map, read_scenario, write_map};

const MAP: &str = "\
waymarch_map: 1
rules: spec-000
terrain_speeds:
  Rough: {foot: 50, wheel: 20}
  Road: {wheel: 140}
legend: {'.': Clear, ',': Rough, '=': Road}
rows: |
  .,=
";

/// Speeds in per cent, rounded.
fn speeds(map: Map, locomotor: u8) -> Vec<i32> {
    let width = map.size.width() as i32;
    let layer = CostLayer::new(&map.validate().expect("legal"), CostSettings::default());
    let percent = |pace: Fixed| (pace.raw() * 100 + 512) / 1024;
    (0..width).map(|x| percent(layer.pace(cell(x, 0), LocomotorId(locomotor)))).collect()
}

#[test]
fn a_map_names_speeds_beside_built_in_rules() {
    let map = read_map("m.yaml", MAP.as_bytes()).expect("legal");
    assert_eq!(map.rules.costs, Rules::standard().costs, "costs are as they were");
    let again = read_map("w.yaml", write_map("w.yaml", &map).expect("legal").as_bytes()).expect("its own");
    assert_eq!(again.rules, map.rules);
    assert_eq!(speeds(map.clone(), 0), [100, 50, 100]);
    assert_eq!(speeds(map, 1), [100, 20, 140]);
}

#[test]
fn a_map_cannot_name_terrains_or_locomotors_that_its_rules_lack() {
    let refused = |from: &str, to: &str| {
        read_map("m.yaml", MAP.replace(from, to).as_bytes()).expect_err("must be refused").to_string()
    };
    let error = refused("Road: {wheel", "Raod: {wheel");
    assert!(error.starts_with("m.yaml:5:3: the rules have no terrain `Raod`"), "{error}");
    let error = refused("wheel: 140", "wheels: 140");
    assert!(error.starts_with("m.yaml:5:10: the rules have no locomotor `wheels`"), "{error}");
    let error = refused("140", "1.4");
    assert!(error.contains("`wheel` is `1.4`: it must be a whole number, 1..=250"), "{error}");
}

#[test]
fn a_scenario_changes_the_speeds_of_its_map() {
    let text = "\
waymarch_scenario: 1
map: flat:8x8
terrain_speeds: {Clear: {foot: 60}, Rough: {foot: 30}}
";
    let scenario = read_scenario("s.yaml", text.as_bytes(), &|name| find_map(name, None)).expect("legal");
    let rules = &scenario.setup.map.rules;
    assert_eq!(rules.speeds, [vec![Some(60)], vec![], vec![Some(30)]]);
    assert_eq!(speeds(scenario.setup.map.clone(), 0), [60; 8]);
    let valid = rules.validate().expect("legal");
    assert_eq!(valid.pace(TerrainId(2), LocomotorId(0)), Fixed::from_raw(307));
    let wrong = text.replace("Rough", "Mud");
    let error = read_scenario("s.yaml", wrong.as_bytes(), &|name| find_map(name, None)).expect_err("no mud");
    assert!(error.to_string().starts_with("s.yaml:3:37: the rules have no terrain `Mud`"), "{error}");
}
