//! Built-in maps: a seeded generator of RTS-like terrain, integers only, the same bits on every machine.
//!
//! A map is made in stages, each its own file: bare relief from noise, rivers dug into it, starts levelled on
//! it, roads graded across it (bridges where they meet water), a check that roads join every start, then what grows on
//! the rest and the villages beside the roads. Heights come first and cliffs are simply where the finished ground is
//! steep, so a road that is graded through a cliff *is* a ramp.
//!
//! *Invariant:* all starts are joined by roads, bridges and yards at least three cells wide, none of it too steep for any
//! ground unit; later stages never cover those.

mod builtin;
mod cover;
mod halls;
mod land;
mod lattice;
mod noise;
mod options;
mod reach;
mod relief;
mod river;
mod road;
mod standard;
mod starts;
#[cfg(test)]
mod tests;
mod village;

use waymarch::base::GridSize;
use waymarch::cost::Map;

pub use builtin::{BUILTIN, builtin};
pub use halls::{maze, rooms};
pub use options::{GenerateOptions, Landform};
pub use standard::{ground, standard_rules};

/// Makes a map of `size` from `seed`, under [`standard_rules`].
///
/// Any size is legal; below 16 cells a side there is little room for anything. Beside the map itself it needs next to
/// no memory (a bit per cell), and about 0.1 µs per cell of an ordinary core: 8192×8192 in eight seconds.
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
    let players = options.players.map_or_else(|| starts::players_for(size.cells()), u32::from).clamp(1, 8);
    let starts = starts::choose_starts(&mut land, seed, players);
    let mut roads = road::Roads::new(&land, &lattice, seed);
    roads.join(&mut land, &starts, &rivers, relief.pass());
    reach::join_starts(&mut land, &mut roads, &starts);
    cover::cover(&mut land, &relief, seed, options);
    cover::strew_ore(&mut land, seed, &starts);
    let villages = options.villages.map_or((long / 40).min(24), |count| u32::from(count.min(64)));
    let stamps = village::build_villages(&mut land, seed, villages, &roads.laid, &starts);
    for cell in &mut land.cover {
        if matches!(*cell, standard::YARD | standard::HEARTH) {
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
