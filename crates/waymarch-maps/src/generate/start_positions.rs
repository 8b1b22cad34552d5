//! Player starts: far apart, on dry and level ground.

use waymarch::base::{CellPos, cell};

use super::land::{Land, disc};
use super::noise::Stream;

/// The default number of players for a map with this many cells.
pub(super) fn players_for(cells: usize) -> u32 {
    match cells {
        0..=6_000 => 2,
        6_001..=14_000 => 3,
        14_001..=70_000 => 4,
        70_001..=300_000 => 6,
        _ => 8,
    }
}

/// Chooses `count` starts by farthest-point sampling of 600 random places, and levels a yard around each.
pub(super) fn choose_starts(land: &mut Land, seed: u64, count: u32) -> Vec<CellPos> {
    let (width, height) = (land.size.width() as i32, land.size.height() as i32);
    let short = width.min(height);
    let radius = (short / 14).clamp(1, 6);
    let margin = (short / 9).clamp(radius + 1, 48);
    let mut stream = Stream::new(seed, 20);
    let mut places: Vec<(CellPos, i32)> = Vec::new();
    for _ in 0..600 {
        let at =
            cell(stream.between(margin, width - 1 - margin), stream.between(margin, height - 1 - margin));
        let at = cell(at.x.clamp(0, width - 1), at.y.clamp(0, height - 1));
        places.push((at, -unsuitability(land, at, radius)));
    }
    let mut starts: Vec<CellPos> = Vec::new();
    while starts.len() < count as usize {
        let apart = |at: CellPos| {
            let near = starts.iter().map(|s| (s.x - at.x).pow(2) + (s.y - at.y).pow(2)).min();
            // The first start is drawn towards a corner, the others away from the starts before.
            let corner = (at.x - width / 2).pow(2) + (at.y - height / 2).pow(2);
            i64::from(near.unwrap_or(corner)).unsigned_abs().isqrt() as i32
        };
        // A start in water outweighs any distance; wet cells and uneven ground count less.
        let best = places.iter().max_by_key(|&&(at, worth)| (apart(at) * 1000 / short + worth, at));
        let Some(&(at, _)) = best else { break };
        starts.push(at);
    }
    for &at in &starts {
        land.level_yard(at, radius);
    }
    starts
}

/// How unsuitable a place is: water at the place counts most, then wet cells nearby, then uneven ground.
fn unsuitability(land: &Land, at: CellPos, radius: i32) -> i32 {
    let own = i32::from(land.height_at(at).unwrap_or(0));
    let mut wet = 0;
    let mut uneven = 0;
    for other in disc(at, radius + 2) {
        match land.height_at(other) {
            Some(height) if !land.is_water(other) => uneven = uneven.max((i32::from(height) - own).abs()),
            _ => wet += 1,
        }
    }
    let sunk = if land.is_water(at) { 3000 } else { 0 };
    sunk + wet * 12 + uneven / 3
}
