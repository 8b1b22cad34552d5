//! Following what leads: a route, a straight line or a flow, behind one question. Nothing here changes anything: what a unit does is a
//! function of the state at the start of the tick, so units can be led on any number of threads.

use super::errand::{Phase, Trace};
use super::ground::hull_of;
use super::group::{Groups, Post};
use super::motion::middle_of;
use super::service::{Guidance, PathId, PathService, crosses};
use super::unit_type::{UnitType, UnitTypes};
use super::units::{Units, coarse, less};
use crate::avoid::{FINE_BITS, Fine, Guide};
use crate::base::{CellRect, Fixed, Tick, Vec2, WorldPos};
use crate::cost::{CornerRule, CostField, StepRule};
use crate::flow::tiles::{Guide as By, Heading, TileReader};
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
/// So far ahead lies the point that a flow lets units head for.
const FLOW_AHEAD: Fixed = Fixed::from_cells(2);
/// This near to a waypoint a unit goes on to the next if it sees it.
const REACHED: Fixed = Fixed::from_raw(768);
/// And this near it need not even see it.
const AT_IT: Fixed = Fixed::from_raw(128);

/// Scratch: what leads a unit in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Lead {
    /// Where its middle was.
    pub(super) from: Fine,
    /// Where it is to go; `None` if it has nowhere to go.
    pub(super) guide: Option<Guide>,
    /// Where its way ends, if it leads anywhere yet.
    pub(super) end: Option<Vec2>,
    /// How far it has come along its route.
    pub(super) trace: Trace,
    /// Its part in a group, as it is from now on.
    pub(super) post: Option<Post>,
}

/// With whose eyes one looks.
pub(super) struct Sight<'a> {
    pub(super) kind: &'a UnitType,
    pub(super) field: &'a CostField,
    pub(super) shift: Fine,
    /// How much of it has to keep clear of closed cells, in 65,536ths of a cell.
    pub(super) hull: i32,
}

/// Where a unit wants to go: points that routes lead, not middles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wish {
    way: Way,
    /// What it heads for on a route; elsewhere the same as the goal.
    next: Vec2,
    goal: Vec2,
    /// How long the route is from there on.
    rest: u32,
    end: Option<Vec2>,
    trace: Trace,
}

/// What says which way to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Straight to what is next.
    Straight,
    /// A flow, which is asked only if somebody goes by it: who sees its place in its group does not.
    Flow,
}

impl Wish {
    /// Straight to a point.
    fn straight(to: Vec2, end: Option<Vec2>) -> Self {
        Self { way: Way::Straight, next: to, goal: to, rest: 0, end, trace: Trace::default() }
    }
}

/// What leading units takes: everything to look at, nothing to change.
#[derive(Clone, Copy)]
pub(super) struct Leader<'a> {
    pub(super) service: &'a PathService,
    pub(super) units: &'a Units,
    pub(super) types: &'a UnitTypes,
    pub(super) groups: &'a Groups,
    pub(super) now: Tick,
}

impl<'a> Leader<'a> {
    /// What leads the unit in `slot` in this tick.
    pub(super) fn lead(&self, slot: usize, reader: &mut TileReader) -> Lead {
        let units = self.units;
        let stands = Lead { trace: units.errand[slot].trace, ..Lead::default() };
        if units.id_at(slot).is_none() {
            return stands;
        }
        let stands = Lead { from: units.middle(slot), ..stands };
        let wish = || {
            let kind = self.types.get(units.kind[slot])?;
            let field = self.service.nav().layer().field(kind.agent)?;
            Some((self.wish(slot, kind, field)?, kind, field))
        };
        let Some((wish, kind, field)) = wish() else { return stands };
        let shift = units.shift(units.kind[slot]);
        let mut alone = || {
            let at = units.at(slot);
            let aim = match wish.way {
                Way::Straight => wish.next,
                Way::Flow => self.flows_to(slot, field, wish.goal, reader),
            };
            let point = |at: Vec2| Fine::from(at).plus(shift);
            let left = wish.rest.saturating_add(apart(at, wish.next));
            Guide { aim: point(aim), goal: point(wish.goal), left }
        };
        let lead = Lead { end: wish.end, trace: wish.trace, ..stands };
        let radius = kind.radius.raw() << (FINE_BITS - Fixed::BITS);
        let sight = Sight { kind, field, shift, hull: hull_of(kind.agent.size, radius, self.rule().corners) };
        let Some(post) = units.post[slot].filter(|_| wish.end.is_some()) else {
            let mut guide = alone();
            if wish.end.is_some() && wish.way == Way::Straight {
                guide.aim = self.past_corner(slot, &sight, guide.aim);
            }
            return Lead { guide: Some(guide), ..lead };
        };
        let (guide, post) = self.march(slot, &sight, alone, post);
        let end = coarse(less(post.slot, shift));
        Lead { guide: Some(guide), end: Some(end), post: Some(post), ..lead }
    }

    /// Where a flow lets a unit head for that wants to be at `end`.
    fn flows_to(&self, slot: usize, field: &CostField, end: Vec2, reader: &mut TileReader) -> Vec2 {
        let at = self.units.at(slot);
        let sees = || is_within(at, end, LOOK_FAR) && self.sees(field, at, end);
        match self.service.heading(self.units.errand[slot].path, at.at_height(Fixed::ZERO), reader) {
            // The flow leads to one place, the unit wants to be near it.
            Heading::Arrived { .. } => end,
            _ if sees() => end,
            Heading::Go { way, by: By::Inward } => at + way,
            Heading::Go { way, .. } => at + way.with_length(FLOW_AHEAD),
            // It has strayed, and will be led again.
            Heading::Nowhere(_) => at,
        }
    }

    /// How far it is from where the unit in `slot` is along a route, from waypoint `next` on; `None` if that is no route.
    pub(super) fn way_left(&self, slot: usize, path: PathId, next: u32) -> Option<u64> {
        let Guidance::Waypoints(points) = self.service.guidance(path)? else { return None };
        let mut at = self.units.at(slot);
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

    /// Whether its middle can.
    pub(super) fn glimpses(&self, field: &CostField, a: Vec2, b: Vec2) -> bool {
        let rule = StepRule { corners: CornerRule::AllowOne, ..self.rule() };
        line_of_sight_between(field, rule, a.at_height(Fixed::ZERO), b.at_height(Fixed::ZERO))
    }

    /// The one place that knows what leads units.
    fn wish(&self, slot: usize, kind: &UnitType, field: &'a CostField) -> Option<Wish> {
        let errand = &self.units.errand[slot];
        if errand.phase != Phase::Going || errand.halted {
            return None;
        }
        let (at, speed) = (self.units.at(slot), kind.speed);
        if let Some(out) = errand.escape {
            return Some(Wish::straight(middle_of(out), None));
        }
        match self.service.guidance(errand.path)? {
            Guidance::Straight(end) => {
                let end = Vec2::from(end);
                Some(Wish::straight(end, Some(end)))
            }
            Guidance::Flow(_, end) => {
                let end = Vec2::from(end);
                Some(Wish { way: Way::Flow, ..Wish::straight(end, Some(end)) })
            }
            Guidance::Waypoints(points) => {
                let end = Vec2::from(*points.last()?);
                let known = self.mark(slot, points.len());
                let threat = self.service.nav().config().threat_for(kind.controller);
                let closed = self.service.ask(errand.path).map_or(CellRect::default(), |ask| ask.avoid);
                let trail = Trail { points, at, field, threat, rule: self.rule(), closed };
                let before = errand.trace;
                let next =
                    if before.known == known { trail.next(before.next as usize) } else { trail.join() };
                // Each unit in its own ticks, so that the work is spread.
                let look = (self.now.0.wrapping_add(slot as u64)) % LOOK_EVERY == 0;
                let next = if look { trail.look_ahead(trail.in_sight(next)) } else { next };
                let next = trail.reach(next, speed);
                let number = u32::try_from(next).unwrap_or(u32::MAX);
                let same = (before.known, before.next) == (known, number);
                let rest = if same { before.rest } else { trail.rest(next) };
                let trace = Trace { next: number, known, rest };
                let next = trail.point(next);
                Some(Wish { way: Way::Straight, next, goal: end, rest, end: Some(end), trace })
            }
        }
    }
}

/// How far it is from one point to another, in 1024ths of a cell.
fn apart(a: Vec2, b: Vec2) -> u32 {
    a.distance(b).raw().unsigned_abs()
}

/// Whether two points, whose distance is rounded down, are no farther apart than `distance`, which is not negative: without a root.
pub(super) fn is_within(a: Vec2, b: Vec2, distance: Fixed) -> bool {
    let beyond = u64::from(distance.raw().unsigned_abs()) + 1;
    a.distance_squared(b) < beyond * beyond
}

/// A route beside the unit that follows it.
struct Trail<'a> {
    points: &'a [WorldPos],
    at: Vec2,
    field: &'a CostField,
    threat: Threat,
    rule: StepRule,
    /// Cells that the route keeps clear of, and so does the unit.
    closed: CellRect,
}

impl Trail<'_> {
    fn point(&self, index: usize) -> Vec2 {
        self.points.get(index).map_or(self.at, |&point| Vec2::from(point))
    }

    /// Whether the unit, body and all, may go straight to a waypoint.
    fn sees(&self, index: usize) -> bool {
        self.looks(self.rule, index)
    }

    /// Whether all ground costs the same, so that a shorter way is never dearer.
    fn is_even(&self) -> bool {
        self.threat == Threat::Ignore && self.field.cheapest() == self.field.dearest()
    }

    /// Whether its middle may: a unit that was pushed against a wall sees nothing with all of its body.
    fn glimpses(&self, index: usize) -> bool {
        let rule = StepRule { corners: CornerRule::AllowOne, ..self.rule };
        self.looks(rule, index)
    }

    fn looks(&self, rule: StepRule, index: usize) -> bool {
        let (from, to) = (self.at.at_height(Fixed::ZERO), self.points[index]);
        line_of_sight_between(self.field, rule, from, to) && !crosses(self.closed, from, to)
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
        // Who is sent round is led through gates, and may be beside a wall, where a body sees nothing, not even what lies behind: then a
        // glimpse will do, or it would turn back.
        let goes_on = passed
            && (self.sees(index + 1)
                || !self.closed.is_empty() && self.glimpses(index + 1) && !self.sees(index));
        if goes_on { index + 1 } else { index }
    }

    /// The waypoint itself if it is in sight; otherwise one before it that is. Others may have pushed the unit off its way, behind a corner.
    fn in_sight(&self, index: usize) -> usize {
        let index = index.min(self.points.len() - 1);
        if self.glimpses(index) {
            return index;
        }
        let before = (0..index).rev().take(LOOK_AHEAD);
        let seen = |&earlier: &usize| self.is_near(earlier) && self.glimpses(earlier);
        before.into_iter().find(seen).unwrap_or(index)
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

    /// The waypoint to head for from here: a later one if this one is as good as reached. Bodies in the way may keep a unit from the very
    /// point.
    fn reach(&self, mut index: usize, speed: Fixed) -> usize {
        let at_it = Fixed::from_raw(speed.raw().max(AT_IT.raw()));
        for _ in 0..2 {
            if index + 1 >= self.points.len() || !is_within(self.at, self.point(index), REACHED) {
                break;
            }
            if !is_within(self.at, self.point(index), at_it) && !self.sees(index + 1) {
                break;
            }
            index += 1;
        }
        index
    }

    /// How long the route is from a waypoint on, in 1024ths of a cell.
    fn rest(&self, from: usize) -> u32 {
        let rest = self.points.get(from..).unwrap_or(&[]);
        rest.windows(2)
            .fold(0, |sum: u32, pair| sum.saturating_add(apart(Vec2::from(pair[0]), Vec2::from(pair[1]))))
    }
}
