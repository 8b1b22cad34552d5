//! Your own planner beside the planners of the engine. Run it with `cargo run -p waymarch --example 04_custom_planner`.
//!
//! A planner is one type with a name and a promise. In the list it can be compared with the others. In a service it finds the routes.

use waymarch::base::{CellPos, GridSize, cell};
use waymarch::config::{Config, PathSmoothing};
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::planners::{PlanScratch, PlanView, Planner, PlannerList, Promise};
use waymarch::query::{PathAsk, PathQuery, PlanError};
use waymarch::search::{Route, astar};
use waymarch::world::{Guidance, Navigator, PathService, PathStatus};

/// Routes of caravans pass the well, whatever the detour costs.
#[derive(Clone)]
struct ByTheWell {
    well: CellPos,
}

impl Planner for ByTheWell {
    fn name(&self) -> &str {
        "by-the-well"
    }

    /// The planner finds a route if both halves exist. The route is legal, but it need not be the cheapest.
    fn promise(&self) -> Promise {
        Promise::Legal
    }

    /// The answer must depend on `view` and `query` alone, so that every player's machine finds the same route. `scratch` is working memory.
    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        let rule = view.config.step_rule();
        // A route of two searches cannot pause in between, so nothing may pause here.
        scratch.search.pause_after(None);
        let there = PathQuery { to: self.well, ..*query };
        astar(view.layer, &there, rule, &mut scratch.search, out)?;
        let mut onwards = Route::new();
        let from_there = PathQuery { from: self.well, ..*query };
        astar(view.layer, &from_there, rule, &mut scratch.search, &mut onwards)?;
        out.cost.0 += onwards.cost.0;
        out.expanded = out.expanded.saturating_add(onwards.expanded);
        out.waypoints.extend(onwards.waypoints.iter().skip(1));
        Ok(())
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Map::flat("desert", GridSize::new(64, 64)?, Rules::standard());
    // By default a service straightens routes where that costs no more. That would remove the detour, so smoothing is off.
    let config = Config { path_smoothing: PathSmoothing::None, ..Config::default() };
    let mut nav = Navigator::new(map, config)?;
    nav.place(&Stamp::solid(2, 30), cell(30, 30))?;
    let foot = nav.locomotor("foot").ok_or("no such locomotor")?;
    let query = PathQuery::new(cell(4, 50), cell(60, 50), foot);

    // The planner in a list with the engine's planners. Each planner reads the map's changes, prepares for the query, and answers it.
    let mut planners = PlannerList::builtin();
    planners.register(Box::new(ByTheWell { well: cell(30, 10) }))?;
    let (mut scratch, mut route, mut costs) = (PlanScratch::new(), Route::new(), Vec::new());
    for planner in planners.iter_mut() {
        planner.map_changed(&nav.view());
        planner.prepare(&nav.view(), &[query]);
        planner.plan(&nav.view(), &query, &mut scratch, &mut route)?;
        println!("{:12} {:>8} ({}, {} nodes)", planner.name(), route.cost, planner.promise(), route.expanded);
        costs.push(route.cost);
    }
    let dearest = costs.iter().max();
    assert_eq!(dearest, costs.last(), "the detour costs the most");

    // The same planner in a service. Other unit types can use another service or another planner.
    let planner = planners.take("by-the-well").ok_or("the planner is not in the list")?;
    let mut service = PathService::new(nav).with_planner(planner);
    let id = service.request(PathAsk::new(cell(4, 50).centre(), cell(60, 50), foot));
    while service.waiting() > 0 {
        service.tick();
    }
    assert_eq!(service.status(id), Some(PathStatus::Complete));
    let Some(Guidance::Waypoints(points)) = service.guidance(id) else { return Err("no route".into()) };
    println!("the service: {} points", points.len());
    assert!(points.contains(&cell(30, 10).centre()), "the route passes the well");
    assert_eq!(points.last(), Some(&cell(60, 50).centre()));
    Ok(())
}
