//! Doors that are placed a few sectors at a time.

use super::graph::Doors;
use crate::base::Agent;
use crate::cost::{CostLayer, SectorId, StepRule};
use crate::query::{PlanError, Threat};
use crate::sectors::zones::Connection;

/// Derived, unfinished: doors that are placed a few sectors at a time, in two passes over the sectors. Doors come first, then where they lead.
///
/// The map may be edited meanwhile. The result equals doors that are placed at once.
#[derive(Clone, Debug)]
pub(crate) struct DoorsInWork {
    doors: Doors,
    /// The sectors done, in both passes.
    done: u32,
}

impl DoorsInWork {
    /// A map without doors.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] if the locomotor or size has no costs.
    pub(crate) fn begin(
        layer: &CostLayer,
        agent: Agent,
        rule: StepRule,
        threat: Threat,
    ) -> Result<Self, PlanError> {
        layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
        Ok(Self { doors: Doors::without_doors(layer, agent, rule, threat), done: 0 })
    }

    /// Whether these doors are for that agent on that map.
    pub(crate) fn is_for(&self, layer: &CostLayer, agent: Agent, rule: StepRule) -> bool {
        let doors = &self.doors;
        let same_map = doors.size == layer.grid() && doors.grid == layer.changes().sectors();
        same_map && (doors.agent, doors.rule) == (agent, rule)
    }

    fn count(&self) -> u32 {
        self.doors.grid.count() as u32
    }

    /// Works on up to `sectors` sectors. Returns whether all are done.
    pub(crate) fn work(&mut self, layer: &CostLayer, sectors: u32) -> bool {
        self.catch_up(layer);
        let (count, connection) = (self.count(), Connection::of(self.doors.rule));
        for _ in 0..sectors {
            if self.done < count {
                let Some(ground) = layer.view(self.doors.agent, self.doors.threat) else { return false };
                self.doors.find_doors_of(ground, SectorId(self.done), connection);
            } else if self.done < 2 * count {
                self.doors.find_twins(SectorId(self.done - count));
            } else {
                break;
            }
            self.done += 1;
        }
        self.done == 2 * count
    }

    /// Finds the doors of sectors again that were done before an edit. Then all doors are asked again where they lead, because a door has the number of
    /// its twin.
    fn catch_up(&mut self, layer: &CostLayer) {
        let now = layer.changes().mark_now();
        if self.doors.known == now {
            return;
        }
        layer.changes().collect_since(self.doors.known, &mut self.doors.stale);
        self.doors.known = now;
        self.doors.add_around();
        let (count, connection) = (self.count(), Connection::of(self.doors.rule));
        let Some(ground) = layer.view(self.doors.agent, self.doors.threat) else { return };
        for at in 0..self.doors.stale.len() {
            let sector = self.doors.stale[at];
            if sector.0 < self.done {
                self.doors.find_doors_of(ground, sector, connection);
            }
        }
        self.done = self.done.min(count);
    }

    /// Does the rest. No costs between doors are known.
    pub(crate) fn finish(mut self, layer: &CostLayer) -> Doors {
        while !self.work(layer, u32::MAX) {
            if layer.field(self.doors.agent).is_none() {
                break;
            }
        }
        self.doors.collect_blocks();
        self.doors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{CellRect, GridSize, LocomotorId, Tick, cell};
    use crate::cost::{CostSettings, Map, Rules, Stamp, TerrainId};
    use crate::sectors::DoorScratch;

    #[test]
    fn doors_placed_in_slices_between_edits_equal_doors_placed_at_once() {
        // Small sectors, and a map that is wide enough for blocks.
        let size = GridSize::new(1300, 64).expect("legal");
        let map = Map::flat("field", size, Rules::standard()).validate().expect("legal");
        let agent = LocomotorId(0).into();
        for slice in [5, 60, 1000] {
            let mut layer = CostLayer::new(&map, CostSettings::default());
            let begin = DoorsInWork::begin(&layer, agent, StepRule::default(), Threat::Ignore);
            let mut work = begin.expect("foot has costs");
            let mut edits = 0;
            while !work.work(&layer, slice) {
                edits += 1;
                // Edits become rare, so that the work comes to its end.
                if edits % (1 + edits / 8) == 0 {
                    let at = cell(edits * 131 % 1290, edits * 17 % 56);
                    if edits % 3 == 0 {
                        layer.set_terrain(CellRect::at(at, 4, 4), TerrainId(2)).expect("on the map");
                    } else {
                        layer.place(&Stamp::solid(3, 6), at, Tick::ZERO).expect("it fits");
                    }
                }
                assert!(edits < 5000, "the work has an end");
            }
            let made = work.finish(&layer);
            let new = Doors::new(&layer, agent, StepRule::default(), Threat::Ignore).expect("foot has costs");
            assert!(made.is_current(&layer));
            assert!(made.pairs().eq(new.pairs()), "{slice} sectors at a time");
            assert!(made.same_as(&new, &layer, &mut DoorScratch::default()), "{slice} sectors at a time");
        }
    }
}
