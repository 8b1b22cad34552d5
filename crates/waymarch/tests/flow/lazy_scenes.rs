//! Lazy fields in small scenes. The first ones show faults of a simpler algorithm (`FaultyLazyField`) that this engine does not have.

use waymarch::base::{CellPos, Dir8, cell};
use waymarch::flow::lazy::{
    CLOSED, FrontierPart, LazyAnswer, LazyFlow, LazySettings, LazySteps, SparseGround,
};
use waymarch_testkit::lazy_field::{Answer, FaultyLazyField, STEPS, Twin};
use waymarch_testkit::rule::Rule;
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::flow_with;

fn walled(walls: &[(i32, i32)]) -> LazyFlow {
    let mut flow = flow_with(SparseGround::open(), LazySettings::default());
    walls.iter().for_each(|&(x, y)| flow.block(cell(x, y)));
    flow
}

/// The number of steps from `start` to `goal` along the answers.
fn steps_to(goal: CellPos, start: CellPos, mut ask: impl FnMut(CellPos) -> Option<u8>) -> Option<u32> {
    let (mut at, mut steps) = (start, 0);
    while at != goal {
        let (dx, dy) = STEPS[usize::from(ask(at)?)];
        at = at.offset(dx as i32, dy as i32);
        steps += 1;
        if steps > 1000 {
            return None;
        }
    }
    Some(steps)
}

fn direction(flow: &mut LazyFlow, start: CellPos, goal: CellPos) -> Option<u8> {
    match flow.get_direction(start, goal) {
        LazyAnswer::Go(dir) => Some(dir.index()),
        _ => None,
    }
}

#[test]
fn cells_of_the_stored_frontier_pointed_away_or_nowhere() {
    let goal = (0, 0);
    // The first query stores the cells 16 steps away; the second query resumes from them.
    let mut literal = FaultyLazyField::new([], goal, 10);
    let mut flow = walled(&[]);
    for start in [(5, 0), (40, 0)] {
        literal.get_direction(start);
        flow.get_direction(cell(start.0, start.1), cell(0, 0));
    }
    assert_ne!(literal.get_direction((16, 0)), Some(Dir8::W.index()), "the faulty algorithm shows the fault");
    assert_eq!(flow.get_direction(cell(16, 0), cell(0, 0)), LazyAnswer::Go(Dir8::W));
    let answers = (1..50).map(|x| flow.get_direction(cell(x, 0), cell(0, 0)));
    assert!(
        answers.into_iter().all(|answer| answer == LazyAnswer::Go(Dir8::W)),
        "no cell of the frontier has the fault"
    );
}

#[test]
fn resuming_first_in_first_out_made_routes_longer() {
    // ....G.....
    // ..........
    // ...#......
    // ....#1....    the query from 1 comes first, then the one from 2, whose route passes in the east
    // .....#....
    // .....2....
    let walls = [(1, 7), (2, 8), (3, 9)];
    let (goal, first, second) = ((2, 5), (3, 8), (3, 10));
    let mut literal = FaultyLazyField::new(walls, goal, 2);
    let mut flow = walled(&walls);
    for start in [first, second] {
        literal.get_direction(start);
        flow.get_direction(cell(start.0, start.1), cell(goal.0, goal.1));
    }
    let (goal, start) = (cell(goal.0, goal.1), cell(second.0, second.1));
    let shortest = 8;
    let followed = steps_to(goal, start, |at| literal.get_direction((at.x, at.y)));
    assert!(
        followed.is_some_and(|steps| steps > shortest),
        "the faulty algorithm shows the fault: {followed:?}"
    );
    assert_eq!(steps_to(goal, start, |at| direction(&mut flow, at, goal)), Some(shortest));
}

#[test]
fn a_route_that_leaves_the_boundary_and_comes_back_was_called_unreachable() {
    // A wall of 31 cells stands between start and goal, which are two cells apart. The boundary is 12 cells, the route has 34.
    let walls: Vec<(i32, i32)> = (-15..=15).map(|y| (1, y)).collect();
    let (start, goal) = (cell(2, 0), cell(0, 0));
    let mut literal = FaultyLazyField::new(walls.iter().copied(), (0, 0), 10);
    assert_eq!(literal.get_direction((2, 0)), None, "the faulty algorithm shows the fault");
    let mut flow = walled(&walls);
    assert_eq!(steps_to(goal, start, |at| direction(&mut flow, at, goal)), Some(34));
    let field = flow.field(goal).expect("asked for");
    let all = 2 * 56 * 56; // 34 steps, 20 of the buffer, and the goal itself
    assert!(field.explored() < all, "explored no further than needed: {}", field.explored());
}

#[test]
fn unknown_is_said_at_the_limit_and_unreachable_only_when_proven() {
    let goal = cell(0, 0);
    let settings = LazySettings { explore_limit: 200, pocket_limit: 10, ..LazySettings::default() };
    let mut flow = flow_with(SparseGround::open(), settings);
    assert_eq!(flow.get_direction(cell(100, 0), goal), LazyAnswer::Unknown);
    assert_eq!(flow.get_direction(cell(3, 0), goal), LazyAnswer::Go(Dir8::W));
    let explored = flow.field(goal).expect("asked for").explored();
    assert!((200..300).contains(&explored), "no more than a level over the limit: {explored}");
    // The start is walled in: its pocket proves that the goal is unreachable, although the goal's field is infinite.
    for dir in Dir8::ALL {
        flow.block(cell(100, 0).step(dir));
    }
    assert_eq!(flow.get_direction(cell(100, 0), goal), LazyAnswer::Unreachable);
    // A pocket too big to flood proves nothing.
    for i in -3..=3 {
        [(97 + 200, i), (103 + 200, i), (300 + i, -3), (300 + i, 3)]
            .iter()
            .for_each(|&(x, y)| flow.block(cell(x, y)));
    }
    assert_eq!(flow.get_direction(cell(300, 0), goal), LazyAnswer::Unknown);
    // The goal is walled in: its field is finite.
    for dir in Dir8::ALL {
        flow.block(goal.step(dir));
    }
    assert_eq!(flow.get_direction(cell(300, 0), goal), LazyAnswer::Unreachable);
    assert!(flow.field(goal).expect("asked for").is_exhausted());
    // A start or a goal inside a wall.
    assert_eq!(flow.get_direction(cell(1, 0), cell(50, 50)), LazyAnswer::Unreachable);
    assert_eq!(flow.get_direction(cell(50, 50), cell(1, 0)), LazyAnswer::Unreachable);
    assert_eq!(flow.get_direction(cell(1, 0), cell(1, 0)), LazyAnswer::Arrived);
}

/// Rooms of a few cells in a closed world, with limits near their size. The answer depends on whether the frontier ends exactly at the
/// limit, and on whether its remaining cells are closed or already explored.
#[test]
fn a_field_that_ends_just_at_its_limit_knows_that_it_ended() {
    let mut seen = [0; 2];
    for seed in 0..3000 {
        let mut rng = SplitMix::new(seed);
        let (steps, rule) =
            rng.pick(&[(LazySteps::FourUniform, Rule::Four), (LazySteps::EightWeighted, Rule::Forbid)]);
        let explore_limit = 1 + rng.below(16);
        let settings = LazySettings { steps, explore_limit, pocket_limit: 0, ..LazySettings::default() };
        let mut flow = flow_with(SparseGround::closed(), settings);
        let mut twin = Twin::new(CLOSED, rule, explore_limit as usize, 0);
        let set = |flow: &mut LazyFlow, twin: &mut Twin, at: CellPos, cost: u8| {
            flow.set_cost(at, cost);
            twin.set(at, cost);
        };
        for y in 0..4 {
            for x in 0..4 {
                set(&mut flow, &mut twin, cell(x, y), rng.pick(&[1, 1, 2, 3, 9, CLOSED]));
            }
        }
        let (goal, outside) = (cell(1, 1), cell(50, 50));
        set(&mut flow, &mut twin, goal, rng.pick(&[1, 5]));
        set(&mut flow, &mut twin, outside, 1);
        for _ in 0..4 {
            let expected = twin.answer(&twin.field(goal), outside);
            let found = flow.get_direction(outside, goal);
            let same = match expected {
                Answer::Unreachable => found == LazyAnswer::Unreachable,
                Answer::Unknown => found == LazyAnswer::Unknown,
                _ => false,
            };
            assert!(same, "{seed}: {found:?} instead of {expected:?}");
            seen[usize::from(expected == Answer::Unknown)] += 1;
            let at = cell(rng.below(4) as i32, rng.below(4) as i32);
            set(&mut flow, &mut twin, at, CLOSED);
        }
    }
    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}

#[test]
fn walls_beyond_the_boundary_do_not_change_a_field() {
    let mut flow = walled(&[]);
    let goal = cell(0, 0);
    flow.get_direction(cell(5, 0), goal);
    let explored = flow.field(goal).expect("asked for").explored();
    flow.block(cell(400, 0));
    flow.clear(cell(400, 0));
    flow.set_cost(cell(3, 3), 77); // with these steps all open cells cost the same
    assert_eq!(flow.field(goal).map(|field| field.explored()), Some(explored), "still there");
    // A wall on a cell of the frontier: the field stays and goes around it later.
    let &(found, part) = flow.field(goal).expect("there").frontier(flow.ground()).first().expect("some");
    assert_eq!(part, FrontierPart::Working);
    flow.block(found);
    assert!(flow.field(goal).is_some());
    assert_eq!(flow.get_direction(found, goal), LazyAnswer::Unreachable);
    assert_eq!(steps_to(goal, found.step(Dir8::N), |at| direction(&mut flow, at, goal)), Some(29));
    // A wall on an explored cell.
    flow.block(cell(1, 0));
    assert!(flow.field(goal).is_none(), "the field was dropped");
    assert_eq!(flow.get_direction(cell(2, 0), goal), LazyAnswer::Go(Dir8::N));
    flow.clear(cell(1, 0));
    assert_eq!(flow.get_direction(cell(2, 0), goal), LazyAnswer::Go(Dir8::W));
}

#[test]
fn a_diagonal_step_past_a_costly_cell_is_dropped_when_that_cell_closes() {
    // The cell beside the diagonal step costs too much to be explored, but the step depends on it.
    let settings = LazySettings { steps: LazySteps::EightWeighted, ..LazySettings::default() };
    let mut flow = flow_with(SparseGround::open(), settings);
    let (start, goal) = (cell(1, 1), cell(0, 0));
    flow.set_cost(cell(1, 0), 254);
    flow.set_cost(cell(0, 1), 254);
    assert_eq!(flow.get_direction(start, goal), LazyAnswer::Go(Dir8::NW));
    flow.block(cell(1, 0));
    assert_eq!(flow.get_direction(start, goal), LazyAnswer::Go(Dir8::SW), "no corner is cut");
    flow.set_cost(cell(1, 0), 3);
    assert_eq!(flow.get_direction(start, goal), LazyAnswer::Go(Dir8::NW));
}

#[test]
fn the_least_recently_used_field_is_evicted_first_and_ties_go_by_goal() {
    use waymarch::base::Tick;
    let mut flow = flow_with(SparseGround::open(), LazySettings { max_fields: 3, ..LazySettings::default() });
    let goals = |flow: &LazyFlow| flow.fields().map(|field| field.goal().x).collect::<Vec<i32>>();
    for (tick, x) in [(1, 30), (1, 10), (2, 20), (3, 30), (4, 40)] {
        flow.advance(Tick(tick));
        flow.get_direction(cell(0, 5), cell(x, 0));
    }
    assert_eq!(goals(&flow), [20, 30, 40], "10 was used at tick 1");
    flow.get_direction(cell(0, 5), cell(20, 0));
    flow.get_direction(cell(0, 5), cell(30, 0));
    flow.get_direction(cell(0, 5), cell(5, 0));
    assert_eq!(goals(&flow), [5, 30, 40], "all were used at tick 4");
}
