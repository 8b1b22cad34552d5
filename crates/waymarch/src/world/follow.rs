//! Following what leads: a route, a straight line or a flow, behind one question. Nothing here changes anything: what a unit does is a
//! function of the state at the start of the tick, so units can be led on any number of threads.

use super::errand::Phase;
use super::motion::{middle_of, walk};
use super::service::{Guidance, PathId, PathService};
use super::unit_type::{UnitType, UnitTypes};
use super::units::Units;
use crate::base::{Angle, Fixed, Tick, Vec2, WorldPos};
use crate::cost::{CornerRule, CostField, StepRule};
use crate::flow::tiles::{Guide, Heading, TileReader};
use crate::query::Threat;
use crate::search::line_of_sight_between;

/// Shortcuts to later waypoints are looked for every so many ticks, each unit in its own.
const LOOK_EVERY: u64 = 4;
/// So many waypoints ahead.
const LOOK_AHEAD: usize = 4;
/// So many when a route is joined.
const JOIN_AHEAD: usize = 8;
/// And no farther away than this.
const LOOK_FAR: Fixed = Fixed::from_cells(16);

/// What a unit does in a tick; Scratch until it is committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Step {
    pub(super) position: Vec2,
    pub(super) velocity: Vec2,
    pub(super) facing: Angle,
    pub(super) next: u32,
    pub(super) known: u32,
    pub(super) outcome: Outcome,
}

/// What became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Outcome {
    /// It had nowhere to go.
    #[default]
    Stood,
    /// It is under way.
    Went,
    /// It is at the end of its way.
    Arrived,
}

/// Where a unit wants to be at the end of the tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wish {
    /// There.
    pub(super) to: Vec2,
    /// Where its way ends, if it leads anywhere yet.
    pub(super) end: Option<Vec2>,
    pub(super) next: u32,
    pub(super) known: u32,
}

/// What leading units takes: everything to look at, nothing to change.
#[derive(Clone, Copy)]
pub(super) struct Leader<'a> {
    pub(super) service: &'a PathService,
    pub(super) units: &'a Units,
    pub(super) types: &'a UnitTypes,
    pub(super) now: Tick,
}

impl<'a> Leader<'a> {
    /// What the unit in `slot` does in this tick.
    pub(super) fn step(&self, slot: usize, reader: &mut TileReader) -> Step {
        let (units, errand) = (self.units, &self.units.errand[slot]);
        let (at, facing) = (units.position[slot], units.facing[slot]);
        let stood = Step {
            position: at,
            velocity: Vec2::ZERO,
            facing,
            next: errand.next,
            known: errand.known,
            outcome: Outcome::Stood,
        };
        let Some(kind) = self.types.get(units.kind[slot]) else { return stood };
        let Some(field) = self.service.nav().layer().field(kind.agent) else { return stood };
        let Some(wish) = self.wish(slot, kind, field, reader) else { return stood };
        let position = walk(field, self.rule(), at, wish.to - at);
        let velocity = position - at;
        let arrived = wish.end.is_some_and(|end| is_within(position, end, kind.tolerance));
        Step {
            position,
            velocity,
            facing: if velocity.is_zero() {
                facing
            } else {
                facing.turn_towards(velocity.angle(), kind.turn)
            },
            next: wish.next,
            known: wish.known,
            outcome: if arrived { Outcome::Arrived } else { Outcome::Went },
        }
    }

    /// Where the unit in `slot` would go if nobody were in its way, as a velocity.
    pub(super) fn desired_velocity(&self, slot: usize) -> Vec2 {
        let desired = || {
            let kind = self.types.get(self.units.kind[slot])?;
            let field = self.service.nav().layer().field(kind.agent)?;
            self.wish(slot, kind, field, &mut TileReader::new())
        };
        desired().map_or(Vec2::ZERO, |wish| wish.to - self.units.position[slot])
    }

    /// How far it is from where the unit in `slot` is along a route, from waypoint `next` on; `None` if that is no route.
    pub(super) fn way_left(&self, slot: usize, path: PathId, next: u32) -> Option<u64> {
        let Guidance::Waypoints(points) = self.service.guidance(path)? else { return None };
        let mut at = self.units.position[slot];
        let mut left = 0;
        for point in points.get(next as usize..)?.iter().map(|&point| Vec2::from(point)) {
            left += u64::from(at.distance(point).raw().unsigned_abs());
            at = point;
        }
        Some(left)
    }

    fn rule(&self) -> StepRule {
        self.service.nav().config().step_rule()
    }

    /// A number by which a unit knows its route again: another one once the route has been answered, or has to be answered anew.
    fn mark(&self, slot: usize, points: usize) -> u32 {
        let settled =
            self.service.status(self.units.errand[slot].path).is_some_and(|status| status.is_settled());
        u32::try_from(points).unwrap_or(u32::MAX >> 1) << 1 | u32::from(settled)
    }

    /// Whether a unit can walk straight from one place to another.
    fn sees(&self, field: &CostField, a: Vec2, b: Vec2) -> bool {
        line_of_sight_between(field, self.rule(), a.at_height(Fixed::ZERO), b.at_height(Fixed::ZERO))
    }

    /// The one place that knows what leads units.
    fn wish(
        &self,
        slot: usize,
        kind: &UnitType,
        field: &'a CostField,
        reader: &mut TileReader,
    ) -> Option<Wish> {
        let errand = &self.units.errand[slot];
        if errand.phase != Phase::Going {
            return None;
        }
        let (at, speed) = (self.units.position[slot], kind.speed);
        if let Some(out) = errand.escape {
            return Some(Wish { to: towards(at, middle_of(out), speed), end: None, next: 0, known: 0 });
        }
        match self.service.guidance(errand.path)? {
            Guidance::Straight(end) => {
                let end = Vec2::from(end);
                Some(Wish { to: towards(at, end, speed), end: Some(end), next: 0, known: 0 })
            }
            Guidance::Flow(_, end) => {
                let end = Vec2::from(end);
                let sees = || at.distance(end) <= LOOK_FAR && self.sees(field, at, end);
                let to = match self.service.heading(errand.path, at.at_height(Fixed::ZERO), reader) {
                    // The flow leads to one place, the unit wants to be near it.
                    Heading::Arrived { .. } => towards(at, end, speed),
                    _ if sees() => towards(at, end, speed),
                    Heading::Go { way, by: Guide::Inward } => at + way.clamp_length(speed),
                    Heading::Go { way, .. } => at + way.with_length(speed),
                    // It has strayed, and will be led again.
                    Heading::Nowhere(_) => at,
                };
                Some(Wish { to, end: Some(end), next: 0, known: 0 })
            }
            Guidance::Waypoints(points) => {
                let end = Vec2::from(*points.last()?);
                let known = self.mark(slot, points.len());
                let threat = self.service.nav().config().threat_for(kind.controller);
                let trail = Trail { points, at, field, threat, rule: self.rule() };
                let next =
                    if errand.known == known { trail.next(errand.next as usize) } else { trail.join() };
                // Each unit in its own ticks, so that the work is spread.
                let look = (self.now.0.wrapping_add(slot as u64)) % LOOK_EVERY == 0;
                let next = if look { trail.look_ahead(next) } else { next };
                let (to, next) = trail.along(next, speed);
                Some(Wish { to, end: Some(end), next: u32::try_from(next).unwrap_or(u32::MAX), known })
            }
        }
    }
}

/// Whether two points, whose distance is rounded down, are no farther apart than `distance`, which is not negative: without a root.
fn is_within(a: Vec2, b: Vec2, distance: Fixed) -> bool {
    let beyond = u64::from(distance.raw().unsigned_abs()) + 1;
    a.distance_squared(b) < beyond * beyond
}

/// Straight on by at most `speed`, to the nearest 1024th: rounding down would make slow units slower still.
fn towards(at: Vec2, to: Vec2, speed: Fixed) -> Vec2 {
    let way = to - at;
    let most = u64::from(speed.raw().unsigned_abs());
    if way.length_squared() <= most * most { to } else { at + way.with_length(speed) }
}

/// A route beside the unit that follows it.
struct Trail<'a> {
    points: &'a [WorldPos],
    at: Vec2,
    field: &'a CostField,
    threat: Threat,
    rule: StepRule,
}

impl Trail<'_> {
    fn point(&self, index: usize) -> Vec2 {
        self.points.get(index).map_or(self.at, |&point| Vec2::from(point))
    }

    /// Whether the unit, body and all, may go straight to a waypoint.
    fn sees(&self, index: usize) -> bool {
        line_of_sight_between(self.field, self.rule, self.at.at_height(Fixed::ZERO), self.points[index])
    }

    /// Whether all ground costs the same, so that a shorter way is never dearer.
    fn is_even(&self) -> bool {
        self.threat == Threat::Ignore && self.field.cheapest() == self.field.dearest()
    }

    /// Whether its middle may: a unit that was pushed against a wall sees nothing with all of its body.
    fn glimpses(&self, index: usize) -> bool {
        let rule = StepRule { corners: CornerRule::AllowOne, ..self.rule };
        line_of_sight_between(self.field, rule, self.at.at_height(Fixed::ZERO), self.points[index])
    }

    fn is_near(&self, index: usize) -> bool {
        is_within(self.at, self.point(index), LOOK_FAR)
    }

    /// The waypoint to head for at the beginning of a route, which may be some ticks old: the farthest in sight where ground is even,
    /// since a way that is shorter is no dearer there; elsewhere the second, unless only the first can be seen.
    fn join(&self) -> usize {
        let last = self.points.len() - 1;
        let even = self.is_even();
        // A way over doors, given while the route is looked for, need not be straight where the ground is open.
        if even && self.sees(last) {
            return last;
        }
        let most = if even { JOIN_AHEAD } else { 1 }.min(last);
        let seen = (1..=most).rev().find(|&index| self.is_near(index) && self.sees(index));
        let first = || if last >= 1 && self.glimpses(1) { 1 } else { 0 };
        seen.unwrap_or_else(first)
    }

    /// The waypoint to head for, given the one before: the next if this one lies behind, though the unit never came near it.
    fn next(&self, index: usize) -> usize {
        let index = index.min(self.points.len() - 1);
        if index + 1 >= self.points.len() {
            return index;
        }
        let (this, after) = (self.point(index), self.point(index + 1));
        let passed = (after - this).dot(self.at - this) > 0;
        if passed && self.sees(index + 1) { index + 1 } else { index }
    }

    /// A later waypoint that is in sight, where ground is even.
    fn look_ahead(&self, index: usize) -> usize {
        let last = (self.points.len() - 1).min(index + LOOK_AHEAD);
        if index >= last || !self.is_near(index + 1) || !self.is_even() {
            return index;
        }
        let seen = |&later: &usize| self.is_near(later) && self.sees(later);
        (index + 1..=last).rev().find(seen).unwrap_or(index)
    }

    /// The point that lies `speed` further along the route, and the waypoint to head for from there.
    fn along(&self, mut index: usize, speed: Fixed) -> (Vec2, usize) {
        let (mut at, mut left) = (self.at, speed);
        while index < self.points.len() {
            let point = self.point(index);
            let apart = at.distance(point);
            // Rounded down, so a length of 0 may be one that is not quite.
            if apart > left || (left == Fixed::ZERO && at != point) {
                return (towards(at, point, left), index);
            }
            (at, left) = (point, left - apart);
            if index + 1 == self.points.len() {
                return (at, index);
            }
            index += 1;
        }
        (at, index)
    }
}
