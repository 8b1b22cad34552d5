//! Whoever joins a flow sets out towards its goal.

use waymarch::avoid::Fine;
use waymarch::base::{CellPos, GridSize, Purpose, Rng, Tick, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules};
use waymarch::groups::Formation;
use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};

/// Whether units have places of their own to go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Posts {
    None,
    Given,
}

/// Sectors of 32 cells along an edge.
const SECTORS: i32 = 7;

/// Units everywhere with goals everywhere, many to each sector, so that the best ways of all flows take long to be found. How far somebody got
/// away from its goal again, in 1024ths of a cell.
fn furthest_back(posts: Posts) -> i32 {
    let side = 32 * SECTORS;
    let map = Map::flat("plain", GridSize::new(side as u32, side as u32).expect("legal"), Rules::spec_000());
    let config = Config { formation_movement: posts == Posts::Given, ..Config::default() };
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
        let order = match posts {
            Posts::None => Order::move_to(goal),
            Posts::Given => Order::move_to(goal).formation(Formation::Custom(vec![Fine::ZERO])),
        };
        world.order(&[unit], order).expect("legal");
        units.push((unit, goal));
    }
    let far = |world: &World, unit, goal: CellPos| {
        let at = world.unit(unit).map_or(Vec2::from(goal.centre()), |unit| unit.position);
        at.distance(Vec2::from(goal.centre())).raw()
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
fn nobody_is_led_far_back_to_where_others_set_out_from() {
    let back = furthest_back(Posts::None);
    // Across its own sector to where the flow leaves it, at most; by 63 cells when the nearest of them was taken, wherever that was.
    assert!(back < 40 << 10, "{} cells", back >> 10);
}

#[test]
fn units_that_see_their_place_from_afar_go_straight_there() {
    let back = furthest_back(Posts::Given);
    // As far as they get out of each other's way.
    assert!(back < 4 << 10, "{} cells", back >> 10);
}
