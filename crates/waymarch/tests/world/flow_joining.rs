//! A unit that joins a flow starts towards the goal of the flow.

use waymarch::avoid::Fine;
use waymarch::base::{CellPos, GridSize, Purpose, Rng, Tick, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules};
use waymarch::groups::Formation;
use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};

/// Whether units have formation slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slots {
    None,
    Given,
}

/// The map has 7 sectors of 32 cells along each edge.
const SECTORS: i32 = 7;

/// Units everywhere with goals everywhere, many in each sector, so that the searches of all flows take many ticks. Returns the greatest distance
/// that a unit moved away from its goal again, in 1024ths of a cell.
fn farthest_back(slots: Slots) -> i32 {
    let side = 32 * SECTORS;
    let map = Map::flat("plain", GridSize::new(side as u32, side as u32).expect("legal"), Rules::standard());
    let config = Config { formation_movement: slots == Slots::Given, ..Config::default() };
    let mut world = World::new(Navigator::new(map, config).expect("legal"));
    let foot = world.nav().locomotor("foot").expect("it has it");
    let kind = world.add_type(UnitType::new("walker", foot)).expect("legal");
    let mut random = Rng::keyed(5, Tick::ZERO, 0, Purpose(8));
    let mut below = |most: i32| random.below(most as u32) as i32;
    let mut units = Vec::new();
    for number in 0..SECTORS * SECTORS * 16 {
        let corner = cell(32 * (number % SECTORS), 32 * (number / SECTORS % SECTORS));
        let goal = cell(corner.x + below(32), corner.y + below(32));
        let start = cell(below(side), below(side));
        let unit = world.spawn(kind, PlayerId(0), start).expect("open ground");
        let order = match slots {
            Slots::None => Order::move_to(goal),
            Slots::Given => Order::move_to(goal).formation(Formation::Custom(vec![Fine::ZERO])),
        };
        world.order(&[unit], order).expect("legal");
        units.push((unit, goal));
    }
    let far = |world: &World, unit, goal: CellPos| {
        let at = world.unit(unit).map_or(goal.centre(), |unit| unit.position);
        at.distance(goal.centre()).raw()
    };
    let mut nearest: Vec<i32> = units.iter().map(|&(unit, goal)| far(&world, unit, goal)).collect();
    let mut back = 0;
    for _ in 0..800 {
        world.tick();
        for (&(unit, goal), nearest) in units.iter().zip(&mut nearest) {
            let now = far(&world, unit, goal);
            *nearest = now.min(*nearest);
            back = back.max(now - *nearest);
        }
    }
    back
}

#[test]
fn no_unit_is_led_far_back_to_the_start_of_others() {
    let back = farthest_back(Slots::None);
    // A unit may walk back across its own sector to the exit of the flow. The result was 63 cells when units took the nearest exit of any sector.
    assert!(back < 40 << 10, "{} cells", back >> 10);
}

#[test]
fn units_that_see_their_slot_from_afar_go_straight_there() {
    let back = farthest_back(Slots::Given);
    // Units may step back a little to avoid each other.
    assert!(back < 4 << 10, "{} cells", back >> 10);
}
