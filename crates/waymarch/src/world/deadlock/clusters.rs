//! Clusters of units that step together, and units that follow others around corners.

use crate::avoid::{FINE_CELL, Fine};
use crate::base::{Fixed, Tick};
use crate::world::deadlock::direct::DeadlockScratch;
use crate::world::orders::parts::OrderParts;
use crate::world::units::columns::Units;
use crate::world::units::zone_step::ZoneStep;

/// A unit within 0.25 cells of the middle of its cell has made its step.
const THERE: u64 = FINE_CELL as u64 / 4;
/// A cluster does not wait for units that need more than 200 ticks for a cell.
const SLOWEST_CELL: u32 = 200;
/// Units at most 2 cells apart in both directions belong to one cluster: the step of one may change the step of the other.
const CLUSTER: u32 = 2;

impl DeadlockScratch {
    /// Finds the collected units whose cluster still makes its last step. All units of a cluster step together, because one may need the cell of another.
    pub(super) fn find_late(&mut self, parts: &OrderParts<'_>, now: Tick) {
        let Self { units: list, clusters, late, .. } = self;
        clusters.clear();
        clusters.extend(0..list.len() as u32);
        late.clear();
        late.resize(list.len(), false);
        let cell = |place: usize| parts.units.cell(list[place] as usize);
        for place in 0..list.len() {
            for other in 0..place {
                let (a, b) = (cell(place), cell(other));
                if a.x.abs_diff(b.x) <= CLUSTER && a.y.abs_diff(b.y) <= CLUSTER {
                    let (a, b) = (root(clusters, place as u32), root(clusters, other as u32));
                    clusters[a.max(b) as usize] = a.min(b);
                }
            }
        }
        for place in 0..list.len() {
            if is_under_way(parts, list[place] as usize, now) {
                late[root(clusters, place as u32) as usize] = true;
            }
        }
        for place in (0..list.len()).rev() {
            late[place] = late[root(clusters, place as u32) as usize];
        }
    }

    /// Decides which of the collected units wait until the unit before them has left its cell. A unit follows at once if both go in the same direction. At a
    /// corner it would press the other unit against the wall. A unit waits at most a second, so that a ring of units gets on.
    pub(super) fn follow_leaders(&mut self, units: &mut Units, now: Tick) {
        let Self { units: list, origins, .. } = self;
        origins.clear();
        let step = |index: u32| units.step[index as usize];
        origins.extend(list.iter().filter_map(|&index| Some((step(index)?.from, index))));
        origins.sort_unstable();
        let patience = u32::from(units.body.crowd.ticks_per_second());
        for &index in list.iter() {
            let Some(own) = units.step[index as usize] else { continue };
            let first = origins.partition_point(|&(from, _)| from < own.to);
            let here = origins[first..].iter().take_while(|&&(from, _)| from == own.to);
            let waits = here.clone().any(|&(_, other)| {
                let Some(leader) = units.step[other as usize].filter(|_| other != index) else {
                    return false;
                };
                let straight = leader.to.x - leader.from.x == own.to.x - own.from.x
                    && leader.to.y - leader.from.y == own.to.y - own.from.y;
                !straight && units.cell(other as usize) == leader.from
            });
            let late = now >= own.since + patience;
            units.step[index as usize] =
                Some(ZoneStep { waits: waits && !late && own.from != own.to, ..own });
        }
    }
}

/// Whether a unit has reached the cell that it was told to step to.
fn has_stepped(units: &Units, index: usize) -> bool {
    let Some(step) = units.step[index] else { return true };
    let to = Fine::centre(step.to).plus(units.shift(units.body.kind[index]));
    units.middle(index).distance_squared(to) < THERE * THERE
}

/// Whether a unit still makes the step that it was told to make. It has 3 times as long as it needs for a cell, and a second.
fn is_under_way(parts: &OrderParts<'_>, index: usize, now: Tick) -> bool {
    let Some(step) = parts.units.step[index] else { return false };
    let speed = parts.type_of(index).map_or(1, |kind| kind.speed.raw().max(1));
    let cell_ticks = (Fixed::ONE.raw() / speed).unsigned_abs().min(SLOWEST_CELL);
    let longest = 3 * cell_ticks + u32::from(parts.units.body.crowd.ticks_per_second());
    now < step.since + longest && !has_stepped(parts.units, index)
}

/// The first unit of a cluster.
fn root(clusters: &[u32], mut place: u32) -> u32 {
    // Each entry is at most its own place, so the loop ends.
    while clusters[place as usize] != place {
        place = clusters[place as usize];
    }
    place
}
