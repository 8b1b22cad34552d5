//! The wait-for graph: which unit blocks which, and which units block each other in a circle.

use alloc::vec::Vec;

use crate::avoid::Stance;
use crate::base::{CellRect, FINE_CELL, Fine, Fixed, Scratch, WideVec, poison_list, reserve_total};
use crate::service::PathService;
use crate::world::units::columns::Units;
use crate::world::units::motion::UnitMotion;
use crate::world::units::occupancy::Occupancy;
use crate::world::units::order_progress::Phase;
use crate::world::units::tight::open_width;
use crate::world::units::unit_type::UnitTypes;
use crate::world::units::zone_step::fits_zone;

/// A unit that has made no progress for 2 seconds is stalled.
const STALLED_SECONDS: u32 = 2;
/// Where 2 or 3 units fit side by side, units often get past each other by themselves: there only units that have been stalled for 20 seconds count.
const PATIENT_SECONDS: u32 = 20;
/// On wider ground, the units in the middle of a crowd may stand for long until those around them have gone: there only units that have been stalled for 60 seconds count.
const MOST_PATIENT_SECONDS: u32 = 60;
/// A unit that waits for a unit in a deadlock zone joins the zone after 5 seconds. A unit that is caught at a corner gets a zone after 5 seconds.
const JOIN_ZONE_SECONDS: u32 = 5;
/// A unit blocks another one if the gap between their bodies is at most 0.375 cells.
const GAP: i64 = FINE_CELL as i64 * 3 / 8;
/// A zone reaches 8 cells beyond the units of a deadlock.
const MARGIN: i32 = 8;

/// What is known of a unit while circles are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Unknown,
    /// The unit is on the chain that is being followed, which began at this unit index.
    On(u32),
    Done,
}

/// Scratch: the units of one crowd.
#[derive(Clone, Debug, Default)]
struct Crowd {
    list: Vec<u32>,
    /// By unit index: whether the unit is in the list.
    joined: Vec<bool>,
}

/// Scratch of the search for deadlocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct WaitForScratch {
    /// By unit index.
    marks: Vec<Mark>,
    chain: Vec<u32>,
    crowd: Crowd,
    /// The areas of the deadlocks that were found.
    pub(crate) found: Vec<CellRect>,
}

impl Scratch for WaitForScratch {
    /// The number of units.
    type Demand = usize;

    fn poison(&mut self) {
        poison_list(&mut self.marks, Mark::Done);
        poison_list(&mut self.chain, 7);
        poison_list(&mut self.crowd.list, 7);
        poison_list(&mut self.crowd.joined, true);
        poison_list(&mut self.found, CellRect { x0: 7, y0: 7, x1: 9, y1: 9 });
    }

    fn reserve(&mut self, units: usize) {
        reserve_total(&mut self.marks, units);
        reserve_total(&mut self.chain, units);
        reserve_total(&mut self.crowd.list, units);
        reserve_total(&mut self.crowd.joined, units);
    }
}

/// What the search for deadlocks reads.
#[derive(Clone, Copy)]
pub(crate) struct WaitFor<'a> {
    pub(crate) service: &'a PathService,
    pub(crate) types: &'a UnitTypes,
    pub(crate) units: &'a Units,
    /// Must be up to date.
    pub(crate) occupancy: &'a Occupancy,
}

impl WaitFor<'_> {
    /// Finds all deadlocks, and writes their areas to `scratch.found`. *Cost:* a look at the units around each stalled unit.
    pub(crate) fn find_deadlocks(&self, scratch: &mut WaitForScratch) {
        let WaitForScratch { marks, chain, found, crowd } = scratch;
        found.clear();
        marks.clear();
        marks.resize(self.units.column_len(), Mark::Unknown);
        for first in 0..self.units.column_len() {
            if !self.is_stalled(first) || marks[first] != Mark::Unknown {
                continue;
            }
            chain.clear();
            let mut index = first;
            // Each round marks one more unit.
            loop {
                marks[index] = Mark::On(first as u32);
                chain.push(index as u32);
                let Some(next) = self.blocker(index) else {
                    if self.is_caught(index) {
                        self.note(&[index as u32], found, crowd);
                    }
                    break;
                };
                match marks[next] {
                    Mark::On(start) if start as usize == first => {
                        let begin = chain.iter().position(|&unit| unit as usize == next).unwrap_or(0);
                        self.note(&chain[begin..], found, crowd);
                        break;
                    }
                    Mark::Unknown if self.is_stalled(next) => index = next,
                    _ => {
                        if self.is_in_the_way(index, next) || self.is_at_zone(index, next) {
                            self.note(&[index as u32, next as u32], found, crowd);
                        }
                        break;
                    }
                }
            }
            chain.iter().for_each(|&unit| marks[unit as usize] = Mark::Done);
        }
    }

    /// Notes a deadlock of these units, if one of them is on narrow ground or has been stalled for long.
    fn note(&self, units: &[u32], found: &mut Vec<CellRect>, crowd: &mut Crowd) {
        let width = |&index: &u32| {
            let (kind, layer) =
                (self.types.get(self.units.body.kind[index as usize]), self.service.nav().layer());
            let field = kind.and_then(|kind| layer.field(self.units.agent(index as usize, kind, layer)));
            field.map_or(i32::MAX, |field| open_width(field, self.units.cell(index as usize)))
        };
        let per_second = self.service.nav().config().get().ticks_per_second;
        let has_stalled_for = |seconds: u32| {
            let stalled = |index: u32| u32::from(self.units.monitor[index as usize].stalled);
            units.iter().any(|&index| stalled(index) >= seconds * per_second)
        };
        let widest = if has_stalled_for(MOST_PATIENT_SECONDS) {
            i32::MAX
        } else if has_stalled_for(PATIENT_SECONDS) {
            3
        } else {
            1
        };
        let is_known =
            |area: &CellRect| units.iter().all(|&index| area.contains(self.units.cell(index as usize)));
        if found.iter().any(is_known) || !units.iter().any(|index| width(index) <= widest) {
            return;
        }
        found.extend(self.crowd_around(units, crowd));
    }

    /// The area of a zone for the crowd around these units: all units that are stalled or in a zone, at most a cell from each other. The nearest come first; a unit
    /// for which the area would be too large is left out.
    fn crowd_around(&self, units: &[u32], crowd: &mut Crowd) -> Option<CellRect> {
        let mut area = self.area_around(units)?;
        let Crowd { list, joined } = crowd;
        joined.clear();
        joined.resize(self.units.column_len(), false);
        list.clear();
        list.extend_from_slice(units);
        units.iter().for_each(|&index| joined[index as usize] = true);
        let mut next = 0;
        while let Some(&index) = list.get(next) {
            next += 1;
            self.occupancy.each_in(self.around(index as usize, i64::from(FINE_CELL)), |other| {
                let waits = self.is_stalled(other) || self.units.step[other].is_some();
                if joined[other] || !waits || !self.units.body.can_meet(index as usize, other) {
                    return;
                }
                let larger = self.area_around(&[other as u32]).map(|around| around.union(area));
                if let Some(larger) = larger.filter(|&larger| fits_zone(larger)) {
                    area = larger;
                    joined[other] = true;
                    list.push(other as u32);
                }
            });
        }
        Some(area)
    }

    /// The area of a zone for these units.
    pub(crate) fn area_around(&self, units: &[u32]) -> Option<CellRect> {
        let cells = units.iter().map(|&index| CellRect::at(self.units.cell(index as usize), 1, 1));
        let grid = self.service.nav().layer().grid().rect();
        cells.reduce(CellRect::union).map(|area| area.grow(MARGIN, MARGIN).intersect(grid))
    }

    /// Whether a unit is under way and has made no progress for [`STALLED_SECONDS`].
    fn is_stalled(&self, index: usize) -> bool {
        let enough = STALLED_SECONDS * self.service.nav().config().get().ticks_per_second;
        self.units.id_at(index).is_some()
            && self.units.progress[index].phase == Phase::Going
            && u32::from(self.units.monitor[index].stalled) >= enough
    }

    /// Whether a unit has been stalled for 5 seconds although no unit is before it: its body is caught at a corner. From cell to cell it gets on.
    fn is_caught(&self, index: usize) -> bool {
        let enough = JOIN_ZONE_SECONDS * self.service.nav().config().get().ticks_per_second;
        let monitor = &self.units.monitor[index];
        let walks = self.types.get(self.units.body.kind[index]).is_some_and(|kind| kind.speed > Fixed::ZERO);
        walks && monitor.state == UnitMotion::Lost && u32::from(monitor.stalled) >= enough
    }

    /// Whether a unit waits for one in a deadlock zone, which may wait for it: after 5 seconds it joins the zone.
    fn is_at_zone(&self, index: usize, other: usize) -> bool {
        let enough = JOIN_ZONE_SECONDS * self.service.nav().config().get().ticks_per_second;
        self.units.step[other].is_some() && u32::from(self.units.monitor[index].stalled) >= enough
    }

    /// Whether a unit at rest blocks a stalled unit of the same player or of an ally, and could make way.
    fn is_in_the_way(&self, index: usize, other: usize) -> bool {
        let rests = matches!(self.units.stance(other), Stance::Idle | Stance::Returning);
        let own = self.units.body.relation(index, other).is_friendly();
        rests && own && self.units.progress[other].phase != Phase::Going && !self.units.progress[other].halted
    }

    /// Whether a unit within a cell of another one could make way or moves on: it does not hold its position, and does not rest for an enemy.
    pub(crate) fn is_among_movable(&self, index: usize) -> bool {
        let at = self.units.middle(index);
        let own = self.radius(index);
        let mut found = false;
        self.occupancy.each_in(self.around(index, i64::from(FINE_CELL)), |other| {
            let touch = own + self.radius(other) + i64::from(FINE_CELL);
            let near = || offset(at, self.units.middle(other)).length_squared() < touch * touch;
            found |= other != index
                && self.units.id_at(other).is_some()
                && self.units.body.can_meet(index, other)
                && near()
                && self.is_movable(index, other);
        });
        found
    }

    /// The nearest unit within a cell of another one that does not make way for it.
    pub(crate) fn nearest_keeper(&self, index: usize) -> Option<usize> {
        let at = self.units.middle(index);
        let mut best: Option<(i64, usize)> = None;
        self.occupancy.each_in(self.around(index, i64::from(FINE_CELL)), |other| {
            let keeps = other != index
                && self.units.id_at(other).is_some()
                && self.units.body.can_meet(index, other)
                && !self.is_movable(index, other);
            let key = (offset(at, self.units.middle(other)).length_squared(), other);
            if keeps && best.is_none_or(|known| key < known) {
                best = Some(key);
            }
        });
        best.map(|(_, other)| other)
    }

    /// Whether a unit could make way for another one, or moves on by itself.
    fn is_movable(&self, index: usize, other: usize) -> bool {
        let own = self.units.body.relation(index, other).is_friendly();
        let progress = &self.units.progress[other];
        // A unit that waits before a passage is idle, and goes on later.
        let goes_on = progress.phase == Phase::Going && !progress.halted;
        match self.units.stance(other) {
            Stance::Holding => false,
            Stance::Moving => goes_on,
            Stance::Idle | Stance::Returning => goes_on || own && !progress.halted,
        }
    }

    fn radius(&self, index: usize) -> i64 {
        self.types.get(self.units.body.kind[index]).map_or(0, |kind| kind.radius.to_fine_i64())
    }

    /// The cells in which units within `gap` of a unit may be.
    fn around(&self, index: usize, gap: i64) -> CellRect {
        let reach = ((self.radius(index) + gap) / i64::from(FINE_CELL)) as i32 + 2;
        CellRect::at(self.units.middle(index).cell(), 1, 1).grow(reach, reach)
    }

    /// The unit that a unit waits for: of all units close to it and within 60 degrees of its direction, the nearest. If there is none, the nearest within 90
    /// degrees: at a corner, the unit behind may press it against the wall.
    pub(crate) fn blocker(&self, index: usize) -> Option<usize> {
        let at = self.units.middle(index);
        let aim = self.units.body.crowd.guide_of(self.units.place(index)).aim;
        let ahead = offset(at, aim);
        let own = self.radius(index);
        let mut best: Option<(bool, i64, usize)> = None;
        self.occupancy.each_in(self.around(index, GAP), |other| {
            if other == index || self.units.id_at(other).is_none() || !self.units.body.can_meet(index, other)
            {
                return;
            }
            let to = offset(at, self.units.middle(other));
            let (dot, square) = (to.dot(ahead), to.length_squared());
            let touch = own + self.radius(other) + GAP;
            let is_aside = 4 * i128::from(dot) * i128::from(dot)
                < i128::from(square) * i128::from(ahead.length_squared());
            let key = (is_aside, square, other);
            if square < touch * touch && dot > 0 && best.is_none_or(|known| key < known) {
                best = Some(key);
            }
        });
        best.map(|(_, _, other)| other)
    }
}

fn offset(from: Fine, to: Fine) -> WideVec {
    to.wide().minus(from.wide())
}
