//! One unit asks for a way. Run it with `cargo run -p waymarch --example 01_one_unit`.
//!
//! This is all that a game needs which moves its units itself: a map, and somebody to ask.

use waymarch::base::{GridSize, cell};
use waymarch::config::Config;
use waymarch::cost::{Map, Rules, TerrainId};
use waymarch::world::Navigator;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A map is plain data: terrains by number, and rules that say what each terrain costs each kind of unit. These rules come with
    // the engine; a game writes its own, or reads them from a file with the crate `waymarch-maps`.
    let mut map = Map::flat("field", GridSize::new(48, 16)?, Rules::spec_000());
    let water = map.rules.terrains.iter().position(|terrain| terrain.name == "Water").ok_or("no water")?;
    for y in 0..12 {
        map.set_terrain(cell(20, y), TerrainId(water as u8));
    }

    // The navigator checks map and settings once. From here on nothing can be wrong with them.
    let mut nav = Navigator::new(map, Config::default())?;
    let foot = nav.locomotor("foot").ok_or("no such locomotor")?;

    // The cheapest route, by the cells where it turns. A straight step costs 1024, a diagonal one 1448, times what the cell costs.
    let route = nav.path(cell(5, 3), cell(40, 3), foot)?;
    println!("over {} cells, for {}: {:?}", route.cells().count(), route.cost, route.waypoints);
    assert!(route.cells().all(|at| at.x != 20 || at.y >= 12), "nobody walks on water");

    // The same in straight lines, as a unit would walk it: around the end of the water and on.
    let smooth = nav.path_smooth(cell(5, 3), cell(40, 3), foot)?;
    println!("or in {} lines", smooth.points.len() - 1);
    assert!(smooth.points.len() <= route.waypoints.len());

    // What cannot be is said at once, with the reason, and costs no search.
    let refused = nav.path(cell(5, 3), cell(20, 3), foot);
    println!("into the water: {}", refused.as_ref().expect_err("it is closed"));
    assert!(refused.is_err());
    Ok(())
}
