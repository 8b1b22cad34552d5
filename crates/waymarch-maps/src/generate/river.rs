//! Rivers from the hills to the sea or to the map's edge, each in a valley.

use std::cmp::Reverse;

use waymarch::base::CellPos;

use super::land::{Brush, Grade, Land, WATER_LEVEL, disc};
use super::lattice::{Lattice, curve, thinned};
use super::noise::{hash_cell, mix};
use super::standard_rules::ground;

/// A river rises by at most 14 per cell towards its source (256 is one cell).
const RISE: i16 = 14;

/// Creates up to `count` rivers; returns the middle line of each, from source to mouth.
pub(super) fn run_rivers(land: &mut Land, lattice: &Lattice, seed: u64, count: u32) -> Vec<Vec<CellPos>> {
    let mut rivers: Vec<Vec<CellPos>> = Vec::new();
    let mut sources: Vec<CellPos> = Vec::new();
    for number in 0..count {
        let wet = lattice.largest(|node| land.cover_at(lattice.centre(node)) == Some(ground::WATER));
        let Some(source) = choose_source(land, lattice, &sources, &wet) else { break };
        sources.push(lattice.centre(source));
        let costs: Vec<u32> = (0..lattice.len())
            .map(|node| {
                let at = lattice.centre(node);
                let height = i32::from(land.height_at(at).unwrap_or(0)).max(0) as u32;
                20 + height / 6 + (hash_cell(mix(seed ^ 0x71e5), at.x, at.y) % 90) as u32
            })
            .collect();
        let by_sea = wet.iter().any(|&w| w);
        let start = lattice.centre(source);
        let short = (land.size.width().min(land.size.height()) * 3 / 4) as i32;
        let is_mouth = |node: usize| {
            let at = lattice.centre(node);
            let far = (at.x - start.x).abs().max((at.y - start.y).abs()) >= short;
            if by_sea { wet[node] } else { far && lattice.at_edge(node) }
        };
        let Some(route) = lattice.route(&costs, source, is_mouth) else { break };
        let mut points = thinned(lattice, &route, seed, lattice.spacing);
        if !by_sea {
            run_off(land, &mut points);
        }
        let middle: Vec<CellPos> = curve(&points).into_iter().filter(|&at| land.size.contains(at)).collect();
        if middle.len() < 12 {
            continue;
        }
        dig(land, &middle, number);
        rivers.push(middle);
    }
    rivers
}

/// Extends the mouth of the river past the nearest edge of the map, and also a source within 12 cells of an edge. So the river does not end
/// before the edge.
fn run_off(land: &Land, points: &mut Vec<CellPos>) {
    let (width, height) = (land.size.width() as i32, land.size.height() as i32);
    for end in [false, true] {
        let Some(&at) = (if end { points.last() } else { points.first() }) else { return };
        let edges =
            [(at.x, (-1, 0)), (width - 1 - at.x, (1, 0)), (at.y, (0, -1)), (height - 1 - at.y, (0, 1))];
        let Some(&(gap, (dx, dy))) = edges.iter().min_by_key(|edge| edge.0) else { return };
        let off = at.offset(dx * (gap + 3), dy * (gap + 3));
        if end {
            points.push(off);
        } else if gap < 12 {
            points.insert(0, off);
        }
    }
}

/// The best node for a source: high land far from water, and at least a quarter of the map's longer side from other sources. With a sea it
/// lies inside the map, without a sea at the map's edge.
fn choose_source(land: &Land, lattice: &Lattice, sources: &[CellPos], wet: &[bool]) -> Option<usize> {
    let apart = (land.size.width().max(land.size.height()) / 4) as i32;
    let by_sea = wet.iter().any(|&w| w);
    let water: Vec<CellPos> =
        (0..lattice.len()).filter(|&node| wet[node]).map(|node| lattice.centre(node)).collect();
    let distance = |a: CellPos, b: CellPos| (a.x - b.x).abs().max((a.y - b.y).abs());
    (0..lattice.len())
        .filter(|&node| !wet[node] && (by_sea != lattice.at_edge(node)))
        .map(|node| (lattice.centre(node), node))
        .filter(|&(at, _)| sources.iter().all(|&other| distance(at, other) >= apart))
        .map(|(at, node)| {
            let to_water = water.iter().map(|&w| distance(at, w)).min().unwrap_or(0);
            let height = i32::from(land.height_at(at).unwrap_or(0));
            (height.min(500) / 2 + to_water * 900 / apart.max(1), Reverse(node))
        })
        .max()
        .map(|(_, Reverse(node))| node)
}

/// Digs the river bed and its valley, and fills the bed with water.
fn dig(land: &mut Land, middle: &[CellPos], number: u32) {
    let long = land.size.width().max(land.size.height());
    let widest = (1 + long / 160).min(4) as i32;
    let height = |land: &Land, at: CellPos| land.height_at(at).unwrap_or(WATER_LEVEL).max(WATER_LEVEL + 4);
    let mut level = middle.last().map_or(WATER_LEVEL, |&at| height(land, at).min(WATER_LEVEL + 30));
    let levels: Vec<i16> = middle
        .iter()
        .rev()
        .map(|&at| {
            level = (level + RISE).min(height(land, at).saturating_sub(14)).max(level);
            level
        })
        .collect();
    for (i, (&at, &level)) in middle.iter().zip(levels.iter().rev()).enumerate() {
        let radius = 1 + (i * widest as usize / middle.len()) as i32;
        land.grade(at, level, Brush { flat: radius + 1, grade: 44, sides: Grade::CutOnly });
        for bed in disc(at, radius) {
            if let Some(i) = land.index(bed).filter(|&i| land.cover[i] != ground::WATER) {
                land.cover[i] = ground::RIVER;
                land.elevation[i] = land.elevation[i].min(level);
            }
        }
    }
    // Every other river begins in a small pond.
    if let Some(&spring) = middle.first().filter(|_| number.is_multiple_of(2)) {
        for at in disc(spring, widest + 1) {
            if let Some(i) = land.index(at).filter(|&i| land.cover[i] == ground::CLEAR) {
                land.cover[i] = ground::RIVER;
                land.elevation[i] = land.elevation[i].min(levels.last().copied().unwrap_or(0));
            }
        }
    }
}
