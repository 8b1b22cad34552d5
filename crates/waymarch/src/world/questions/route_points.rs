//! The points that a unit passes on the way to its goal.

use alloc::vec::Vec;

use crate::base::{Fixed, Vec2};
use crate::flow::tiles::{Guide as By, Heading, TileReader};
use crate::service::Guidance;
use crate::world::movement::legal_step::middle_of;
use crate::world::state::State;
use crate::world::units::order_progress::Phase;
use crate::world::units::unit::UnitId;
use crate::world::world::World;

/// A route that follows a flow has one point per cell.
const FLOW_STEP: Fixed = Fixed::ONE;

/// What leads a unit; see [`World::route_points`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RouteSource {
    /// A straight line: there is no route yet, or the unit leaves closed ground.
    Straight,
    /// A route of its own.
    Waypoints,
    /// A flow that many units share.
    Flow,
    /// The gates of its group, and its formation slot.
    Gates,
}

/// How the points of a route are to be read; see [`World::route_points`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoutePoints {
    /// What leads the unit.
    pub source: RouteSource,
    /// Whether the last point is the end of the route. If not, the route has more points than were asked for, or its flow does not lead on yet.
    pub is_whole: bool,
}

impl World {
    /// Writes the points that a unit passes from now on to `out`, for lines on a map and for plans of a game: first its present centre, then at most `most` more.
    /// `None` if the unit does not exist or is not under way; `out` is then empty.
    ///
    /// What leads the unit decides the points:
    ///
    /// | source | points |
    /// |---|---|
    /// | a group with gates, or a visible formation slot | the innermost point of each gate ahead; the slot |
    /// | a route | its remaining waypoints |
    /// | a flow | a point per cell; the end of the route as soon as the flow sees it |
    /// | no route yet | the end of the request |
    ///
    /// Units avoid each other, and use lanes beside the points of gates, so they do not pass exactly there. Asking changes nothing.
    ///
    /// *Cost:* about as much as guiding the unit once for each point. Points of a flow need memory for a reader.
    ///
    /// ```
    /// use waymarch::base::{GridSize, Vec2, cell};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, TerrainId};
    /// use waymarch::world::{Navigator, Order, PlayerId, RouteSource, UnitType, World};
    ///
    /// let mut map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// (0..40).for_each(|y| map.set_terrain(cell(20, y), TerrainId(6))); // a wall
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let unit = world.spawn(soldier, PlayerId(0), cell(10, 10))?;
    /// let mut points = Vec::new();
    /// assert_eq!(world.route_points(unit, 100, &mut points), None);
    /// world.order(&[unit], Order::move_to(cell(30, 10)))?;
    /// world.tick();
    /// let route = world.route_points(unit, 100, &mut points).unwrap();
    /// assert!(route.is_whole && route.source == RouteSource::Waypoints);
    /// assert_eq!(points.first(), Some(&world.unit(unit).unwrap().position));
    /// assert_eq!(points.last(), Some(&Vec2::from(cell(30, 10).centre())));
    /// assert!(points.iter().any(|at| at.y > Vec2::from_cells(0, 39).y), "around the wall");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn route_points(&self, id: UnitId, most: usize, out: &mut Vec<Vec2>) -> Option<RoutePoints> {
        out.clear();
        let index = self.state.units.index_of(id)?;
        self.state.route_points(index, most, &mut TileReader::new(), out)
    }
}

impl State {
    /// See [`World::route_points`].
    pub(super) fn route_points(
        &self,
        index: usize,
        most: usize,
        reader: &mut TileReader,
        out: &mut Vec<Vec2>,
    ) -> Option<RoutePoints> {
        out.clear();
        let (units, progress) = (&self.units, &self.units.progress[index]);
        if progress.phase != Phase::Going || progress.halted {
            return None;
        }
        let shift = units.shift(units.body.kind[index]).floor();
        let mut all = Points { left: most, is_whole: true, out };
        all.out.push(units.middle(index).floor());
        if let Some(outside) = progress.escape {
            all.push(middle_of(outside) + shift);
            return Some(all.of(RouteSource::Straight));
        }
        let membership = units.membership(index);
        if let Some((membership, group)) =
            membership.and_then(|membership| Some((membership, self.groups.list.get(membership.group)?)))
        {
            let gates = group.gates_ahead(&membership.route);
            if !gates.is_empty() || membership.route.visibility().is_clear() {
                gates.iter().for_each(|gate| all.push(gate.way.taut.floor()));
                all.push(membership.slot.floor());
                return Some(all.of(RouteSource::Gates));
            }
        }
        // Without gates a member follows a route of its own, to its slot.
        let slot = membership.map(|membership| membership.slot.floor());
        let source = match self.service.guidance(progress.path) {
            None => {
                all.out.clear();
                return None;
            }
            Some(Guidance::Straight(end)) => {
                all.push(slot.unwrap_or(end + shift));
                RouteSource::Straight
            }
            Some(Guidance::Waypoints(points)) => {
                // The first waypoint is the start of the route.
                let next = (progress.trace.next as usize).clamp(1, points.len().max(1));
                let rest = points.get(next.min(points.len().saturating_sub(1))..).unwrap_or(&[]);
                rest.iter().for_each(|&point| all.push(point + shift));
                RouteSource::Waypoints
            }
            Some(Guidance::Flow(_, end)) => {
                self.follow_flow(index, slot.unwrap_or(end + shift), reader, &mut all);
                RouteSource::Flow
            }
        };
        Some(all.of(source))
    }

    /// Adds the points of a flow.
    fn follow_flow(&self, index: usize, end: Vec2, reader: &mut TileReader, all: &mut Points<'_>) {
        let shift = self.units.shift(self.units.body.kind[index]).floor();
        let path = self.units.progress[index].path;
        let mut at = self.units.at(index);
        while all.left > 0 {
            match self.service.heading(path, at, reader) {
                Heading::Arrived { .. } | Heading::Go { by: By::Sight, .. } => {
                    all.push(end);
                    return;
                }
                Heading::Go { direction, by } => {
                    at += if by == By::Inward { direction } else { direction.with_length(FLOW_STEP) };
                    all.push(at + shift);
                }
                Heading::Nowhere(_) => break,
            }
        }
        all.is_whole = false;
    }
}

/// The points of a route, up to a number.
struct Points<'a> {
    left: usize,
    is_whole: bool,
    out: &'a mut Vec<Vec2>,
}

impl Points<'_> {
    fn push(&mut self, at: Vec2) {
        if self.left == 0 {
            self.is_whole = false;
            return;
        }
        self.left -= 1;
        self.out.push(at);
    }

    fn of(self, source: RouteSource) -> RoutePoints {
        RoutePoints { source, is_whole: self.is_whole }
    }
}
