//! A probe sees every step of a search, and the search does not notice.

use std::collections::BTreeMap;

use waymarch::base::{CellPos, LocomotorId, cell};
use waymarch::cost::{CornerRule, CostLayer, CostSettings, StepRule};
use waymarch::query::{PathQuery, PlanError};
use waymarch::search::{
    JumpPlanes, NoProbe, Reach, Recorder, Route, SearchEvent, SearchScratch, Visit, astar, astar_with, jps,
    jps_suits, jps_with, octile,
};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::route::check_route;
use waymarch_testkit::splitmix::SplitMix;

fn layer(grid: &Grid) -> CostLayer {
    let map = grid.to_map("watched").validate().expect("the testkit makes legal maps");
    CostLayer::new(&map, CostSettings::default())
}

/// Every cell of a jump: diagonal first, then straight.
fn way(from: CellPos, to: CellPos) -> Vec<CellPos> {
    let mut cells = vec![from];
    let mut at = from;
    while at != to {
        let (dx, dy) = (to.x - at.x, to.y - at.y);
        let diagonal = dx.abs().min(dy.abs()) > 0;
        let straight = if dx.abs() > dy.abs() { (dx.signum(), 0) } else { (0, dy.signum()) };
        let (dx, dy) = if diagonal { (dx.signum(), dy.signum()) } else { straight };
        at = at.offset(dx, dy);
        cells.push(at);
    }
    cells
}

/// What is true of the events of any search.
fn check_story(grid: &Grid, rule: StepRule, query: &PathQuery, events: &[SearchEvent], route: &Route) {
    let Some((first, rest)) = events.split_first() else { panic!("a search without a beginning") };
    assert_eq!(*first, SearchEvent::Begin { from: query.from, to: query.to });
    // What each node was last known to cost.
    let mut known = BTreeMap::from([(query.from, 0)]);
    let mut expanding: Option<Visit> = None;
    let mut expanded = 0;
    for event in rest {
        match *event {
            SearchEvent::Begin { .. } => panic!("it began twice"),
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
                let walked = check_route(&grid.cost, grid.width, grid.height, rule, &way(from.at, node.at));
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

/// One watched and one unwatched answer to each of some random queries.
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
            for rule in [
                StepRule::eight(CornerRule::Forbid),
                StepRule::eight(CornerRule::AllowOne),
                StepRule::eight(CornerRule::Allow),
                StepRule::FOUR,
            ] {
                watch(&grid, rule, &mut rng, |query, route, recorder| match recorder {
                    None => astar(&layer, query, rule, &mut scratch, route),
                    Some(recorder) => astar_with(&layer, query, rule, &mut scratch, route, recorder),
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
            // Ground of one cost, and not always of cost one.
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
                    Some(recorder) => jps_with(&layer, query, &planes, &mut scratch, route, recorder),
                });
            }
        }
    }
    assert!(told > 100, "{told} maps");
}

#[test]
fn a_refused_query_has_no_story() {
    let mut grid = Grid::filled(5, 5, 1);
    grid.set((4, 4), 255);
    let (layer, mut scratch, mut route) = (layer(&grid), SearchScratch::new(), Route::new());
    let mut recorder = Recorder::with_limit(9);
    let query = PathQuery::new(cell(0, 0), cell(4, 4), LocomotorId(0));
    let refused = astar_with(&layer, &query, StepRule::default(), &mut scratch, &mut route, &mut recorder);
    assert_eq!(refused, Err(PlanError::GoalBlocked { at: cell(4, 4) }));
    assert_eq!(recorder.events(), []);
    let unseen = astar_with(&layer, &query, StepRule::default(), &mut scratch, &mut route, &mut NoProbe);
    assert_eq!(unseen, refused);
}
