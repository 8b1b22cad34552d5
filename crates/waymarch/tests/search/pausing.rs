//! Searches that pause and resume: the pauses change neither routes nor node counts.

use waymarch::base::{CellRect, Dir8, Fixed, LocomotorId};
use waymarch::cost::{CostLayer, CostSettings, StepRule};
use waymarch::query::{Goal, GoalQuery, Occupied, Outcome, PathQuery, PlanError, Shape, Threat, Turning};
use waymarch::search::{
    JumpPlanes, Route, SearchScratch, WeightedPlanes, WeightedSearch, astar, goal_search, jps, jps_suits,
    jpsw,
};
use waymarch_testkit::grids::every_kind;
use waymarch_testkit::splitmix::SplitMix;

const FOOT: LocomotorId = LocomotorId(0);

type Ask<'a> = dyn Fn(&mut SearchScratch, &mut Route) -> Result<(), PlanError> + 'a;

/// Repeats a query with a budget of `nodes` until it is answered. Returns the number of pauses.
fn in_pieces<T>(
    nodes: u32,
    scratch: &mut SearchScratch,
    out: &mut Route,
    mut ask: impl FnMut(&mut SearchScratch, &mut Route) -> Result<T, PlanError>,
) -> (Result<T, PlanError>, u32) {
    scratch.pause_after(Some(nodes));
    let mut pauses = 0;
    let mut seen = 0;
    loop {
        match ask(scratch, out) {
            Err(PlanError::Paused { nodes: so_far }) => {
                assert!(
                    so_far > seen && so_far <= seen + nodes,
                    "a pause after the nodes allowed: {seen} then {so_far}"
                );
                assert!(scratch.is_paused());
                seen = so_far;
                pauses += 1;
            }
            done => {
                assert!(!scratch.is_paused());
                scratch.pause_after(None);
                return (done, pauses);
            }
        }
    }
}

#[test]
fn where_a_search_pauses_changes_neither_route_nor_work() {
    let rule = StepRule::default();
    let (mut whole, mut pieces) = (SearchScratch::new(), SearchScratch::new());
    let (mut expected, mut found) = (Route::new(), Route::new());
    let mut pauses = [0; 3];
    for seed in 0..4 {
        for (name, grid) in every_kind(seed, 70, 50) {
            let map = grid.to_map(name).validate().expect("the testkit makes legal maps");
            let layer = CostLayer::new(&map, CostSettings::default());
            let planes =
                WeightedPlanes::new(&layer, FOOT.into(), rule, Threat::Ignore).expect("foot has costs");
            let field = layer.field(FOOT.into()).expect("foot has costs");
            let jumps = jps_suits(field, rule).is_ok().then(|| JumpPlanes::full(field));
            let mut rng = SplitMix::new(seed ^ 5);
            for step in [1, 2, 7, 40] {
                let ends = grid.random_open(&mut rng).zip(grid.random_open(&mut rng));
                let Some((from, to)) = ends else { continue };
                let query = PathQuery::new(from, to, FOOT);
                let asks: [&Ask<'_>; 3] = [
                    &|scratch, out| astar(&layer, &query, rule, scratch, out),
                    &|scratch, out| jpsw(&layer, &query, &WeightedSearch::new(&planes), scratch, out),
                    &|scratch, out| match &jumps {
                        Some(jumps) => jps(&layer, &query, jumps, scratch, out),
                        None => astar(&layer, &query, rule, scratch, out),
                    },
                ];
                for (kind, ask) in asks.into_iter().enumerate() {
                    let at_once = ask(&mut whole, &mut expected);
                    let (by_and_by, paused) = in_pieces(step, &mut pieces, &mut found, ask);
                    assert_eq!(by_and_by, at_once, "{name} {seed}: {from} to {to}, {step} at a time");
                    assert_eq!(found.expanded, expected.expanded, "{name} {seed}: {from} to {to}");
                    if at_once.is_ok() {
                        assert_eq!(found, expected, "{name} {seed}: {from} to {to}, {step} at a time");
                    }
                    pauses[kind] += paused;
                }
            }
        }
    }
    assert!(pauses.into_iter().all(|paused| paused > 1000), "{pauses:?}");
}

#[test]
fn another_query_makes_a_paused_search_restart() {
    let (_, grid) = every_kind(3, 60, 60).swap_remove(0);
    let map = grid.to_map("two").validate().expect("the testkit makes legal maps");
    let layer = CostLayer::new(&map, CostSettings::default());
    let mut rng = SplitMix::new(8);
    let mut cell = || grid.random_open(&mut rng).expect("there are open cells");
    let (one, other) = (PathQuery::new(cell(), cell(), FOOT), PathQuery::new(cell(), cell(), FOOT));
    let rule = StepRule::default();
    let (mut scratch, mut route, mut fresh) = (SearchScratch::new(), Route::new(), Route::new());
    scratch.pause_after(Some(3));
    assert!(matches!(
        astar(&layer, &one, rule, &mut scratch, &mut route),
        Err(PlanError::Paused { nodes: 3 })
    ));
    scratch.pause_after(None);
    let expected = astar(&layer, &other, rule, &mut SearchScratch::new(), &mut fresh);
    assert_eq!(astar(&layer, &other, rule, &mut scratch, &mut route), expected);
    assert_eq!(route, fresh);
}

#[test]
fn goal_searches_of_every_kind_pause_too() {
    let rule = StepRule::default();
    let (mut whole, mut pieces) = (SearchScratch::new(), SearchScratch::new());
    let (mut expected, mut found) = (Route::new(), Route::new());
    let (mut pauses, mut outcomes) = (0, [0; 4]);
    for seed in 0..8 {
        for (name, grid) in every_kind(seed, 50, 40) {
            let map = grid.to_map(name).validate().expect("the testkit makes legal maps");
            let layer = CostLayer::new(&map, CostSettings::default());
            let mut rng = SplitMix::new(seed ^ 77);
            let mut cell = || grid.random_open(&mut rng).expect("there are open cells");
            for round in 0..6 {
                let (one, other, a, b) = (cell(), cell(), cell(), cell());
                let starts = [one, other];
                let circle = Shape::Circle { centre: b, radius: Fixed::from_cells(2) };
                let goal = match round {
                    0 => Goal::point(a),
                    1 => Goal::AnyOf(vec![Shape::Point(a), circle]),
                    2 => Goal::OutOf(Shape::Circle { centre: one, radius: Fixed::from_cells(12) }),
                    _ => Goal::In(circle),
                };
                let mut stands = [cell(), cell(), cell(), cell()];
                stands.sort_unstable_by_key(|&at| Occupied::order(at));
                let query = GoalQuery::new(&starts[..1 + round % 2], &goal, FOOT)
                    .avoiding(CellRect::at(cell(), 5, 4))
                    .around(&stands);
                let turning = Turning { per_eighth: 300, heading: Some(Dir8::S) };
                for query in [query, query.or_nearest(), query.node_limit(200), query.with_turning(turning)] {
                    let alone = goal_search(&layer, &query, rule, &mut whole, &mut expected);
                    let at_a_time = 1 + 37 * u32::from(round > 3);
                    let (done, paused) = in_pieces(at_a_time, &mut pieces, &mut found, |scratch, out| {
                        // The query is built again by the caller.
                        let goal = query.goal.clone();
                        goal_search(&layer, &GoalQuery { goal: &goal, ..query }, rule, scratch, out)
                    });
                    assert_eq!((done, &found), (alone, &expected), "{name} {query:?}");
                    pauses += paused;
                    outcomes[match alone {
                        Ok(Outcome::Reached) => 0,
                        Ok(Outcome::Nearest) => 1,
                        Ok(Outcome::Partial) => 2,
                        Err(_) => 3,
                    }] += 1;
                }
            }
        }
    }
    assert!(pauses > 10_000 && outcomes.iter().all(|&count| count > 10), "{pauses} {outcomes:?}");
}

#[test]
fn another_goal_query_makes_a_paused_search_restart() {
    let (_, grid) = every_kind(3, 60, 60).swap_remove(0);
    let map = grid.to_map("two").validate().expect("the testkit makes legal maps");
    let layer = CostLayer::new(&map, CostSettings::default());
    let mut rng = SplitMix::new(8);
    let mut cell = || grid.random_open(&mut rng).expect("there are open cells");
    let (from, goal, other) = ([cell()], Goal::point(cell()), Goal::point(cell()));
    let query = GoalQuery::new(&from, &goal, FOOT);
    let middle = CellRect::at(cell(), 3, 3);
    let stands = [cell()];
    let others = [
        GoalQuery { goal: &other, ..query },
        query.avoiding(middle),
        query.around(&stands),
        query.node_limit(30),
        query.or_nearest(),
        query.with_threat(Threat::Heed),
    ];
    let rule = StepRule::default();
    let (mut scratch, mut route, mut fresh) = (SearchScratch::new(), Route::new(), Route::new());
    for other in others {
        scratch.pause_after(Some(3));
        assert_eq!(
            goal_search(&layer, &query, rule, &mut scratch, &mut route),
            Err(PlanError::Paused { nodes: 3 })
        );
        scratch.pause_after(None);
        let expected = goal_search(&layer, &other, rule, &mut SearchScratch::new(), &mut fresh);
        assert_eq!(goal_search(&layer, &other, rule, &mut scratch, &mut route), expected);
        assert_eq!(route, fresh, "{other:?}");
    }
}
