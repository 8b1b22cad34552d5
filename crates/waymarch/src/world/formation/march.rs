//! Groups that keep their formation while they travel: the frame begins, moves on, waits for members that lag, and passes narrow places.

use crate::avoid::{FINE_CELL, Fine, Stance};
use crate::base::{Angle, Fixed, WideVec, isqrt};
use crate::config::{Config, FormationMarch};
use crate::cost::CostField;
use crate::world::formation::pace::paces_units;
use crate::world::formation::parts::GroupParts;
use crate::world::groups::group::{Group, Groups};
use crate::world::groups::march::March;
use crate::world::orders::order::Order;
use crate::world::orders::order_book::OrderBook;
use crate::world::units::columns::Units;
use crate::world::units::membership::{Branch, GroupId, Membership};
use crate::world::units::order_progress::Phase;
use crate::world::units::unit_type::UnitTypes;

/// A frame moves at full speed while its members are at most 1/4 cell away from their places, as a root mean square.
const LAG_IGNORED: i64 = FINE_CELL as i64 / 4;
/// Members that are 2 cells farther away slow the frame down as much as they can.
const LAG: i64 = 2 * FINE_CELL as i64;
/// Members that have to pass a narrow place before they are with the frame count as 4 cells away.
const BEFORE_GATE: i64 = 4 * FINE_CELL as i64;
/// A frame that waits still moves at 256 / 1024 of its speed: so every wait ends.
const SLOWEST_PART: i64 = 256;
/// A member in a frame moves at no less than 16 / 1024 of its speed: 0 would mean that it grants right of way.
const LEAST_PACE: i64 = 16;

/// Whether a group keeps its formation on the way.
pub(crate) fn keeps_formation(orders: &OrderBook, config: &Config, group: &Group) -> bool {
    let is_ordered = matches!(orders.get(group.stage.order), Some(Order::Form { .. }));
    is_ordered && config.formation_march != FormationMarch::Goal
}

/// Begins the march of a group whose route was found. Only orders with a formation hold it on the way. A group that is scattered does not: its members
/// would walk back to meet.
pub(crate) fn begin_march(parts: &mut GroupParts<'_>, id: GroupId) {
    let config = parts.service.nav().config().get();
    let Some(group) = parts.groups.list.get_mut(id) else { return };
    if !keeps_formation(parts.orders, config, group) {
        group.march = None;
        return;
    }
    let layer = parts.service.nav().layer();
    if let Some(field) = layer.field(group.agent.locomotor.into()) {
        group.plan_crossings(layer.grid(), |at| field.is_passable(at));
    }
    parts.units.refresh_members();
    let members =
        || parts.units.members(id).filter(|(index, _)| parts.units.progress[*index].phase != Phase::Idle);
    let Some(centre) = centroid(members().map(|(index, _)| parts.units.middle(index))) else { return };
    group.begin_march(centre);
    let Some(frame) = group.frame().copied() else { return };
    // The anchor need not be the centre of the slots.
    let slots = centroid(members().map(|(_, own)| frame.place(group, own.slot))).unwrap_or(centre);
    let shifted = frame.at.plus(centre.minus(slots));
    let far = straggles(group, config);
    let near = |(index, own): &(usize, Membership)| {
        let place = March { at: shifted, ..frame }.place(group, own.slot);
        parts.units.middle(*index).distance_squared(place) <= far
    };
    let is_together = 2 * members().filter(near).count() >= members().count();
    let on_map = parts.service.nav().layer().grid().contains(shifted.cell());
    group.march = (is_together && on_map).then_some(March { at: shifted, ..frame });
}

/// The squared distance from its place in the frame at which a member does not belong to the formation any more.
fn straggles(group: &Group, config: &Config) -> u64 {
    let far = group.layout.reach.unsigned_abs() + u64::from(config.group_cohesion) * FINE_CELL as u64;
    far * far
}

/// Moves the frames of all groups by one tick.
pub(crate) fn advance_marches(groups: &mut Groups) {
    groups.list.iter_mut().for_each(|(_, group)| group.advance_march());
}

/// What the members of a group say about the speed of its frame.
#[derive(Clone, Copy, Default)]
struct Lag {
    members: i64,
    /// The sum of squared distances from their places in the frame.
    squares: u64,
    /// The sum of their speeds.
    speeds: i64,
    /// Members that grant another group right of way.
    waiting: i64,
}

impl Lag {
    fn add(&mut self, by: i64, speed: i64) {
        let square = by.unsigned_abs().saturating_pow(2);
        self.squares = self.squares.saturating_add(square);
        (self.members, self.speeds) = (self.members + 1, self.speeds + speed);
    }

    /// The speed of the frame in 65,536ths of a cell per tick. `slowest` is the speed of the slowest member.
    fn speed(&self, how: FormationMarch, slowest: i64) -> i64 {
        let members = self.members.max(1);
        if self.members == 0 || 2 * self.waiting > members {
            return 0;
        }
        match how {
            FormationMarch::Close => self.speeds / members,
            _ => {
                let lag = isqrt(self.squares / members.unsigned_abs()) as i64 - LAG_IGNORED;
                slowest * (1024 - 1024 * lag / LAG).clamp(SLOWEST_PART, 1024) / 1024
            }
        }
    }
}

/// Sets the speed of frames and the pace of their members, every few ticks.
///
/// A member moves as fast as it must to be at its place in the frame in one second. Members that a narrow gate separates from the frame, and members
/// far away, move at their own speed.
pub(crate) fn pace_marches<'a>(
    units: &mut Units,
    groups: &mut Groups,
    types: &UnitTypes,
    config: &Config,
    field: impl Fn(&Group) -> Option<&'a CostField>,
) {
    units.refresh_members();
    for (id, group) in groups.list.iter_mut().filter(|(_, group)| group.march.is_some()) {
        if config.formation_march == FormationMarch::Goal {
            group.march = None;
        }
        let field = field(group);
        leave_narrow_place(units, id, group, field);
        let far = straggles(group, config);
        let mut lag = Lag::default();
        for (index, own) in units.members(id).filter(|&(index, own)| marches(units, index, &own)) {
            let at = units.middle(index);
            let (waits, speed) = (units.grants_right_of_way(index), speed_of(units, types, index));
            lag.waiting += i64::from(waits);
            match group.frame_slot(&own).filter(|_| !waits) {
                None => lag.add(BEFORE_GATE, speed),
                Some(place) if at.distance_squared(place) > far => {}
                // Closed ground keeps a member from its place: it only lags if it is behind.
                Some(place) if field.is_some_and(|field| !field.is_passable(place.cell())) => {
                    lag.add(behind(group, at, place), speed);
                }
                Some(place) => lag.add(at.offset_to(place).length(), speed),
            }
        }
        let slowest = group.speed.to_fine_i64();
        if let Some(march) = &mut group.march {
            march.speed =
                lag.speed(config.formation_march, slowest).clamp(0, 64 * i64::from(FINE_CELL)) as i32;
        }
    }
    let framed = |units: &Units, index: usize| {
        let own = units.membership(index).filter(|own| marches(units, index, own))?;
        let group = groups.list.get(own.group)?;
        let (frame, place) = group.frame().zip(group.frame_slot(&own))?;
        let at = units.middle(index);
        let apart = at.offset_to(frame.lead(place, config.ticks_per_second)).length();
        let second = i64::from(config.ticks_per_second) * speed_of(units, types, index);
        let pace = Fixed::from_raw((apart * 1024 / second).clamp(LEAST_PACE, 1024) as i32);
        (at.distance_squared(place) <= straggles(group, config)).then_some(pace)
    };
    for index in 0..units.column_len() {
        if units.id_at(index).is_none() || units.grants_right_of_way(index) {
            continue;
        }
        let pace = match framed(units, index) {
            Some(pace) => pace,
            // Otherwise every unit has its pace already.
            None if !paces_units(config) => Fixed::ONE,
            None => continue,
        };
        let place = units.place(index);
        if units.body.crowd.pace(place) != pace {
            units.body.crowd.set_pace(place, pace);
        }
    }
}

/// The speed of a unit in 65,536ths of a cell per tick, at least 1.
fn speed_of(units: &Units, types: &UnitTypes, index: usize) -> i64 {
    types.get(units.body.kind[index]).map_or(1, |kind| units.speed(index, kind).to_fine_i64()).max(1)
}

/// How far a member is behind its place in the frame.
fn behind(group: &Group, at: Fine, place: Fine) -> i64 {
    let ahead = |facing: Angle| WideVec::new(i64::from(facing.cos_16()), i64::from(facing.sin_16()));
    group.frame().map_or(0, |frame| (ahead(frame.facing).dot(at.offset_to(place)) >> 16).max(0))
}

/// Whether a unit travels to its slot on its group's main route.
fn marches(units: &Units, index: usize, own: &Membership) -> bool {
    let progress = &units.progress[index];
    progress.phase == Phase::Going
        && !progress.halted
        && units.stance(index) == Stance::Moving
        && own.route.branch() == Branch::Main
        && units.step[index].is_none()
        && units.waits[index].is_none()
}

/// Puts the frame behind a narrow place once a member has come out of it. Where the formation has no room there either, the group passes on to the next
/// gate. Behind the last gate the members go to their slots.
fn leave_narrow_place(units: &Units, id: GroupId, group: &mut Group, field: Option<&CostField>) {
    let Some(exit) = group.march.and_then(|march| march.passing) else { return };
    let is_out =
        |(_, own): (usize, Membership)| own.route.branch() == Branch::Main && own.route.gate() > exit;
    if !units.members(id).any(is_out) {
        return;
    }
    let has_room = |frame: &March| {
        let right = WideVec::new(-i64::from(frame.facing.sin_16()), i64::from(frame.facing.cos_16()));
        let at = |part: i64| {
            let by = group.layout.half_width * part / 2;
            frame.at.plus(WideVec::new((right.x * by) >> 16, (right.y * by) >> 16).fine()).cell()
        };
        field.is_some_and(|field| (-2..=2).all(|part| field.is_passable(at(part))))
    };
    let beyond = group.frame_beyond(exit);
    group.march = match (beyond, group.march) {
        (Some(frame), _) if has_room(&frame) => Some(frame),
        (Some(_), Some(march)) if usize::from(exit) + 1 < group.main_gates.len() => {
            Some(March { passing: Some(exit + 1), ..march })
        }
        _ => None,
    };
}

fn centroid(points: impl Iterator<Item = Fine>) -> Option<Fine> {
    let (sum, count) = points.fold((WideVec::ZERO, 0), |(sum, count), at| (sum.plus(at.wide()), count + 1));
    (count > 0).then(|| WideVec::new(sum.x / count, sum.y / count).fine())
}
