//! Questions about a World, against slow twins. No question changes the World.

use waymarch::base::{CellPos, CellRect, CollisionLayers, Fixed, GridSize, LocomotorId, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::{LocomotorDef, Map, Rules, Stamp, SurfaceMask, TerrainId};
use waymarch::query::Cost;
use waymarch::world::{
    Distance, EventKind, Navigator, Order, PlayerId, QuestionError, Relation, RouteSource, TeamId, Unit,
    UnitArea, UnitFilter, UnitId, UnitType, UnitTypeId, World,
};
use waymarch_testkit::dijkstra::{UNREACHED, distances};
use waymarch_testkit::splitmix::SplitMix;

use crate::squads::{block, field};

const WALL: TerrainId = TerrainId(6);
const ROUGH: TerrainId = TerrainId(2);

fn world_on(map: Map, config: Config) -> World {
    World::new(Navigator::new(map, config).expect("legal"))
}

/// A crowd of four players, two of them allies, of three types, at work and idle, some of them at the same point.
fn crowd(seed: u64) -> (World, SplitMix) {
    let mut rules = Rules::standard();
    rules.locomotors.push(LocomotorDef::new("air", SurfaceMask::AIR));
    let map = Map::flat("field", GridSize::new(64, 48).expect("legal"), rules);
    let mut world = world_on(map, Config::default());
    let mut rng = SplitMix::new(seed);
    for (locomotor, radius) in [(0, 384), (4, 600), (1, 2048)] {
        let kind = UnitType::new("kind", LocomotorId(locomotor));
        world.add_type(UnitType { radius: Fixed::from_raw(radius), ..kind }).expect("legal");
    }
    world.set_team(PlayerId(3), TeamId(1));
    let mut units = Vec::new();
    for _ in 0..150 {
        let at = cell(rng.below(64) as i32, rng.below(48) as i32);
        let kind = UnitTypeId(rng.below(3) as u16);
        units.push(world.spawn(kind, PlayerId(rng.below(4) as u8), at).expect("open"));
    }
    for &unit in &units[..90] {
        let to = cell(rng.below(64) as i32, rng.below(48) as i32);
        world.order(&[unit], Order::move_to(to)).expect("legal");
    }
    (0..20).for_each(|_| world.tick());
    // Removed units leave gaps in the indices.
    units.iter().step_by(7).for_each(|&unit| world.remove(unit).expect("alive"));
    let exact = world.units().next().expect("alive").position;
    for unit in units.iter().skip(1).step_by(30) {
        let _ = world.put(*unit, exact, Vec2::ZERO);
    }
    (world, rng)
}

type Counts = Box<dyn Fn(&World, &Unit) -> bool>;

/// A filter, and what it says in other words.
struct Condition {
    filter: UnitFilter,
    counts: Counts,
}

fn conditions(world: &World) -> Vec<Condition> {
    let some = world.units().nth(5).expect("many").id;
    let idle = |world: &World, unit: &Unit| world.orders_of(unit.id).next().is_none();
    let is = |player| PlayerId(player);
    let all: Vec<(UnitFilter, Counts)> = vec![
        (UnitFilter::ALL, Box::new(|_, _| true)),
        (UnitFilter::ALL.of_player(is(2)), Box::new(|_, unit| unit.owner == PlayerId(2))),
        (UnitFilter::ALL.of_team(TeamId(1)), Box::new(|_, unit| [1, 3].contains(&unit.owner.0))),
        (UnitFilter::ALL.friends_of(is(3)), Box::new(|_, unit| [1, 3].contains(&unit.owner.0))),
        (
            UnitFilter::ALL.enemies_of(is(1)),
            Box::new(|world, unit| world.relation(unit.owner, PlayerId(1)) == Relation::Enemy),
        ),
        (UnitFilter::ALL.of_type(UnitTypeId(2)), Box::new(|_, unit| unit.kind == UnitTypeId(2))),
        (
            UnitFilter::ALL.on_layers(CollisionLayers::AIR | CollisionLayers::WATER),
            Box::new(|_, unit| unit.kind == UnitTypeId(1)),
        ),
        (UnitFilter::ALL.idle(), Box::new(idle)),
        (UnitFilter::ALL.idle().busy(), Box::new(move |world, unit| !idle(world, unit))),
        (UnitFilter::ALL.except(some), Box::new(move |_, unit| unit.id != some)),
        (
            UnitFilter::ALL.of_player(is(0)).of_type(UnitTypeId(0)).busy().except(some),
            Box::new(move |world, unit| {
                unit.owner.0 == 0 && unit.kind.0 == 0 && !idle(world, unit) && unit.id != some
            }),
        ),
    ];
    all.into_iter().map(|(filter, counts)| Condition { filter, counts }).collect()
}

type Point = (i128, i128);

fn exact(at: Vec2) -> Point {
    (i128::from(at.x.raw()) << 6, i128::from(at.y.raw()) << 6)
}

fn middle(world: &World, unit: UnitId) -> Point {
    let at = world.place_of(unit).expect("alive");
    (i128::from(at.x), i128::from(at.y))
}

fn square((ax, ay): Point, (bx, by): Point) -> i128 {
    (ax - bx).pow(2) + (ay - by).pow(2)
}

fn body(world: &World, unit: &Unit) -> i128 {
    i128::from(world.unit_type(unit.kind).expect("known").radius.raw()) << 6
}

/// Whether a unit is in an area, and the key of its place in the answer. Lines are searched by their parts, not by a formula.
fn key_in(world: &World, unit: &Unit, area: UnitArea) -> Option<i128> {
    let at = middle(world, unit.id);
    match area {
        UnitArea::Rect { from, to } => {
            let (a, b) = (exact(from), exact(to));
            let inside = at.0 >= a.0.min(b.0) && at.0 <= a.0.max(b.0);
            (inside && at.1 >= a.1.min(b.1) && at.1 <= a.1.max(b.1)).then_some(0)
        }
        UnitArea::Circle { centre, radius } => {
            let far = square(at, exact(centre));
            (far <= (i128::from(radius.raw()) << 6).pow(2)).then_some(far)
        }
        UnitArea::Line { from, to, half_width } => {
            let (a, b) = (exact(from), exact(to));
            let reach = (i128::from(half_width.raw()) << 6) + body(world, unit);
            // The point of the line nearest to the unit, by halving the line 40 times: the distance has one minimum.
            let point = |part: i128| {
                let on = |a: i128, b: i128| a * (1 << 40) + (b - a) * part;
                (on(a.0, b.0), on(a.1, b.1))
            };
            let scaled = (at.0 << 40, at.1 << 40);
            let far = |part: i128| {
                let (x, y) = point(part);
                // Coarser again, so that squares fit.
                square((x >> 20, y >> 20), (scaled.0 >> 20, scaled.1 >> 20))
            };
            let (mut low, mut high) = (0_i128, 1_i128 << 40);
            while high - low > 2 {
                let third = (high - low) / 3;
                if far(low + third) <= far(high - third) { high -= third } else { low += third }
            }
            let nearest = (low..=high).map(far).min().expect("some");
            let along = (at.0 - a.0) * (b.0 - a.0) + (at.1 - a.1) * (b.1 - a.1);
            (nearest <= (reach << 20).pow(2)).then_some(along)
        }
    }
}

fn slow_units_in(world: &World, area: UnitArea, condition: &Condition) -> Vec<UnitId> {
    let mut found: Vec<(i128, u32, UnitId)> = world
        .units()
        .filter(|unit| (condition.counts)(world, unit))
        .filter_map(|unit| Some((key_in(world, &unit, area)?, unit.id.index(), unit.id)))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(.., id)| id).collect()
}

fn any_point(rng: &mut SplitMix) -> Vec2 {
    let mut part = |most: u32| Fixed::from_raw(rng.below(most * 1024 + 8192) as i32 - 4096);
    Vec2::new(part(64), part(48))
}

fn any_area(rng: &mut SplitMix) -> UnitArea {
    let (from, to) = (any_point(rng), any_point(rng));
    let length = Fixed::from_raw(rng.below(9 * 1024) as i32);
    match rng.below(4) {
        0 => UnitArea::Rect { from, to },
        1 => UnitArea::Circle { centre: from, radius: length },
        2 => UnitArea::Line { from, to, half_width: Fixed::from_raw(length.raw() / 4) },
        _ => UnitArea::Line { from, to: from, half_width: length },
    }
}

#[test]
fn units_in_areas_are_those_that_a_slow_search_finds_and_in_its_order() {
    let mut answers = 0;
    for seed in 0..3 {
        let (world, mut rng) = crowd(seed);
        let (before, saved, index) = (world.state_hash(), world.save(), world.unit_index());
        let (mut found, mut indexed) = (vec![UnitId::DEAD], Vec::new());
        for condition in &conditions(&world) {
            for _ in 0..40 {
                let area = any_area(&mut rng);
                world.units_in(area, condition.filter, &mut found).expect("legal");
                index.units_in(area, condition.filter, &mut indexed).expect("legal");
                assert_eq!(found, slow_units_in(&world, area, condition), "{area:?} {:?}", condition.filter);
                assert_eq!(found, indexed, "{area:?} {:?}", condition.filter);
                answers += found.len();
            }
        }
        assert_eq!(world.state_hash(), before);
        assert!(world.save() == saved, "questions change nothing");
    }
    assert!(answers > 2000, "{answers}");
}

#[test]
fn the_nearest_units_and_the_unit_under_a_point_are_those_that_a_slow_search_finds() {
    let mut hits = 0;
    for seed in 0..3 {
        let (world, mut rng) = crowd(seed);
        let index = world.unit_index();
        let (mut found, mut indexed) = (Vec::new(), Vec::new());
        for condition in &conditions(&world) {
            for round in 0..40 {
                let some = world.units().nth(rng.below(100) as usize).expect("many").position;
                let at = match round {
                    0 => Vec2::new(Fixed::MIN, Fixed::MIN),
                    1 => Vec2::new(Fixed::MAX, Fixed::MIN),
                    _ if round % 2 == 0 => some,
                    _ => any_point(&mut rng),
                };
                let counted = world.units().filter(|unit| (condition.counts)(&world, unit));
                let saturated = |at: Vec2| {
                    let (x, y) = exact(at);
                    let fit = |part: i128| part.clamp(i128::from(i32::MIN), i128::from(i32::MAX));
                    (fit(x), fit(y))
                };
                let mut slow: Vec<(i128, u32, UnitId)> = counted
                    .map(|unit| (square(middle(&world, unit.id), saturated(at)), unit.id.index(), unit.id))
                    .collect();
                slow.sort_unstable();
                let count = [0, 1, 2, 5, 20, 1000][rng.below(6) as usize];
                let nearest: Vec<UnitId> = slow.iter().take(count).map(|&(.., id)| id).collect();
                world.nearest_units(at, count, condition.filter, &mut found);
                index.nearest_units(at, count, condition.filter, &mut indexed);
                assert_eq!(found, nearest, "{at:?} {count} {:?}", condition.filter);
                assert_eq!(indexed, nearest, "{at:?} {count} {:?}", condition.filter);
                let covers = |&&(far, _, id): &&(i128, u32, UnitId)| {
                    far <= body(&world, &world.unit(id).expect("alive")).pow(2)
                };
                let under = slow.iter().find(covers).map(|&(.., id)| id);
                assert_eq!(world.unit_at(at, condition.filter), under, "{at:?}");
                assert_eq!(index.unit_at(at, condition.filter), under, "{at:?}");
                hits += usize::from(under.is_some());
            }
        }
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn wrong_questions_are_errors_that_name_the_fault() {
    let (world, _) = crowd(1);
    let mut found = vec![UnitId::DEAD];
    let (at, less) = (Vec2::ZERO, Fixed::from_raw(-1));
    for (area, what) in [
        (UnitArea::Circle { centre: at, radius: less }, "radius"),
        (UnitArea::Line { from: at, to: at, half_width: less }, "half width"),
    ] {
        let error = world.units_in(area, UnitFilter::ALL, &mut found).expect_err("negative");
        assert_eq!(error, QuestionError::Negative { what, value: less });
        assert!(error.to_string().contains(what) && found.is_empty(), "{error}");
        assert_eq!(world.unit_index().units_in(area, UnitFilter::ALL, &mut found), Err(error));
    }
    assert_eq!(world.ticks_left(&[]), Err(QuestionError::NoUnits));
    assert_eq!(world.ticks_left(&[UnitId::DEAD]), Err(QuestionError::NoSuchUnit(UnitId::DEAD)));
    let kind = UnitTypeId(0);
    let error = |kind, at| world.distances_from(kind, at).map(|_| ()).expect_err("wrong");
    assert_eq!(error(UnitTypeId(99), cell(1, 1)), QuestionError::UnknownType(UnitTypeId(99)));
    let size = world.nav().layer().grid();
    assert_eq!(error(kind, cell(64, 1)), QuestionError::OffMap { at: cell(64, 1), size });
    let text = error(kind, cell(64, 1)).to_string();
    assert!(text.contains("64") && text.contains("48"), "{text}");
}

/// A map of walls, rough ground and open ground.
fn random_map(rng: &mut SplitMix) -> Map {
    let mut map = Map::flat("field", GridSize::new(40, 30).expect("legal"), Rules::standard());
    for _ in 0..rng.below(700) {
        let at = cell(rng.below(40) as i32, rng.below(30) as i32);
        map.set_terrain(at, [WALL, ROUGH][rng.below(2) as usize]);
    }
    map
}

#[test]
fn distances_are_those_of_a_slow_search_whatever_the_budget() {
    let mut rng = SplitMix::new(5);
    let (mut known, mut unreachable) = (0, 0);
    for _ in 0..30 {
        let mut world = world_on(random_map(&mut rng), Config::default());
        let kind = world.add_type(UnitType::new("wheel", LocomotorId(1))).expect("legal");
        let field = world.nav().layer().field(LocomotorId(1).into()).expect("known");
        let cells = || (0..30).flat_map(|y| (0..40).map(move |x| cell(x, y)));
        let costs: Vec<u8> = cells().map(|at| field.cost(at)).collect();
        let open: Vec<CellPos> = cells().filter(|&at| field.is_passable(at)).collect();
        let source = open[rng.below(open.len() as u32) as usize];
        let rule = world.nav().config().step_rule();
        let slow = distances(&costs, 40, 30, rule, source);
        let (before, saved) = (world.state_hash(), world.save());
        let mut fast = world.distances_from(kind, source).expect("legal");
        let mut ends = 0;
        while ends == 0 {
            let nodes = 1 + rng.below(60);
            let explored = fast.explore(&world, nodes).expect("unchanged");
            assert!(explored.nodes <= nodes && (explored.is_done || explored.nodes == nodes));
            ends += u32::from(explored.is_done);
            for (at, &cost) in cells().zip(&slow) {
                match fast.to(at) {
                    Distance::Known(found) => assert_eq!(found, Cost(cost), "{at}"),
                    Distance::Unreachable => assert_eq!(cost, UNREACHED, "{at}"),
                    Distance::Unknown => assert!(!explored.is_done, "{at}"),
                }
            }
        }
        known += cells().filter(|&at| matches!(fast.to(at), Distance::Known(_))).count();
        unreachable += cells().filter(|&at| fast.to(at) == Distance::Unreachable).count();
        assert_eq!(fast.to(cell(-1, 3)), Distance::Unreachable);
        assert_eq!(fast.explore(&world, 100).expect("unchanged").nodes, 0, "no work is left");
        assert_eq!(world.state_hash(), before);
        assert!(world.save() == saved, "questions change nothing");
    }
    assert!(known > 10_000 && unreachable > 1000, "{known} {unreachable}");
}

#[test]
fn a_search_for_some_targets_ends_when_they_are_known_and_an_edit_ends_it_with_an_error() {
    let mut world = field(64, 64);
    let kind = world.add_type(UnitType::new("foot", LocomotorId(0))).expect("legal");
    let mut near = world.distances_from(kind, cell(32, 32)).expect("open");
    let targets = [cell(35, 32), cell(30, 30), cell(35, 32)];
    let explored = near.explore_to(&world, &targets, 10_000).expect("unchanged");
    assert!(explored.is_done && explored.nodes < 100, "{explored:?}");
    assert_eq!(targets.map(|at| near.to(at)), [3072, 2896, 3072].map(|cost| Distance::Known(Cost(cost))));
    assert_eq!(near.to(cell(2, 2)), Distance::Unknown);
    assert!(near.explore_to(&world, &[], 9).expect("unchanged").is_done);
    // In steps of one node the same cells become known.
    let mut slow = world.distances_from(kind, cell(32, 32)).expect("open");
    let nodes = (1..).find(|_| slow.explore_to(&world, &targets, 1).expect("unchanged").is_done);
    assert!(nodes.is_some_and(|calls| calls >= explored.nodes && calls <= explored.nodes + 1), "{nodes:?}");
    world.place(&Stamp::solid(3, 3), cell(40, 40)).expect("it fits");
    assert_eq!(near.explore(&world, 10), Err(QuestionError::MapChanged));
    assert_eq!(near.restart(&world, cell(41, 41)), Err(QuestionError::Closed { kind, at: cell(41, 41) }));
    near.restart(&world, cell(2, 2)).expect("open");
    assert!(near.explore(&world, 10_000).expect("unchanged").is_done);
    assert_eq!((near.source(), near.to(cell(41, 41))), (cell(2, 2), Distance::Unreachable));
    assert_eq!(near.to(cell(9, 2)), Distance::Known(Cost(7 * 1024)));
}

/// A wall with a gap; soldiers go through it, alone, in a flow and as a group.
fn behind_a_wall(config: Config, count: u32, gap: i32) -> (World, Vec<UnitId>) {
    let mut map = Map::flat("field", GridSize::new(64, 48).expect("legal"), Rules::standard());
    (0..48).filter(|y| !(8..8 + gap).contains(y)).for_each(|y| map.set_terrain(cell(32, y), WALL));
    let mut world = world_on(map, config);
    let units = block(&mut world, cell(6, 24), count.min(5), count.div_ceil(5));
    world.order(&units, Order::move_to(cell(52, 34))).expect("legal");
    (world, units)
}

/// Whether a straight walk between two points keeps to open cells, looked at every 1/16 of a cell.
fn is_clear(world: &World, from: Vec2, to: Vec2) -> bool {
    let field = world.nav().layer().field(LocomotorId(0).into()).expect("known");
    (0..=512).all(|part| {
        let on = |a: Fixed, b: Fixed| (a.raw() + (b.raw() - a.raw()) * part / 512) >> 10;
        field.is_passable(cell(on(from.x, to.x), on(from.y, to.y)))
    })
}

#[test]
fn the_points_of_a_route_lead_from_the_unit_over_open_ground_to_its_goal() {
    let flows = Config { flowfield_group_threshold: 2, ..Config::default() };
    let mut seen = Vec::new();
    for (config, count, together) in
        [(Config::default(), 1, true), (flows, 8, false), (Config::default(), 25, true)]
    {
        let (mut world, units) = behind_a_wall(config, count, 3);
        if !together {
            // Orders to one unit each form no group.
            for &unit in &units {
                world.order(&[unit], Order::move_to(cell(52, 34))).expect("legal");
            }
        }
        let mut points = Vec::new();
        for tick in 0..700 {
            world.tick();
            let (before, at) = (world.state_hash(), world.unit(units[0]).expect("alive").position);
            let Some(route) = world.route_points(units[0], 500, &mut points) else { continue };
            assert_eq!(world.state_hash(), before);
            assert_eq!(points[0], at, "tick {tick}");
            if !seen.contains(&route.source) {
                seen.push(route.source);
            }
            if tick < 10 || !route.is_whole {
                continue;
            }
            let end = world.slot_of(units[0]).map(Vec2::from);
            let goal = end.unwrap_or(cell(52, 34).centre());
            let apart = points.last().expect("points").distance(goal);
            assert!(apart <= Fixed::from_raw(1100), "tick {tick}: {apart} from the goal, {route:?}");
            let blocked = points.windows(2).position(|leg| !is_clear(&world, leg[0], leg[1]));
            assert_eq!(blocked, None, "tick {tick}: {route:?} {points:?}");
            // A shorter list has the same beginning.
            let mut few = Vec::new();
            let part = world.route_points(units[0], 1, &mut few).expect("under way");
            assert!(few[..] == points[..2] && part.is_whole == (points.len() == 2));
        }
        assert_eq!(world.route_points(units[0], 5, &mut points), None, "it has arrived");
        assert!(points.is_empty());
    }
    for source in [RouteSource::Waypoints, RouteSource::Flow, RouteSource::Gates] {
        assert!(seen.contains(&source), "{seen:?}");
    }
}

/// Plays until all units have arrived; the ticks that this took, and the estimates at the start and halfway.
fn estimate_and_truth(world: &mut World, units: &[UnitId]) -> [(u32, u32); 2] {
    (0..10).for_each(|_| world.tick());
    let ask = |world: &World| {
        let (before, left) = (world.state_hash(), world.ticks_left(units).expect("alive"));
        assert_eq!(world.state_hash(), before);
        assert_eq!(left.without_route, 0, "all routes are known");
        left.ticks
    };
    let mut copy = world.clone();
    let mut arrived = 0;
    let whole = (1..6000)
        .find(|_| {
            copy.tick();
            arrived += copy.events().iter().filter(|event| event.what == EventKind::Arrived).count();
            arrived >= units.len()
        })
        .expect("all arrive");
    let first = (ask(world), whole);
    (0..whole / 2).for_each(|_| world.tick());
    [first, (ask(world), whole - whole / 2)]
}

#[test]
fn ticks_left_are_near_the_truth_on_open_ground_on_slow_ground_and_before_a_gap() {
    let assert_near = |world: &mut World, units: &[UnitId], per_cent: u32, what: &str| {
        // Halfway a crowd has less before it than it still waits for: units that turn and settle count more.
        for ((estimate, truth), per_cent) in
            estimate_and_truth(world, units).into_iter().zip([per_cent, 2 * per_cent])
        {
            let error = 100 * estimate.abs_diff(truth) / truth;
            assert!(error <= per_cent, "{what}: {estimate} instead of {truth} ticks");
        }
    };
    let mut open = field(96, 64);
    let squad = block(&mut open, cell(6, 30), 4, 4);
    open.order(&squad, Order::move_to(cell(80, 32))).expect("legal");
    assert_near(&mut open, &squad, 10, "a squad on open ground");

    // Half of the way at half speed.
    let mut rules = Rules::standard();
    rules.set_speed(ROUGH, LocomotorId(0), Some(50));
    let mut map = Map::flat("field", GridSize::new(96, 24).expect("legal"), rules);
    CellRect::at(cell(40, 0), 30, 24).cells().for_each(|at| map.set_terrain(at, ROUGH));
    let mut slow = world_on(map, Config::default());
    let unit = block(&mut slow, cell(10, 12), 1, 1);
    slow.order(&unit, Order::move_to(cell(70, 12))).expect("legal");
    assert_near(&mut slow, &unit, 10, "a unit on rough ground");

    for (gap, count) in [(1, 20), (1, 60), (2, 60), (3, 20), (3, 60), (3, 100), (5, 100)] {
        let (mut world, crowd) = behind_a_wall(Config::default(), count, gap);
        assert_near(&mut world, &crowd, 20, &format!("{count} units before a gap of {gap} cells"));
    }
}

#[test]
fn a_narrow_gate_makes_the_estimate_longer_and_units_at_rest_need_no_time() {
    let (mut few, one) = behind_a_wall(Config::default(), 5, 3);
    let (mut many, crowd) = behind_a_wall(Config::default(), 100, 3);
    (0..10).for_each(|_| {
        few.tick();
        many.tick();
    });
    let (alone, all) = (few.ticks_left(&one).expect("alive"), many.ticks_left(&crowd).expect("alive"));
    assert!(alone.under_way == 5 && all.under_way == 100);
    assert!(all.ticks > alone.ticks + 50, "{alone:?} {all:?}");
    let twice: Vec<UnitId> = crowd.iter().chain(&crowd).copied().collect();
    assert_eq!(many.ticks_left(&twice), Ok(all), "a unit named twice counts once");
    many.order(&crowd, Order::Stop).expect("legal");
    (0..3).for_each(|_| many.tick());
    assert_eq!(many.ticks_left(&crowd).map(|left| (left.ticks, left.under_way)), Ok((0, 0)));
}
