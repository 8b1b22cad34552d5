//! Sighting: which enemy a unit on an attack-move sees.

use alloc::vec::Vec;

use crate::avoid::{Fine, SpatialIndex};
use crate::base::{Fixed, Scratch, Tick, poison_list};
use crate::world::events::{EventKind, Events};
use crate::world::orders::order::Order;
use crate::world::orders::order_book::OrderBook;
use crate::world::units::bodies::Bodies;
use crate::world::units::columns::Units;
use crate::world::units::unit::UnitId;

/// Each unit looks for enemies every 8 ticks. Units start at different ticks, which spreads the work.
const LOOK_EVERY: u64 = 8;
/// The spatial index has grid squares of 4 cells a side.
const GRID_SIDE: Fixed = Fixed::from_cells(4);

/// Scratch of sighting.
#[derive(Clone, Debug, Default)]
pub(crate) struct SightingScratch {
    /// Made at the first attack-move.
    grid: Option<SpatialIndex>,
    found: Vec<u32>,
}

impl Scratch for SightingScratch {
    type Demand = ();

    fn poison(&mut self) {
        if let Some(grid) = &mut self.grid {
            grid.rebuild(&[Fine::new(7, 7)], &[7]);
        }
        poison_list(&mut self.found, 0);
    }

    fn reserve(&mut self, (): ()) {}
}

/// Sends an event when a unit on an attack-move sees an enemy, and when another enemy becomes the nearest. Enemies that are hidden or in a transport
/// are not seen.
///
/// *Cost:* one pass over all units. With units on an attack-move also an index of all units, and a query for each of them.
pub(crate) fn report_sightings(
    units: &mut Units,
    orders: &OrderBook,
    events: &mut Events,
    now: Tick,
    scratch: &mut SightingScratch,
) {
    let SightingScratch { grid, found } = scratch;
    let mut indexed = false;
    for index in 0..units.column_len() {
        if now.0.wrapping_add(index as u64) % LOOK_EVERY != 0 || units.is_paused(index) {
            continue;
        }
        let order = units.body.queue[index].front().and_then(|order| orders.get(order));
        let (Some(id), Some(Order::AttackMove { sight, .. })) = (units.id_at(index), order) else {
            continue;
        };
        let grid = grid.get_or_insert_with(|| SpatialIndex::new(GRID_SIDE));
        let Bodies { crowd, .. } = &units.body;
        if !indexed {
            grid.rebuild(crowd.positions(), crowd.ids());
            indexed = true;
        }
        grid.within(units.middle(index), *sight, found);
        let near = found.iter().map(|&place| crowd.ids()[place as usize] as usize);
        let is_seen = |other: usize| {
            let conditions = &units.conditions;
            let out_of_sight = conditions.is_aboard(other) || conditions.is_hidden(other);
            !out_of_sight && !units.body.relation(index, other).is_friendly()
        };
        let nearest = near.into_iter().find(|&other| is_seen(other));
        let seen = nearest.and_then(|other| units.id_at(other)).unwrap_or(UnitId::DEAD);
        let progress = &mut units.progress[index];
        if seen != progress.sighted {
            progress.sighted = seen;
            if seen != UnitId::DEAD {
                events.add(id, EventKind::Sighted(seen));
            }
        }
    }
}
