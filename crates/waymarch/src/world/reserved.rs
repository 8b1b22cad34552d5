//! Places that are taken when a group's slots are made: by those who stand there, and by those who are on their way there.

use alloc::vec::Vec;

use super::muster::Sergeant;
use super::simulation::World;
use super::standing::{Standing, near};
use super::units::PlayerId;
use crate::avoid::{FINE_CELL, Fine, Stance};
use crate::base::{CellRect, Fixed};
use crate::groups::room_between;

/// Places further from where a group is to stand than it can need, and this much, are not looked at: eight cells.
const MARGIN: i64 = 8 * FINE_CELL as i64;

/// Scratch: a place that somebody has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The slot of the unit that has it.
    pub(super) unit: u32,
    pub(super) at: Fine,
    pub(super) radius: Fixed,
    /// Whose units may have it all the same.
    pub(super) friend: Option<PlayerId>,
}

/// Room for so many places is made at once.
pub(super) const PLACES_AHEAD: usize = 256;

impl World {
    /// Adds places to those that the slots of the members who were gathered have to keep clear of. So a group that is sent where another stands, or is
    /// on its way to, stands around it, and nobody is sent into those who do not make way.
    ///
    /// *Cost:* a look at every unit, once a tick, and at every place that is taken.
    pub(super) fn reserve(&self, standing: &Standing, sergeant: &mut Sergeant) {
        let Sergeant { members, held, places, .. } = sergeant;
        let Some(first) = members.first() else { return };
        if sergeant.noted != Some(self.now()) {
            self.note_places(places);
            sergeant.noted = Some(self.now());
        }
        let owner = self.units.owner[first.id as usize];
        let widest = members.iter().map(|member| member.radius).max().unwrap_or_default();
        let pitch = room_between(widest, widest, Fixed::ZERO);
        // A blob reaches half as far as a square's side; walls may double that.
        let reach = pitch * (members.len() as i64).isqrt() * 2 + MARGIN;
        let (area, reach) = match standing {
            Standing::At(at, ..) => (CellRect::at(*at, 1, 1), reach),
            Standing::Around(there, how) => {
                let range = near(there, how);
                (there.cells, reach + (i64::from(range.raw()) << 6))
            }
            Standing::Within(goal, ..) => {
                let all = goal.shapes().iter().map(|shape| shape.bounds());
                let Some(area) = all.reduce(|a, b| CellRect {
                    x0: a.x0.min(b.x0),
                    y0: a.y0.min(b.y0),
                    x1: a.x1.max(b.x1),
                    y1: a.y1.max(b.y1),
                }) else {
                    return;
                };
                (area, reach)
            }
            // They go anywhere.
            Standing::Apart(_) => (self.service.nav().layer().grid().rect(), reach),
        };
        let is_near = |at: Fine| {
            let side = |at: i32, low: i32, high: i32| {
                let (low, high) = (i64::from(low) << 16, i64::from(high) << 16);
                (low - i64::from(at)).max(i64::from(at) - high)
            };
            side(at.x, area.x0, area.x1) <= reach && side(at.y, area.y0, area.y1) <= reach
        };
        // Room ahead of need, so that a peak a little above all earlier ones makes no memory.
        held.reserve(PLACES_AHEAD.min(self.units.slots()));
        for place in places.iter().filter(|place| place.friend != Some(owner) && is_near(place.at)) {
            if members.binary_search_by_key(&place.unit, |member| member.id).is_err() {
                held.push((place.at, place.radius));
            }
        }
    }

    /// Writes down which places are taken as the tick begins.
    fn note_places(&self, places: &mut Vec<Place>) {
        places.clear();
        places.reserve(self.units.slots());
        for slot in 0..self.units.slots() {
            if let Some((at, friend)) = self.taken_by(slot) {
                let kind = self.types.get(self.units.kind[slot]);
                let radius = kind.map(|kind| kind.radius).unwrap_or_default();
                places.push(Place { unit: slot as u32, at, radius, friend });
            }
        }
    }

    /// The place that a unit keeps others from having, and for whose units it would make way.
    fn taken_by(&self, slot: usize) -> Option<(Fine, Option<PlayerId>)> {
        self.units.id_at(slot)?;
        let queue = &self.units.queue[slot].0;
        let post = self.units.post[slot].filter(|post| {
            let order = self.groups.list.get(post.group).map(|group| group.order);
            queue.is_empty() || order.is_some_and(|order| queue.front() == Some(&order))
        });
        if let Some(post) = post {
            return Some((post.slot, None));
        }
        // Friends who have nothing to do make way, unless they hold.
        let holds = self.units.stance(slot) == Stance::Holding;
        let friend = if holds { None } else { Some(self.units.owner[slot]) };
        queue.is_empty().then(|| (self.units.middle(slot), friend))
    }
}
