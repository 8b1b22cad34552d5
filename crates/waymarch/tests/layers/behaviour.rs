//! Cost layer and A* as a game sees them: one scene per behaviour, most of them drawn.

use waymarch::base::{Agent, CellRect, Fixed, GridSize, LocomotorId, SizeClass, Tick, cell};
use waymarch::config::{
    AvoidanceModel, Config, Eviction, FormationMarch, FormationType, GroupSpeed, InfluenceAvoidance,
    PathSmoothing, PushMechanics, RepathFrequency,
};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, CrushMask, Falloff, FootCell, GateState, LocomotorDef, Map,
    Mobility, Neighbours, Rules, RulesError, Stamp, Surface, SurfaceMask, TerrainDef, TerrainId,
    TerrainModifier, ThreatSource, ValidRules, with_threat,
};
use waymarch::query::{Controller, PathQuery, PlanError, Threat};
use waymarch::search::{Route, octile};
use waymarch::world::Navigator;
use waymarch_testkit::picture::Picture;

const FOOT: LocomotorId = LocomotorId(0);

fn navigator(map: Map) -> Navigator {
    Navigator::new(map, Config::default()).expect("a legal map")
}

/// The numbers of straight and of diagonal steps on the route from A to B in a drawn map.
fn steps(drawn: &str, size: SizeClass) -> Result<(u64, u64), PlanError> {
    let picture = Picture::new(drawn);
    let (from, to) = (picture.start(), picture.goal());
    let route = navigator(picture.map).path(from, to, Agent { locomotor: FOOT, size })?;
    Ok(route.steps())
}

fn size(width: u32, height: u32) -> GridSize {
    GridSize::new(width, height).expect("a legal size")
}

#[test]
fn no_corner_is_cut() {
    assert_eq!(steps("A.\n.B", SizeClass::ONE), Ok((0, 1)));
    assert_eq!(steps("A#\n.B", SizeClass::ONE), Ok((2, 0)));
    let closed = steps("A#\n#B", SizeClass::ONE);
    assert_eq!(closed, Err(PlanError::Unreachable { from: cell(0, 0), to: cell(1, 1) }));
}

#[test]
fn the_corner_rule_is_a_setting() {
    let picture = Picture::new("A#\n#B");
    for (corner_rule, neighbours, found) in [
        (CornerRule::Forbid, Neighbours::Eight, false),
        (CornerRule::AllowOne, Neighbours::Eight, false),
        (CornerRule::Allow, Neighbours::Eight, true),
        (CornerRule::Allow, Neighbours::Four, false),
    ] {
        let config = Config { corner_rule, neighbours, ..Config::default() };
        let mut nav = Navigator::new(picture.map.clone(), config).expect("legal");
        let route = nav.path(picture.start(), picture.goal(), FOOT);
        assert_eq!(route.is_ok(), found, "{corner_rule:?} {neighbours:?}");
    }
}

#[test]
fn a_big_unit_goes_around_a_gap_it_does_not_fit() {
    let drawn = "
        .......#........
        .A.....#......B.
        ................
        .......#........
        .......#........
        ................
        ................
        ................
    ";
    let (small, _) = steps(drawn, SizeClass::ONE).expect("the gap is one cell high");
    let (big, down) = steps(drawn, SizeClass::THREE).expect("there is a route around the gap");
    assert!(big + down > small, "the route goes around the gap");
    assert!(down >= 4, "the route goes down and up again");
    let no_way_round = "
        .......#........
        .A.....#......B.
        ................
        .......#........
    ";
    assert!(steps(no_way_round, SizeClass::ONE).is_ok());
    let refused = steps(no_way_round, SizeClass::TWO);
    assert_eq!(refused, Err(PlanError::Unreachable { from: cell(1, 1), to: cell(14, 1) }));
}

#[test]
fn every_bad_question_is_answered_with_the_culprit() {
    let picture = Picture::new("A.#\n..B");
    let mut nav = navigator(picture.map);
    let size = nav.layer().grid();
    let off = cell(3, 0);
    assert_eq!(nav.path(off, cell(0, 0), FOOT), Err(PlanError::OffMap { at: off, size }));
    let far = cell(i32::MIN, i32::MAX);
    assert_eq!(nav.path(cell(0, 0), far, FOOT), Err(PlanError::OffMap { at: far, size }));
    assert_eq!(nav.path(cell(2, 0), cell(0, 0), FOOT), Err(PlanError::StartBlocked { at: cell(2, 0) }));
    assert_eq!(nav.path(cell(0, 0), cell(2, 0), FOOT), Err(PlanError::GoalBlocked { at: cell(2, 0) }));
    let unknown = Agent::from(LocomotorId(9));
    assert_eq!(nav.path(cell(0, 0), cell(1, 1), unknown), Err(PlanError::UnknownAgent(unknown)));
    let giant = Agent { locomotor: FOOT, size: SizeClass::new(9).expect("legal") };
    assert_eq!(nav.path(cell(0, 0), cell(1, 1), giant), Err(PlanError::UnknownAgent(giant)));
    let exit = Stamp::filled("factory exit", 1, 1, FootCell::NoStop);
    nav.place(&exit, cell(1, 0)).expect("it fits");
    assert_eq!(nav.path(cell(0, 0), cell(1, 0), FOOT), Err(PlanError::GoalNoStop { at: cell(1, 0) }));
    assert_eq!(nav.path(cell(0, 0), cell(0, 0), FOOT).map(|route| route.waypoints), Ok(vec![cell(0, 0)]));
}

#[test]
fn a_gate_is_passable_while_open_and_a_wall_only_for_units_that_crush_it() {
    let mut rules = Rules::standard();
    rules.locomotors[2].crushes = CrushMask(1 << 3);
    let mut nav = navigator(Map::flat("walled", size(11, 3), rules));
    let (foot, track) = (FOOT, LocomotorId(2));
    let crossing =
        |nav: &mut Navigator, locomotor: LocomotorId| nav.path(cell(0, 1), cell(10, 1), locomotor).is_ok();
    let gate = nav.place(&Stamp::filled("gate", 1, 3, FootCell::Gate), cell(5, 0)).expect("it fits");
    assert!(!crossing(&mut nav, foot));
    nav.set_gate(gate, GateState::Open).expect("a gate");
    assert!(crossing(&mut nav, foot));
    nav.remove(gate).expect("it stands");
    nav.place(&Stamp::filled("wall", 1, 3, FootCell::Wall(3)), cell(5, 0)).expect("it fits");
    assert!(!crossing(&mut nav, foot) && crossing(&mut nav, track));
    nav.place(&Stamp::filled("bunker", 1, 3, FootCell::Wall(4)), cell(5, 0)).expect("it fits");
    assert!(!crossing(&mut nav, track), "it crushes one of the two classes that stand there");
}

#[test]
fn a_bridge_opens_the_river_for_as_long_as_it_stands() {
    let mut map = Map::flat("river", size(9, 9), Rules::standard());
    for y in 0..9 {
        map.set_terrain(cell(4, y), TerrainId(4));
    }
    let mut nav = navigator(map);
    let there = |nav: &mut Navigator| nav.path(cell(0, 4), cell(8, 4), FOOT).is_ok();
    assert!(!there(&mut nav));
    let bridge = Stamp::filled("bridge", 1, 1, FootCell::Terrain(TerrainId(5))).lasting(3);
    nav.place(&bridge, cell(4, 4)).expect("it fits");
    assert!(there(&mut nav));
    nav.tick();
    nav.tick();
    assert!(there(&mut nav), "it stands for three ticks");
    nav.tick();
    assert!(!there(&mut nav), "it is removed when its ticks are over");
}

#[test]
fn roads_cheaper_than_normal_attract_and_rough_ground_repels() {
    let mut rules = Rules::standard();
    rules.normal = 100;
    rules.costs[0] = vec![Some(100)];
    rules.costs[1] = vec![Some(80)];
    let mut map = Map::flat("road", size(40, 9), rules);
    for x in 0..40 {
        map.set_terrain(cell(x, 1), TerrainId(1));
    }
    let mut nav = navigator(map);
    let route = nav.path(cell(0, 4), cell(39, 4), FOOT).expect("open ground");
    assert!(route.cells().filter(|at| at.y == 1).count() > 25, "it uses the road");
    assert_eq!(nav.layer().field(FOOT.into()).expect("foot").cheapest(), 80);
}

#[test]
fn units_that_heed_threat_go_round_it_and_others_through() {
    let mut rules = Rules::standard();
    rules.normal = 10;
    rules.costs[0] = vec![Some(10)];
    let mut nav = navigator(Map::flat("field", size(40, 40), rules));
    let tower = ThreatSource { at: cell(20, 20), radius: 6, strength: 100, falloff: Falloff::Flat };
    nav.add_threat(tower).expect("on the map");
    for _ in 0..4 {
        nav.tick();
    }
    let mut route = Route::new();
    let mut danger = |threat| {
        let query = PathQuery::new(cell(2, 20), cell(37, 20), FOOT).with_threat(threat);
        nav.path_into(&query, &mut route).expect("open ground");
        route.cells().filter(|&at| nav.layer().threat().at(at) > 0).count()
    };
    assert_eq!(danger(Threat::Heed), 0);
    assert_eq!(danger(Threat::Ignore), 13);
}

#[test]
fn a_navigator_avoids_threat_for_the_controllers_that_the_setting_names() {
    for (setting, player_dares, ai_dares) in [
        (InfluenceAvoidance::None, true, true),
        (InfluenceAvoidance::AiOnly, true, false),
        (InfluenceAvoidance::All, false, false),
    ] {
        let mut rules = Rules::standard();
        rules.costs[0] = vec![Some(10)];
        let config = Config { influence_avoidance: setting, ..Config::default() };
        let mut nav = Navigator::new(Map::flat("field", size(40, 40), rules), config).expect("legal");
        let tower = ThreatSource { at: cell(20, 20), radius: 6, strength: 100, falloff: Falloff::Flat };
        nav.add_threat(tower).expect("on the map");
        (0..4).for_each(|_| nav.tick());
        let mut dares = |controller| {
            let route = nav.path_for(controller, cell(2, 20), cell(37, 20), FOOT).expect("open ground");
            route.cells().any(|at| nav.layer().threat().at(at) > 0)
        };
        assert_eq!(dares(Controller::Player), player_dares, "{setting:?}");
        assert_eq!(dares(Controller::Ai), ai_dares, "{setting:?}");
    }
}

/// A config for each named setting, with that setting changed. A new setting does not compile until it is named here, or among the settings
/// that are left out.
macro_rules! changed_settings {
    (left out: $($other:ident)*; $($field:ident: $value:expr,)*) => {{
        let Config { $($other: _,)* $($field: _,)* } = Config::default();
        [$((stringify!($field), Config { $field: $value, ..Config::default() }),)*]
    }};
}

#[test]
fn every_setting_that_decides_answers_is_in_the_state_hash() {
    let changed = changed_settings! {
        // Texts and the size of a cache decide nothing; the test below changes the settings of splines.
        // Settings of one avoidance model are refused with another: the test after that.
        left out: name description path_cache_size spline_samples spline_tension
            avoidance_horizon avoidance_strength comfort_margin commitment_ticks;
        neighbours: Neighbours::Four,
        corner_rule: CornerRule::Allow,
        size_classes: vec![1, 4],
        sector_size: 16,
        flowfield_group_threshold: 9,
        jps_precomputed: false,
        short_path_threshold: 65,
        merge_bias: 7,
        async_temp_paths: false,
        route_per_mille: 1050,
        ticks_per_second: 30,
        avoidance_model: AvoidanceModel::OrcaLite,
        avoidance_neighbours: 7,
        push_mechanics: PushMechanics::Aggressive,
        formation_movement: false,
        formation_type: FormationType::Line,
        formation_march: FormationMarch::Wait,
        eviction: Eviction::Put,
        group_speed: GroupSpeed::Slowest,
        synchronized_arrival: false,
        congestion: false,
        congestion_gain: 6,
        group_cohesion: 13,
        path_smoothing: PathSmoothing::Spline,
        repath_frequency: RepathFrequency::Low,
        repath_on_block: false,
        stuck_threshold: 13,
        repath_cooldown: 31,
        repath_escalation: false,
        influence_avoidance: InfluenceAvoidance::All,
        threat_update_frequency: 5,
        threat_max_cost: 100,
        flowfield_cache_max_tiles: 65,
        flowfield_tile_ttl: 121,
        max_paths_per_tick: 33,
        max_flowfield_gens_per_tick: 5,
        max_path_nodes_per_tick: 6145,
        path_lanes: 5,
    };
    let map = || Map::flat("field", size(20, 20), Rules::standard());
    let hash = |config: Config| Navigator::new(map(), config).expect("legal").state_hash();
    let plain = hash(Config::default());
    let mut totals = vec![plain.total()];
    for (key, config) in changed {
        assert_ne!(config, Config::default(), "{key} is changed");
        let other = hash(config);
        assert_eq!(plain.first_difference(&other), Some("config"), "{key}");
        totals.push(other.total());
    }
    let count = totals.len();
    totals.sort_unstable();
    totals.dedup();
    assert_eq!(totals.len(), count, "no two settings have the same effect on the hash");
    for config in [
        Config { name: "Other".to_string(), ..Config::default() },
        Config { description: "Other".to_string(), ..Config::default() },
        Config { path_cache_size: 7, ..Config::default() },
    ] {
        assert_eq!(plain, hash(config), "it decides nothing");
    }
}

#[test]
fn settings_of_one_avoidance_model_are_in_the_state_hash() {
    let map = || Map::flat("field", size(20, 20), Rules::standard());
    let hash = |config: Config| Navigator::new(map(), config).expect("legal").state_hash();
    let lite = Config { avoidance_model: AvoidanceModel::OrcaLite, ..Config::default() };
    let mut hashes = vec![hash(lite.clone()).total()];
    for config in [
        Config { avoidance_horizon: 25, ..lite.clone() },
        Config { avoidance_strength: Fixed::from_raw(1), ..lite.clone() },
        Config { comfort_margin: Fixed::from_raw(1), ..lite.clone() },
        Config { commitment_ticks: 9, ..lite.clone() },
    ] {
        hashes.push(hash(config).total());
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 5);
}

#[test]
fn settings_of_splines_are_in_the_state_hash_of_games_with_splines() {
    let map = || Map::flat("field", size(20, 20), Rules::standard());
    let hash = |config: Config| Navigator::new(map(), config).expect("legal").state_hash();
    let curves = Config { path_smoothing: PathSmoothing::Spline, ..Config::default() };
    for config in [
        Config { spline_samples: 5, ..curves.clone() },
        Config { spline_tension: Fixed::from_raw(1), ..curves.clone() },
    ] {
        assert_ne!(hash(curves.clone()), hash(config));
    }
}

#[test]
fn everything_on_the_map_that_decides_answers_is_in_the_state_hash() {
    let map = || Map::flat("field", size(20, 20), Rules::standard());
    let hash = |map: Map| Navigator::new(map, Config::default()).expect("legal").state_hash();
    let plain = hash(map());
    let edits: [fn(&mut Map); 6] = [
        |map| map.rules.locomotors[0].crushes = CrushMask(4),
        |map| map.rules.locomotors[0].mobility = Mobility::Climber,
        |map| map.rules.locomotors[0].surfaces = SurfaceMask::AIR,
        |map| map.rules.costs[6][0] = Some(9),
        |map| map.set_terrain(cell(3, 3), TerrainId(1)),
        |map| map.elevation = vec![1; 400],
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        let mut map = map();
        edit(&mut map);
        assert_eq!(plain.first_difference(&hash(map)), Some("cost"), "edit {number}");
    }
}

#[test]
fn a_thousand_kinds_of_stamps_come_and_go_without_a_trace() {
    let mut nav = navigator(Map::flat("field", size(20, 20), Rules::standard()));
    for number in 0..1000 {
        let stamp = Stamp { name: number.to_string(), ..Stamp::solid(2, 2) };
        let id = nav.place(&stamp, cell(3, 3)).expect("it fits");
        assert_eq!(nav.layer().stamp(id).map(|(_, stamp)| stamp.name.clone()), Some(number.to_string()));
        nav.remove(id).expect("it stands");
    }
    assert_eq!(nav.layer().stamps().count(), 0);
    assert!(nav.layer().same_derived(&nav.layer().rebuilt()));
}

#[test]
fn absurd_numbers_do_not_overflow() {
    let (low, high) = (cell(i32::MIN, i32::MIN), cell(i32::MAX, i32::MIN));
    assert_eq!(octile(low, high, Neighbours::Eight), u64::from(u32::MAX) * 1024);
    let route = Route { waypoints: vec![low, high], ..Route::new() };
    assert_eq!(route.steps(), (u64::from(u32::MAX), 0));
    assert_eq!(route.cells().nth(1), Some(cell(i32::MIN + 1, i32::MIN)));
    let map = Map::flat("field", size(20, 20), Rules::standard()).validate().expect("legal");
    let wild =
        CostSettings { sector_size: u32::MAX, sizes: vec![SizeClass::THREE], ..CostSettings::default() };
    let layer = CostLayer::new(&map, wild);
    assert_eq!(layer.sizes(), [SizeClass::ONE, SizeClass::THREE]);
    assert_eq!(layer.changes().sectors().side(), 128);
    assert!(!layer.can_stop(high, FOOT.into()));
}

#[test]
fn influence_avoidance_decides_which_controllers_heed_threat() {
    for (setting, player, ai) in [
        (InfluenceAvoidance::None, Threat::Ignore, Threat::Ignore),
        (InfluenceAvoidance::AiOnly, Threat::Ignore, Threat::Heed),
        (InfluenceAvoidance::All, Threat::Heed, Threat::Heed),
    ] {
        let config = Config { influence_avoidance: setting, ..Config::default() }.validate().expect("legal");
        assert_eq!(config.threat_for(Controller::Player), player);
        assert_eq!(config.threat_for(Controller::Ai), ai);
    }
}

#[test]
fn threat_is_added_clamped_to_254_and_never_closes_or_opens_a_cell() {
    assert_eq!(with_threat(100, 50), 150);
    assert_eq!(with_threat(200, 200), 254);
    assert_eq!(with_threat(255, 0), 255);
    assert_eq!(with_threat(255, 200), 255);
    assert_eq!(with_threat(254, 254), 254);
}

#[test]
fn the_octile_distance_keeps_its_fraction() {
    assert_eq!(octile(cell(0, 0), cell(3, 2), Neighbours::Eight), 3 * 1024 + 2 * 424);
    assert_eq!(octile(cell(5, 5), cell(-5, 15), Neighbours::Eight), 10 * 1448);
    assert_eq!(octile(cell(0, 0), cell(3, 2), Neighbours::Four), 5 * 1024);
}

#[test]
fn costs_beyond_32_bits_are_summed_whole() {
    // A corridor that crosses the map three times: 24,580 cells of the highest passable cost.
    let mut rules = Rules::standard();
    rules.costs[0] = vec![Some(254)];
    let mut map = Map::flat("far", size(8192, 5), rules);
    for x in 0..8191 {
        map.set_terrain(cell(x, 1), TerrainId(6));
        map.set_terrain(cell(x + 1, 3), TerrainId(6));
    }
    let route = navigator(map).path(cell(0, 0), cell(8191, 4), FOOT).expect("there is a route");
    assert_eq!(route.steps(), (3 * 8191 + 4, 0));
    assert_eq!(route.cost.0, (3 * 8191 + 4) * 1024 * 254);
    assert!(route.cost.0 > u64::from(u32::MAX));
}

#[test]
fn slope_bands_have_one_owner_for_each_bound() {
    let cost = |raw, mobility| ValidRules::on_slope(100, Fixed::from_raw(raw), mobility);
    let bands = [(0, 100), (204, 100), (205, 150), (409, 150), (410, 255), (615, 255)];
    for (raw, expected) in bands {
        // 3 × 100 is above the highest passable cost, 254, and is clamped to it.
        let expected = if raw == 410 { 254 } else { expected };
        assert_eq!(cost(raw, Mobility::Terrestrial), expected, "slope of {raw}/1024");
    }
    assert_eq!(cost(614, Mobility::Terrestrial), 254);
    assert_eq!(cost(1024, Mobility::Climber), 150);
    assert_eq!(cost(1_000_000, Mobility::Climber), 254, "never closed");
    assert_eq!(cost(1_000_000, Mobility::Flying), 100);
    assert_eq!(ValidRules::on_slope(255, Fixed::ZERO, Mobility::Flying), 255);
}

#[test]
fn no_step_steeper_than_allowed_is_walked() {
    let mut map = Map::flat("cliff", size(12, 12), Rules::standard());
    // A plateau as high as a cell is wide, with a ramp of four cells at its south end.
    map.elevation = map
        .size
        .rect()
        .cells()
        .map(|at| match (at.x, at.y) {
            (0..6, _) => 0,
            (6..11, 8..) => (at.x as i16 - 5) * 51,
            _ => 256,
        })
        .collect();
    let heights = map.elevation.clone();
    let mut nav = navigator(map);
    let route = nav.path(cell(1, 1), cell(11, 10), FOOT).expect("the ramp leads up");
    let at = |pos: waymarch::base::CellPos| i32::from(heights[(pos.y * 12 + pos.x) as usize]);
    let cells: Vec<_> = route.cells().collect();
    for pair in cells.windows(2) {
        assert!((at(pair[0]) - at(pair[1])).abs() <= 256 * 6 / 10, "{} to {}", pair[0], pair[1]);
    }
}

#[test]
fn modifiers_compile_to_whole_costs() {
    let half = Fixed::from_raw(512);
    let rules = Rules {
        normal: 100,
        terrains: vec![
            TerrainDef::new("mud", Surface::Ground).modified(TerrainModifier::Difficult(Fixed::ONE + half)),
            TerrainDef::new("lake", Surface::Water)
                .modified(TerrainModifier::Water { swim_cost: Fixed::from_cells(2) }),
            TerrainDef::new("hill", Surface::Ground).modified(TerrainModifier::Slope { gradient: half }),
            TerrainDef::new("lava", Surface::Ground).modified(TerrainModifier::Impassable),
            TerrainDef::new("rubble", Surface::Rubble),
        ],
        locomotors: vec![
            LocomotorDef::new("walker", SurfaceMask::GROUND),
            LocomotorDef { can_swim: true, ..LocomotorDef::new("swimmer", SurfaceMask::GROUND) },
            LocomotorDef::new("boat", SurfaceMask::WATER),
            LocomotorDef::new("plane", SurfaceMask::AIR),
        ],
        costs: vec![],
        speeds: Vec::new(),
    };
    let valid = rules.validate().expect("legal");
    let row = |name: &str| -> Vec<u8> {
        let terrain = valid.terrain(name).expect("named");
        (0..4).map(|locomotor| valid.cost(terrain, LocomotorId(locomotor))).collect()
    };
    assert_eq!(row("mud"), [150, 150, 255, 100]);
    assert_eq!(row("lake"), [255, 200, 100, 100]);
    assert_eq!(row("hill"), [200, 200, 255, 100]);
    assert_eq!(row("lava"), [255, 255, 255, 100]);
    assert_eq!(row("rubble"), [255, 255, 255, 100]);
}

#[test]
fn modifiers_and_factors_out_of_range_are_refused_and_their_limits_accepted() {
    let least = Fixed::from_raw(1);
    let rules = |modifier: TerrainModifier, movement_modifier: Fixed| Rules {
        normal: 10,
        terrains: vec![TerrainDef::new("ground", Surface::Ground).modified(modifier)],
        locomotors: vec![LocomotorDef {
            movement_modifier,
            ..LocomotorDef::new("walker", SurfaceMask::GROUND)
        }],
        costs: vec![],
        speeds: Vec::new(),
    };
    let with = |modifier| rules(modifier, Fixed::ONE).validate();
    let difficult = TerrainModifier::Difficult;
    let water = |swim_cost| TerrainModifier::Water { swim_cost };
    let slope = |gradient| TerrainModifier::Slope { gradient };
    let expected = |refusal: Result<ValidRules, RulesError>| match refusal {
        Err(RulesError::OutOfRange { expected, .. }) => expected,
        other => panic!("{other:?}"),
    };
    for bad in [Fixed::ZERO, Fixed::ZERO - least] {
        assert_eq!(expected(with(difficult(bad))), "above 0");
        assert_eq!(expected(with(water(bad))), "above 0");
        assert_eq!(expected(rules(TerrainModifier::Normal, bad).validate()), "above 0");
    }
    for bad in [Fixed::ZERO - least, Fixed::ONE + least] {
        assert_eq!(expected(with(slope(bad))), "0..=1");
    }
    for good in [difficult(least), water(least), slope(Fixed::ZERO), slope(Fixed::ONE)] {
        assert!(with(good).is_ok(), "{good:?}");
    }
}

#[test]
fn the_five_locomotor_classes_pass_the_terrains_they_should() {
    let surfaces = [Surface::Ground, Surface::Water, Surface::Cliff, Surface::Rubble];
    let terrains = surfaces.map(|surface| TerrainDef::new(surface.name(), surface));
    let locomotors = LocomotorDef::five_classes().to_vec();
    let mut nav = navigator(Map::flat(
        "classes",
        size(4, 3),
        Rules { normal: 1, terrains: terrains.to_vec(), locomotors, costs: vec![], speeds: Vec::new() },
    ));
    for x in 0..4 {
        nav.set_terrain(CellRect::at(cell(x, 0), 1, 1), TerrainId(x as u8)).expect("on the map");
    }
    nav.place(&Stamp::filled("fence", 1, 1, FootCell::Wall(0)), cell(0, 2)).expect("it fits");
    let goes = |name: &str| {
        let field = nav.layer().field(nav.locomotor(name).expect("named").into()).expect("in use");
        [0, 1, 2, 3].map(|x| field.is_passable(cell(x, 0))).into_iter().chain([field.is_passable(cell(0, 2))])
    };
    let table = [
        ("ground", [true, false, false, false, false]),
        ("amphibious", [true, true, false, false, false]),
        ("cliff-climber", [true, false, true, false, false]),
        ("rubble-walker", [true, false, false, true, false]),
        ("crusher", [true, false, false, false, true]),
    ];
    for (name, expected) in table {
        assert!(goes(name).eq(expected), "{name}");
    }
}

#[test]
fn wrong_rules_are_refused_by_name() {
    let zero = Rules { costs: vec![vec![Some(0)]], ..Rules::standard() };
    let error = zero.validate().expect_err("a cost of 0");
    assert!(error.to_string().contains("'Clear' for 'foot'"), "{error}");
    let mut twice = Rules::standard();
    twice.terrains[3].name = "Road".to_string();
    assert_eq!(twice.validate(), Err(RulesError::Duplicate { what: "terrain", name: "Road".to_string() }));
    let mut dear = Rules { normal: 200, ..Rules::standard() };
    dear.terrains.push(
        TerrainDef::new("Swamp", Surface::Ground).modified(TerrainModifier::Difficult(Fixed::from_cells(2))),
    );
    assert!(dear.validate().is_err_and(|error| error.to_string().contains("'Swamp'")));
    let many = Rules {
        locomotors: (0..33).map(|n| LocomotorDef::new(n.to_string(), SurfaceMask::GROUND)).collect(),
        costs: vec![],
        ..Rules::standard()
    };
    assert!(matches!(many.validate(), Err(RulesError::TooMany { what: "locomotors", count: 33, max: 32 })));
}

#[test]
fn layer_1_of_a_512_map_with_four_locomotors_fits_8_bytes_per_cell_and_locomotor() {
    let mut map = Map::flat("big", size(512, 512), Rules::standard());
    map.elevation = vec![0; 512 * 512];
    let mut layer = CostLayer::new(&map.validate().expect("legal"), CostSettings::default());
    layer.place(&Stamp::solid(3, 3), cell(9, 9), Tick::ZERO).expect("it fits");
    let tower = ThreatSource { at: cell(9, 9), radius: 5, strength: 50, falloff: Falloff::Linear };
    layer.add_threat(tower).expect("on the map");
    layer.advance(Tick::ZERO);
    assert!(layer.memory_bytes() <= 512 * 512 * 4 * 8, "{} bytes", layer.memory_bytes());
}

#[test]
fn the_default_settings_are_valid_and_have_their_documented_values() {
    let config = Config::default();
    assert_eq!(
        (config.sector_size, config.flowfield_group_threshold, config.short_path_threshold),
        (32, 8, 64)
    );
    assert_eq!((config.stuck_threshold, config.repath_cooldown, config.threat_max_cost), (12, 30, 128));
    assert!(config.validate().is_ok());
    for (bad, key) in [
        (Config { sector_size: 48, ..Config::default() }, "sector_size"),
        (Config { size_classes: vec![2], ..Config::default() }, "size_classes"),
        (Config { size_classes: vec![1, 17], ..Config::default() }, "size_classes"),
        (Config { threat_max_cost: 255, ..Config::default() }, "threat_max_cost"),
        (Config { route_per_mille: 999, ..Config::default() }, "route_per_mille"),
        (Config { comfort_margin: Fixed::from_raw(-1), ..Config::default() }, "comfort_margin"),
        (Config { max_paths_per_tick: 0, ..Config::default() }, "max_paths_per_tick"),
        (Config { spline_samples: 17, ..Config::default() }, "spline_samples"),
        (Config { spline_tension: Fixed::from_raw(1025), ..Config::default() }, "spline_tension"),
    ] {
        assert_eq!(bad.validate().map_err(|error| error.key), Err(key));
    }
}
