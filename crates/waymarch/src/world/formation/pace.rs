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

/// Scratch: how far the members of a group are from their slots, in 1024ths of a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Distance {
    longest: u64,
    sum: u64,
    count: u64,
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
        poison_list(&mut self.groups, Distance { longest: 7, sum: 7, count: 7 });
        poison_list(&mut self.left, 7);
    }

    fn reserve(&mut self, (): ()) {}
}

/// Sets the pace of members, for `group_speed: slowest`.
///
/// With `synchronized_arrival`, members nearer to their slots are slower in proportion, so that all arrive at the same time. A member
/// that lags far behind walks at its own speed, and the others do not wait for it.
pub(crate) fn set_paces(
    units: &mut Units,
    groups: &Groups,
    types: &UnitTypes,
    config: &Config,
    scratch: &mut PaceScratch,
) {
    if config.group_speed == GroupSpeed::Own {
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
        *all = Distance { longest: all.longest.max(left), sum: all.sum + left, count: all.count + 1 };
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

impl Distance {
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
