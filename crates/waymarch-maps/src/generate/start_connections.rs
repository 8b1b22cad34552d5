//! Makes sure that all starts are connected by roads, bridges and yards. Later stages never cover these.

use std::collections::VecDeque;

use waymarch::base::{CellPos, Dir8};

use super::land::{CLIFF_SLOPE, Land};
use super::road::Roads;
use super::standard_rules::{YARD, YARD_CENTRE, ground};

/// Adds straight roads until every start is reachable from the first one by road.
pub(super) fn join_starts(land: &mut Land, roads: &mut Roads, starts: &[CellPos]) {
    let Some(&first) = starts.first() else { return };
    for _ in 0..4 {
        let cut_off = unreached(land, starts);
        if cut_off.is_empty() {
            return;
        }
        for at in cut_off {
            roads.lay_straight(land, first, at);
        }
    }
    // No seed is known that needs this. On flat ground every road is passable.
    if !unreached(land, starts).is_empty() {
        land.elevation.fill(0);
    }
}

/// The starts that are not reachable from the first one along roads, bridges and yards.
fn unreached(land: &Land, starts: &[CellPos]) -> Vec<CellPos> {
    let mut seen = vec![0_u64; land.size.cells().div_ceil(64)];
    let mut queue: VecDeque<CellPos> = starts.iter().copied().take(1).collect();
    let mut mark = |at: CellPos, land: &Land| {
        let Some(i) = land.index(at) else { return false };
        let fresh = seen[i / 64] & (1 << (i % 64)) == 0;
        seen[i / 64] |= 1 << (i % 64);
        fresh
    };
    for &at in &queue {
        mark(at, land);
    }
    while let Some(at) = queue.pop_front() {
        for dir in Dir8::STRAIGHT {
            let next = at.step(dir);
            let is_paved =
                matches!(land.cover_at(next), Some(ground::ROAD | ground::BRIDGE | YARD | YARD_CENTRE));
            if is_paved && land.slope(next) <= CLIFF_SLOPE && mark(next, land) {
                queue.push_back(next);
            }
        }
    }
    let reached = |at: &CellPos| land.index(*at).is_some_and(|i| seen[i / 64] & (1 << (i % 64)) != 0);
    starts.iter().copied().filter(|at| !reached(at)).collect()
}
