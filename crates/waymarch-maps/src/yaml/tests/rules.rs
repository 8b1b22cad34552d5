use waymarch::base::Fixed;
use waymarch::cost::{CrushMask, Mobility, Rules, Surface, SurfaceMask, TerrainModifier};

use crate::yaml::{builtin_rules, read_rules, write_rules};

/// The cost table of [`Rules::standard`], as a file.
const EXAMPLE_TABLE: &str = "\
terrain_costs:
\x20 Clear:    { foot: 1, wheel: 1, track: 1, float: 255 }
\x20 Road:     { foot: 1, wheel: 1, track: 1, float: 255 }
\x20 Rough:    { foot: 2, wheel: 3, track: 2, float: 255 }
\x20 River:    { foot: 6, wheel: 255, track: 255, float: 1 }
\x20 Water:    { foot: 255, wheel: 255, track: 255, float: 1 }
\x20 Bridge:   { foot: 1, wheel: 1, track: 1, float: 1 }
\x20 Wall:     { foot: 255, wheel: 255, track: 255, float: 255 }
";

const RICH: &str = "\
normal: 100
terrains:
  Mud: {surface: ground, modifier: {difficult: 1.5}, colour: '#80a0Ff'}
  Sea: {surface: water, modifier: {water: {swim_cost: 2}}}
  Hill: {modifier: {slope: {gradient: 0.3}}}
  Void: {surface: air, modifier: impassable}
  Plain:
locomotors:
  goat: {mobility: climber, can_swim: true, movement_modifier: 0.75}
  tank: {surfaces: [ground, rubble], crushes: [0, 31]}
  crow: {surfaces: [air]}
terrain_costs:
  Mud: {tank: 90, hover: 110}
  Lava: {crow: 254, goat: ~}
terrain_speeds:
  Mud: {tank: 40, goat: 75}
  Plain: {hover: 120, crow: ~}
";

fn refused(text: &str) -> String {
    read_rules("r.yaml", text.as_bytes()).expect_err("must be refused").to_string()
}

#[test]
fn the_example_table_gives_the_standard_rules() {
    assert_eq!(read_rules("example.yaml", EXAMPLE_TABLE.as_bytes()).unwrap(), Rules::standard());
    assert_eq!(builtin_rules("spec-000"), Some(Rules::standard()));
    assert_eq!(builtin_rules("nonsense"), None);
}

#[test]
fn every_key_of_terrains_and_locomotors_is_read() {
    let rules = read_rules("r.yaml", RICH.as_bytes()).unwrap();
    let names: Vec<&str> = rules.terrains.iter().map(|def| def.name.as_str()).collect();
    assert_eq!(names, ["Mud", "Sea", "Hill", "Void", "Plain", "Lava"]);
    assert_eq!(rules.normal, 100);
    assert_eq!(rules.terrains[0].colour, Some([0x80, 0xA0, 0xFF]));
    assert_eq!(rules.terrains[0].modifier, TerrainModifier::Difficult(Fixed::from_raw(1536)));
    assert_eq!(rules.terrains[2].modifier, TerrainModifier::Slope { gradient: Fixed::from_raw(307) });
    assert_eq!(rules.terrains[3].surface, Surface::Air);
    let names: Vec<&str> = rules.locomotors.iter().map(|def| def.name.as_str()).collect();
    assert_eq!(names, ["goat", "tank", "crow", "hover"]);
    assert_eq!(rules.locomotors[0].mobility, Mobility::Climber);
    assert!(rules.locomotors[0].can_swim);
    assert_eq!(rules.locomotors[0].movement_modifier, Fixed::from_raw(768));
    assert_eq!(rules.locomotors[1].crushes, CrushMask(1 | 1 << 31));
    assert_eq!(rules.locomotors[1].surfaces, SurfaceMask::GROUND | SurfaceMask::RUBBLE);
    assert_eq!(rules.locomotors[2].mobility, Mobility::Flying);
    assert_eq!(rules.costs[0], [None, Some(90), None, Some(110)]);
    assert_eq!(rules.costs[5], [None, None, Some(254)]);
    assert_eq!(rules.speeds[0], [Some(75), Some(40)]);
    assert_eq!(rules.speeds[4], [None, None, None, Some(120)]);
    assert_eq!(rules.speeds.len(), 5);
}

#[test]
fn written_rules_read_back_the_same() {
    for rules in
        [Rules::standard(), crate::movingai::weighted_rules(), read_rules("r", RICH.as_bytes()).unwrap()]
    {
        assert_eq!(read_rules("w", write_rules(&rules).as_bytes()).unwrap(), rules);
    }
}

#[test]
fn decimals_are_exact_not_floats() {
    let with = |factor: &str| {
        let text =
            format!("terrains: {{A: {{modifier: {{difficult: {factor}}}}}}}\nlocomotors: {{foot: }}\n");
        read_rules("r", text.as_bytes()).unwrap().terrains[0].modifier
    };
    assert_eq!(with("1.0009765625"), TerrainModifier::Difficult(Fixed::from_raw(1025)));
    assert_eq!(with("0.1"), TerrainModifier::Difficult(Fixed::from_raw(102)));
}

#[test]
fn errors_name_the_place() {
    let with = |from: &str, to: &str| refused(&RICH.replace(from, to));
    let cases = [
        (
            with("surface: ground", "surfce: ground"),
            "r.yaml:3:9: unknown key `surfce` in a terrain (did you mean `surface`?)",
        ),
        (
            with("surface: water", "surface: watr"),
            "r.yaml:4:18: `surface` is `watr`: it must be one of ground | water",
        ),
        (with("difficult: 1.5", "difficult: 0"), "r.yaml:3:48: `difficult` is `0`: it must be above 0"),
        (with("difficult: 1.5", "difficult: 1e3"), "`difficult` is `1e3`: not a decimal number"),
        (with("gradient: 0.3", "gradient: 1.1"), "`gradient` is `1.1`: it must be 0..=1"),
        (with("'#80a0Ff'", "#80a0Ff"), "this is not YAML"),
        (with("colour: '#80a0Ff'}", "colour: '80a0Ff'}"), "it must be six hexadecimal digits"),
        (with("tank: 90", "tank: 0"), "r.yaml:13:15: `tank` is `0`: it must be a whole number, 1..=255"),
        (with("tank: 90", "tank: 256"), "`tank` is `256`"),
        (with("[0, 31]", "[0, 32]"), "`crushes` is `32`: it must be a whole number, 0..=31"),
        (
            with("normal: 100", "normal: 255"),
            "r.yaml:1:9: `normal` is `255`: it must be a whole number, 1..=254",
        ),
        (with("normal: 100", "normal: 254"), "r.yaml:3:3: 'Mud' would cost 'goat' 286"),
        (with("mobility: climber", "mobility: climbing"), "one of terrestrial | climber | flying"),
        (with("  Sea:", "  Mud:"), "r.yaml:4:3: the key `Mud` is given twice"),
        (with("impassable", "imposable"), "did you mean `impassable`?"),
        (
            with("{tank: 40, goat", "{tank: 0, goat"),
            "r.yaml:16:15: `tank` is `0`: it must be a whole number, 1..=250",
        ),
        (with("{tank: 40, goat", "{tank: 251, goat"), "`tank` is `251`: it must be a whole number, 1..=250"),
        (
            with("Plain: {hover", "Plane: {hover"),
            "r.yaml:17:3: the rules have no terrain `Plane` (known here: Mud, Sea",
        ),
        (
            with("{hover: 120", "{hoover: 120"),
            "r.yaml:17:11: the rules have no locomotor `hoover` (did you mean `hover`?)",
        ),
        (with("{tank: 40, goat: 75}", "40"), "`Mud` is `40`: it must be a map"),
        (refused("normal: 3\n"), "r.yaml:1:1: the rules have no terrains"),
        (
            refused("terrains:\n  A:\n    colour: #ffffff\n"),
            "r.yaml:3:5: `colour` has no value (put the colour in quotes",
        ),
        (refused("terrain_costs: 7\n"), "`terrain_costs` is `7`: it must be a map"),
    ];
    for (error, expected) in cases {
        assert!(error.contains(expected), "{error}\nshould say {expected}");
    }
}

#[test]
fn too_many_names_are_refused_at_the_first_one_over_the_limit() {
    let locomotors: Vec<String> = (0..33).map(|number| format!("l{number}: 1")).collect();
    let error = refused(&format!("terrain_costs:\n  A: {{{}}}\n", locomotors.join(", ")));
    assert!(error.contains("more than 32 locomotors"), "{error}");
    let terrains: String = (0..257).map(|number| format!("  t{number}: {{foot: 1}}\n")).collect();
    assert!(
        refused(&format!("terrain_costs:\n{terrains}"))
            .starts_with("r.yaml:258:3: there are more than 256 terrains")
    );
}
