//! [`Pathfinder`]: the path service as a trait of four methods.

use super::path_service::PathService;
use super::request::Task;
use super::request_table::RequestTable;
use super::status::{Guidance, PathId, PathStatus};
use crate::base::{CellPos, CellRect, Fixed, LocomotorId, Vec2};
use crate::query::{Controller, PathAsk};

/// A small interface to the path service, for games that need no unit sizes, goal shapes or priorities. Its requests always get routes of
/// their own, never flows. `get_path` is `None` for a route that is not found yet and for one that does not exist;
/// [`PathService::status`] tells them apart.
///
/// ```
/// use waymarch::base::{cell, Fixed, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules};
/// use waymarch::world::{Navigator, Pathfinder, PathService};
///
/// let nav = Navigator::new(Map::flat("field", GridSize::new(64, 40)?, Rules::standard()), Config::default())?;
/// let foot = nav.locomotor("foot").unwrap();
/// let mut paths = PathService::new(nav);
/// let id = paths.request_path(cell(5, 5).centre(), cell(60, 30).centre(), foot);
/// assert!(paths.get_path(id).is_none());
/// paths.tick();
/// assert_eq!(paths.get_path(id).unwrap().len(), 2, "straight on");
/// assert!(paths.is_passable(cell(9, 9).centre(), foot));
/// paths.invalidate_area(cell(30, 15).centre(), Fixed::from_cells(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Pathfinder: Send + Sync {
    /// Makes a request for a route that ends exactly at `dest`. It heeds threat if the setting `influence_avoidance` says so for players.
    fn request_path(&mut self, origin: Vec2, dest: Vec2, locomotor: LocomotorId) -> PathId;

    /// The points of the exact or interim route, if there is one.
    fn get_path(&self, id: PathId) -> Option<&[Vec2]>;

    /// Whether a unit of size 1 can stand at `pos`.
    fn is_passable(&self, pos: Vec2, locomotor: LocomotorId) -> bool;

    /// Searches again for every route that passes within `radius` of `center`, also for the routes that flows lead on. The service follows edits of the map
    /// by itself: it repairs the routes that they cut, and [`PathService::changed`] lists them. Use this for changes that the map does not
    /// contain.
    fn invalidate_area(&mut self, center: Vec2, radius: Fixed);
}

impl Pathfinder for PathService {
    fn request_path(&mut self, origin: Vec2, dest: Vec2, locomotor: LocomotorId) -> PathId {
        let threat = self.nav().config().threat_for(Controller::Player);
        let ask = PathAsk::new(origin, dest.cell(), locomotor).with_threat(threat).alone();
        self.request_ending_at(ask, dest)
    }

    fn get_path(&self, id: PathId) -> Option<&[Vec2]> {
        match self.guidance(id)? {
            Guidance::Waypoints(points) => Some(points),
            Guidance::Straight(_) | Guidance::Flow(..) => None,
        }
    }

    fn is_passable(&self, pos: Vec2, locomotor: LocomotorId) -> bool {
        let field = self.nav().layer().field(locomotor.into());
        field.is_some_and(|field| field.grid().contains(pos.cell()) && field.is_passable(pos.cell()))
    }

    fn invalidate_area(&mut self, center: Vec2, radius: Fixed) {
        let reach = radius.abs().floor_cells() + 1;
        let (at, side) = (center.cell(), reach.unsigned_abs() * 2 + 1);
        let area = CellRect::at(at.offset(-reach, -reach), side, side);
        let touches = |a: CellPos, b: CellPos| {
            let corner = CellPos::new(a.x.min(b.x), a.y.min(b.y));
            let leg = CellRect::at(corner, a.x.abs_diff(b.x) + 1, a.y.abs_diff(b.y) + 1);
            !leg.intersect(area).is_empty()
        };
        self.review_flows(Some(&[area]));
        let Self { requests: RequestTable { all, queue, .. }, nav, .. } = self;
        for (id, request) in all.iter_mut() {
            let passes = |pair: &[Vec2]| touches(pair[0].cell(), pair[1].cell());
            if request.status.has_route() && request.points.windows(2).any(passes) {
                (request.status, request.task) = (PathStatus::Temporary, Task::Find);
                queue.push_again(id, request, nav.now());
            }
        }
    }
}
