//! What two units do about each other: the table of avoidance and the table of pushing.

use super::share::Share;
use crate::avoid::crowd::Stance;
use crate::avoid::neighbours::UnitState;
use crate::avoid::timing::Timing;
use crate::config::PushMechanics;

/// What a unit does about a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::avoid) enum Response {
    /// Nothing.
    Ignore,
    /// Nothing, except that the unit moves no deeper into a neighbour that it overlaps.
    IgnoreUnlessTouching,
    /// Stay behind the neighbour: it limits the unit's speed and does not change its direction.
    Follow,
    /// Give the neighbour right of way: avoid the velocity that it prefers.
    GiveWay,
    /// Stay behind the neighbour as if it had half its velocity. A neighbour that is pushed along at full speed could not get
    /// out of the way.
    SlowDown,
    /// Avoid a collision within `horizon` ticks and make `share` of the correction.
    Avoid {
        /// The time horizon in ticks.
        horizon: i64,
        /// The unit's share of the correction.
        share: Share,
    },
}

/// The table of avoidance: what `me` does about `other`.
#[inline]
pub(in crate::avoid) fn respond(
    timing: &Timing,
    push: PushMechanics,
    me: &UnitState,
    other: &UnitState,
) -> Response {
    let avoid = |horizon, share| Response::Avoid { horizon, share };
    let allied = me.team == other.team;
    let immovable = other.stance == Stance::Holding || (!allied && !other.travels());
    match (me.travels(), other.travels()) {
        // A unit that stands still is an obstacle, and stays where it is.
        (true, false) if push == PushMechanics::None => avoid(time_horizon(timing, me), Share::ALL),
        (false, true) if push == PushMechanics::None => Response::Ignore,
        // Units that resist are pressed aside.
        (true, false) if immovable && push == PushMechanics::Aggressive => Response::Ignore,
        (true, _) if immovable => avoid(time_horizon(timing, me), Share::ALL),
        // A unit that lines up before a gate waits: a jam does not make it do anything else.
        (true, true) if me.lines_up() && me.same_stream(other) => in_stream(me, other),
        (true, true) if allied && me.jammed | other.jammed != 0 => in_jam(timing, me, other),
        (true, true) if me.same_stream(other) => in_stream(me, other),
        (true, true) => avoid(time_horizon(timing, me), Share::HALF),
        (true, false) if me.finds_goal_taken_by(other) => avoid(timing.near_horizon, Share::ALL),
        (true, false) if me.pushes_along(other) => Response::SlowDown,
        (true, false) => Response::IgnoreUnlessTouching,
        (false, true) if other.finds_goal_taken_by(me) => Response::Ignore,
        (false, true) if allied || push == PushMechanics::Aggressive => {
            avoid(timing.idle_horizon, Share::ALL)
        }
        (false, true) => Response::Ignore,
        (false, false) if immovable => avoid(timing.near_horizon, Share::ALL),
        (false, false) if other.yield_level < me.yield_level => avoid(timing.idle_horizon, Share::ALL),
        (false, false) if other.yield_level > me.yield_level => avoid(timing.near_horizon, Share::QUARTER),
        (false, false) => avoid(timing.near_horizon, Share::HALF),
    }
}

/// Whether the table only decides which of two units of one stream goes first.
#[inline]
pub(in crate::avoid) fn ordered_by_stream(me: &UnitState, other: &UnitState) -> bool {
    me.same_stream(other) & (me.lines_up() | (me.jammed | other.jammed == 0))
}

/// Right of way in a jam. Of two units that want opposite directions, the unit with less left goes first. A unit that retreats is avoided
/// by the others.
fn in_jam(timing: &Timing, me: &UnitState, other: &UnitState) -> Response {
    if me.preferred.wide().dot(other.preferred.wide()) < 0 {
        return if me.follows(other) { Response::GiveWay } else { Response::Follow };
    }
    let avoid = |horizon, share| Response::Avoid { horizon, share };
    match (me.retreats(), other.retreats()) {
        (false, true) => avoid(timing.idle_horizon, Share::ALL),
        (true, false) => avoid(timing.near_horizon, Share::QUARTER),
        _ if me.same_stream(other) => in_stream(me, other),
        _ => avoid(time_horizon(timing, me), Share::HALF),
    }
}

/// In one stream the unit with less left goes first, and ignores the units behind it.
#[inline]
fn in_stream(me: &UnitState, other: &UnitState) -> Response {
    if me.follows(other) { Response::Follow } else { Response::Ignore }
}

/// The time horizon towards other travelling units: long in the open, shorter near the goal.
#[inline]
pub(in crate::avoid) fn time_horizon(timing: &Timing, me: &UnitState) -> i64 {
    if me.has_bend != 0 {
        timing.open_horizon
    } else {
        i64::from(me.ticks_to_goal).clamp(timing.near_horizon, timing.open_horizon)
    }
}

/// The table of pushing: which share of an overlap `me` resolves by moving.
///
/// *Invariant:* the shares of both units add up to 1, so that a push never overshoots.
#[inline]
pub(in crate::avoid) fn push_share(push: PushMechanics, me: &UnitState, other: &UnitState) -> Share {
    let share = share_by_state(push, me, other);
    if me.weight == other.weight { share } else { by_weight(share, me, other) }
}

/// A share made larger for the lighter of two units. Computed for the unit with the lower id; the other unit gets the rest.
fn by_weight(share: Share, me: &UnitState, other: &UnitState) -> Share {
    let part = |share: u8, own_weight: u8, other_weight: u8| {
        let own = u32::from(share) * u32::from(other_weight);
        let rest = (16 - u32::from(share)) * u32::from(own_weight);
        ((32 * own + own + rest) / (2 * (own + rest)).max(1)) as u8
    };
    if me.id < other.id {
        Share(part(share.0, me.weight, other.weight))
    } else {
        Share(16 - part(16 - share.0, other.weight, me.weight))
    }
}

#[inline]
fn share_by_state(push: PushMechanics, me: &UnitState, other: &UnitState) -> Share {
    let allied = me.team == other.team;
    // Units that others cannot push at all.
    let immovable = |unit: &UnitState| match push {
        PushMechanics::None => !unit.travels(),
        PushMechanics::Gentle => unit.stance == Stance::Holding || (!allied && !unit.travels()),
        PushMechanics::Aggressive => false,
    };
    match (immovable(me), immovable(other)) {
        (true, true) => return Share::HALF,
        (true, false) => return Share::NONE,
        (false, true) => return Share::ALL,
        (false, false) => {}
    }
    let resists = |unit: &UnitState| unit.stance == Stance::Holding || (!allied && !unit.travels());
    match (resists(me), resists(other)) {
        (true, false) => return Share::QUARTER,
        (false, true) => return Share::THREE_QUARTERS,
        _ => {}
    }
    match (me.travels(), other.travels()) {
        (true, true) if me.same_stream(other) => {
            if me.follows(other) {
                Share::THREE_QUARTERS
            } else {
                Share::QUARTER
            }
        }
        (true, false) if me.finds_goal_taken_by(other) => Share::THREE_QUARTERS,
        (false, true) if other.finds_goal_taken_by(me) => Share::QUARTER,
        (true, false) if me.joins(other) => Share::QUARTER,
        (false, true) if other.joins(me) => Share::THREE_QUARTERS,
        (true, false) => Share::EIGHTH,
        (false, true) => Share::SEVEN_EIGHTHS,
        (false, false) if me.yield_level < other.yield_level => Share::QUARTER,
        (false, false) if me.yield_level > other.yield_level => Share::THREE_QUARTERS,
        _ => Share::HALF,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::GATE_LEFT;
    use crate::base::Fine;
    use alloc::vec::Vec;

    fn units_of_all_kinds() -> Vec<UnitState> {
        let mut all = Vec::new();
        for stance in [Stance::Idle, Stance::Moving, Stance::Returning, Stance::Holding] {
            for (team, yield_level, has_bend) in [(0, 255, 0), (1, 255, 1), (0, 3, 1), (1, 0, 0), (0, 9, 0)] {
                let id = all.len() as u32;
                let has_bend = if stance.travels() { has_bend } else { 0 };
                let goal = Fine::new((yield_level / 9).into(), 0);
                let weight = [16, 16, 3, 200][all.len() % 4];
                let left = id % 3;
                all.push(UnitState {
                    id,
                    stance,
                    team,
                    yield_level,
                    has_bend,
                    goal,
                    left,
                    weight,
                    ..UnitState::default()
                });
            }
        }
        all
    }

    #[test]
    fn push_shares_of_two_units_add_up_to_one() {
        for push in PushMechanics::ALL {
            for a in units_of_all_kinds() {
                for b in units_of_all_kinds().iter().filter(|b| b.id != a.id) {
                    let both = push_share(*push, &a, b).0 + push_share(*push, b, &a).0;
                    assert_eq!(both, 16, "{push:?} {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn a_moving_unit_pushes_idle_allies_but_no_holding_or_enemy_units() {
        let gentle = |me: &UnitState, other: &UnitState| push_share(PushMechanics::Gentle, me, other);
        let mover = UnitState { stance: Stance::Moving, goal: Fine::new(9, 9), ..UnitState::default() };
        let idle = UnitState { id: 1, ..UnitState::default() };
        let enemy = UnitState { id: 2, team: 1, ..UnitState::default() };
        let holder = UnitState { id: 3, stance: Stance::Holding, ..UnitState::default() };
        assert_eq!(gentle(&idle, &mover), Share::SEVEN_EIGHTHS);
        assert_eq!(gentle(&enemy, &mover), Share::NONE);
        assert_eq!(gentle(&holder, &mover), Share::NONE);
        assert_eq!(push_share(PushMechanics::None, &idle, &mover), Share::NONE);
        assert_eq!(push_share(PushMechanics::Aggressive, &enemy, &mover), Share::QUARTER);
    }

    #[test]
    fn the_heavier_of_two_units_is_pushed_less() {
        let unit = |id, weight| UnitState { id, weight, stance: Stance::Moving, ..UnitState::default() };
        for (one, other, share) in [(16, 16, 8), (16, 48, 12), (48, 16, 4), (1, 255, 16), (255, 1, 0)] {
            let (a, b) = (unit(0, one), unit(1, other));
            assert_eq!(push_share(PushMechanics::Gentle, &a, &b), Share(share), "{one} and {other}");
            assert_eq!(push_share(PushMechanics::Gentle, &b, &a), Share(16 - share), "{one} and {other}");
        }
    }

    #[test]
    fn the_shortcut_for_free_units_agrees_with_the_table() {
        let timing = Timing::new(20);
        for a in units_of_all_kinds().iter().filter(|a| a.is_free() && a.has_bend == 0) {
            for b in units_of_all_kinds().iter().filter(|b| b.is_free() && b.id != a.id) {
                let avoid = Response::Avoid { horizon: time_horizon(&timing, a), share: Share::HALF };
                assert_eq!(respond(&timing, PushMechanics::Gentle, a, b), avoid, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_shortcut_for_units_of_one_stream_agrees_with_the_table() {
        let timing = Timing::new(20);
        let left = [0, 1, GATE_LEFT, GATE_LEFT + 1];
        let all = units_of_all_kinds().into_iter().flat_map(|unit| {
            (0..8).map(move |form| UnitState {
                jammed: form & 1,
                has_bend: 1,
                left: left[usize::from(form) / 2],
                ..unit
            })
        });
        let all: Vec<UnitState> = all.collect();
        let mut count = 0;
        for a in &all {
            for b in all.iter().filter(|b| b.id != a.id && ordered_by_stream(a, b)) {
                let expected = if a.follows(b) { Response::Follow } else { Response::Ignore };
                assert_eq!(respond(&timing, PushMechanics::Gentle, a, b), expected, "{a:?} {b:?}");
                count += 1;
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn of_two_units_in_a_stream_exactly_one_follows() {
        let timing = Timing::new(20);
        let unit =
            |id, left| UnitState { id, left, stance: Stance::Moving, has_bend: 1, ..UnitState::default() };
        for (a, b) in [(unit(0, 5), unit(1, 5)), (unit(0, 7), unit(1, 3)), (unit(9, 3), unit(1, 3))] {
            let both = [
                respond(&timing, PushMechanics::Gentle, &a, &b),
                respond(&timing, PushMechanics::Gentle, &b, &a),
            ];
            assert!(both.contains(&Response::Follow) && both.contains(&Response::Ignore), "{both:?}");
        }
    }
}
