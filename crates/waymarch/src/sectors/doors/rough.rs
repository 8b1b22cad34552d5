//! Rough routes: routes over doors with estimated costs, for huge maps whose costs between doors are not known yet.
//!
//! An exact search finds the costs inside each sector that it enters, by searches within the sector. The first routes on a huge map would take tens of
//! milliseconds. A rough search takes the length of the straight line between two doors of one room instead. So there is a rough route whenever there is any route.

use super::bias::Bias;
use super::door::DoorId;
use super::estimate::Estimate;
use super::graph::Doors;
use super::route::{DoorQuery, DoorRoute};
use super::scratch::DoorScratch;
use super::table::NO_ROUTE_IN_ROW;
use crate::base::{CellPos, Dir8};
use crate::cost::{CostField, CostLayer};
use crate::sectors::Sectors;

/// Edges have estimated costs, and the estimate of the rest counts for 150 % (weighted A\*).
struct Rough<'a>(&'a Sectors);

impl Bias for Rough<'_> {
    fn least_percent(&self) -> u32 {
        150
    }

    #[inline]
    fn counts(&self, cost: u64, _: impl FnOnce() -> (CellPos, Dir8)) -> u64 {
        cost
    }

    fn rooms(&self) -> Option<&Sectors> {
        Some(self.0)
    }
}

impl Doors {
    /// As [`Doors::route_hasty`], but with estimated costs: it finds no cost between doors, and does not go from block to block. `sectors` are those of the same
    /// layer. The cost in `out` is an estimate, too.
    pub(crate) fn route_rough(
        &self,
        layer: &CostLayer,
        sectors: &Sectors,
        query: DoorQuery,
        (scratch, out): (&mut DoorScratch, &mut DoorRoute),
    ) -> bool {
        self.find(layer, query, &Rough(sectors), scratch, out)
    }

    /// Estimated costs from a door to all doors of its sector: the straight line, at the mean cost of both ends. Doors of other rooms cannot be reached.
    pub(super) fn estimated_costs(
        &self,
        field: &CostField,
        sectors: &Sectors,
        DoorId { sector, index }: DoorId,
    ) -> impl Iterator<Item = u32> {
        let doors = &self.sectors[sector.index()].doors;
        let from = self.cell(sector, doors[usize::from(index)]);
        let (room, own) = (sectors.room(from, self.agent), u32::from(field.cost(from)));
        let neighbours = self.rule.neighbours;
        doors.iter().map(move |&door| {
            let to = self.cell(sector, door);
            if sectors.room(to, self.agent) != room {
                return NO_ROUTE_IN_ROW;
            }
            let cheapest = (own + u32::from(field.cost(to))).div_ceil(2);
            Estimate { goal: to, cheapest, neighbours, percent: 100, learnt: None }.from(from)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{GridSize, LocomotorId, cell};
    use crate::cost::{CostSettings, Map, Rules, Stamp, StepRule};
    use crate::query::Threat;

    /// A huge map with walls from edge to edge, each with one gap.
    #[test]
    fn a_rough_route_exists_where_a_route_exists_and_finds_no_cost_between_doors() {
        let size = GridSize::new(1300, 96).expect("legal");
        let map = Map::flat("field", size, Rules::standard()).validate().expect("legal");
        let mut layer = CostLayer::new(&map, CostSettings::default());
        for (number, x) in (60..1250).step_by(90).enumerate() {
            let gap = 7 + number as i32 * 37 % 80;
            let tick = crate::base::Tick::ZERO;
            for y in (0..96).filter(|y| *y != gap) {
                layer.place(&Stamp::solid(1, 1), cell(x, y), tick).expect("it fits");
            }
        }
        let (agent, rule) = (LocomotorId(0).into(), StepRule::default());
        let sectors = Sectors::new(&layer, rule);
        let doors = Doors::new(&layer, agent, rule, Threat::Ignore).expect("foot has costs");
        let (mut scratch, mut rough, mut exact) = <(DoorScratch, DoorRoute, DoorRoute)>::default();
        let before = doors.memory_bytes();
        let query = DoorQuery { from: cell(5, 90), to: cell(1295, 3) };
        assert!(doors.route_rough(&layer, &sectors, query, (&mut scratch, &mut rough)));
        assert_eq!(doors.memory_bytes(), before, "no cost was found");
        assert!(doors.route(&layer, query.from, query.to, &mut scratch, &mut exact));
        assert!(rough.cost * 2 > exact.cost && rough.cost < 2 * exact.cost, "{} {}", rough.cost, exact.cost);
        // The cells between two doors are in one room.
        for leg in rough.cells.chunks_exact(2) {
            assert_eq!(sectors.room(leg[0], agent), sectors.room(leg[1], agent));
        }
        let enclosed = cell(1297, 3);
        for at in [cell(1296, 2), cell(1297, 2), cell(1298, 2), cell(1296, 3), cell(1298, 3)] {
            layer.place(&Stamp::solid(1, 1), at, crate::base::Tick::ZERO).expect("it fits");
        }
        for x in 1296..1299 {
            layer.place(&Stamp::solid(1, 1), cell(x, 4), crate::base::Tick::ZERO).expect("it fits");
        }
        let (mut sectors, mut doors) = (sectors, doors);
        sectors.follow(&layer);
        doors.follow(&layer);
        let query = DoorQuery { to: enclosed, ..query };
        assert!(!doors.route_rough(&layer, &sectors, query, (&mut scratch, &mut rough)));
    }
}
