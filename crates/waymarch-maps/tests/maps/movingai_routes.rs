//! All queries of all MovingAI scenarios in the folder `WAYMARCH_DATA`: each gets a route of least cost.
#![allow(clippy::disallowed_types, reason = "the files' lengths are decimal numbers with √2 in them")]

use std::path::{Path, PathBuf};

use waymarch::base::{CellPos, LocomotorId, SizeClass};
use waymarch::cost::{CostLayer, CostSettings, StepRule};
use waymarch::planners::{ExactSearch, FarScratch, FarSearch, hpa};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{
    Hierarchy, JumpGraph, JumpPlanes, NoProbe, Route, SearchRun, SearchScratch, astar, hierarchical, jps,
    jps_graph,
};
use waymarch::sectors::Doors;
use waymarch_maps::movingai::{Query, read_map, read_scen};
use waymarch_testkit::data::data_dir;
use waymarch_testkit::dijkstra::distances;
use waymarch_testkit::route::check_route;

/// Per map: queries that contradict their own map, and queries that start or end in water. These are three maps whose
/// scenarios use the old dialect. The reference search agrees with our routes (see docs/spec-notes.md).
const AT_ODDS: [(&str, u32, u32); 3] =
    [("battleground", 55, 15), ("blastedlands", 410, 54), ("swampofsorrows", 553, 46)];

fn scenarios(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            scenarios(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "scen") {
            found.push(path);
        }
    }
}

/// A scenario with its map.
struct Case {
    name: String,
    layer: CostLayer,
    foot: LocomotorId,
    queries: Vec<Query>,
}

/// All scenarios; none without `WAYMARCH_DATA`.
fn cases() -> impl Iterator<Item = Case> {
    let mut found = Vec::new();
    if let Some(data) = data_dir() {
        scenarios(&data.join("movingai"), &mut found);
        assert!(found.len() >= 29, "{} scenarios", found.len());
    }
    found.into_iter().map(|scen| {
        let map_path = scen.with_extension("");
        let name = map_path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_string();
        let map = read_map(&name, &std::fs::read(&map_path).expect("the map")).expect("a legal map");
        let map = map.validate().expect("a legal map");
        let scenario = read_scen(&name, &std::fs::read(scen).expect("the scenario")).expect("legal");
        let settings = CostSettings { sizes: vec![SizeClass::ONE], ..CostSettings::default() };
        let foot = map.rules().locomotor("foot").expect("MovingAI's rules have it");
        Case { name, layer: CostLayer::new(&map, settings), foot, queries: scenario.queries }
    })
}

#[test]
fn hierarchical_routes_are_near_the_least_cost() {
    // `bench scen` runs all of them in release mode.
    const EVERY: usize = 5;
    let (mut scratch, mut far) = (SearchScratch::new(), FarScratch::new());
    let (mut route, mut exact) = (Route::new(), Route::new());
    let mut ratios = Vec::new();
    for Case { name, layer, foot, queries } in cases() {
        let (rule, field) = (StepRule::default(), layer.field(foot.into()).expect("in use"));
        let (planes, doors) =
            (JumpPlanes::full(field), Doors::new(&layer, foot.into(), rule, Threat::Ignore));
        let doors = doors.expect("in use");
        let how = FarSearch { doors: &doors, legs: ExactSearch::Planes(&planes), short: 64 };
        let costs: Vec<u8> = layer.grid().rect().cells().map(|at| field.cost(at)).collect();
        for (number, asked) in queries.iter().enumerate().step_by(EVERY) {
            let query = PathQuery::new(asked.start, asked.goal, foot);
            let what = format!("{name}, query {number}: {} to {}", asked.start, asked.goal);
            let answer = jps(&layer, &query, &planes, &mut scratch, &mut exact);
            assert_eq!(
                hpa(
                    &layer,
                    &query,
                    &how,
                    &mut far,
                    SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut NoProbe }
                ),
                answer,
                "{what}"
            );
            if answer.is_err() {
                continue;
            }
            let cells: Vec<CellPos> = route.cells().collect();
            assert_eq!((cells.first(), cells.last()), (Some(&asked.start), Some(&asked.goal)), "{what}");
            let walked = check_route(&costs, layer.grid().width(), layer.grid().height(), rule, &cells);
            assert_eq!(walked, Ok(route.cost.0), "{what}");
            ratios.push(route.cost.0 * 10_000 / exact.cost.0.max(1));
        }
    }
    ratios.sort_unstable();
    let count = ratios.len();
    if count > 0 {
        let (mean, p99, worst) =
            (ratios.iter().sum::<u64>() / count as u64, ratios[count * 99 / 100], ratios[count - 1]);
        assert!(mean <= 10_100 && p99 <= 10_500 && worst <= 12_500, "{mean} {p99} {worst}");
        println!("{count} routes by the least cost, in 10000ths: mean {mean}, p99 {p99}, worst {worst}");
    }
}

#[test]
fn every_scenario_query_is_answered_with_the_least_cost() {
    let (mut scratch, mut route, mut exact) = (SearchScratch::new(), Route::new(), Route::new());
    let (mut other, mut odd) = (Route::new(), Vec::new());
    for Case { name, layer, foot, queries } in cases() {
        let field = layer.field(foot.into()).expect("in use");
        let (planes, graph) = (JumpPlanes::full(field), JumpGraph::new(field));
        // Where the hierarchy does not pay, a coarse one answers some queries anyway.
        let (hierarchy, every) = Hierarchy::new(field)
            .map_or_else(|| (Hierarchy::with_work(field, 300), 20), |hierarchy| (hierarchy, 1));
        let costs: Vec<u8> = layer.grid().rect().cells().map(|at| field.cost(at)).collect();
        let (width, height) = (layer.grid().width(), layer.grid().height());
        let (mut at_odds, mut closed) = (0, 0);
        for (number, asked) in queries.iter().enumerate() {
            let query = PathQuery::new(asked.start, asked.goal, foot);
            let what = format!("{name}, query {number}: {} to {}", asked.start, asked.goal);
            match jps(&layer, &query, &planes, &mut scratch, &mut route) {
                Ok(()) => {}
                Err(PlanError::StartBlocked { .. } | PlanError::GoalBlocked { .. }) => {
                    closed += 1;
                    continue;
                }
                Err(error) => panic!("{what}: missed: {error}"),
            }
            let check = |other: &Route, by: &str| {
                assert_eq!(other.cost, route.cost, "{what}, by the {by}");
                let cells: Vec<CellPos> = other.cells().collect();
                assert_eq!((cells.first(), cells.last()), (Some(&asked.start), Some(&asked.goal)), "{what}");
                let walked = check_route(&costs, width, height, StepRule::default(), &cells);
                assert_eq!(walked, Ok(route.cost.0), "{what}, by the {by}");
            };
            jps_graph(&layer, &query, &graph, &mut scratch, &mut other).expect("the same answer");
            check(&other, "graph");
            if number % every == 0 {
                hierarchical(&layer, &query, &hierarchy, &mut scratch, &mut other).expect("the same answer");
                check(&other, "hierarchy");
            }
            let cells: Vec<CellPos> = route.cells().collect();
            assert_eq!((cells.first(), cells.last()), (Some(&asked.start), Some(&asked.goal)), "{what}");
            let walked = check_route(&costs, width, height, StepRule::default(), &cells);
            assert_eq!(walked, Ok(route.cost.0), "{what}");
            let (straight, diagonal) = route.steps();
            let length = straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2;
            let optimum = asked.optimum.scaled as f64 / 1e8;
            let rounding = 0.5 * 10_f64.powi(-i32::from(asked.optimum.decimals)) + 1e-6;
            let differs = (length - optimum).abs() > optimum * 0.0005 + rounding;
            at_odds += u32::from(differs);
            // Both searches run on a sample; the reference runs on a smaller one and wherever the file disagrees.
            if number % 97 == 0 || (differs && at_odds % 20 == 1) {
                astar(&layer, &query, StepRule::default(), &mut scratch, &mut exact)
                    .expect("the same answer");
                assert_eq!(exact.cost, route.cost, "{what}");
            }
            if number % 499 == 7 || (differs && at_odds % 100 == 1) {
                let truth = distances(&costs, width, height, StepRule::default(), asked.start);
                let at = asked.goal.y as usize * width as usize + asked.goal.x as usize;
                assert_eq!(truth[at], route.cost.0, "{what}: not the least cost");
            }
        }
        if (at_odds, closed) != (0, 0) {
            odd.push((name, at_odds, closed));
        }
    }
    let odd: Vec<(&str, u32, u32)> =
        odd.iter().map(|(name, odd, shut)| (name.as_str(), *odd, *shut)).collect();
    if data_dir().is_none() {
        return;
    }
    assert_eq!(odd, AT_ODDS, "(map, queries at odds with it, queries with a closed end)");
}
