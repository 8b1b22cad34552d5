//! Places that are taken when the slots of a group are made: by units that stand there or walk there.

use alloc::vec::Vec;

use crate::avoid::{FINE_CELL, Fine, Stance};
use crate::base::{CellRect, CollisionLayers, Fixed};
use crate::groups::{FormationLayout, room_between};
use crate::world::formation::forming::FormingScratch;
use crate::world::formation::placement::Placement;
use crate::world::orders::parts::OrderView;
use crate::world::orders::target::near;
use crate::world::units::unit::PlayerId;

/// Places more than 8 cells beyond the ground that a group can need are ignored.
const MARGIN: i64 = 8 * FINE_CELL as i64;

/// Scratch: a taken place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The index of the unit that has it.
    pub(crate) unit: u32,
    pub(crate) at: Fine,
    pub(crate) radius: Fixed,
    /// The player whose units, and those of its allies, may take the place anyway, because the unit there makes way for them.
    pub(crate) friend: Option<PlayerId>,
    /// The layers of the unit that has it.
    pub(crate) layers: CollisionLayers,
}

/// Memory is reserved for 256 places at a time.
pub(crate) const PLACES_AHEAD: usize = 256;

/// Adds taken places to `held`: slots of the collected members keep clear of these. So a group that is sent to the place of another group stands
/// around it, and no unit is sent into units that do not make way.
///
/// *Cost:* one pass over all units in the first call of a tick, and one pass over all taken places in each call.
pub(crate) fn reserve_places(view: &OrderView<'_>, placement: &Placement, forming: &mut FormingScratch) {
    let FormingScratch { members, held, places, places_noted, .. } = forming;
    let Some(first) = members.first() else { return };
    if !*places_noted {
        note_places(view, places);
        *places_noted = true;
    }
    let body = &view.units.body;
    let owner = body.owner[first.id as usize];
    let layers = members.iter().map(|member| body.layers(member.id as usize));
    let layers = layers.reduce(CollisionLayers::with).unwrap_or_default();
    let may_take = |friend: Option<PlayerId>| {
        friend.is_some_and(|friend| body.teams.relation(owner, friend).is_friendly())
    };
    let widest = members.iter().map(|member| member.radius).max().unwrap_or_default();
    let layout = match placement {
        Placement::At(.., layout) => *layout,
        _ => FormationLayout::default(),
    };
    let pitch = room_between(widest, widest, layout.spacing);
    // The members fill a square with a side of `pitch` times the root of their number. Twice that leaves room for walls.
    let reach = pitch * (members.len() as i64).isqrt() * 2 + MARGIN;
    let (area, reach) = match placement {
        Placement::At(at, ..) => {
            (CellRect::at(*at, 1, 1), reach + (layout.width + layout.radius).to_fine_i64())
        }
        Placement::Around(there, how) => {
            let range = near(there, how);
            (there.cells, reach + range.to_fine_i64())
        }
        Placement::Within(goal, ..) => {
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
        // Scattering units may stand anywhere.
        Placement::Apart(_) => (view.service.nav().layer().grid().rect(), reach),
    };
    let is_near = |at: Fine| {
        let side = |at: i32, low: i32, high: i32| {
            let (low, high) = (i64::from(low) << 16, i64::from(high) << 16);
            (low - i64::from(at)).max(i64::from(at) - high)
        };
        side(at.x, area.x0, area.x1) <= reach && side(at.y, area.y0, area.y1) <= reach
    };
    // Reserved ahead of need, so that a peak slightly above all earlier ones allocates nothing.
    held.reserve(PLACES_AHEAD.min(view.units.column_len()));
    let is_taken =
        |place: &&Place| !may_take(place.friend) && place.layers.meets(layers) && is_near(place.at);
    for place in places.iter().filter(is_taken) {
        if members.binary_search_by_key(&place.unit, |member| member.id).is_err() {
            held.push((place.at, place.radius));
        }
    }
}

/// Writes the places that are taken now.
fn note_places(view: &OrderView<'_>, places: &mut Vec<Place>) {
    places.clear();
    places.reserve(view.units.column_len());
    for index in 0..view.units.column_len() {
        if let Some((at, friend)) = taken_by(view, index) {
            let kind = view.type_of(index);
            let radius = kind.map(|kind| kind.radius).unwrap_or_default();
            let layers = view.units.body.layers(index);
            places.push(Place { unit: index as u32, at, radius, friend, layers });
        }
    }
}

/// The place that a unit has taken, and the player whose units, and those of its allies, may take it anyway.
fn taken_by(view: &OrderView<'_>, index: usize) -> Option<(Fine, Option<PlayerId>)> {
    view.units.id_at(index).filter(|_| !view.units.conditions.is_aboard(index))?;
    let queue = &view.units.body.queue[index].0;
    let membership = view.units.membership(index).filter(|membership| {
        let group = view.groups.list.get(membership.group);
        queue.is_empty() || group.is_some_and(|group| view.units.is_under(index, group.stage.order))
    });
    if let Some(membership) = membership {
        return Some((membership.slot, None));
    }
    // An idle unit makes way for units of its player and of allies, unless it holds its position.
    let holds = view.units.stance(index) == Stance::Holding;
    let friend = if holds { None } else { Some(view.units.body.owner[index]) };
    queue.is_empty().then(|| (view.units.middle(index), friend))
}
