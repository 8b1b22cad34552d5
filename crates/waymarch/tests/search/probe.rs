//! A probe sees every step of a search and does not change it.

use std::collections::BTreeMap;

use waymarch::base::{CellPos, LocomotorId, cell};
use waymarch::cost::{CornerRule, StepRule};
use waymarch::query::{PathQuery, PlanError, Quality, Threat};
use waymarch::search::{
    Bound, JumpGraph, JumpPlanes, Landmarks, NoProbe, Reach, Recorder, Route, SearchEvent, SearchRun,
    SearchScratch, Visit, WeightedPlanes, WeightedSearch, ZoneDistances, astar, astar_with, jps, jps_graph,
    jps_graph_with, jps_suits, jps_with, jpsw, jpsw_with, octile,
};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::route::check_route;
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::layer;

/// Every cell of a jump, which has at most one turn.
fn cells_of_jump(from: CellPos, turn: CellPos, to: CellPos) -> Vec<CellPos> {
    let mut cells = vec![from];
    for (from, to) in [(from, turn), (turn, to)] {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        assert!(dx == 0 || dy == 0 || dx.abs() == dy.abs(), "{from} to {to} is no line");
        let step = |by: i32| from.offset(by * dx.signum(), by * dy.signum());
        cells.extend((1..=dx.abs().max(dy.abs())).map(step));
    }
    cells
}

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

/// Checks the events of a search against its route.
fn check_story(grid: &Grid, rule: StepRule, query: &PathQuery, events: &[SearchEvent], route: &Route) {
    let Some((first, rest)) = events.split_first() else { panic!("the search reported no `Begin` event") };
    assert_eq!(*first, SearchEvent::Begin { from: query.from, to: query.to });
    // The last reported cost of each node.
    let mut known = BTreeMap::from([(query.from, 0)]);
    let mut expanding: Option<Visit> = None;
    let mut expanded = 0;
    for event in rest {
        match *event {
            SearchEvent::Begin { .. } => panic!("the search reported a second `Begin` event"),
            SearchEvent::Expand(node) => {
                expanded += 1;
                assert_eq!(known.get(&node.at), Some(&node.cost), "expanded as it was reached: {node:?}");
                assert_eq!(node.parent.is_none(), node.at == query.from);
                assert!(node.parent.is_none_or(|parent| known.contains_key(&parent)));
                expanding = Some(node);
            }
            SearchEvent::Reach(node, how) => {
                let before = known.insert(node.at, node.cost);
                match how {
                    Reach::First => assert_eq!(before, None, "{node:?}"),
                    Reach::Cheaper => assert!(before.is_some_and(|before| node.cost < before), "{node:?}"),
                    Reach::OtherSide => assert_eq!(before, Some(node.cost), "{node:?}"),
                }
                let from = expanding.expect("something is being expanded");
                assert_eq!(node.parent, Some(from.at));
                let walked = check_route(
                    &grid.cost,
                    grid.width,
                    grid.height,
                    rule,
                    &cells_of_jump(from.at, node.turn, node.at),
                );
                assert_eq!(walked, Ok(node.cost - from.cost), "{from:?} to {node:?}");
            }
        }
        let (SearchEvent::Expand(node) | SearchEvent::Reach(node, _)) = *event else { continue };
        assert!(
            node.ahead >= octile(node.at, query.to, rule.neighbours),
            "the estimate is on the cost's scale"
        );
        assert_eq!(node.estimate(), node.cost + node.ahead);
    }
    assert_eq!(expanded, route.expanded);
    if route.waypoints.is_empty() {
        assert!(!known.contains_key(&query.to));
    } else {
        assert_eq!(known.get(&query.to), Some(&route.cost.0), "the goal was reached at the route's cost");
    }
}

/// Answers random queries with and without a probe and compares them.
fn watch(
    grid: &Grid,
    rule: StepRule,
    rng: &mut SplitMix,
    mut search: impl FnMut(&PathQuery, &mut Route, Option<&mut Recorder>) -> Result<(), PlanError>,
) {
    let (mut recorder, mut plain, mut watched) =
        (Recorder::with_limit(usize::MAX), Route::new(), Route::new());
    for _ in 0..6 {
        let (Some(from), Some(to)) = (grid.random_open(rng), grid.random_open(rng)) else { return };
        let query = PathQuery::new(from, to, LocomotorId(0));
        recorder.clear();
        let unseen = search(&query, &mut plain, None);
        let seen = search(&query, &mut watched, Some(&mut recorder));
        assert_eq!((unseen, &plain), (seen, &watched), "watching changes nothing");
        check_story(grid, rule, &query, recorder.events(), &watched);
    }
}

#[test]
fn astar_tells_the_whole_story_for_every_rule() {
    let (mut rng, mut scratch) = (SplitMix::new(31), SearchScratch::new());
    for seed in 0..6 {
        let (width, height) = (8 + rng.below(40), 8 + rng.below(40));
        for (_, grid) in every_kind(seed, width, height) {
            let layer = layer(&grid);
            for rule in RULES {
                watch(&grid, rule, &mut rng, |query, route, recorder| match recorder {
                    None => astar(&layer, query, rule, &mut scratch, route),
                    Some(recorder) => astar_with(
                        &layer,
                        query,
                        rule,
                        SearchRun { scratch: &mut scratch, out: route, probe: recorder },
                    ),
                });
            }
        }
    }
}

#[test]
fn jump_point_searches_tell_the_whole_story() {
    let (mut rng, mut scratch, mut told) = (SplitMix::new(32), SearchScratch::new(), 0);
    for seed in 0..20 {
        let (width, height) = (8 + rng.below(90), 8 + rng.below(90));
        for (_, mut grid) in every_kind(seed, width, height) {
            // Ground of one cost: 1, 2 or 3.
            let cost = 1 + (seed % 3) as u8;
            for at in grid.cells().collect::<Vec<_>>() {
                if grid.get(at) != Some(255) {
                    grid.set(at, cost);
                }
            }
            let layer = layer(&grid);
            let field = layer.field(LocomotorId(0).into()).expect("it exists");
            if jps_suits(field, StepRule::default()).is_err() {
                continue;
            }
            told += 1;
            for planes in [JumpPlanes::straight(field), JumpPlanes::full(field)] {
                watch(&grid, StepRule::default(), &mut rng, |query, route, recorder| match recorder {
                    None => jps(&layer, query, &planes, &mut scratch, route),
                    Some(recorder) => jps_with(
                        &layer,
                        query,
                        &planes,
                        SearchRun { scratch: &mut scratch, out: route, probe: recorder },
                    ),
                });
            }
            let graph = JumpGraph::new(field);
            watch(&grid, StepRule::default(), &mut rng, |query, route, recorder| match recorder {
                None => jps_graph(&layer, query, &graph, &mut scratch, route),
                Some(recorder) => jps_graph_with(
                    &layer,
                    query,
                    &graph,
                    SearchRun { scratch: &mut scratch, out: route, probe: recorder },
                ),
            });
        }
    }
    assert!(told > 100, "{told} maps");
}

#[test]
fn weighted_jump_point_search_tells_the_whole_story_for_every_rule_and_bound() {
    let (mut rng, mut scratch) = (SplitMix::new(33), SearchScratch::new());
    let foot = LocomotorId(0).into();
    for seed in 0..5 {
        let (width, height) = (2 + rng.below(70), 2 + rng.below(70));
        let mut kinds = every_kind(seed, width, height);
        kinds.push(("patches", Grid::patches(seed, width, height, &[1, 2, 5, 2])));
        for (_, grid) in kinds {
            let layer = layer(&grid);
            for rule in RULES {
                let planes = WeightedPlanes::new(&layer, foot, rule, Threat::Ignore).expect("it exists");
                let zones = ZoneDistances::new(&layer, foot, rule).expect("it exists");
                let landmarks = Landmarks::new(&layer, foot, rule).expect("it exists");
                for bound in [Bound::Octile, Bound::Zones(&zones), Bound::Landmarks(&landmarks)] {
                    let how = WeightedSearch::new(&planes).with_bound(bound);
                    watch(&grid, rule, &mut rng, |query, route, recorder| match recorder {
                        None => jpsw(&layer, query, &how, &mut scratch, route),
                        Some(recorder) => jpsw_with(
                            &layer,
                            query,
                            &how,
                            SearchRun { scratch: &mut scratch, out: route, probe: recorder },
                        ),
                    });
                }
            }
        }
    }
}

#[test]
fn a_bounded_search_is_not_changed_by_watching_either() {
    let (mut rng, mut scratch) = (SplitMix::new(34), SearchScratch::new());
    let (mut unseen, mut seen, mut recorder) = (Route::new(), Route::new(), Recorder::with_limit(usize::MAX));
    let grid = Grid::patches(9, 60, 60, &[1, 3, 9, 2]);
    let layer = layer(&grid);
    let planes = WeightedPlanes::new(&layer, LocomotorId(0).into(), StepRule::default(), Threat::Ignore);
    let planes = planes.expect("it exists");
    let how = WeightedSearch::new(&planes).with_quality(Quality::from_per_mille(1500).expect("in range"));
    for _ in 0..50 {
        let [from, to] = [(); 2].map(|()| grid.random_open(&mut rng).expect("an open cell"));
        let query = PathQuery::new(from, to, LocomotorId(0));
        let answer = jpsw(&layer, &query, &how, &mut scratch, &mut unseen);
        recorder.clear();
        assert_eq!(
            jpsw_with(
                &layer,
                &query,
                &how,
                SearchRun { scratch: &mut scratch, out: &mut seen, probe: &mut recorder }
            ),
            answer
        );
        assert_eq!(unseen, seen);
        let expanded = recorder.events().iter().filter(|event| matches!(event, SearchEvent::Expand(_)));
        assert_eq!(expanded.count(), seen.expanded as usize);
    }
}

#[test]
fn a_refused_query_has_no_story() {
    let mut grid = Grid::filled(5, 5, 1);
    grid.set((4, 4), 255);
    let (layer, mut scratch, mut route) = (layer(&grid), SearchScratch::new(), Route::new());
    let mut recorder = Recorder::with_limit(9);
    let query = PathQuery::new(cell(0, 0), cell(4, 4), LocomotorId(0));
    let refused = astar_with(
        &layer,
        &query,
        StepRule::default(),
        SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut recorder },
    );
    assert_eq!(refused, Err(PlanError::GoalBlocked { at: cell(4, 4) }));
    assert_eq!(recorder.events(), []);
    let unseen = astar_with(
        &layer,
        &query,
        StepRule::default(),
        SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut NoProbe },
    );
    assert_eq!(unseen, refused);
}
