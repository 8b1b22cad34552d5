//! Settings and layouts have an effect, or are refused.

use waymarch::base::{Angle, CellRect, Dir8, Fine, Fixed, cell};
use waymarch::config::{AvoidanceModel, Config, PushMechanics};
use waymarch::cost::Stamp;
use waymarch::groups::{Formation, FormationLayout};
use waymarch::world::{Command, CommandError, Order, OrderError, PlayerId, UnitId, UnitType, When, World};
use waymarch_testkit::worlds::flat_world;

use crate::squads::{apart, block, field};

/// Two squads pass a gap in a wall, which idle units fill: allies of one squad.
fn melee(config: Config) -> Vec<Fine> {
    let mut world = flat_world(48, 32, config);
    let foot = world.nav().locomotor("foot").expect("it has it");
    let kind = world.add_type(UnitType::new("soldier", foot)).expect("legal");
    let mut squad = |player: u8, x: i32, y: i32| {
        let places: Vec<_> = CellRect::at(cell(x, y), 3, 6).cells().collect();
        world.spawn_many(kind, PlayerId(player), &places).expect("open")
    };
    let (west, east, _idle) = (squad(0, 4, 12), squad(1, 40, 12), squad(0, 22, 12));
    // Models that keep far apart never touch, so some idle units start among the moving ones.
    let _among = (squad(0, 4, 12), squad(1, 4, 12));
    for (y, height) in [(0, 12), (18, 14)] {
        world.place(&Stamp::solid(3, height), cell(22, y)).expect("room");
    }
    for (units, to) in [(west, cell(42, 15)), (east, cell(4, 15))] {
        for unit in units {
            world.order(&[unit], Order::move_to(to)).expect("good");
        }
    }
    (0..400).for_each(|_| world.tick());
    world.positions().filter_map(|(unit, _)| world.place_of(unit)).collect()
}

#[test]
fn every_setting_of_avoidance_has_an_effect_under_every_model_or_is_refused() {
    type Change = (&'static str, fn(&mut Config));
    let changes: [Change; 7] = [
        ("avoidance_neighbours", |config| config.avoidance_neighbours = 2),
        ("avoidance_horizon", |config| config.avoidance_horizon = 9),
        ("avoidance_strength", |config| config.avoidance_strength = Fixed::from_raw(1700)),
        ("comfort_margin", |config| config.comfort_margin = Fixed::from_raw(600)),
        ("commitment_ticks", |config| config.commitment_ticks = 0),
        ("push_mechanics", |config| config.push_mechanics = PushMechanics::None),
        ("push_mechanics", |config| config.push_mechanics = PushMechanics::Aggressive),
    ];
    for &model in AvoidanceModel::ALL {
        let base = Config { avoidance_model: model, ..Config::default() };
        let usual = melee(base.clone());
        for (key, change) in changes {
            let mut config = base.clone();
            change(&mut config);
            let name = model.name();
            match config.clone().validate() {
                Ok(_) => {
                    assert!(model.uses(key), "{name} accepts {key} and does not use it");
                    assert!(melee(config) != usual, "{key} has no effect under {name}");
                }
                Err(error) => {
                    assert!(!model.uses(key), "{name} uses {key}: {error}");
                    let text = error.to_string();
                    assert!(
                        error.key == key && text.contains(&format!("`avoidance_model: {name}`")),
                        "{text}"
                    );
                }
            }
        }
    }
}

/// The width and the depth of a group whose front faces north, in 1024ths of a cell, and the least distance of two units.
fn extent(world: &World, units: &[UnitId]) -> (i32, i32, u64) {
    let places: Vec<Fine> = units.iter().map(|&unit| world.place_of(unit).expect("alive")).collect();
    let span = |of: fn(&Fine) -> i32| {
        let (low, high) = (places.iter().map(of).min(), places.iter().map(of).max());
        (high.expect("some") - low.expect("some")) >> 6
    };
    let pairs = places.iter().enumerate().flat_map(|(n, &a)| places[..n].iter().map(move |&b| apart(a, b)));
    (span(|at| at.x), span(|at| at.y), pairs.min().expect("some"))
}

/// Twelve soldiers that have carried out an order, and how they stand.
fn standing(order: Order) -> (i32, i32, u64) {
    let mut world = field(64, 64);
    let units = block(&mut world, cell(28, 44), 4, 3);
    world.order(&units, order).expect("good");
    (0..700).for_each(|_| world.tick());
    assert!(units.iter().all(|&unit| world.orders_of(unit).next().is_none()), "all have arrived");
    extent(&world, &units)
}

#[test]
fn an_order_says_how_far_apart_units_stand() {
    let order = || Order::move_to(cell(30, 20)).formation(Formation::Box).facing(Dir8::N);
    let (tight, loose) = (standing(order()), standing(order().spacing(Fixed::ONE)));
    assert!(loose.2 > tight.2 + 800, "{tight:?}, {loose:?}");
    assert!(loose.0 > tight.0 + 1800, "{tight:?}, {loose:?}");
}

#[test]
fn an_order_says_how_wide_the_front_is() {
    let order = || Order::move_to(cell(30, 20)).formation(Formation::Box).facing(Dir8::N);
    let (usual, wide) = (standing(order()), standing(order().width(Fixed::from_cells(12))));
    assert!(wide.0 > 2 * usual.0 && wide.1 < usual.1, "{usual:?}, {wide:?}");
    let narrow = standing(order().width(Fixed::from_raw(1)));
    assert!(narrow.0 < 300, "one file: {narrow:?}");
}

#[test]
fn a_line_that_a_player_draws_gives_place_width_and_facing() {
    let (width, depth, _) = standing(Order::along_line(cell(25, 20), cell(31, 20)));
    assert!((3600..=6 * 1024 + 300).contains(&width), "as wide as the line: {width}");
    assert!(depth > 700, "units without room on the line form a second rank: {depth}");
    let Order::Form { facing, .. } = Order::along_line(cell(31, 20), cell(25, 20)) else {
        panic!("it forms")
    };
    assert_eq!(facing, Some(Dir8::S.into()), "drawn from right to left it faces the other way");
}

#[test]
fn an_order_says_how_pointed_a_wedge_is() {
    let order = || Order::move_to(cell(30, 20)).formation(Formation::Wedge).facing(Dir8::N);
    let degrees = |degrees: u32| Angle((degrees * 65_536 / 360) as u16);
    let (sharp, blunt) =
        (standing(order().wedge_angle(degrees(30))), standing(order().wedge_angle(degrees(120))));
    let usual = standing(order());
    assert!(sharp.1 > usual.1 + 900 && sharp.0 < usual.0 + 200, "{sharp:?}, {usual:?}");
    assert!(blunt.0 > 2 * usual.0 && blunt.1 < usual.1 + 200, "{blunt:?}, {usual:?}");
}

#[test]
fn an_order_says_how_large_a_ring_is() {
    let order = || Order::move_to(cell(30, 20)).formation(Formation::Circle).facing(Dir8::N);
    let ring = standing(order().radius(Fixed::from_cells(6)));
    assert!(ring.0.abs_diff(12 * 1024) < 500 && ring.1.abs_diff(12 * 1024) < 500, "{ring:?}");
    let usual = standing(order());
    assert!(usual.0 < 6 * 1024, "{usual:?}");
}

#[test]
fn a_layout_that_is_out_of_range_or_does_nothing_is_refused() {
    let mut world = field(64, 64);
    let units = block(&mut world, cell(28, 44), 2, 2);
    let to = || Order::move_to(cell(30, 20));
    let before = world.state_hash();
    for (order, what) in [
        (to().formation(Formation::Circle).width(Fixed::ONE), "width"),
        (to().formation(Formation::Box).wedge_angle(Angle(9000)), "angle"),
        (to().formation(Formation::Wedge).wedge_angle(Angle(1)), "angle"),
        (to().formation(Formation::Box).radius(Fixed::ONE), "radius"),
        (to().spacing(Fixed::from_cells(17)), "spacing"),
        (to().width(Fixed::from_raw(-1)), "width"),
        (to().formation(Formation::Custom(vec![Fine::ZERO])).spacing(Fixed::ONE), "spacing"),
    ] {
        match world.order(&units, order) {
            Err(CommandError::Order(OrderError::Layout(error))) => assert_eq!(error.what, what, "{error}"),
            other => panic!("{what}: {other:?}"),
        }
    }
    assert_eq!(world.state_hash(), before);
}

#[test]
fn a_layout_is_hashed_saved_and_kept_when_members_die_or_the_formation_changes() {
    let start = |spacing: Fixed| {
        let mut world = field(64, 64);
        let units = block(&mut world, cell(28, 44), 4, 3);
        let order = Order::move_to(cell(30, 20)).formation(Formation::Box).facing(Dir8::N).spacing(spacing);
        world.apply(&Command::Order { units: units.clone(), order, when: When::Now }).expect("good");
        world.tick();
        (world, units)
    };
    let ((mut world, units), (tight, _)) = (start(Fixed::ONE), start(Fixed::ZERO));
    assert_ne!(world.state_hash(), tight.state_hash());
    let bytes = world.save();
    let mut other = World::load(&bytes).expect("its own bytes");
    assert_eq!(other.state_hash(), world.state_hash());
    for game in [&mut world, &mut other] {
        (0..40).for_each(|_| game.tick());
        game.remove(units[3]).expect("alive");
        game.apply(&Command::Reform { units: vec![units[0]], formation: Formation::Line, facing: None })
            .expect("it walks");
        (0..700).for_each(|_| game.tick());
        let living: Vec<UnitId> = units.iter().copied().filter(|&unit| unit != units[3]).collect();
        assert!(extent(game, &living).2 > 1600, "still apart: {:?}", extent(game, &living));
    }
    assert_eq!(other.state_hash(), world.state_hash());
    assert_eq!(FormationLayout::default().for_formation(&Formation::Line), FormationLayout::default());
}
