//! Built-in maps, and a seeded generator of RTS terrain. It uses integers only and gives the same bits on every machine.
//!
//! A map is generated in stages, one file each:
//! relief from noise, rivers, levelled starts, roads with bridges, a check that roads connect every start, land cover, villages.
//! Heights come first. A cliff is ground that is steep in the end,
//! so a road that is graded through a cliff is a ramp.
//!
//! *Invariant:* all starts are connected by roads, bridges and yards at least three cells wide. None of these is too steep for
//! a ground unit, and later stages never cover them.

mod builtin;
mod land;
mod land_cover;
mod lattice;
mod maze_and_rooms;
mod noise;
mod options;
mod recipe;
mod relief;
mod river;
mod road;
mod standard_rules;
mod start_connections;
mod start_positions;
#[cfg(test)]
mod tests;
mod village;

use waymarch::base::GridSize;
use waymarch::cost::Map;

pub use builtin::{BUILTIN, builtin};
pub use maze_and_rooms::{maze, rooms};
pub use options::{GenerateOptions, Landform};
pub use recipe::{read_recipe, read_size};
pub use standard_rules::{ground, standard_rules};

/// Generates a map of `size` from `seed`, under [`standard_rules`].
///
/// Any size is legal, but a map with a side under 16 cells has little room. Extra memory is about one bit per cell.
/// Time is about 0.1 µs per cell: eight seconds for 8192×8192.
///
/// ```
/// use waymarch::base::GridSize;
/// use waymarch_maps::generate::{GenerateOptions, generate};
/// let size = GridSize::new(64, 48)?;
/// let map = generate(7, size, &GenerateOptions::default());
/// assert_eq!(map, generate(7, size, &GenerateOptions::default()));
/// assert!(map.starts.len() >= 2);
/// # Ok::<(), waymarch::base::SizeError>(())
/// ```
#[must_use]
pub fn generate(seed: u64, size: GridSize, options: &GenerateOptions) -> Map {
    let relief = relief::Relief::new(seed, size, options);
    let mut land = relief.shape();
    let lattice = lattice::Lattice::new(size);
    let (short, long) = (size.width().min(size.height()), size.width().max(size.height()));
    let rivers = match (short < 40, options.rivers) {
        (true, _) => 0,
        (_, Some(count)) => u32::from(count.min(16)),
        _ if options.landform == Landform::Islands => 0,
        _ => (long / 300).clamp(1, 8),
    };
    let rivers = river::run_rivers(&mut land, &lattice, seed, rivers);
    let players =
        options.players.map_or_else(|| start_positions::players_for(size.cells()), u32::from).clamp(1, 8);
    let starts = start_positions::choose_starts(&mut land, seed, players);
    let mut roads = road::Roads::new(&land, &lattice, seed);
    roads.join(&mut land, &starts, &rivers, relief.pass());
    start_connections::join_starts(&mut land, &mut roads, &starts);
    land_cover::cover(&mut land, &relief, seed, options);
    land_cover::place_ore(&mut land, seed, &starts);
    let villages = options.villages.map_or((long / 40).min(24), |count| u32::from(count.min(64)));
    let stamps = village::build_villages(&mut land, seed, villages, &roads.laid, &starts);
    for cell in &mut land.cover {
        if matches!(*cell, standard_rules::YARD | standard_rules::YARD_CENTRE) {
            *cell = ground::CLEAR;
        }
    }
    Map {
        name: format!("generated-{seed}"),
        size,
        rules: standard_rules(),
        terrain: land.cover,
        elevation: land.elevation,
        stamps,
        starts,
    }
}
