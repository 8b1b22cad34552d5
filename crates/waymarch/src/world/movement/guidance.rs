//! Guidance of a unit: which point does its route, straight line or flow lead it to? All functions only read the state, so that units can be
//! guided on any number of threads.

use crate::avoid::{Fine, GATE_LEFT, Guide};
use crate::base::{CellPos, CellRect, FINE_CELL, Fixed, Tick, Vec2, WideVec, round_unit, segment_touches};
use crate::cost::{CornerRule, CostField, StepRule};
use crate::flow::tiles::{Guide as By, Heading, TileReader};
use crate::query::Threat;
use crate::search::line_of_sight_between;
use crate::service::{Guidance, PathService};
use crate::world::groups::group::Groups;
use crate::world::movement::gate_guidance::{Followed, Stream};
use crate::world::movement::legal_step::middle_of;
use crate::world::movement::terrain::hull_of;
use crate::world::units::columns::Units;
use crate::world::units::membership::Membership;
use crate::world::units::order_progress::{Phase, WaypointProgress};
use crate::world::units::passage_wait::{PassageLine, PassageWait};
use crate::world::units::unit_type::{UnitType, UnitTypes};

/// A unit looks for shortcuts to later waypoints every 4 ticks. Units start at different ticks, which spreads the work.
const LOOK_EVERY: u64 = 4;
/// A unit looks up to 4 waypoints ahead or back.
const LOOK_AHEAD: usize = 4;
/// A unit that joins a route looks up to 8 waypoints ahead.
const JOIN_AHEAD: usize = 8;
/// A unit looks for waypoints within 16 cells.
const LOOK_FAR: Fixed = Fixed::from_cells(16);
/// A unit in a flow heads for a point 2 cells ahead.
const FLOW_AHEAD: Fixed = Fixed::from_cells(2);
/// Within 0.75 cells of a waypoint, a unit that sees the next waypoint heads for it.
const NEAR_WAYPOINT: Fixed = Fixed::from_raw(768);
/// Within 0.125 cells of a waypoint, or within one tick at full speed, a unit heads for the next waypoint even if it does not see it.
const AT_WAYPOINT: Fixed = Fixed::from_raw(128);

/// A unit in a deadlock zone slows down within 0.375 cells of the middle of the cell that it steps to.
const NEAR_STEP: u64 = FINE_CELL as u64 * 3 / 8;

/// A unit that waits before a passage keeps 3 cells from its mouth, so that others can come out.
const CLEAR_OF_MOUTH: u64 = 3 * FINE_CELL as u64;
/// It also keeps out of the lane straight before the mouth, which is 8 cells long.
const LANE_LENGTH: i64 = 8 * FINE_CELL as i64;
/// The lane before a mouth reaches 1.25 cells to each side: room for a unit and the bodies of those that wait beside it.
const LANE_HALF: i64 = FINE_CELL as i64 * 5 / 4;

/// Scratch: what guides a unit in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct UnitGuide {
    /// The unit's centre before it moved.
    pub(crate) from: Fine,
    /// Where the unit heads for; `None` if it has nowhere to go.
    pub(crate) guide: Option<Guide>,
    /// The end of the unit's route; `None` without a route, and on an escape from closed ground.
    pub(crate) end: Option<Vec2>,
    /// How far the unit has come along its route.
    pub(crate) trace: WaypointProgress,
    /// The unit's updated membership.
    pub(crate) membership: Option<Membership>,
    pub(crate) stream: Stream,
}

/// A unit's type, cost field and clearance.
pub(crate) struct Sight<'a> {
    pub(crate) kind: &'a UnitType,
    pub(crate) field: &'a CostField,
    /// From the centre of the unit's cell to the centre of the unit.
    pub(crate) shift: Fine,
    /// How far the unit's centre keeps from closed cells, in 65,536ths of a cell.
    pub(crate) hull: i32,
}

/// Where a unit's own route leads it. Points are for the point of the unit that follows routes: its centre without the shift of large units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RouteAim {
    source: AimSource,
    /// The next waypoint of a route; otherwise the same as `goal`.
    next: Vec2,
    goal: Vec2,
    /// The length of the route from `next` on, in 1024ths of a cell.
    rest: u32,
    end: Option<Vec2>,
    trace: WaypointProgress,
}

/// What gives the direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AimSource {
    /// The straight line to the next point.
    Straight,
    /// A flow. It is read only if the unit follows it: a unit that sees its formation slot does not.
    Flow,
}

impl RouteAim {
    /// Straight to a point.
    fn straight(to: Vec2, end: Option<Vec2>) -> Self {
        Self {
            source: AimSource::Straight,
            next: to,
            goal: to,
            rest: 0,
            end,
            trace: WaypointProgress::default(),
        }
    }
}

/// The parts of the state that guidance reads.
#[derive(Clone, Copy)]
pub(crate) struct Guides<'a> {
    pub(crate) service: &'a PathService,
    pub(crate) units: &'a Units,
    pub(crate) types: &'a UnitTypes,
    pub(crate) groups: &'a Groups,
    pub(crate) now: Tick,
}

impl<'a> Guides<'a> {
    /// What guides the unit at an index in this tick.
    pub(crate) fn guide(&self, index: usize, reader: &mut TileReader) -> UnitGuide {
        let units = self.units;
        let stands = UnitGuide { trace: units.progress[index].trace, ..UnitGuide::default() };
        if units.id_at(index).is_none() {
            return stands;
        }
        let stands = UnitGuide { from: units.middle(index), ..stands };
        if let Some(out) = units.conditions.way_out(index) {
            let to = Fine::centre(out).plus(units.shift(units.body.kind[index]));
            return UnitGuide { guide: Some(Guide::to(to)), ..stands };
        }
        if let Some(step) = units.step[index] {
            return UnitGuide { guide: Some(self.step_guide(index, step.aim())), ..stands };
        }
        if let Some(wait) = units.waits[index] {
            return UnitGuide { guide: self.wait_guide(index, wait), ..stands };
        }
        let route_aim = || {
            let kind = self.types.get(units.body.kind[index])?;
            let layer = self.service.nav().layer();
            let field = layer.field(units.agent(index, kind, layer))?;
            Some((self.route_aim(index, kind, field)?, kind, field))
        };
        let Some((route_aim, kind, field)) = route_aim() else { return stands };
        let shift = units.shift(units.body.kind[index]);
        let mut alone = || {
            let at = units.at(index);
            let aim = match route_aim.source {
                AimSource::Straight => route_aim.next,
                AimSource::Flow => self.flow_aim(index, field, route_aim.goal, reader),
            };
            let point = |at: Vec2| Fine::from(at).plus(shift);
            let left = route_aim.rest.saturating_add(apart(at, route_aim.next));
            Guide { aim: point(aim), goal: point(route_aim.goal), left }
        };
        let lead = UnitGuide { end: route_aim.end, trace: route_aim.trace, ..stands };
        let radius = kind.radius.to_fine();
        let sight = Sight { kind, field, shift, hull: hull_of(kind.agent.size, radius, self.rule().corners) };
        let Some(membership) = units.membership(index).filter(|_| route_aim.end.is_some()) else {
            let mut guide = alone();
            if let Some(line) = units.lines[index].filter(|_| route_aim.end.is_some()) {
                guide = self.line_guide(index, line, guide);
            }
            if route_aim.end.is_some() && route_aim.source == AimSource::Straight {
                guide.aim = self.past_corner(index, &sight, guide.aim);
            }
            return UnitGuide { guide: Some(guide), ..lead };
        };
        let Followed { guide, membership, stream } = self.follow_gates(index, &sight, alone, membership);
        let end = membership.slot.minus(shift).floor();
        UnitGuide { guide: Some(guide), end: Some(end), membership: Some(membership), stream, ..lead }
    }

    /// The guide of a unit that is told to step to a cell. It slows down only near the middle of the cell.
    fn step_guide(&self, index: usize, to: CellPos) -> Guide {
        let aim = Fine::centre(to).plus(self.units.shift(self.units.body.kind[index]));
        let before = self.units.body.crowd.guide_of(self.units.place(index));
        let far = self.units.middle(index).distance_squared(aim) > NEAR_STEP * NEAR_STEP;
        let goal = if far { aim.plus(Fine::new(1, 0)) } else { aim };
        Guide { aim, goal, left: before.left }
    }

    /// The guide of a unit that crosses a passage in a line with others, `alone` without the line. The unit nearer to the passage, or deeper inside, goes first.
    fn line_guide(&self, index: usize, line: PassageLine, alone: Guide) -> Guide {
        let at = self.units.middle(index);
        let mouth = Fine::centre(line.mouth).plus(self.units.shift(self.units.body.kind[index]));
        let far = at.distance_fixed(mouth).min(u64::from(GATE_LEFT / 2)) as u32;
        let left = if line.inside { 2 * GATE_LEFT - far } else { 2 * GATE_LEFT + far };
        // A unit lines up only before a bend: its goal differs from its aim.
        let goal = if alone.aim == alone.goal { alone.goal.plus(Fine::new(1, 0)) } else { alone.goal };
        Guide { goal, left, ..alone }
    }

    /// The guide of a unit that waits before a passage: it walks back out of the passage, and then away from its mouth and out of the lane before it. `None` if it
    /// stands.
    fn wait_guide(&self, index: usize, wait: PassageWait) -> Option<Guide> {
        let place = self.units.place(index);
        let kind = self.units.body.kind[index];
        let (at, shift) = (self.units.middle(index), self.units.shift(kind));
        let mouth = Fine::centre(wait.inside).plus(shift);
        let offset = at.wide().minus(mouth.wide());
        let out = Fine::centre(wait.outside).wide().minus(Fine::centre(wait.inside).wide()).polar()?.unit;
        let (along, aside) = (round_unit(offset.dot(out)), round_unit(out.cross(offset)));
        let aim = if wait.retreats {
            Fine::centre(wait.outside).plus(shift)
        } else if at.distance_squared(mouth) < CLEAR_OF_MOUTH * CLEAR_OF_MOUTH {
            let away = offset.polar()?.unit;
            mouth.plus(away.along(CLEAR_OF_MOUTH as i64 + i64::from(FINE_CELL / 2)).fine()).on_plane()
        } else if (0..LANE_LENGTH).contains(&along) && aside.abs() < LANE_HALF {
            let side = if aside < 0 { WideVec::new(out.y, -out.x) } else { WideVec::new(-out.y, out.x) };
            at.plus(side.along(LANE_HALF - aside.abs() + i64::from(FINE_CELL / 2)).fine()).on_plane()
        } else {
            return None;
        };
        let layer = self.service.nav().layer();
        let field = layer.field(self.units.agent(index, self.types.get(kind)?, layer))?;
        let point = |at: Fine| at.minus(shift).floor();
        if !wait.retreats && !self.centre_sees(field, point(at), point(aim)) {
            return None;
        }
        let left = self.units.body.crowd.guide_of(place).left;
        Some(Guide { aim, goal: aim.plus(Fine::new(1, 0)), left })
    }

    /// The point that a unit in a flow heads for on its way to `end`.
    fn flow_aim(&self, index: usize, field: &CostField, end: Vec2, reader: &mut TileReader) -> Vec2 {
        let at = self.units.at(index);
        let sees = || is_within(at, end, LOOK_FAR) && self.sees(field, at, end);
        match self.service.heading(self.units.progress[index].path, at, reader) {
            // All units of a flow have one goal, but `end` may be beside it.
            Heading::Arrived { .. } => end,
            _ if sees() => end,
            Heading::Go { direction, by: By::Inward } => at + direction,
            Heading::Go { direction, .. } => at + direction.with_length(FLOW_AHEAD),
            // The flow has no heading here yet. The unit stays where it is.
            Heading::Nowhere(_) => at,
        }
    }

    fn rule(&self) -> StepRule {
        self.service.nav().config().step_rule()
    }

    /// A fingerprint of a unit's route. It changes when the number of waypoints changes, and when the final route replaces the interim one.
    fn mark(&self, index: usize, points: usize) -> u32 {
        let settled =
            self.service.status(self.units.progress[index].path).is_some_and(|status| status.is_settled());
        u32::try_from(points).unwrap_or(u32::MAX >> 1) << 1 | u32::from(settled)
    }

    /// Whether a unit's body can walk straight from one point to another.
    fn sees(&self, field: &CostField, a: Vec2, b: Vec2) -> bool {
        line_of_sight_between(field, self.rule(), a, b)
    }

    /// Whether a unit's centre can walk straight from one point to another.
    pub(crate) fn centre_sees(&self, field: &CostField, a: Vec2, b: Vec2) -> bool {
        let rule = StepRule { corners: CornerRule::AllowOne, ..self.rule() };
        line_of_sight_between(field, rule, a, b)
    }

    /// Where a unit's own route, flow or escape leads it; `None` if the unit does not move.
    fn route_aim(&self, index: usize, kind: &UnitType, field: &'a CostField) -> Option<RouteAim> {
        let progress = &self.units.progress[index];
        if progress.phase != Phase::Going || progress.halted {
            return None;
        }
        let (at, speed) = (self.units.at(index), self.units.speed(index, kind));
        if let Some(out) = progress.escape {
            return Some(RouteAim::straight(middle_of(out), None));
        }
        match self.service.guidance(progress.path)? {
            Guidance::Straight(end) => Some(RouteAim::straight(end, Some(end))),
            Guidance::Flow(_, end) => {
                Some(RouteAim { source: AimSource::Flow, ..RouteAim::straight(end, Some(end)) })
            }
            Guidance::Waypoints(points) => {
                let end = *points.last()?;
                let known = self.mark(index, points.len());
                let threat = self
                    .service
                    .nav()
                    .config()
                    .threat_for(kind.controller)
                    .seen_by(self.units.observer(index));
                let closed = self.service.ask(progress.path).map_or(CellRect::default(), |ask| ask.avoid);
                let shortcuts =
                    if self.service.has_planner() { Shortcuts::Refused } else { Shortcuts::Allowed };
                let route = RouteView { points, at, field, threat, rule: self.rule(), closed, shortcuts };
                let before = progress.trace;
                let next =
                    if before.known == known { route.next(before.next as usize) } else { route.join() };
                let look = (self.now.0.wrapping_add(index as u64)) % LOOK_EVERY == 0;
                let next = if look { route.look_ahead(route.in_sight(next)) } else { next };
                let next = route.reach(next, speed);
                let number = u32::try_from(next).unwrap_or(u32::MAX);
                let same = (before.known, before.next) == (known, number);
                let rest = if same { before.rest } else { route.rest(next) };
                let trace = WaypointProgress { next: number, known, rest };
                let next = route.point(next);
                Some(RouteAim { source: AimSource::Straight, next, goal: end, rest, end: Some(end), trace })
            }
        }
    }
}

/// The distance between two points, in 1024ths of a cell.
fn apart(a: Vec2, b: Vec2) -> u32 {
    a.distance(b).raw().unsigned_abs()
}

/// Whether the distance of two points, rounded down, is at most `distance`, which must not be negative. Needs no square root.
pub(crate) fn is_within(a: Vec2, b: Vec2, distance: Fixed) -> bool {
    let beyond = u64::from(distance.raw().unsigned_abs()) + 1;
    a.distance_squared(b) < beyond * beyond
}

/// A route, seen from the unit that follows it.
struct RouteView<'a> {
    points: &'a [Vec2],
    at: Vec2,
    field: &'a CostField,
    threat: Threat,
    rule: StepRule,
    /// Cells that the request avoids. The unit does not cross them on a shortcut either.
    closed: CellRect,
    shortcuts: Shortcuts,
}

/// Whether a unit may head for a later waypoint that it sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shortcuts {
    Allowed,
    /// The game's own planner found the route.
    Refused,
}

impl RouteView<'_> {
    fn point(&self, index: usize) -> Vec2 {
        self.points.get(index).map_or(self.at, |&point| point)
    }

    /// Whether the unit's body can go straight to a waypoint.
    fn sees(&self, index: usize) -> bool {
        self.has_line(self.rule, index)
    }

    /// Whether all ground costs the same, so that a shorter route never costs more.
    fn is_even(&self) -> bool {
        self.shortcuts == Shortcuts::Allowed
            && !self.threat.is_heeded()
            && self.field.cheapest() == self.field.dearest()
    }

    /// Whether the unit's centre can go straight to a waypoint. For a unit that was pushed against a wall no line is free for its whole body.
    fn centre_sees(&self, index: usize) -> bool {
        let rule = StepRule { corners: CornerRule::AllowOne, ..self.rule };
        self.has_line(rule, index)
    }

    fn has_line(&self, rule: StepRule, index: usize) -> bool {
        let (from, to) = (self.at, self.points[index]);
        line_of_sight_between(self.field, rule, from, to) && !segment_touches(self.closed, from, to)
    }

    fn is_near(&self, index: usize) -> bool {
        is_within(self.at, self.point(index), LOOK_FAR)
    }

    /// The waypoint to head for when the unit joins a route, which may be some ticks old. Where all ground costs the same it is the farthest in
    /// sight; elsewhere the second, or the first if the second is not visible.
    fn join(&self) -> usize {
        let last = self.points.len() - 1;
        let even = self.is_even();
        // An interim route over doors may not be straight where the ground is open.
        if even && self.sees(last) {
            return last;
        }
        let most = if even { JOIN_AHEAD } else { 1 }.min(last);
        let seen = (1..=most).rev().find(|&index| self.is_near(index) && self.sees(index));
        let first = || if last >= 1 && self.centre_sees(1) { 1 } else { 0 };
        seen.unwrap_or_else(first)
    }

    /// The waypoint to head for, given the waypoint of the last tick. If the unit has passed that one at a distance, it is the next waypoint, unless shortcuts are
    /// refused: a planner of the game may turn back at a waypoint.
    fn next(&self, index: usize) -> usize {
        let index = index.min(self.points.len() - 1);
        if index + 1 >= self.points.len() || self.shortcuts == Shortcuts::Refused {
            return index;
        }
        let (this, after) = (self.point(index), self.point(index + 1));
        let passed = (after - this).dot(self.at - this) > 0;
        // A unit on a detour is guided through gates, and may be beside a wall, where no line is free for its body. There the line of its centre
        // is enough; otherwise the unit would turn back.
        let goes_on = passed
            && (self.sees(index + 1)
                || !self.closed.is_empty() && self.centre_sees(index + 1) && !self.sees(index));
        if goes_on { index + 1 } else { index }
    }

    /// The waypoint itself if it is visible; otherwise the last one before it that is. Other units may have pushed the unit behind a corner.
    fn in_sight(&self, index: usize) -> usize {
        let index = index.min(self.points.len() - 1);
        if self.centre_sees(index) {
            return index;
        }
        let before = (0..index).rev().take(LOOK_AHEAD);
        let seen = |&earlier: &usize| self.is_near(earlier) && self.centre_sees(earlier);
        before.into_iter().find(seen).unwrap_or(index)
    }

    /// The latest visible waypoint, if all ground costs the same; otherwise `index`.
    fn look_ahead(&self, index: usize) -> usize {
        let last = (self.points.len() - 1).min(index + LOOK_AHEAD);
        if index >= last || !self.is_near(index + 1) || !self.is_even() {
            return index;
        }
        let seen = |&later: &usize| self.is_near(later) && self.sees(later);
        (index + 1..=last).rev().find(seen).unwrap_or(index)
    }

    /// The waypoint to head for: a later one if the unit is near enough to this one. Other units may keep a unit from the exact point.
    fn reach(&self, mut index: usize, speed: Fixed) -> usize {
        let at_it = Fixed::from_raw(speed.raw().max(AT_WAYPOINT.raw()));
        for _ in 0..2 {
            if index + 1 >= self.points.len() || !is_within(self.at, self.point(index), NEAR_WAYPOINT) {
                break;
            }
            if !is_within(self.at, self.point(index), at_it) && !self.sees(index + 1) {
                break;
            }
            index += 1;
        }
        index
    }

    /// The length of the route from a waypoint on, in 1024ths of a cell.
    fn rest(&self, from: usize) -> u32 {
        let rest = self.points.get(from..).unwrap_or(&[]);
        rest.windows(2).fold(0, |sum: u32, pair| sum.saturating_add(apart(pair[0], pair[1])))
    }
}
