//! The pace of groups: members walk as fast as the slowest, and can arrive at the same time.

use alloc::vec::Vec;

use crate::avoid::{Fine, Stance};
use crate::base::{Fixed, Scratch, poison_list};
use crate::config::{Config, GroupSpeed};
use crate::world::formation::placement::distance_in_1024ths;
use crate::world::groups::group::{Group, Groups};
use crate::world::units::columns::Units;
use crate::world::units::membership::{Branch, Membership};
use crate::world::units::order_progress::Phase;
use crate::world::units::unit_type::UnitTypes;

/// A member whose distance to its slot is more than 4 cells above the average walks at its own full speed. In 1024ths of a cell.
const STRAGGLES: u64 = 4 * 1024;
/// A member nearer to its slot than others walks at no less than 512 / 1024 of the group's speed.
const SLOWEST_PART: u64 = 512;

/// A member that would arrive before the others moves at no less than 128 / 1024 of its own speed.
const LEAST_PART: u64 = 128;
/// A member moves at 1280 / 1024 of the part that its time is of the longest time: so members in front make room in time for those behind them.
const AHEAD_PART: u64 = 1280;
/// A member within 1 cell of its slot waits for no other.
const NEAR_SLOT: u32 = 1024;

/// Scratch: how far the members of a group are from their slots, in 1024ths of a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Distance {
    longest: u64,
    sum: u64,
    count: u64,
    /// The speeds of the slowest and the fastest member, in 1024ths of a cell per tick.
    speeds: Option<(u64, u64)>,
}

/// Scratch of [`set_paces`].
#[derive(Clone, Debug, Default)]
pub(crate) struct PaceScratch {
    /// By group index.
    groups: Vec<Distance>,
    /// By unit index; 0 for units that do not walk with a group.
    left: Vec<u32>,
}

impl Scratch for PaceScratch {
    type Demand = ();

    fn poison(&mut self) {
        poison_list(&mut self.groups, Distance { longest: 7, sum: 7, count: 7, speeds: Some((7, 8)) });
        poison_list(&mut self.left, 7);
    }

    fn reserve(&mut self, (): ()) {}
}

/// Whether [`set_paces`] gives every unit a pace.
pub(crate) fn paces_units(config: &Config) -> bool {
    config.group_speed != GroupSpeed::Own || config.synchronized_arrival
}

/// Sets the pace of members, for `group_speed: slowest` and for `synchronized_arrival`.
///
/// With `group_speed: own`, only groups whose members have different speeds are paced: see [`synchronize`]. With `slowest`, members nearer to their
/// slots are slower in proportion if `synchronized_arrival` is on, so that all arrive at the same time. A member that lags far behind walks at its own
/// speed, and the others do not wait for it.
pub(crate) fn set_paces(
    units: &mut Units,
    groups: &Groups,
    types: &UnitTypes,
    config: &Config,
    scratch: &mut PaceScratch,
) {
    if config.group_speed == GroupSpeed::Own {
        if config.synchronized_arrival {
            synchronize(units, groups, types, config, scratch);
        }
        return;
    }
    let (together, ahead) = (config.synchronized_arrival, 1024 * u64::from(config.group_cohesion));
    let PaceScratch { groups: sums, left: distances } = scratch;
    sums.clear();
    sums.resize(groups.list.slot_count(), Distance::default());
    distances.clear();
    distances.resize(units.column_len(), 0);
    for (index, distance) in distances.iter_mut().enumerate() {
        let Some((membership, group)) = moving_member(units, groups, index) else { continue };
        let left = distance_left(units.middle(index), &membership, group).max(1);
        *distance = left;
        // The group does not wait for members on the alternate route.
        if membership.route.branch() == Branch::Alternate {
            continue;
        }
        let all = &mut sums[membership.group.index() as usize];
        let left = u64::from(left);
        *all = Distance { longest: all.longest.max(left), ..all.with(left) };
    }
    for (index, &left) in distances.iter().enumerate() {
        // A unit that grants right of way keeps pace 0 until the other group has passed.
        if units.id_at(index).is_none() || units.grants_right_of_way(index) {
            continue;
        }
        let pace = match moving_member(units, groups, index) {
            Some((membership, group)) => {
                let all = sums[membership.group.index() as usize];
                let left = u64::from(left);
                let mean = all.sum / all.count.max(1);
                let part = match membership.route.branch() {
                    Branch::Alternate => 1024,
                    // A member too far ahead lets the others catch up.
                    Branch::Main if left + ahead < mean => SLOWEST_PART,
                    Branch::Main if together => all.part(left),
                    Branch::Main => 1024,
                };
                let own =
                    types.get(units.body.kind[index]).map_or(Fixed::ONE, |kind| units.speed(index, kind));
                if left > mean + STRAGGLES { Fixed::ONE } else { share(group.speed, own, part) }
            }
            None => Fixed::ONE,
        };
        let place = units.place(index);
        if units.body.crowd.pace(place) != pace {
            units.body.crowd.set_pace(place, pace);
        }
    }
}

/// Lets every unit go at its own speed.
pub(crate) fn reset_paces(units: &mut Units) {
    for index in 0..units.column_len() {
        if units.id_at(index).is_some() {
            let place = units.place(index);
            units.body.crowd.set_pace(place, Fixed::ONE);
        }
    }
}

/// The membership and the group of a unit that moves with a group.
fn moving_member<'a>(units: &Units, groups: &'a Groups, index: usize) -> Option<(Membership, &'a Group)> {
    units.id_at(index)?;
    let goes = units.progress[index].phase == Phase::Going && units.stance(index) == Stance::Moving;
    let membership = units.membership(index).filter(|_| goes)?;
    Some((membership, groups.list.get(membership.group)?))
}

/// Slows down members that would arrive before the last one, for `group_speed: own` with `synchronized_arrival`: each moves at the part of its own
/// speed that its time to its slot is of the longest time.
///
/// Groups whose members are equally fast are left alone: their members arrive together as it is. A member with gates before it walks at its own speed: slower, it
/// would hold up the members behind it. The group does not wait for members on the alternate route, nor for members that are farther behind than the formation is large and `group_cohesion`.
fn synchronize(
    units: &mut Units,
    groups: &Groups,
    types: &UnitTypes,
    config: &Config,
    scratch: &mut PaceScratch,
) {
    let PaceScratch { groups: sums, left: distances } = scratch;
    sums.clear();
    sums.resize(groups.list.slot_count(), Distance::default());
    distances.clear();
    distances.resize(units.column_len(), 0);
    for index in 0..units.column_len() {
        let Some((membership, _)) = moving_member(units, groups, index) else { continue };
        let all = &mut sums[membership.group.index() as usize];
        let own = own_speed(units, types, index);
        let (slowest, fastest) = all.speeds.unwrap_or((own, own));
        all.speeds = Some((slowest.min(own), fastest.max(own)));
    }
    if sums.iter().any(Distance::is_mixed) {
        for (index, distance) in distances.iter_mut().enumerate() {
            let Some((membership, group)) = moving_member(units, groups, index) else { continue };
            let all = &mut sums[membership.group.index() as usize];
            if !all.is_mixed() {
                continue;
            }
            *distance = distance_left(units.middle(index), &membership, group).max(1);
            if membership.route.branch() == Branch::Main {
                *all = all.with(u64::from(*distance));
            }
        }
        for (index, &left) in distances.iter().enumerate().filter(|(_, left)| **left > 0) {
            let Some((membership, group)) = moving_member(units, groups, index) else { continue };
            let all = &mut sums[membership.group.index() as usize];
            let reach = (group.layout.reach >> 6).unsigned_abs() + 1024 * u64::from(config.group_cohesion);
            let is_waited_for = u64::from(left) <= all.mean() + reach;
            if membership.route.branch() == Branch::Main && is_waited_for {
                all.longest = all.longest.max(time_left(left, own_speed(units, types, index)));
            }
        }
    }
    for (index, &left) in distances.iter().enumerate() {
        // A unit that grants right of way keeps pace 0 until the other group has passed.
        if units.id_at(index).is_none() || units.grants_right_of_way(index) {
            continue;
        }
        let member = moving_member(units, groups, index);
        let is_paced = |own: &Membership, group: &Group| {
            let gates = group.gates(own.route.branch()).len();
            left > NEAR_SLOT && own.route.branch() == Branch::Main && usize::from(own.route.gate()) >= gates
        };
        let pace = match member.filter(|(own, group)| is_paced(own, group)) {
            Some((membership, _)) => {
                let longest = sums[membership.group.index() as usize].longest.max(1);
                let part = time_left(left, own_speed(units, types, index)) * AHEAD_PART / longest;
                Fixed::from_raw(part.clamp(LEAST_PART, 1024) as i32)
            }
            None => Fixed::ONE,
        };
        let place = units.place(index);
        if units.body.crowd.pace(place) != pace {
            units.body.crowd.set_pace(place, pace);
        }
    }
}

/// The speed of a unit in 1024ths of a cell per tick, at least 1.
fn own_speed(units: &Units, types: &UnitTypes, index: usize) -> u64 {
    let kind = types.get(units.body.kind[index]);
    kind.map_or(1, |kind| u64::from(units.speed(index, kind).raw().unsigned_abs()).max(1))
}

/// How long a distance takes at a speed, in 1024ths of a tick.
fn time_left(left: u32, speed: u64) -> u64 {
    u64::from(left) * 1024 / speed
}

impl Distance {
    /// One more member at this distance.
    fn with(self, left: u64) -> Self {
        Self { sum: self.sum + left, count: self.count + 1, ..self }
    }

    fn mean(&self) -> u64 {
        self.sum / self.count.max(1)
    }

    fn is_mixed(&self) -> bool {
        self.speeds.is_some_and(|(slowest, fastest)| slowest < fastest)
    }

    /// The part of the group's speed for a member at this distance from its slot, in 1024ths.
    fn part(&self, left: u64) -> u64 {
        let mean = self.sum / self.count.max(1);
        // The group does not wait for a member that is stuck far behind.
        let longest = self.longest.min(mean + STRAGGLES).max(1);
        (left * 1024 / longest).clamp(SLOWEST_PART, 1024)
    }
}

/// The pace of a unit that walks at `part` 1024ths of the group's speed: a fraction of its own speed.
fn share(group: Fixed, own: Fixed, part: u64) -> Fixed {
    let (group, own) = (u64::from(group.raw().unsigned_abs()), u64::from(own.raw().unsigned_abs()).max(1));
    // At least 16 / 1024: pace 0 would mean that the unit grants right of way.
    Fixed::from_raw((group.min(own) * part / own).clamp(16, 1024) as i32)
}

/// The distance of a member over its remaining gates to its slot, in 1024ths of a cell.
fn distance_left(at: Fine, membership: &Membership, group: &Group) -> u32 {
    let gates = group.gates_ahead(&membership.route);
    let (left, last) = gates.iter().fold((0_u32, at), |(left, from), gate| {
        (left.saturating_add(distance_in_1024ths(from, gate.way.taut)), gate.way.taut)
    });
    left.saturating_add(distance_in_1024ths(last, membership.slot))
}
