//! Units at their goal: they stop, come to rest, and face as ordered.

use crate::avoid::{Delay, Stance, Walls};
use crate::base::{Fine, Fixed};
use crate::world::orders::goals::is_simple;
use crate::world::orders::order::Order;
use crate::world::orders::parts::{OrderParts, OrderView};
use crate::world::units::columns::Units;
use crate::world::units::condition::Ending;
use crate::world::units::membership::Membership;
use crate::world::units::order_progress::Phase;

/// If settled units keep a unit from its goal for 3 seconds, the unit counts as arrived.
const BLOCKED_SECONDS: u32 = 3;
/// A unit with a formation slot tries 4 times as long: the units before the slot make way, or exchange slots.
const SLOT_FACTOR: u32 = 4;

/// For how many ticks settled units can keep a unit from its goal before the unit counts as arrived.
pub(crate) fn patience(ticks_per_second: u32, membership: Option<&Membership>) -> u32 {
    let factor = if membership.is_some() { SLOT_FACTOR } else { 1 };
    factor * BLOCKED_SECONDS * ticks_per_second
}

/// Whether settled units have kept a unit from its goal for long enough. It then stops and counts as arrived, so that
/// no unit pushes for ever, however many units are ordered to one place.
pub(crate) fn gives_up_approach(units: &mut Units, ticks_per_second: u32, index: usize) -> bool {
    let (place, membership) = (units.place(index), units.membership(index));
    let over = u32::from(units.monitor[index].kept) >= patience(ticks_per_second, membership.as_ref());
    if over {
        units.body.crowd.settle(place);
        if let Some(membership) = membership {
            // The unit moves into its slot when there is room.
            units.body.crowd.set_home(place, membership.slot);
        }
    }
    over
}

/// Lets an arrived unit rest where it stands if other units keep it from its home position for 3 seconds.
///
/// Settled units always count. Passing units count only where the ground beside the unit is open, and the unit is slow. Without this rule a
/// stream of units would push it back and forth for ever.
pub(crate) fn calm_down(parts: &mut OrderParts<'_>, index: usize, delay: Delay) {
    let place = parts.units.place(index);
    let kept = parts.units.stance(index) == Stance::Returning
        && match delay {
            Delay::Settled => true,
            Delay::Traffic | Delay::Queue => {
                is_slow(&parts.view(), index) && is_open_around(&parts.view(), index, 1)
            }
            Delay::None => false,
        };
    let halted = parts.units.progress[index].halted;
    // Members of a group that has just arrived still exchange slots.
    let sorts =
        parts.units.membership(index).is_some_and(|own| parts.groups.list.contains(own.group)) && !halted;
    // A halted unit that its neighbours push comes to rest where they let it stand.
    let drifts = halted && !parts.units.body.crowd.velocities()[place].is_zero();
    if !sorts && (kept || drifts || parts.units.body.crowd.is_restless(place)) {
        let enough = BLOCKED_SECONDS * parts.service.nav().config().get().ticks_per_second;
        if parts.units.monitor[index].fidgets(enough) {
            match halted {
                true => parts.units.body.crowd.stop(place),
                false => parts.units.body.crowd.settle(place),
            }
        }
    } else {
        parts.units.monitor[index].calms();
    }
}

/// Whether a unit moves at less than a quarter of its speed.
fn is_slow(view: &OrderView<'_>, index: usize) -> bool {
    let speed = view.type_of(index).map_or(Fixed::ZERO, |kind| view.units.speed(index, kind));
    let quarter = speed.to_fine_i64().unsigned_abs() >> 2;
    let velocity = view.units.body.crowd.velocities()[view.units.place(index)];
    velocity.distance_squared(Fine::ZERO) < quarter * quarter
}

/// Whether all ground within this number of cells of a unit's cell is open.
pub(crate) fn is_open_around(view: &OrderView<'_>, index: usize, cells: i32) -> bool {
    let field = view.agent_of(index).and_then(|agent| view.service.nav().layer().field(agent));
    let at = view.units.cell(index);
    field.is_some_and(|field| field.is_all_open(at.offset(-cells, -cells), at.offset(cells, cells)))
}

/// Turns a unit in its formation slot to the ordered facing.
pub(crate) fn face_as_ordered(units: &mut Units, index: usize) {
    let there = matches!(units.progress[index].phase, Phase::Idle | Phase::Waiting);
    let facing = units.membership(index).and_then(|membership| membership.facing);
    if let Some(towards) = facing.filter(|_| there) {
        let place = units.place(index);
        units.body.crowd.turn(place, towards);
    }
}

/// Whether a unit without a formation slot is inside its goal, although its route goes on.
pub(crate) fn is_in_goal(view: &OrderView<'_>, index: usize) -> bool {
    let Some(goal) = view.order_of(index).and_then(Order::goal) else { return false };
    if view.units.membership(index).is_some() || view.units.conditions.ending(index) != Ending::None {
        return false;
    }
    let at = view.units.cell(index);
    let may_stop =
        || view.agent_of(index).is_some_and(|agent| view.service.nav().layer().can_stop(at, agent));
    is_simple(goal) && goal.contains(at) && may_stop()
}
