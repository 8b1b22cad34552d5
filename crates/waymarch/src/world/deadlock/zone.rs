//! Deadlock zones: areas in which all units step from cell to cell.

use alloc::vec::Vec;

use crate::base::{ByteReader, ByteWriter, CellRect, GridSize, LoadError, Persist, Tick, persist_fields};
use crate::world::units::zone_step::fits_zone;

/// At most 64 zones exist at a time. More deadlocks wait until a zone ends.
const MOST_ZONES: usize = 64;

/// World: an area in which all units step from cell to cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Zone {
    pub(crate) area: CellRect,
    /// The tick at which the zone was made.
    pub(crate) since: Tick,
    /// The tick at which a unit last reached its goal in the zone, or the place where its route leaves the zone.
    pub(crate) reached: Tick,
    /// The tick at which the last step was planned.
    pub(crate) planned: Tick,
    /// The number of plans in a row in which every unit with a goal got nearer to it, and no other unit moved.
    pub(crate) calm: u32,
    /// The number of plans in a row in which no unit stepped.
    pub(crate) frozen: u32,
}

/// World: all zones. Their areas do not overlap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Zones {
    pub(crate) list: Vec<Zone>,
}

impl Zones {
    /// Adds a zone, or extends the zones that it overlaps to one that holds them all. If that zone would be too large, the new area replaces them: the units of the
    /// others go on by themselves. Does nothing if the area itself is too large, or if there are too many zones.
    pub(crate) fn add(&mut self, area: CellRect, now: Tick) {
        if !fits_zone(area) {
            return;
        }
        let mut all = area;
        // Each round but the last adds a zone.
        for _ in 0..=self.list.len() {
            let before = all;
            for zone in &self.list {
                if !zone.area.intersect(all).is_empty() {
                    all = all.union(zone.area);
                }
            }
            if all == before {
                break;
            }
        }
        if !fits_zone(all) {
            all = area;
        }
        let overlaps = |zone: &Zone| !zone.area.intersect(all).is_empty();
        let since = self.list.iter().filter(|zone| overlaps(zone)).map(|zone| zone.since).min();
        self.list.retain(|zone| !overlaps(zone));
        if self.list.len() < MOST_ZONES {
            self.list.push(Zone {
                area: all,
                since: since.unwrap_or(now),
                reached: now,
                planned: Tick::ZERO,
                calm: 0,
                frozen: 0,
            });
        }
    }

    /// Checks what loading must refuse.
    ///
    /// # Errors
    /// The first fault.
    pub(crate) fn check(&self, grid: GridSize) -> Result<(), &'static str> {
        let is_valid = |zone: &Zone| {
            let CellRect { x0, y0, x1, y1 } = zone.area;
            let map = grid.rect();
            let inside = x0 >= map.x0 && y0 >= map.y0 && x1 <= map.x1 && y1 <= map.y1;
            inside && !zone.area.is_empty() && fits_zone(zone.area)
        };
        if self.list.len() > MOST_ZONES || !self.list.iter().all(is_valid) {
            return Err("a deadlock zone is off the map or too large, or there are too many");
        }
        for (number, zone) in self.list.iter().enumerate() {
            if self.list[..number].iter().any(|other| !other.area.intersect(zone.area).is_empty()) {
                return Err("two deadlock zones overlap");
            }
        }
        Ok(())
    }
}

impl Persist for Zones {
    fn save(&self, writer: &mut ByteWriter) {
        self.list.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { list: Vec::load(reader)? })
    }
}

persist_fields! {
    Zone { area: CellRect, since: Tick, reached: Tick, planned: Tick, calm: u32, frozen: u32 }
}
