//! Land cover: cliffs on steep ground, then beaches, peaks, rough ground, forests, rocks and ore.

use waymarch::base::{CellPos, cell};
use waymarch::cost::TerrainId;

use super::land::{CLIFF_SLOPE, Land, disc};
use super::noise::{Noise, Stream, hash_cell, mix};
use super::options::GenerateOptions;
use super::relief::Relief;
use super::standard_rules::{YARD, YARD_CENTRE, ground};

/// Chooses the cover of all clear land. Roads, bridges, water and yards stay as they are.
pub(super) fn cover(land: &mut Land, relief: &Relief, seed: u64, options: &GenerateOptions) {
    let (width, height) = (land.size.width(), land.size.height());
    let long = width.max(height);
    let woods = Noise::blended(seed, 30, (long / 5).clamp(6, 40), 3);
    let glades = Noise::new(seed, 31, 9, 2);
    let stones = Noise::blended(seed, 32, (long / 6).clamp(6, 30), 3);
    let mut rows = [(); 4].map(|()| vec![0; width as usize]);
    let share = i32::from(options.forest.min(100));
    // The noise has a bell-shaped distribution with quartiles near ±6000.
    let treeline = if share == 0 { i32::MAX } else { (50 - share) * 260 };
    for y in 0..height {
        relief.row(y, &mut rows[0]);
        woods.row(y, &mut rows[1]);
        glades.row(y, &mut rows[2]);
        stones.row(y, &mut rows[3]);
        let noises = rows[0].iter().zip(&rows[1]).zip(rows[2].iter().zip(&rows[3]));
        for (x, ((&raw, &woods), (&glades, &stones))) in noises.enumerate() {
            let i = y as usize * width as usize + x;
            if land.cover[i] == ground::CLEAR {
                let local = Local { raw, woods, glades, stones, treeline };
                land.cover[i] = natural(land, relief, seed, cell(x as i32, y as i32), &local);
            }
        }
    }
}

/// The noise values at one cell.
struct Local {
    raw: i32,
    woods: i32,
    glades: i32,
    stones: i32,
    treeline: i32,
}

fn natural(land: &Land, relief: &Relief, seed: u64, at: CellPos, local: &Local) -> TerrainId {
    let slope = land.slope(at);
    if slope > CLIFF_SLOPE {
        return ground::CLIFF;
    }
    // Beaches lie where the land rises slowly from the sea.
    let inland = local.raw.saturating_sub(relief.sea);
    if relief.sea != i32::MIN && inland < 1700 + local.stones / 12 {
        return ground::BEACH;
    }
    let by_way =
        land.any_around(at, |kind| matches!(kind, ground::ROAD | ground::BRIDGE | YARD | YARD_CENTRE));
    let high = local.raw > relief.steps[2] && !by_way;
    if high {
        return if local.glades > -9000 { ground::ROCK } else { ground::ROUGH };
    }
    let chance = (hash_cell(mix(seed ^ 0x0c0e), at.x, at.y) % 1000) as i32;
    if !by_way {
        if local.woods > local.treeline && local.glades > -7000 && slope < 90 {
            return ground::FOREST;
        }
        if local.woods > local.treeline - 4500 && chance < 40 {
            return ground::FOREST;
        }
        if local.stones > 9500 && chance < 45 {
            return ground::ROCK;
        }
    }
    if local.stones > 8200 || (slope > 70 && local.stones > -3000) {
        return ground::ROUGH;
    }
    ground::CLEAR
}

/// Places a field of ore near each start, on open ground. Maps with a side under 48 cells have none.
pub(super) fn place_ore(land: &mut Land, seed: u64, starts: &[CellPos]) {
    let short = land.size.width().min(land.size.height()) as i32;
    if short < 48 {
        return;
    }
    let mut stream = Stream::new(seed, 33);
    for &start in starts {
        for _ in 0..24 {
            let far = stream.between(9, 15);
            let (dx, dy) = (stream.between(-far, far), stream.between(-far, far));
            let middle = start.offset(dx, dy);
            let open = disc(middle, 2)
                .all(|at| matches!(land.cover_at(at), Some(ground::CLEAR | ground::ROUGH | ground::FOREST)));
            if dx * dx + dy * dy < 81 || !open {
                continue;
            }
            for at in disc(middle, 4) {
                let (dx, dy) = (at.x - middle.x, at.y - middle.y);
                let ragged = (hash_cell(seed ^ 0x03e, at.x, at.y) % 9) as i32;
                let open = matches!(land.cover_at(at), Some(ground::CLEAR | ground::ROUGH | ground::FOREST));
                if let Some(i) = land.index(at).filter(|_| open && dx * dx + dy * dy <= 6 + ragged) {
                    land.cover[i] = ground::ORE;
                }
            }
            break;
        }
    }
}
