//! Goals and limits as a game sees them: one scene per behaviour, most of them drawn.

use waymarch::base::{CellPos, CellRect, Dir8, Fixed, LocomotorId, SizeClass, StampId, cell};
use waymarch::config::Config;
use waymarch::cost::{FootCell, GateState, Stamp};
use waymarch::query::{
    Goal, GoalError, GoalQuery, Limits, Outcome, PathQuery, PlanError, Shape, Threat, Turning,
    WhenUnreachable,
};
use waymarch::search::Route;
use waymarch::world::Navigator;
use waymarch_testkit::dijkstra::shortest;
use waymarch_testkit::picture::{Legend, Picture};
use waymarch_testkit::rule::{CostGrid, Rule};

const FOOT: LocomotorId = LocomotorId(0);

/// A drawn map with any number of starts `A`, and a navigator on it.
fn scene(drawn: &str) -> (Picture, Navigator) {
    let picture = Legend::default().parse(drawn).expect("a picture");
    let nav = Navigator::new(picture.map.clone(), Config::default()).expect("a legal map");
    (picture, nav)
}

fn ask(nav: &mut Navigator, query: &GoalQuery<'_>) -> Result<(Outcome, Route), PlanError> {
    let mut route = Route::new();
    let outcome = nav.path_to_goal(query, &mut route)?;
    Ok((outcome, route))
}

fn end(route: &Route) -> CellPos {
    *route.waypoints.last().expect("a route has cells")
}

#[test]
fn the_start_with_the_cheapest_route_is_taken_not_the_nearest_one() {
    let (picture, mut nav) = scene(
        "A......
         .......
         .....##
         .....#A
         ...B.##",
    );
    let (starts, goal) = (picture.marked('A'), Goal::point(picture.goal()));
    let (outcome, route) = ask(&mut nav, &GoalQuery::new(&starts, &goal, FOOT)).expect("a route");
    assert_eq!((outcome, route.waypoints[0]), (Outcome::Reached, cell(0, 0)));
}

#[test]
fn a_ring_is_entered_from_outside_and_from_within() {
    let (_, mut nav) = scene(&format!("{}\n", ".".repeat(31)).repeat(31));
    let ring = Goal::ring(cell(15, 15), Fixed::from_cells(6), Fixed::from_cells(9));
    for (from, to) in [(cell(0, 15), cell(6, 15)), (cell(14, 15), cell(9, 15)), (cell(8, 15), cell(8, 15))] {
        let (outcome, route) = ask(&mut nav, &GoalQuery::new(&[from], &ring, FOOT)).expect("a route");
        assert_eq!((outcome, end(&route)), (Outcome::Reached, to));
    }
}

#[test]
fn a_blast_area_is_left_by_the_cheapest_route_not_the_shortest() {
    let (picture, mut nav) = scene(
        "#########
         #999....#
         #9A9....#
         #999....#
         #########",
    );
    let blast = Goal::OutOf(Shape::Rect(CellRect::at(cell(1, 0), 4, 5)));
    let starts = [picture.start()];
    let (_, route) = ask(&mut nav, &GoalQuery::new(&starts, &blast, FOOT)).expect("a route");
    assert_eq!(end(&route), cell(5, 2));
    assert_eq!(route.cost.0, 1024 * (9 + 1 + 1));
    // A unit that is already outside stays where it is.
    let (outcome, route) = ask(&mut nav, &GoalQuery::new(&[cell(7, 1)], &blast, FOOT)).expect("a route");
    assert_eq!((outcome, route.waypoints.len(), route.expanded), (Outcome::Reached, 1, 0));
}

#[test]
fn without_a_route_the_nearest_cell_is_the_one_across_the_wall() {
    let (picture, mut nav) = scene(
        "A....#...
         .....#...
         .....#.B.
         .....#...",
    );
    let (starts, goal) = ([picture.start()], Goal::point(picture.goal()));
    let query = GoalQuery::new(&starts, &goal, FOOT);
    let (from, to) = (starts[0], picture.goal());
    assert_eq!(ask(&mut nav, &query), Err(PlanError::Unreachable { from, to }));
    let (outcome, route) = ask(&mut nav, &query.or_nearest()).expect("somewhere");
    assert_eq!((outcome, end(&route)), (Outcome::Nearest, cell(4, 2)));
    // A route also approaches a goal on closed ground.
    let closed = Goal::point(cell(5, 1));
    let (outcome, route) =
        ask(&mut nav, &GoalQuery::new(&starts, &closed, FOOT).or_nearest()).expect("somewhere");
    assert_eq!((outcome, end(&route)), (Outcome::Nearest, cell(4, 1)));
}

#[test]
fn a_partial_route_goes_on_where_it_ended() {
    let (picture, mut nav) = scene(
        "A...........................
         ............................
         .......######...............
         .......######...............
         ............................
         ...........................B",
    );
    let goal = Goal::point(picture.goal());
    let (mut at, mut legs) = (picture.start(), 0);
    loop {
        let starts = [at];
        let (outcome, route) =
            ask(&mut nav, &GoalQuery::new(&starts, &goal, FOOT).node_limit(8)).expect("a leg");
        (at, legs) = (end(&route), legs + 1);
        if outcome == Outcome::Reached {
            break;
        }
        assert!(outcome == Outcome::Partial && route.expanded == 8 && legs < 9, "{outcome:?} {route:?}");
    }
    assert!(legs > 1);
}

#[test]
fn turn_costs_trade_length_for_straightness() {
    let (picture, mut nav) = scene(
        "..........
         A..######.
         ##...####.
         ####...##.
         ######..B.",
    );
    let (starts, goal) = ([picture.start()], Goal::point(picture.goal()));
    let query = GoalQuery::new(&starts, &goal, FOOT);
    let (_, short) = ask(&mut nav, &query).expect("a route");
    assert_eq!(short.steps(), (11, 0), "the shortest route goes down the stairs");
    let turning = |per_eighth, heading| Turning { per_eighth, heading };
    let (_, straight) = ask(&mut nav, &query.with_turning(turning(4000, None))).expect("a route");
    assert_eq!(straight.waypoints, [(0, 1), (1, 0), (9, 0), (9, 4), (8, 4)].map(|(x, y)| cell(x, y)));
    assert_eq!(straight.cost.0, straight.length() + (1 + 2 + 2) * 4000);
    // A unit that faces away pays for turning around first.
    let (_, faced) = ask(&mut nav, &query.with_turning(turning(4000, Some(Dir8::NE)))).expect("a route");
    let (_, away) = ask(&mut nav, &query.with_turning(turning(4000, Some(Dir8::S)))).expect("a route");
    assert_eq!((faced.cost, away.cost.0), (straight.cost, straight.cost.0 + 3 * 4000));
    let (_, free) = ask(&mut nav, &query.with_turning(turning(0, Some(Dir8::N)))).expect("a route");
    assert_eq!(free.cost, short.cost);
}

#[test]
fn a_harvester_leaves_its_dock_and_a_route_passes_an_ignored_gate() {
    let (picture, mut nav) = scene(
        "....#....
         .A..#..B.
         ....#....",
    );
    nav.set_terrain(CellRect::at(cell(4, 1), 1, 1), waymarch::cost::TerrainId(0)).expect("on the map");
    let gate = nav.place(&Stamp::filled("gate", 1, 1, FootCell::Gate), cell(4, 1)).expect("it fits");
    let dock = nav.place(&Stamp::solid(3, 3), cell(0, 0)).expect("it fits");
    let (starts, goal) = ([picture.start()], Goal::point(picture.goal()));
    let query = GoalQuery::new(&starts, &goal, FOOT);
    assert_eq!(ask(&mut nav, &query), Err(PlanError::StartBlocked { at: starts[0] }));
    let no_way = PlanError::Unreachable { from: starts[0], to: picture.goal() };
    assert_eq!(ask(&mut nav, &query.ignoring(&[dock])), Err(no_way));
    let (outcome, route) = ask(&mut nav, &query.ignoring(&[gate, dock])).expect("a route");
    assert_eq!((outcome, route.cost.0), (Outcome::Reached, 6 * 1024));
    nav.set_gate(gate, GateState::Open).expect("a gate");
    assert_eq!(ask(&mut nav, &query.ignoring(&[dock])).map(|found| found.1.cost), Ok(route.cost));
    nav.remove(gate).expect("it stands");
    assert_eq!(ask(&mut nav, &query.ignoring(&[dock, gate])), Err(PlanError::NoSuchStamp(gate)));
    assert_eq!(ask(&mut nav, &query.ignoring(&[StampId::DEAD])), Err(PlanError::NoSuchStamp(StampId::DEAD)));
}

#[test]
fn a_road_under_an_ignored_building_keeps_its_cost() {
    // The only cheap cells lie under buildings. A heuristic scaled by the higher cost of the other ground would choose the straight route,
    // which costs 37 × 1024.
    let (picture, mut nav) = scene(
        "A333333333333B
         33333333333333
         33333333333333
         11111111111111",
    );
    let halls = [(0, 0, 1), (13, 0, 1), (0, 3, 14)]
        .map(|(x, y, width)| nav.place(&Stamp::solid(width, 1), cell(x, y)).expect("it fits"));
    let (starts, goal) = ([picture.start()], Goal::point(picture.goal()));
    let query = GoalQuery::new(&starts, &goal, FOOT).ignoring(&halls);
    let (least, _) = shortest(
        CostGrid { cost: &picture.costs(0), width: 14, height: 4 },
        Rule::Forbid,
        picture.start(),
        picture.goal(),
    )
    .expect("a route");
    assert!(least < 37 * 1024);
    assert_eq!(ask(&mut nav, &query).map(|found| found.1.cost.0), Ok(least));
}

#[test]
fn questions_without_an_answer_say_why() {
    let (_, mut nav) = scene(
        "....
         .##.
         .##.
         ....",
    );
    let (open, goal) = ([cell(0, 0), cell(3, 3)], Goal::point(cell(3, 0)));
    let size = nav.layer().grid();
    let refused = |nav: &mut Navigator, from: &[CellPos], goal: &Goal| {
        ask(nav, &GoalQuery::new(from, goal, FOOT)).expect_err("refused")
    };
    assert_eq!(refused(&mut nav, &[], &goal), PlanError::NoStart);
    assert_eq!(
        refused(&mut nav, &[cell(0, 0), cell(4, 0)], &goal),
        PlanError::OffMap { at: cell(4, 0), size }
    );
    assert_eq!(
        refused(&mut nav, &[cell(0, 0), cell(2, 2)], &goal),
        PlanError::StartBlocked { at: cell(2, 2) }
    );
    assert_eq!(refused(&mut nav, &open, &Goal::AnyOf(Vec::new())), PlanError::Goal(GoalError::Empty));
    assert_eq!(refused(&mut nav, &open, &Goal::point(cell(1, 1))), PlanError::GoalBlocked { at: cell(1, 1) });
    let rock = Goal::rect(CellRect::at(cell(1, 1), 2, 2));
    assert_eq!(refused(&mut nav, &open, &rock), PlanError::GoalClosed);
    let unknown = LocomotorId(200).into();
    assert_eq!(ask(&mut nav, &GoalQuery::new(&open, &goal, unknown)), Err(PlanError::UnknownAgent(unknown)));

    nav.place(&Stamp::filled("exit", 4, 1, FootCell::NoStop), cell(0, 0)).expect("it fits");
    assert_eq!(refused(&mut nav, &open, &goal), PlanError::GoalNoStop { at: cell(3, 0) });
    let query = GoalQuery::new(&open[..1], &rock, FOOT).or_nearest();
    assert_eq!(ask(&mut nav, &query.node_limit(2)), Err(PlanError::NodeLimit { nodes: 2 }));
    // The unit passes the exit and stops beside the rock: of equally near cells at the cheapest.
    let (outcome, route) = ask(&mut nav, &query).expect("somewhere");
    assert_eq!((outcome, end(&route)), (Outcome::Nearest, cell(0, 1)));
}

#[test]
fn a_goal_question_is_made_from_a_plain_one() {
    let plain = PathQuery::new(cell(1, 2), cell(3, 4), FOOT).with_threat(Threat::Heed);
    let goal = Goal::from(plain.to);
    let limits = Limits { nodes: None, when_unreachable: WhenUnreachable::Nearest };
    let query = GoalQuery::of(&plain, &goal).with_limits(limits);
    assert_eq!(query, GoalQuery::new(&[cell(1, 2)], &goal, FOOT).with_threat(Threat::Heed).or_nearest());
    assert_eq!(query.agent.size, SizeClass::ONE);
}
