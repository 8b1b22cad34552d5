use proptest::prelude::*;
use waymarch::base::{CellPos, Fixed, GridSize};
use waymarch::cost::{
    CrushMask, FootCell, LocomotorDef, Map, Mobility, PlacedStamp, Rules, Stamp, Surface, SurfaceMask,
    TerrainDef, TerrainId, TerrainModifier,
};

use crate::yaml::{read_map, read_rules, write_map, write_rules};

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z]{1,6}",
        "\\PC{0,6}",
        any::<String>(),
        Just("true".into()),
        Just("~".into()),
        Just("- a: #".into())
    ]
    .prop_map(|name: String| name.chars().filter(|&letter| letter != '\0').take(20).collect())
}

fn names(most: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::btree_set(name(), 1..=most).prop_map(|names| names.into_iter().rev().collect())
}

fn factor() -> impl Strategy<Value = Fixed> {
    (1..=20_000).prop_map(Fixed::from_raw)
}

fn modifier() -> impl Strategy<Value = TerrainModifier> {
    prop_oneof![
        Just(TerrainModifier::Normal),
        Just(TerrainModifier::Impassable),
        factor().prop_map(TerrainModifier::Difficult),
        factor().prop_map(|swim_cost| TerrainModifier::Water { swim_cost }),
        (0..=1024).prop_map(|raw| TerrainModifier::Slope { gradient: Fixed::from_raw(raw) }),
    ]
}

fn terrain() -> impl Strategy<Value = TerrainDef> {
    let surface = prop::sample::select(&Surface::ALL[..]);
    (surface, modifier(), any::<Option<[u8; 3]>>()).prop_map(|(surface, modifier, colour)| TerrainDef {
        name: String::new(),
        surface,
        modifier,
        colour,
    })
}

fn locomotor() -> impl Strategy<Value = LocomotorDef> {
    let surfaces = prop::collection::vec(prop::sample::select(&Surface::ALL[..]), 0..4);
    let mobility = prop::sample::select(vec![Mobility::Terrestrial, Mobility::Climber, Mobility::Flying]);
    (surfaces, mobility, any::<bool>(), any::<u32>(), 1..=8000).prop_map(
        |(surfaces, mobility, can_swim, crushes, modifier)| LocomotorDef {
            mobility,
            can_swim,
            crushes: CrushMask(crushes),
            movement_modifier: Fixed::from_raw(modifier),
            ..LocomotorDef::new("", surfaces.into_iter().collect::<SurfaceMask>())
        },
    )
}

prop_compose! {
    fn rules()(terrains in names(40), locomotors in names(6))(
        terrain_defs in prop::collection::vec(terrain(), terrains.len()),
        locomotor_defs in prop::collection::vec(locomotor(), locomotors.len()),
        costs in prop::collection::vec(
            prop::collection::vec(prop::option::of(1..=255_u8), 0..=locomotors.len()), 0..=terrains.len()),
        speeds in prop::collection::vec(
            prop::collection::vec(prop::option::of(1..=250_u8), 0..=locomotors.len()), 0..=terrains.len()),
        terrains in Just(terrains),
        locomotors in Just(locomotors),
    ) -> Rules {
        Rules {
            normal: 1,
            terrains: terrain_defs.into_iter().zip(terrains).map(|(def, name)| TerrainDef { name, ..def }).collect(),
            locomotors: locomotor_defs.into_iter().zip(locomotors)
                .map(|(def, name)| LocomotorDef { name, ..def }).collect(),
            costs,
            speeds,
        }
    }
}

fn foot_cell(terrains: usize) -> impl Strategy<Value = FootCell> {
    prop_oneof![
        Just(FootCell::Open),
        Just(FootCell::Blocked),
        Just(FootCell::NoStop),
        Just(FootCell::Gate),
        (0..=31_u8).prop_map(FootCell::Wall),
        (0..terrains as u8).prop_map(|terrain| FootCell::Terrain(TerrainId(terrain))),
    ]
}

fn placed(terrains: usize, width: u32, height: u32) -> impl Strategy<Value = PlacedStamp> {
    let sides = (1..=width, 1..=height);
    (sides, name(), prop::option::of(1..=u32::MAX)).prop_flat_map(
        move |((columns, lines), name, lifetime)| {
            let cells = prop::collection::vec(foot_cell(terrains), (columns * lines) as usize);
            (cells, 0..=(width - columns) as i32, 0..=(height - lines) as i32).prop_map(
                move |(cells, x, y)| {
                    let stamp = Stamp { name: name.clone(), width: columns, height: lines, cells, lifetime };
                    PlacedStamp { at: CellPos::new(x, y), stamp }
                },
            )
        },
    )
}

fn heights(cells: usize) -> impl Strategy<Value = Vec<i16>> {
    let steps = (1..=900_i16, prop::collection::vec(0..=35_i16, cells))
        .prop_map(|(step, digits)| digits.into_iter().map(|digit| digit * step).collect());
    prop_oneof![
        Just(Vec::new()),
        steps,
        prop::collection::vec(any::<i16>(), cells),
        Just(vec![i16::MIN; cells])
    ]
}

prop_compose! {
    fn map()(rules in rules(), width in 1..=9_u32, height in 1..=7_u32)(
        terrain in prop::collection::vec((0..rules.terrains.len() as u8).prop_map(TerrainId), (width * height) as usize),
        elevation in heights((width * height) as usize),
        stamps in prop::collection::vec(placed(rules.terrains.len(), width, height), 0..3),
        starts in prop::collection::vec((0..width as i32, 0..height as i32), 0..4),
        name in name(),
        rules in Just(rules),
        size in Just(GridSize::new(width, height)),
    ) -> Map {
        let starts = starts.into_iter().map(|(x, y)| CellPos::new(x, y)).collect();
        Map { name, size: size.unwrap(), rules, terrain, elevation, stamps, starts }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_map_reads_back_as_it_was_written(map in map()) {
        prop_assume!(map.clone().validate().is_ok());
        let text = write_map("out", &map).unwrap();
        let again = read_map("out", text.as_bytes());
        prop_assert_eq!(again.as_ref(), Ok(&map), "{}", text);
    }

    #[test]
    fn any_rules_read_back_as_they_were_written(rules in rules()) {
        prop_assume!(rules.validate().is_ok());
        let text = write_rules(&rules);
        let again = read_rules("out", text.as_bytes());
        prop_assert_eq!(again.as_ref(), Ok(&rules), "{}", text);
    }

    #[test]
    fn random_text_never_panics(text in "[-a-z0-9:|>{}\\[\\],&*!'\"#\n\t \r.é]{0,120}") {
        let _ = (read_map("f", text.as_bytes()), read_rules("f", text.as_bytes()));
        let _ = crate::yaml::read_config("f", text.as_bytes());
        let map = format!("waymarch_map: 1\nlegend: {{'.': Clear}}\nrows: |\n{text}");
        let _ = read_map("f", map.as_bytes());
    }

    #[test]
    fn a_map_that_is_not_valid_is_not_written(extra in 1..9_usize) {
        let mut map = Map::flat("m", GridSize::new(2, 2).unwrap(), Rules::standard());
        map.terrain.extend(vec![TerrainId(0); extra]);
        prop_assert!(write_map("out", &map).is_err());
    }
}
