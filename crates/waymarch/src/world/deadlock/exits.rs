//! Where a unit's route leaves an area.

use crate::base::{CellPos, CellRect, Fine, Fixed, Vec2};
use crate::flow::tiles::{Heading, TileReader};
use crate::service::{Guidance, PathService};
use crate::world::movement::corners::fits;
use crate::world::movement::guidance::Sight;
use crate::world::movement::terrain::hull_of;
use crate::world::orders::parts::OrderParts;
use crate::world::units::columns::Units;
use crate::world::units::membership::Visibility;
use crate::world::units::order_progress::{Phase, WaypointProgress};

/// A flow is followed over at most 128 cells.
const MOST_STEPS: usize = 128;

/// What a unit in an area wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Its route ends in this cell of the area.
    Ends(CellPos),
    /// Its route leaves the area from this cell.
    Leaves(CellPos, NextOnRoute),
}

/// What comes on a route after the cell where it leaves an area. In the area, a unit takes the shortest way to that cell, whatever lies on its route before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NextOnRoute {
    /// The flow leads on from any cell.
    Flow,
    /// The next waypoint.
    Waypoint(WaypointProgress),
    /// The next gate of the unit's group.
    Gate(u16),
}

impl NextOnRoute {
    /// Notes that a unit has come so far.
    pub(crate) fn note(self, units: &mut Units, index: usize) {
        match self {
            Self::Flow => {}
            Self::Waypoint(next) => units.progress[index].trace = next,
            Self::Gate(next) => {
                let membership = units.membership_mut(index);
                if let Some(membership) = membership.filter(|membership| membership.route.gate() < next) {
                    membership.route.resume_at(next);
                }
            }
        }
    }
}

impl Exit {
    /// The cell of the area that the unit heads for.
    pub(crate) fn cell(self) -> CellPos {
        match self {
            Self::Ends(cell) | Self::Leaves(cell, _) => cell,
        }
    }
}

/// Where a unit can leave an area.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exits {
    /// Where guidance leads it: a member that sees its next gate heads for it, whatever its own route.
    pub(crate) guided: Exit,
    /// Where its own route leads, if that is another cell.
    pub(crate) own: Option<Exit>,
}

/// Where a unit can leave an area. `None` if the unit has no route, or if the route leads nowhere.
pub(crate) fn exits_of(
    parts: &OrderParts<'_>,
    index: usize,
    area: CellRect,
    reader: &mut TileReader,
) -> Option<Exits> {
    let own = exit_of(parts.service, parts.units, index, area, reader)?;
    let guided = gate_exit(parts, index, area).unwrap_or(own);
    Some(Exits { guided, own: (own.cell() != guided.cell()).then_some(own) })
}

/// Where the route of a unit ends in an area or leaves it. `None` if the unit has no route, or if the route leads nowhere.
pub(crate) fn exit_of(
    service: &PathService,
    units: &Units,
    index: usize,
    area: CellRect,
    reader: &mut TileReader,
) -> Option<Exit> {
    let progress = &units.progress[index];
    if progress.phase != Phase::Going || progress.halted || progress.escape.is_some() {
        return None;
    }
    let at = units.at(index);
    let slot = units
        .membership(index)
        .map(|membership| membership.slot.minus(units.shift(units.body.kind[index])).floor());
    match service.guidance(progress.path)? {
        Guidance::Straight(end) => Some(along(at, &[slot.unwrap_or(end)], area, |_| NextOnRoute::Flow)),
        Guidance::Waypoints(points) => {
            let next = (progress.trace.next as usize).min(points.len().saturating_sub(1));
            // A unit may have been pushed off its route: the route counts, not the line from the unit.
            let before = next.checked_sub(1).map(|before| nearest_on(points[before], points[next], at));
            let from = before.filter(|&from| area.contains(cell(from))).unwrap_or(at);
            let trace = progress.trace;
            let waypoint =
                |passed: u32| NextOnRoute::Waypoint(WaypointProgress { next: trace.next + passed, ..trace });
            let exit = along(from, &points[next..], area, waypoint);
            // The route of a member ends near its slot.
            Some(match (exit, slot) {
                (Exit::Ends(_), Some(slot)) => along(*points.last()?, &[slot], area, |_| NextOnRoute::Flow),
                _ => exit,
            })
        }
        Guidance::Flow(_, end) => {
            let end = slot.unwrap_or(end);
            let mut here = at;
            for _ in 0..MOST_STEPS {
                let heading = service.heading(progress.path, here, reader);
                let (Heading::Go { direction, .. } | Heading::Arrived { direction }) = heading else {
                    return None;
                };
                if matches!(heading, Heading::Arrived { .. }) {
                    return Some(along(here, &[end], area, |_| NextOnRoute::Flow));
                }
                let next = here + direction.with_length(Fixed::ONE);
                if !area.contains(cell(next)) {
                    return Some(Exit::Leaves(cell(here), NextOnRoute::Flow));
                }
                here = cell(next).centre();
            }
            None
        }
    }
}

/// Where the line over the next gates of a member, and then to its slot, ends in an area or leaves it. It crosses each gate where the member heads for it: elsewhere,
/// the member would turn back at the border of the area. `None` if the unit follows its own route.
fn gate_exit(parts: &OrderParts<'_>, index: usize, area: CellRect) -> Option<Exit> {
    let units = &*parts.units;
    let mut membership = units.membership(index)?;
    let group = parts.groups.list.get(membership.group)?;
    let (first, visibility) = (membership.route.gate(), membership.route.visibility());
    if !matches!(visibility, Visibility::Clear | Visibility::Ahead | Visibility::Taut) {
        return None;
    }
    let kind = parts.type_of(index)?;
    let nav = parts.service.nav();
    let agent = units.agent(index, kind, nav.layer());
    let (field, shift) = (nav.layer().field(agent)?, units.shift(units.body.kind[index]));
    let hull = hull_of(kind.agent.size, kind.radius.to_fine(), nav.config().get().corner_rule);
    let sight = Sight { kind, field, shift, hull };
    let point = |at: Fine| at.minus(shift).floor();
    let mut from = units.at(index);
    for number in first..=group.gates(membership.route.branch()).len() as u16 {
        membership.route.resume_at(number);
        let aim = match visibility {
            Visibility::Taut if number == first => group.taut(&membership),
            _ => group.aim(&membership, kind.radius, |at| fits(&sight, at)),
        };
        let to = aim.unwrap_or(membership.slot);
        match along(from, &[point(to)], area, |_| NextOnRoute::Gate(number)) {
            Exit::Ends(_) => from = point(to),
            leaves @ Exit::Leaves(..) => return Some(leaves),
        }
    }
    Some(Exit::Ends(cell(from)))
}

/// Where a line of points, from a position in the area on, ends in the area or leaves it. `next` says what comes after a number of points.
fn along(from: Vec2, points: &[Vec2], area: CellRect, next: impl Fn(u32) -> NextOnRoute) -> Exit {
    let mut here = from;
    for (number, &point) in (0..).zip(points) {
        let to = point;
        if !area.contains(cell(to)) {
            return Exit::Leaves(last_inside(here, to, area), next(number));
        }
        here = to;
    }
    Exit::Ends(cell(here))
}

/// The point of a line that is nearest to a position.
fn nearest_on(a: Vec2, b: Vec2, at: Vec2) -> Vec2 {
    let (a, b) = (a, b);
    let (line, length) = (b - a, a.distance_squared(b));
    let part = (at - a).dot(line);
    if part <= 0 || length == 0 {
        return a;
    }
    let share = |side: Fixed| {
        let along = i128::from(side.raw()) * i128::from(part) / i128::from(length);
        Fixed::from_raw(along.clamp(i128::from(i32::MIN), i128::from(i32::MAX)) as i32)
    };
    if part as u64 >= length { b } else { Vec2::new(a.x + share(line.x), a.y + share(line.y)) }
}

/// The last cell of the area on the line from a point inside to a point outside.
fn last_inside(mut inside: Vec2, mut outside: Vec2, area: CellRect) -> CellPos {
    // Halving 24 times is exact: coordinates have 23 bits.
    for _ in 0..24 {
        let middle = Vec2::new(
            Fixed::from_raw(inside.x.raw() + (outside.x.raw() - inside.x.raw()) / 2),
            Fixed::from_raw(inside.y.raw() + (outside.y.raw() - inside.y.raw()) / 2),
        );
        if area.contains(cell(middle)) { inside = middle } else { outside = middle }
    }
    cell(inside)
}

fn cell(at: Vec2) -> CellPos {
    at.cell()
}
