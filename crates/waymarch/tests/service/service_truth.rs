//! The service says the truth: routes follow edits, end where they should, and a game's planner is followed as it is.

use waymarch::base::{CellPos, Fixed, GridSize, LocomotorId, Vec2, cell};
use waymarch::config::{Config, InfluenceAvoidance};
use waymarch::cost::{Falloff, Map, Rules, Stamp, ThreatSource};
use waymarch::flow::tiles::TileReader;
use waymarch::planners::{PlanScratch, PlanView, Planner, Promise};
use waymarch::query::{PathAsk, PathQuery, PlanError};
use waymarch::search::{Route, astar};
use waymarch::world::{
    Guidance, Navigator, Order, PathId, PathReason, PathService, PathStatus, Pathfinder, PlayerId, UnitType,
    World,
};

const FOOT: LocomotorId = LocomotorId(0);

fn nav(config: Config) -> Navigator {
    let map = Map::flat("field", GridSize::new(64, 40).expect("legal"), Rules::standard());
    Navigator::new(map, config).expect("legal")
}

fn points(service: &PathService, id: PathId) -> Vec<Vec2> {
    match service.guidance(id) {
        Some(Guidance::Waypoints(points)) => points.to_vec(),
        other => panic!("{other:?}"),
    }
}

fn crosses(points: &[Vec2], at: CellPos) -> bool {
    points.windows(2).any(|leg| {
        leg[0].x.min(leg[1].x) <= at.centre().x
            && leg[0].x.max(leg[1].x) >= at.centre().x
            && leg[0].y == leg[1].y
            && leg[0].cell().y == at.y
    })
}

#[test]
fn finding_8_a_wall_across_a_route_is_walked_around_and_listed() {
    let mut service = PathService::new(nav(Config::default()));
    let id = service.request(PathAsk::new(cell(5, 20).centre(), cell(58, 20), FOOT).alone());
    let far = service.request(PathAsk::new(cell(5, 3).centre(), cell(20, 3), FOOT).alone());
    service.tick();
    assert!(crosses(&points(&service, id), cell(30, 20)));
    assert!(service.changed().is_empty());
    service.moved(id, cell(12, 20).centre());
    service.nav_mut().place(&Stamp::solid(1, 20), cell(30, 10)).expect("it fits");
    service.tick();
    assert_eq!(service.changed(), [id], "the other route is not touched");
    (0..3).for_each(|_| service.tick());
    assert_eq!(service.status(id), Some(PathStatus::Complete));
    let repaired = points(&service, id);
    assert!(!crosses(&repaired, cell(30, 20)), "{repaired:?}");
    assert_eq!(repaired.first(), Some(&cell(12, 20).centre()), "it starts where the unit was last");
    assert!(service.changed().is_empty());
    // From edge to edge: there is no route any more, and there is one again.
    let wall = service.nav_mut().place(&Stamp::solid(1, 40), cell(34, 0)).expect("it fits");
    service.tick();
    assert_eq!(service.changed(), [id]);
    (0..3).for_each(|_| service.tick());
    assert_eq!(service.status(id), Some(PathStatus::Unreachable(PathReason::NoRoute)));
    assert_eq!(service.guidance(id), None);
    service.nav_mut().remove(wall).expect("it stands");
    service.tick();
    assert_eq!(service.changed(), [id]);
    (0..3).for_each(|_| service.tick());
    assert_eq!(service.status(id), Some(PathStatus::Complete));
    assert_eq!(service.status(far), Some(PathStatus::Complete));
}

#[test]
fn finding_11_the_four_methods_answer_with_waypoints_for_a_crowd() {
    let mut service = PathService::new(nav(Config::default()));
    let ids: Vec<(PathId, Vec2)> = (0..20)
        .map(|k| {
            let middle = cell(50 + k % 4, 20 + k / 4).centre();
            let to = Vec2 { x: middle.x + Fixed::from_raw(200), y: middle.y - Fixed::from_raw(300) };
            (service.request_path(cell(5 + k % 5, 10 + k / 5).centre(), to, FOOT), to)
        })
        .collect();
    (0..4).for_each(|_| service.tick());
    for (id, to) in ids {
        let path = service.get_path(id).expect("waypoints");
        assert_eq!(path.last(), Some(&to), "the exact destination");
        assert_eq!(service.end(id), Some(to));
    }
}

#[test]
fn the_four_methods_heed_threat_where_the_settings_say_so() {
    for (influence_avoidance, around) in
        [(InfluenceAvoidance::All, true), (InfluenceAvoidance::AiOnly, false)]
    {
        let mut service = PathService::new(nav(Config { influence_avoidance, ..Config::default() }));
        let at = cell(30, 20);
        let source = ThreatSource { at, radius: 6, strength: 100, falloff: Falloff::Flat };
        service.nav_mut().add_threat(source).expect("on the map");
        (0..8).for_each(|_| service.tick());
        let id = service.request_path(cell(5, 20).centre(), cell(58, 20).centre(), FOOT);
        (0..3).for_each(|_| service.tick());
        let path = service.get_path(id).expect("a route").to_vec();
        assert_eq!(!crosses(&path, at), around, "{path:?}");
    }
}

#[test]
fn the_next_waypoint_leads_along_a_route_and_along_a_flow() {
    let mut service = PathService::new(nav(Config::default()));
    service.nav_mut().place(&Stamp::solid(1, 30), cell(30, 0)).expect("it fits");
    let alone = service.request(PathAsk::new(cell(5, 5).centre(), cell(58, 5), FOOT).alone());
    let many: Vec<PathId> = (0..12)
        .map(|k| service.request(PathAsk::new(cell(4 + k % 4, 8 + k / 4).centre(), cell(56, 8), FOOT)))
        .collect();
    assert_eq!(
        service.next_waypoint(alone, cell(5, 5).centre(), &mut TileReader::default()),
        Some(cell(58, 5).centre()),
        "the goal, while there is no route"
    );
    (0..10).for_each(|_| service.tick());
    assert!(many.iter().any(|&id| matches!(service.guidance(id), Some(Guidance::Flow(..)))));
    let mut reader = TileReader::default();
    for (id, from, to) in [(alone, cell(5, 5), cell(58, 5)), (many[0], cell(4, 8), cell(56, 8))] {
        let mut at = from.centre();
        for _ in 0..400 {
            service.moved(id, at);
            service.tick();
            let next = service.next_waypoint(id, at, &mut reader).expect("it has a route");
            // At most a quarter of a cell towards it.
            let (dx, dy) = (next.x.raw() - at.x.raw(), next.y.raw() - at.y.raw());
            let most = dx.abs().max(dy.abs()).max(1);
            let part = most.min(256);
            at.x += Fixed::from_raw(dx * part / most);
            at.y += Fixed::from_raw(dy * part / most);
            if at.cell() == to {
                break;
            }
        }
        assert_eq!(at.cell(), to);
    }
}

/// A planner whose routes pass a fixed cell.
#[derive(Clone)]
struct Scenic(CellPos);

impl Planner for Scenic {
    fn name(&self) -> &str {
        "scenic"
    }

    fn promise(&self) -> Promise {
        Promise::Legal
    }

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        let rule = view.config.step_rule();
        let (first, second) = (PathQuery { to: self.0, ..*query }, PathQuery { from: self.0, ..*query });
        let mut rest = Route::new();
        astar(view.layer, &first, rule, &mut scratch.search, out)?;
        astar(view.layer, &second, rule, &mut scratch.search, &mut rest)?;
        out.cost.0 += rest.cost.0;
        out.waypoints.extend(&rest.waypoints[1..]);
        Ok(())
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}

#[test]
fn finding_10_every_request_follows_the_planner_of_the_game_also_together() {
    let by = cell(30, 36);
    let mut service = PathService::new(nav(Config::default())).with_planner(Box::new(Scenic(by)));
    let ids: Vec<PathId> = (0..20)
        .map(|k| service.request(PathAsk::new(cell(4 + k % 4, 8 + k / 4).centre(), cell(56, 8), FOOT)))
        .collect();
    (0..6).for_each(|_| service.tick());
    for id in ids {
        assert!(points(&service, id).contains(&by.centre()), "the detour is smoothed away");
    }
}

#[test]
fn finding_10_a_lone_unit_follows_the_planner_of_the_game() {
    let by = cell(30, 36);
    let mut world = World::new(nav(Config::default()));
    let kind = world.add_type(UnitType::new("soldier", FOOT)).expect("legal");
    let unit = world.spawn(kind, PlayerId(0), cell(5, 5)).expect("open");
    world.set_planner(Some(Box::new(Scenic(by))));
    world.order(&[unit], Order::move_to(cell(58, 5))).expect("legal");
    let mut nearest = i32::MAX;
    for _ in 0..1500 {
        world.tick();
        let at = world.cell_of(unit).expect("it lives");
        nearest = nearest.min((at.x - by.x).abs().max((at.y - by.y).abs()));
    }
    assert!(nearest <= 1, "{nearest} cells from the detour");
    assert_eq!(world.cell_of(unit), Some(cell(58, 5)));
}
