//! Whoever joins a flow sets out towards its goal.

use waymarch::base::{CellPos, GridSize, Purpose, Rng, Tick, Vec2, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules};
use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};

/// Sectors of 32 cells along an edge.
const SECTORS: i32 = 7;

/// Units everywhere with goals everywhere, many to each sector, so that the best ways of all flows take long to be found: meanwhile some were
/// led back to where others had set out from, by seventy cells and more.
#[test]
fn nobody_is_led_far_back_to_where_others_set_out_from() {
    let side = 32 * SECTORS;
    let map = Map::flat("plain", GridSize::new(side as u32, side as u32).expect("legal"), Rules::spec_000());
    let config = Config { formation_movement: false, ..Config::default() };
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
        world.order(&[unit], Order::move_to(goal)).expect("legal");
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
    // Across its own sector to where the flow leaves it, at most.
    assert!(back < 40 << 10, "{} cells", back >> 10);
}
