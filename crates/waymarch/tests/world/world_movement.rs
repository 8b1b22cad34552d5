//! Movement among other units: bugs of shipped engines that a World must not have. Tests of the same bug begin with the same letter
//! (a, c, d, e, h, k, l, m, n, o).

use waymarch::base::{Agent, CellPos, CellRect, Fixed, SizeClass, cell};
use waymarch::config::Config;
use waymarch::cost::{FootCell, Stamp, TerrainId};
use waymarch::world::{
    Command, EventKind, GiveUp, Order, PathReason, PlayerId, Stance, UnitId, UnitType, UnitTypeId, World,
};
use waymarch_testkit::worlds::{flat_world, soldier};

const WATER: TerrainId = TerrainId(4);
const BRIDGE: TerrainId = TerrainId(5);
const MINE: PlayerId = PlayerId(0);
const THEIRS: PlayerId = PlayerId(1);

fn field(width: u32, height: u32) -> (World, UnitTypeId) {
    let mut world = flat_world(width, height, Config::default());
    let kind = soldier(&mut world);
    (world, kind)
}

fn paint(world: &mut World, area: CellRect, terrain: TerrainId) {
    world.apply(&Command::SetTerrain { area, terrain }).expect("on the map");
}

/// A map of water with these areas of open ground.
fn canals(width: u32, height: u32, open: &[CellRect]) -> (World, UnitTypeId) {
    let (mut world, kind) = field(width, height);
    paint(&mut world, CellRect::at(cell(0, 0), width, height), WATER);
    open.iter().for_each(|&area| paint(&mut world, area, TerrainId(0)));
    (world, kind)
}

/// Runs ticks until `ends` orders have ended, and returns their last events. Checks that every unit stays on open ground.
fn play(world: &mut World, most: u32, ends: usize) -> Vec<(UnitId, EventKind)> {
    let mut seen = Vec::new();
    for _ in 0..most {
        world.tick();
        assert_all_on_open_ground(world);
        let over = |what| matches!(what, EventKind::Arrived | EventKind::GaveUp(_));
        seen.extend(
            world.events().iter().filter(|event| over(event.what)).map(|event| (event.unit, event.what)),
        );
        if seen.len() >= ends {
            break;
        }
    }
    seen
}

fn assert_all_on_open_ground(world: &World) {
    for unit in world.units() {
        let agent = world.types()[unit.kind.index()].agent;
        let at = world.cell_of(unit.id).expect("alive");
        let field = world.nav().layer().field(agent).expect("it has costs");
        assert!(field.is_passable(at), "{} at {at} in tick {}", unit.id, world.now());
    }
}

fn all_arrived(ends: &[(UnitId, EventKind)], units: &[UnitId]) {
    let arrived = |unit| ends.contains(&(unit, EventKind::Arrived));
    let missing: Vec<&UnitId> = units.iter().filter(|&&unit| !arrived(unit)).collect();
    assert!(missing.is_empty(), "{missing:?} of {}: {ends:?}", units.len());
}

#[test]
fn a_no_unit_gets_through_a_slanted_wall() {
    let (mut world, _) = field(64, 64);
    let foot = world.nav().locomotor("foot").expect("it has it");
    let small = UnitType { radius: Fixed::from_raw(200), ..UnitType::new("small", foot) };
    let small = world.add_type(small).expect("legal");
    // The west and east walls shift by one cell to the east every six rows.
    let west = |y: i32| 8 + (y - 10) / 6;
    for y in 10..46 {
        paint(&mut world, CellRect::at(cell(west(y), y), 1, 1), WATER);
        paint(&mut world, CellRect::at(cell(west(y) + 36, y), 1, 1), WATER);
    }
    paint(&mut world, CellRect::at(cell(west(10), 10), 37, 1), WATER);
    paint(&mut world, CellRect::at(cell(west(45), 45), 37, 1), WATER);
    let places: Vec<CellPos> =
        (11..45).flat_map(|y| (1..31).map(move |x| cell(west(y) + x, y))).take(1000).collect();
    let units = world.spawn_many(small, MINE, &places).expect("open");
    world.order(&units, Order::move_to(cell(60, 60))).expect("good");
    for _ in 0..250 {
        world.tick();
        for &unit in &units {
            let at = world.cell_of(unit).expect("alive");
            let inside = (11..45).contains(&at.y) && at.x > west(at.y) && at.x < west(at.y) + 36;
            assert!(inside, "{unit} at {at} in tick {}", world.now());
        }
    }
}

#[test]
fn c_thirty_units_wait_their_turn_at_the_near_bridge() {
    let (mut world, kind) = field(64, 64);
    paint(&mut world, CellRect::at(cell(28, 0), 6, 64), WATER);
    let cells = vec![FootCell::Terrain(BRIDGE); 6];
    let bridge = Stamp { name: "bridge".to_string(), width: 6, height: 1, cells, lifetime: None };
    [20, 60].iter().for_each(|&row| _ = world.place(&bridge, cell(28, row)).expect("it fits"));
    let places: Vec<CellPos> = CellRect::at(cell(14, 17), 5, 6).cells().collect();
    let units = world.spawn_many(kind, MINE, &places).expect("open");
    world.order(&units, Order::move_to(cell(50, 20))).expect("good");
    let mut ends = Vec::new();
    for _ in 0..3000 {
        ends.extend(play(&mut world, 1, usize::MAX));
        for &unit in &units {
            let at = world.cell_of(unit).expect("alive");
            assert!(!(28..34).contains(&at.x) || at.y == 20, "{unit} takes the far bridge");
            assert!(at.y < 40, "{unit} goes to the far bridge");
        }
        if ends.len() == units.len() {
            break;
        }
    }
    all_arrived(&ends, &units);
}

#[test]
fn d_two_harvesters_share_a_dock_at_the_edge() {
    let (mut world, kind) = field(40, 40);
    let homes = [cell(20, 10), cell(20, 30)];
    let units = world.spawn_many(kind, MINE, &homes).expect("open");
    for (&unit, home) in units.iter().zip(homes) {
        for _ in 0..2 {
            world.queue(&[unit], Order::move_to(cell(0, 20))).expect("room");
            world.queue(&[unit], Order::move_to(home)).expect("room");
        }
    }
    let ends = play(&mut world, 4000, 8);
    assert_eq!(ends.len(), 8, "{ends:?}");
    assert!(ends.iter().all(|&(_, end)| end == EventKind::Arrived), "{ends:?}");
}

#[test]
fn e_a_unit_on_a_cliff_leaves_it_to_the_side_of_its_goal() {
    for (goal, side) in [(cell(5, 20), -1), (cell(35, 20), 1)] {
        let (mut world, kind) = field(40, 40);
        let unit = world.spawn(kind, MINE, cell(20, 20)).expect("open");
        paint(&mut world, CellRect::at(cell(20, 0), 1, 40), WATER);
        world.order(&[unit], Order::move_to(goal)).expect("good");
        let mut ends = Vec::new();
        while ends.is_empty() && world.now().0 < 600 {
            world.tick();
            let at = world.cell_of(unit).expect("alive");
            assert!((at.x - 20) * side >= 0, "{at} is the wrong side");
            ends.extend(
                world.events().iter().map(|event| event.what).filter(|&what| what == EventKind::Arrived),
            );
        }
        assert_eq!((ends.len(), world.cell_of(unit)), (1, Some(goal)));
    }
}

/// A corridor from west to east, `breadth` cells wide, with a yard at both ends.
fn corridor(breadth: u32) -> (World, UnitTypeId) {
    let yards = [CellRect::at(cell(1, 5), 8, 11), CellRect::at(cell(31, 5), 8, 11)];
    canals(40, 21, &[yards[0], yards[1], CellRect::at(cell(9, 10), 22, breadth)])
}

#[test]
fn h_a_route_that_an_enemy_blocks_ends_with_a_reason() {
    let (mut world, kind) = corridor(1);
    let unit = world.spawn(kind, MINE, cell(4, 10)).expect("open");
    let enemy = world.spawn(kind, THEIRS, cell(20, 10)).expect("open");
    world.order(&[enemy], Order::Hold).expect("good");
    world.order(&[unit], Order::move_to(cell(35, 10))).expect("good");
    let ends = play(&mut world, 3000, 1);
    assert!(matches!(ends[..], [(_, EventKind::GaveUp(_))]), "{ends:?}");
    assert_eq!(world.cell_of(enemy), Some(cell(20, 10)), "the enemy has not been moved");
}

#[test]
fn k_pushed_units_enter_neither_walls_nor_gaps_too_small_for_them() {
    let (mut world, kind) = corridor(3);
    // A niche of one cell, too small for big units.
    paint(&mut world, CellRect::at(cell(20, 9), 1, 1), TerrainId(0));
    let agent = Agent { size: SizeClass::TWO, ..world.types()[0].agent };
    let big = world.add_type(UnitType::new("big", agent)).expect("legal");
    let mut units =
        world.spawn_many(big, MINE, &[cell(14, 10), cell(20, 10), cell(24, 11)]).expect("it fits");
    let places: Vec<CellPos> = CellRect::at(cell(2, 6), 6, 8).cells().collect();
    let crowd = world.spawn_many(kind, MINE, &places).expect("open");
    world.order(&crowd, Order::move_to(cell(35, 10))).expect("good");
    let ends = play(&mut world, 1500, crowd.len());
    let arrived = ends.iter().filter(|&&(_, end)| end == EventKind::Arrived).count();
    assert!(arrived * 4 >= crowd.len() * 3, "{arrived} of {}", crowd.len());
    units.extend(&crowd);
    assert_eq!(world.unit_count(), units.len());
}

#[test]
fn k_units_as_wide_as_their_canal_get_through_it_and_never_into_its_banks() {
    // Two areas, joined by a canal of one cell that turns four times.
    let open = [
        CellRect::at(cell(2, 2), 12, 12),
        CellRect::at(cell(14, 6), 8, 1),
        CellRect::at(cell(21, 6), 1, 12),
        CellRect::at(cell(21, 17), 8, 1),
        CellRect::at(cell(28, 9), 1, 9),
        CellRect::at(cell(28, 9), 6, 1),
        CellRect::at(cell(34, 2), 12, 12),
    ];
    let (mut world, _) = canals(48, 24, &open);
    let foot = world.nav().locomotor("foot").expect("it has it");
    let broad = UnitType { radius: Fixed::from_raw(512), ..UnitType::new("broad", foot) };
    let kind = world.add_type(broad).expect("legal");
    let places: Vec<CellPos> = CellRect::at(cell(3, 3), 8, 8).cells().step_by(5).collect();
    let units = world.spawn_many(kind, MINE, &places).expect("open");
    world.order(&units, Order::move_to(cell(40, 8))).expect("good");
    let is_open = |at: CellPos| open.iter().any(|area| area.contains(at));
    let mut ends = Vec::new();
    for _ in 0..3000 {
        ends.extend(play(&mut world, 1, usize::MAX));
        for unit in world.units() {
            let body = CellRect::at(world.cell_of(unit.id).expect("alive"), 1, 1).grow(1, 1);
            for bank in body.cells().filter(|&at| !is_open(at)) {
                // The distance from the unit's centre to the nearest point of the bank, in 1024ths of a cell.
                let beside = |at: i32, bank: i32| i64::from(at - at.clamp(bank * 1024, bank * 1024 + 1024));
                let (x, y) = (beside(unit.position.x.raw(), bank.x), beside(unit.position.y.raw(), bank.y));
                assert!(x * x + y * y >= 510 * 510, "{} at {:?} in {bank}", unit.id, unit.position);
            }
        }
    }
    all_arrived(&ends, &units);
}

#[test]
fn l_an_idle_friend_in_a_doorway_makes_way_and_comes_back() {
    let rooms = [CellRect::at(cell(1, 1), 14, 19), CellRect::at(cell(16, 1), 14, 19)];
    let (mut world, kind) = canals(31, 21, &[rooms[0], rooms[1], CellRect::at(cell(15, 10), 1, 1)]);
    let idle = world.spawn(kind, MINE, cell(15, 10)).expect("open");
    let unit = world.spawn(kind, MINE, cell(5, 10)).expect("open");
    world.order(&[unit], Order::move_to(cell(25, 10))).expect("good");
    let ends = play(&mut world, 600, 1);
    assert_eq!(ends, [(unit, EventKind::Arrived)]);
    play(&mut world, 300, 1);
    assert_eq!(world.cell_of(idle), Some(cell(15, 10)), "the idle unit is back");
}

#[test]
fn l_an_enemy_in_a_doorway_does_not_make_way() {
    let rooms = [CellRect::at(cell(1, 1), 14, 19), CellRect::at(cell(16, 1), 14, 19)];
    let (mut world, kind) = canals(31, 21, &[rooms[0], rooms[1], CellRect::at(cell(15, 10), 1, 1)]);
    let enemy = world.spawn(kind, THEIRS, cell(15, 10)).expect("open");
    let unit = world.spawn(kind, MINE, cell(5, 10)).expect("open");
    world.order(&[unit], Order::move_to(cell(25, 10))).expect("good");
    let ends = play(&mut world, 3000, 1);
    assert!(matches!(ends[..], [(_, EventKind::GaveUp(_))]), "{ends:?}");
    assert_eq!(world.cell_of(enemy), Some(cell(15, 10)));
}

#[test]
fn m_sixty_units_ordered_to_one_point_stop() {
    let (mut world, kind) = field(64, 64);
    let places: Vec<CellPos> = CellRect::at(cell(5, 20), 6, 10).cells().collect();
    let units = world.spawn_many(kind, MINE, &places).expect("open");
    world.order(&units, Order::move_to(cell(45, 30))).expect("good");
    let ends = play(&mut world, 2000, units.len());
    all_arrived(&ends, &units);
    play(&mut world, 300, 1);
    let goal = cell(45, 30).centre();
    for _ in 0..50 {
        world.tick();
        for unit in world.units() {
            assert!(unit.velocity.length() <= Fixed::from_raw(6), "{unit:?} in tick {}", world.now());
            assert!(unit.position.distance(goal) <= Fixed::from_cells(8), "{unit:?}");
            assert_ne!(unit.stance, Stance::Moving);
        }
    }
}

/// Two units meet head-on; both arrive.
fn meet((mut world, kind): (World, UnitTypeId)) {
    let units = world.spawn_many(kind, MINE, &[cell(4, 10), cell(35, 10)]).expect("open");
    world.order(&units[..1], Order::move_to(cell(35, 10))).expect("good");
    world.order(&units[1..], Order::move_to(cell(4, 10))).expect("good");
    let ends = play(&mut world, 2000, 2);
    all_arrived(&ends, &units);
}

#[test]
fn n_two_units_meet_head_on_and_pass() {
    meet(field(40, 21));
    meet(corridor(2));
}

#[test]
fn n_in_a_corridor_of_one_cell_one_backs_out_and_both_arrive() {
    meet(corridor(1));
}

#[test]
fn o_a_big_unit_goes_around_a_gap_that_it_does_not_fit_or_says_why_not() {
    for way_round in [true, false] {
        let (mut world, _) = field(40, 40);
        let agent = Agent { size: SizeClass::TWO, ..world.types()[0].agent };
        let big = world.add_type(UnitType::vehicle("big", agent)).expect("legal");
        paint(&mut world, CellRect::at(cell(20, 0), 1, 40), WATER);
        paint(&mut world, CellRect::at(cell(20, 20), 1, 1), TerrainId(0));
        if way_round {
            paint(&mut world, CellRect::at(cell(20, 36), 1, 3), TerrainId(0));
        }
        let unit = world.spawn(big, MINE, cell(10, 20)).expect("open");
        world.order(&[unit], Order::move_to(cell(30, 20))).expect("good");
        let ends = play(&mut world, 2000, 1);
        let reason = EventKind::GaveUp(GiveUp::Nearest(PathReason::NoRoute));
        assert_eq!(ends, [(unit, if way_round { EventKind::Arrived } else { reason })]);
    }
}

#[test]
fn vehicles_turn_before_they_drive_and_arrive_together() {
    let (mut world, _) = field(64, 64);
    let track = world.nav().locomotor("track").expect("it has it");
    let tank = world.add_type(UnitType::vehicle("tank", track)).expect("legal");
    let places: Vec<CellPos> = CellRect::at(cell(40, 30), 4, 4).cells().collect();
    let units = world.spawn_many(tank, MINE, &places).expect("open");
    // The vehicles face east and get an order to go west.
    world.order(&units, Order::move_to(cell(10, 30))).expect("good");
    (0..4).for_each(|_| world.tick());
    assert!(
        world.units().all(|unit| unit.velocity.length() <= Fixed::from_raw(40)),
        "the vehicles turn first"
    );
    let ends = play(&mut world, 2000, units.len());
    all_arrived(&ends, &units);
}
