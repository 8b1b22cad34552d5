//! Zones with too many units, and zones of damaged saves.

use alloc::vec::Vec;

use crate::base::{CellPos, CellRect, Fine, GridSize, Tick, cell};
use crate::config::Config;
use crate::cost::{Map, Rules, Stamp};
use crate::flow::tiles::TileReader;
use crate::nav::Navigator;
use crate::world::deadlock::exits::{Exit, NextOnRoute, exits_of};
use crate::world::deadlock::plan::MOST_UNITS;
use crate::world::deadlock::zone::Zone;
use crate::world::units::zone_step::ZoneStep;
use crate::world::{Order, PlayerId, UnitType, World};

/// Units in a block 60 cells wide, inside a zone.
fn world_with_zone(count: i32) -> World {
    let map = Map::flat("field", GridSize::new(128, 128).unwrap(), Rules::standard());
    let mut world = World::new(Navigator::new(map, Config::default()).unwrap());
    let foot = world.nav().locomotor("foot").unwrap();
    let kind = world.add_type(UnitType::new("soldier", foot)).unwrap();
    let places: Vec<CellPos> = (0..count).map(|number| cell(10 + number % 60, 10 + number / 60)).collect();
    world.spawn_many(kind, PlayerId(0), &places).unwrap();
    let area = CellRect::at(cell(5, 5), 100, 100);
    world.state.zones.list.push(Zone {
        area,
        since: Tick(0),
        reached: Tick(0),
        planned: Tick(0),
        calm: 0,
        frozen: 0,
    });
    world
}

/// Such a zone took from the plan before whether a unit had reached its goal. A World that was loaded knew of no plan before.
#[test]
fn a_zone_with_more_units_than_are_planned_goes_on_alike_whatever_was_planned_before() {
    let mut world = world_with_zone(MOST_UNITS as i32 + 1);
    let mut other = world.clone();
    for tick in 0..12 {
        other.poison_scratch();
        world.tick();
        other.tick();
        assert_eq!(world.state.zones, other.state.zones, "tick {tick}");
        assert_eq!(world.state_hash(), other.state_hash(), "tick {tick}");
    }
    assert!(world.state.zones.list.is_empty(), "its units go on without it");
}

/// A damaged save panicked in the first tick, with overflow checks.
#[test]
fn a_unit_that_was_told_to_step_at_the_end_of_time_is_loaded_and_ticked() {
    let mut world = world_with_zone(3);
    let step =
        ZoneStep { from: cell(10, 10), to: cell(11, 10), since: Tick::MAX, waits: false, overdue: false };
    world.state.units.step[0] = Some(step);
    let mut loaded = World::load(&world.save()).unwrap();
    (0..100).for_each(|_| loaded.tick());
}

/// Two units cross a row of idle units from both ends.
#[test]
fn units_of_a_zone_step_together_and_never_into_one_cell() {
    let mut world = world_with_zone(60);
    let kind = world.units().next().unwrap().kind;
    let west = world.spawn_many(kind, PlayerId(0), &[cell(9, 10), cell(71, 10)]).unwrap();
    world.order(&west[..1], Order::move_to(cell(75, 10))).unwrap();
    world.order(&west[1..], Order::move_to(cell(6, 10))).unwrap();
    let mut plans = Vec::new();
    for _ in 0..1200 {
        world.tick();
        let Some(zone) = world.state.zones.list.first() else { continue };
        if zone.planned == world.now() {
            plans.push(zone.planned);
            let mut to: Vec<CellPos> = world.state.units.step.iter().flatten().map(|step| step.to).collect();
            to.sort_unstable();
            assert!(to.windows(2).all(|pair| pair[0] != pair[1]), "two units step to one cell");
        }
    }
    assert!(plans.windows(2).all(|pair| pair[1].0 - pair[0].0 <= 12), "a beat is at most 1.5 times 8 ticks");
    assert!(
        west.iter().all(|&unit| world.orders_of(unit).next().is_none()),
        "both arrive through the row of units"
    );
}

/// A member reached its exit by a shorter way than through the gates, and was led back to the first of them: 38 units walked in a circle for ever.
#[test]
fn a_member_that_leaves_a_zone_goes_on_behind_the_gates_in_the_zone() {
    let map = Map::flat("field", GridSize::new(96, 64).unwrap(), Rules::standard());
    let mut world = World::new(Navigator::new(map, Config::default()).unwrap());
    world.place(&Stamp::solid(2, 24), cell(40, 20)).unwrap();
    let foot = world.nav().locomotor("foot").unwrap();
    let kind = world.add_type(UnitType::new("soldier", foot)).unwrap();
    let places: Vec<CellPos> = (0..12).map(|number| cell(8 + number % 3, 26 + number / 3)).collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).unwrap();
    world.order(&units, Order::move_to(cell(80, 30))).unwrap();
    // All gates lie at the wall, inside the area.
    let area = CellRect::at(cell(0, 0), 50, 64);
    (0..40).for_each(|_| world.tick());
    let parts = world.state.order_parts();
    let mut left = 0;
    for index in 0..units.len() {
        let gate = |parts: &crate::world::orders::parts::OrderParts<'_>| {
            let route = parts.units.membership(index).unwrap().route;
            (
                route.gate(),
                parts
                    .groups
                    .list
                    .get(parts.units.membership(index).unwrap().group)
                    .unwrap()
                    .gates(route.branch())
                    .len(),
            )
        };
        let (before, count) = gate(&parts);
        let exits = exits_of(&parts, index, area, &mut TileReader::default()).unwrap();
        if let Exit::Leaves(at, next @ NextOnRoute::Gate(number)) = exits.guided {
            assert_eq!((at.x, usize::from(number)), (49, count), "unit {index}");
            assert!(before < number, "the gates are still before unit {index}");
            next.note(parts.units, index);
            assert_eq!(gate(&parts).0, number);
            left += 1;
        }
    }
    assert!(left > 0, "some members see the first gate");
}

/// What keeps a unit from its goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Barrier {
    Ground,
    Units,
}

/// A unit stands north of a barrier that is wider than the area, and its route ends south of it. Returns whether a plan finds units without a way, and how many of them
/// are walled in by units.
fn cut_off_by(barrier: Barrier) -> (bool, usize) {
    let map = Map::flat("field", GridSize::new(64, 64).unwrap(), Rules::standard());
    let mut world = World::new(Navigator::new(map, Config::default()).unwrap());
    let foot = world.nav().locomotor("foot").unwrap();
    let kind = world.add_type(UnitType::new("soldier", foot)).unwrap();
    let unit = world.spawn(kind, PlayerId(0), cell(20, 24)).unwrap();
    world.order(&[unit], Order::move_to(cell(20, 27))).unwrap();
    // A unit that makes way for no other unit, far from the route.
    let mut holding = world.spawn_many(kind, PlayerId(1), &[cell(30, 26)]).unwrap();
    match barrier {
        Barrier::Ground => {
            world.place(&Stamp::solid(40, 1), cell(8, 20)).unwrap();
        }
        Barrier::Units => {
            let row: Vec<CellPos> = (8..48).map(|x| cell(x, 20)).collect();
            holding.extend(world.spawn_many(kind, PlayerId(1), &row).unwrap());
        }
    }
    world.order(&holding, Order::Hold).unwrap();
    (0..4).for_each(|_| world.tick());
    let area = CellRect::at(cell(12, 12), 20, 17);
    let (place, north) = (world.state.units.place(0), Fine::centre(cell(20, 16)));
    world.state.units.body.crowd.put(place, north, Fine::ZERO);
    let World { state, pipeline } = &mut world;
    pipeline.occupancy.follow(&state.units, &state.types, state.service.nav().layer().grid());
    let scratch = &mut pipeline.deadlocks;
    scratch.collect(&state.units, &pipeline.occupancy, area);
    scratch.find_late(&state.units, &state.types, state.now());
    scratch.plan(&mut state.order_parts(), area, 0, usize::MAX);
    (scratch.any_cut_off, scratch.walled_in.len())
}

/// A unit that had no way in a zone gave up even if it had one outside.
#[test]
fn only_a_unit_that_other_units_keep_from_its_goal_is_walled_in() {
    assert_eq!(cut_off_by(Barrier::Ground), (true, 0), "it has a way around the wall, outside the zone");
    assert_eq!(cut_off_by(Barrier::Units), (true, 1));
}

/// All members headed for one cell of the border, where the group's centre crosses it, and were pushed off it.
#[test]
fn members_leave_a_zone_behind_their_own_places_in_a_gate() {
    let map = Map::flat("field", GridSize::new(96, 64).unwrap(), Rules::standard());
    let mut world = World::new(Navigator::new(map, Config::default()).unwrap());
    // A gap of 10 cells.
    world.place(&Stamp::solid(2, 27), cell(40, 0)).unwrap();
    world.place(&Stamp::solid(2, 27), cell(40, 37)).unwrap();
    let foot = world.nav().locomotor("foot").unwrap();
    let kind = world.add_type(UnitType::new("soldier", foot)).unwrap();
    let places: Vec<CellPos> = (0..32).map(|number| cell(24 + number % 4, 28 + number / 4)).collect();
    let units = world.spawn_many(kind, PlayerId(0), &places).unwrap();
    world.order(&units, Order::move_to(cell(80, 32))).unwrap();
    (0..40).for_each(|_| world.tick());
    // The area ends just behind the gap.
    let area = CellRect::at(cell(0, 0), 43, 64);
    let parts = world.state.order_parts();
    let exits =
        (0..units.len()).filter_map(|index| exits_of(&parts, index, area, &mut TileReader::default()));
    let mut rows: Vec<i32> = exits.map(|exits| exits.guided.cell().y).collect();
    rows.sort_unstable();
    assert_eq!(rows.len(), units.len());
    assert!(rows[0] >= 27 && rows[31] < 37, "they leave through the gap: {rows:?}");
    assert!(rows[31] - rows[0] >= 4, "they leave abreast: {rows:?}");
}
