//! Edits change the routes that flows lead their followers on.
//!
//! The route of a follower is the door route from its room. After an edit that touches it, or that may have opened a shorter one, the best route is found
//! again within the budget of the next ticks. Followers that have not passed the change are then told.

use alloc::vec::Vec;

use super::changed::{ChangedFlow, FlowChange};
use super::groups::{BestRoute, FlowGroup, FlowGroups};
use crate::base::{CellPos, CellRect};
use crate::cost::{Neighbours, STRAIGHT, SectorGrid, SectorId};
use crate::flow::tiles::FlowId;
use crate::nav::Navigator;
use crate::search::octile;
use crate::sectors::DoorRoute;

/// A route is told as shorter if it saves more than 4 straight steps on the cheapest ground, as for routes of waypoints.
const MIN_GAIN: u64 = 4 * STRAIGHT as u64;

/// A route may be shorter after an edit near the straight line if it costs more than 3/2 of that line.
const LONG: (u64, u64) = (3, 2);

impl FlowGroups {
    /// Marks the best routes that edits within `areas` touch, or that may be shorter after them, to be found again. `None`: any cell may have changed.
    pub(crate) fn review(&mut self, nav: &Navigator, areas: Option<&[CellRect]>) {
        let touches = |a: CellPos, b: CellPos| {
            let corner = CellPos::new(a.x.min(b.x), a.y.min(b.y));
            let bounds = CellRect::at(corner, a.x.abs_diff(b.x) + 1, a.y.abs_diff(b.y) + 1);
            areas.is_none_or(|areas| areas.iter().any(|area| !area.intersect(bounds).is_empty()))
        };
        for group in &mut self.groups {
            let cheapest = nav.layer().field(group.to.agent).map_or(1, |field| u64::from(field.cheapest()));
            let FlowGroup { routes, served, goal, to, .. } = group;
            for route in routes.iter() {
                let Some(&start) = route.cells.first() else { continue };
                let Some(room) = nav.sectors().room(start, to.agent) else { continue };
                let Ok(index) = served.binary_search_by_key(&room, |served| served.room) else { continue };
                let far = |a: CellPos, b: CellPos| octile(a, b, Neighbours::Eight);
                let is_long = route.cost.saturating_mul(LONG.1)
                    > far(start, *goal).saturating_mul(cheapest).saturating_mul(LONG.0);
                // From the goal on: the last cell from which an edit may concern the rest of the route.
                let mut rest = 0;
                let last = route.cells.windows(2).rposition(|leg| {
                    rest += far(leg[0], leg[1]);
                    let is_long = is_long && rest * LONG.1 > far(leg[0], *goal) * LONG.0;
                    touches(leg[0], leg[1]) || is_long && touches(leg[0], *goal)
                });
                let Some(last) = last else { continue };
                let touched = u16::try_from(last).unwrap_or(u16::MAX);
                served[index].best_route = match served[index].best_route {
                    BestRoute::Known => BestRoute::Review(touched),
                    BestRoute::Review(before) => BestRoute::Review(touched.max(before)),
                    BestRoute::Wanted => BestRoute::Wanted,
                };
            }
        }
    }

    /// Forgets the changes that the last tick has told.
    pub(crate) fn clear_changed(&mut self) {
        self.changed.clear();
    }

    /// Whether edits have changed routes of followers in the last tick.
    pub(crate) fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// How edits have changed the route of a follower in a sector in the last tick.
    pub(crate) fn change_for(&self, flow: FlowId, sector: SectorId) -> Option<FlowChange> {
        let at = |entry: &&ChangedFlow| (entry.flow, entry.sector) == (flow, sector);
        self.changed.iter().filter(at).map(|entry| entry.change).min()
    }
}

/// Notes the sectors of an old route up to cell number `touched`, if the new route is worse or much better.
pub(super) fn note_changed_route(
    changed: &mut Vec<ChangedFlow>,
    flow: FlowId,
    sectors: SectorGrid,
    (old, new): (&DoorRoute, &DoorRoute),
    touched: u16,
) {
    let change = if new.cost > old.cost {
        FlowChange::Cut
    } else if new.cost.saturating_add(MIN_GAIN) < old.cost {
        FlowChange::Opened
    } else {
        return;
    };
    for &cell in old.cells.iter().take(usize::from(touched) + 1) {
        let entry = ChangedFlow { flow, sector: sectors.of(cell), change };
        if !changed.contains(&entry) {
            changed.push(entry);
        }
    }
}
