//! One unit asks for a route. Run it with `cargo run -p waymarch --example 01_one_unit`.
//!
//! A game that moves its units itself needs no more than this: a map, and a navigator that answers queries.

use waymarch::base::{GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, TerrainId};
use waymarch::world::Navigator;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A map is plain data: terrains by number, and rules that say what each terrain costs each kind of unit. These rules come with
    // the engine; a game writes its own, or reads them from a file with the crate `waymarch-maps`.
    let mut map = Map::flat("field", GridSize::new(48, 16)?, Rules::standard());
    let water = map.rules.terrains.iter().position(|terrain| terrain.name == "Water").ok_or("no water")?;
    for y in 0..12 {
        map.set_terrain(cell(20, y), TerrainId(water as u8));
    }

    // The navigator checks map and settings once. After that, queries cannot fail because of them.
    let mut nav = Navigator::new(map, Config::default())?;
    let foot = nav.locomotor("foot").ok_or("no such locomotor")?;

    // The cheapest route, as the cells where it turns. A straight step costs 1024, a diagonal one 1448, times the cost of the cell.
    let route = nav.path(cell(5, 3), cell(40, 3), foot)?;
    println!("over {} cells, for {}: {:?}", route.cells().count(), route.cost, route.waypoints);
    assert!(route.cells().all(|at| at.x != 20 || at.y >= 12), "the route avoids the water");

    // The same route in straight lines at any angle: around the end of the water.
    let smooth = nav.path_smooth(cell(5, 3), cell(40, 3), foot)?;
    println!("or in {} lines", smooth.points.len() - 1);
    assert!(smooth.points.len() <= route.waypoints.len());

    // An impossible query is refused with a reason, without a search.
    let refused = nav.path(cell(5, 3), cell(20, 3), foot);
    println!("into the water: {}", refused.as_ref().expect_err("it is closed"));
    assert!(refused.is_err());
    Ok(())
}
