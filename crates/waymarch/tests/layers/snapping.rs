//! Snapping to the nearest suitable cell: equals a scan of all cells, through edits, and repeated queries cost no work.

use waymarch::base::{Agent, CellPos, CellRect, Fixed, LocomotorId, SizeClass, Tick, cell};
use waymarch::config::Config;
use waymarch::cost::{CornerRule, CostLayer, CostSettings, FootCell, Stamp, StampId, StepRule};
use waymarch::query::{Goal, PathQuery, PlanError, Shape};
use waymarch::search::Route;
use waymarch::sectors::{Sectors, SnapMemory, SnapScratch, Snapped};
use waymarch::world::Navigator;
use waymarch_testkit::connectivity;
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;

const FOOT: LocomotorId = LocomotorId(0);

fn random_shape(rng: &mut SplitMix, width: u32, height: u32) -> Shape {
    let centre = cell(rng.below(width) as i32, rng.below(height) as i32);
    let (inner, wide) = (rng.below(6 * 1024) as i32, rng.below(9 * 1024) as i32);
    match rng.below(4) {
        0 => Shape::Point(centre),
        1 => Shape::Circle { centre, radius: Fixed::from_raw(wide) },
        2 => Shape::Ring { centre, inner: Fixed::from_raw(inner), outer: Fixed::from_raw(inner + wide) },
        _ => Shape::Rect(CellRect::at(centre, 1 + rng.below(12), 1 + rng.below(12))),
    }
}

fn random_goal(rng: &mut SplitMix, width: u32, height: u32) -> Goal {
    let some = |rng: &mut SplitMix| -> Vec<Shape> {
        (0..1 + rng.below(5)).map(|_| random_shape(rng, width, height)).collect()
    };
    match rng.below(8) {
        0..=3 => Goal::In(random_shape(rng, width, height)),
        4 | 5 => Goal::AnyOf(some(rng)),
        6 => Goal::OutOf(random_shape(rng, width, height)),
        _ => Goal::OutOfAll(some(rng)),
    }
}

/// The answer from a scan of all cells.
fn by_all_cells(
    layer: &CostLayer,
    rule: StepRule,
    from: CellPos,
    goal: &Goal,
    agent: Agent,
) -> Result<Snapped, PlanError> {
    let (grid, field) = (layer.grid(), layer.field(agent).expect("an agent of the layer"));
    goal.validate(grid)?;
    let costs: Vec<u8> = grid.rect().cells().map(|at| field.cost(at)).collect();
    let domains = connectivity::domains(&costs, grid.width(), grid.height(), rule);
    let domain = |at: CellPos| domains[(at.y as u32 * grid.width() + at.x as u32) as usize];
    let square = |at: CellPos| (at.x - from.x).pow(2) + (at.y - from.y).pow(2);
    let open = grid.rect().cells().filter(|&at| domain(at).is_some());
    let from = open.min_by_key(|&at| (square(at), at)).ok_or(PlanError::StartBlocked { at: from })?;
    let there = |at: &CellPos| domain(*at) == domain(from) && layer.can_stop(*at, agent);
    // A unit that is already in its goal stays.
    let key = |at: &CellPos| (goal.gap(*at), goal.contains(from) && *at != from, *at);
    let to = grid.rect().cells().filter(there).min_by_key(key).ok_or(PlanError::NowhereToStop { from })?;
    Ok(Snapped { from, to, gap: goal.gap(to) })
}

#[test]
fn remembered_and_fresh_answers_are_those_of_a_look_at_all_cells_for_every_shape_through_edits() {
    let mut rng = SplitMix::new(11);
    let (mut into, mut near, mut nowhere, mut left) = (0, 0, 0, 0);
    for (seed, corners) in (0..6).zip([CornerRule::Forbid, CornerRule::Allow].into_iter().cycle()) {
        let (width, height) = (40 + rng.below(50), 40 + rng.below(50));
        for (name, grid) in every_kind(seed, width, height) {
            let rule = StepRule::eight(corners);
            let sizes = vec![SizeClass::ONE, SizeClass::new(3).expect("legal")];
            let settings = CostSettings { sector_size: 8 << rng.below(2), sizes, ..CostSettings::default() };
            let mut layer = CostLayer::new(&grid.to_map(name).validate().expect("legal"), settings);
            let mut sectors = Sectors::new(&layer, rule);
            let (mut memory, mut scratch) = (SnapMemory::default(), SnapScratch::default());
            let agents: Vec<Agent> = layer.agents().collect();
            let mut any = || {
                let from = cell(rng.below(width) as i32, rng.below(height) as i32);
                (from, random_goal(&mut rng, width, height), agents[rng.below(agents.len() as u32) as usize])
            };
            let asked: Vec<(CellPos, Goal, Agent)> = (0..8).map(|_| any()).collect();
            let mut standing: Vec<StampId> = Vec::new();
            for step in 0..10 {
                for (from, goal, agent) in &asked {
                    let truth = by_all_cells(&layer, rule, *from, goal, *agent);
                    let what = format!("{name} {seed}, step {step}: {from} {goal:?} {agent:?}");
                    assert_eq!(sectors.snap(&layer, *from, goal, *agent, &mut scratch), truth, "{what}");
                    assert_eq!(sectors.snap_again(&layer, *from, goal, *agent, &mut memory), truth, "{what}");
                    into += u32::from(truth.is_ok_and(|snapped| snapped.gap == 0));
                    near += u32::from(truth.is_ok_and(|snapped| snapped.gap != 0));
                    left += u32::from(truth.is_ok_and(|snapped| snapped.from != *from));
                    nowhere += u32::from(matches!(truth, Err(PlanError::NowhereToStop { .. })));
                }
                let (wide, tall) = (1 + rng.below(20), 1 + rng.below(20));
                let at = cell(rng.below(width - wide) as i32, rng.below(height - tall) as i32);
                let stamp = match rng.below(3) {
                    0 => Stamp::solid(wide, 1),
                    1 => Stamp::solid(1, tall),
                    _ => Stamp::filled("pass only", wide, tall, FootCell::NoStop),
                };
                if rng.chance(300) && !standing.is_empty() {
                    layer.remove(standing.swap_remove(0)).expect("it stands");
                } else {
                    standing.push(layer.place(&stamp, at, Tick::ZERO).expect("it fits"));
                }
                sectors.follow(&layer);
            }
        }
    }
    assert!(into > 300 && near > 300 && left > 300 && nowhere > 5, "{into} {near} {left} {nowhere}");
}

/// Walls around `width` × `height` cells. They consist of several stamps because a stamp has at most 64 cells a side.
fn seal(nav: &mut Navigator, at: CellPos, width: u32, height: u32) -> Vec<StampId> {
    let mut ids = Vec::new();
    for y in [-1, height as i32] {
        for x in (0..width + 2).step_by(60) {
            let piece = Stamp::solid((width + 2 - x).min(60), 1);
            ids.push(nav.place(&piece, at.offset(x as i32 - 1, y)).expect("it fits"));
        }
    }
    for x in [-1, width as i32] {
        for y in (0..height).step_by(60) {
            ids.push(
                nav.place(&Stamp::solid(1, (height - y).min(60)), at.offset(x, y as i32)).expect("it fits"),
            );
        }
    }
    ids
}

/// An order out of a sealed pocket costs constant work per retry, not a flood fill.
#[test]
fn ordering_a_sealed_unit_out_again_looks_at_nothing_on_maps_and_in_pockets_of_every_size() {
    for side in [256_u32, 1024, 4096] {
        let config = Config { size_classes: vec![1], ..Config::default() };
        let mut nav = Navigator::new(Grid::filled(side, side, 1).to_map("open"), config).expect("legal");
        let mut firsts = Vec::new();
        for (at, width, height) in [(cell(20, 20), 3, 3), (cell(40, 60), 50, 40), (cell(100, 130), 100, 100)]
        {
            let walls = seal(&mut nav, at, width, height);
            let start = at.offset(1, 1);
            let goals = [
                Goal::point(cell(side as i32 - 5, side as i32 - 9)),
                Goal::circle(cell(side as i32 - 30, 12), Fixed::from_cells(4)),
                Goal::AnyOf(vec![Shape::Point(cell(3, side as i32 - 1)), Shape::Point(cell(9, 4))]),
            ];
            for goal in &goals {
                let before = nav.snaps().looked_at();
                let found = nav.path_or_nearest(start, goal, FOOT).expect("it can stand there");
                let first = nav.snaps().looked_at() - before;
                assert_eq!(found.reason, Some(PlanError::GoalUnreachable { from: start }));
                firsts.push(first);
                // Retries: from the same cell, from another cell, and after arrival.
                let before = nav.snaps().looked_at();
                for retry in 0..100 {
                    let again = nav.path_or_nearest(start, goal, FOOT).expect("as before");
                    assert_eq!(again, found, "retry {retry}");
                }
                let arrived = nav.path_or_nearest(found.snapped.to, goal, FOOT).expect("it can stay");
                assert_eq!((arrived.snapped.to, arrived.route.expanded), (found.snapped.to, 0));
                // A house elsewhere does not change the answer.
                let elsewhere = cell(side as i32 - 40, 40);
                let house = nav.place(&Stamp::solid(3, 3), elsewhere).expect("it fits");
                let again = nav.path_or_nearest(start, goal, FOOT).expect("as before");
                assert_eq!(again.snapped, found.snapped);
                nav.remove(house).expect("it stands");
                assert_eq!(
                    nav.snaps().looked_at(),
                    before,
                    "{side} {width}x{height}: retries look at nothing"
                );
            }
            // With one wall removed, the unit gets out at once.
            nav.remove(walls[0]).expect("it stands");
            let out = nav.path_or_nearest(start, &goals[0], FOOT).expect("a route");
            assert_eq!((out.reason, out.snapped.gap), (None, 0));
            walls[1..].iter().for_each(|&id| nav.remove(id).expect("it stands"));
        }
        println!("{side}: looked at {firsts:?} the first time");
        // The search for a cell stays in the blocks that contain the pocket.
        assert!(firsts.iter().all(|&first| first < 5000), "{side}: {firsts:?}");
    }
}

#[test]
fn a_unit_that_may_stop_nowhere_is_told_so_and_not_that_it_is_blocked() {
    let mut nav = Navigator::new(Grid::filled(60, 40, 1).to_map("bridge"), Config::default()).expect("legal");
    seal(&mut nav, cell(10, 10), 4, 2);
    let deck = nav.place(&Stamp::filled("pass only", 4, 2, FootCell::NoStop), cell(10, 10)).expect("it fits");
    let (start, out) = (cell(11, 10), Goal::point(cell(50, 30)));
    let told = PlanError::NowhereToStop { from: start };
    assert_eq!(nav.snap(start, &out, FOOT), Err(told));
    assert_eq!(nav.path_or_nearest(start, &out, FOOT), Err(told));
    assert_eq!(nav.path_or_nearest(start, &out, FOOT), Err(told), "and again");
    assert_eq!(told.to_string(), "from (11, 10) the unit reaches no cell that it may stop on");
    nav.remove(deck).expect("it stands");
    assert_eq!(nav.snap(start, &out, FOOT).map(|snapped| snapped.to), Ok(cell(13, 11)));
}

#[test]
fn a_unit_already_in_the_goal_stays_where_it_is() {
    let mut nav = Navigator::new(Grid::filled(60, 40, 1).to_map("open"), Config::default()).expect("legal");
    let near = Goal::circle(cell(30, 20), Fixed::from_cells(8));
    let found = nav.path_or_nearest(cell(28, 22), &near, FOOT).expect("it is there");
    assert_eq!((found.snapped.to, found.reason, found.route.cost.0), (cell(28, 22), None, 0));
}

#[test]
fn routes_as_near_as_can_be_go_over_doors_when_they_are_far_and_are_the_cheapest_when_near() {
    let grid = Grid::caves(5, 700, 300);
    let mut nav = Navigator::new(grid.to_map("caves"), Config::default()).expect("legal");
    let mut rng = SplitMix::new(2);
    let (mut near, mut far, mut other_work) = (0, 0, 0);
    for _ in 0..60 {
        let mut any = || cell(rng.below(700) as i32, rng.below(300) as i32);
        let (from, to) = (any(), any());
        let Ok(found) = nav.path_or_nearest(from, &Goal::point(to), FOOT) else { continue };
        let Snapped { from: start, to: end, gap } = found.snapped;
        assert_eq!(found.reason.is_none(), start == from && gap == 0);
        assert_eq!((found.route.waypoints.first(), found.route.waypoints.last()), (Some(&start), Some(&end)));
        let mut by_doors = Route::new();
        nav.path_far(&PathQuery::new(start, end, FOOT), &mut by_doors).expect("there is a route");
        assert_eq!(found.route, by_doors);
        let exact = nav.path(start, end, FOOT).expect("there is a route");
        assert!(found.route.cost >= exact.cost);
        if start.x.abs_diff(end.x).max(start.y.abs_diff(end.y)) <= 64 {
            near += 1;
        } else {
            far += 1;
            other_work += u32::from(by_doors.expanded != exact.expanded);
        }
    }
    assert!(near > 3 && far > 20, "{near} {far}");
    // Two searches may expand the same number of nodes by chance: both need 155 from (335, 236) to (514, 95).
    assert!(other_work + 1 >= far, "another search: {other_work} of {far}");
}

/// Two cells on both sides of a long wall: a short distance and a long route.
#[test]
fn a_near_goal_behind_a_long_wall_is_not_searched_for_over_the_whole_map() {
    let mut rough = Grid::scatter(3, 1000, 1000, 0);
    let mut rng = SplitMix::new(9);
    rough.cost.iter_mut().for_each(|cost| *cost = 1 + rng.below(4) as u8);
    let mut nav = Navigator::new(rough.to_map("rough"), Config::default()).expect("legal");
    for x in (0..960).step_by(60) {
        nav.place(&Stamp::solid(60, 1), cell(x, 500)).expect("it fits");
    }
    let query = PathQuery::new(cell(100, 495), cell(100, 505), FOOT);
    let (mut exact, mut found) = (Route::new(), Route::new());
    nav.path_into(&query, &mut exact).expect("around the wall");
    nav.path_far(&query, &mut found).expect("around the wall");
    println!("expanded {} exactly, {} over doors", exact.expanded, found.expanded);
    assert!(found.cost >= exact.cost);
    assert!(found.cost.0 * 100 <= exact.cost.0 * 105, "{} {}", found.cost.0, exact.cost.0);
    assert!(found.expanded * 4 < exact.expanded, "{} of {}", found.expanded, exact.expanded);
    // The second query gives the same route. Near goals without such a wall still get exact routes.
    let before = found.clone();
    nav.path_far(&query, &mut found).expect("around the wall");
    assert_eq!(found, before);
    let near = PathQuery::new(cell(100, 495), cell(140, 450), FOOT);
    nav.path_far(&near, &mut found).expect("a route");
    nav.path_into(&near, &mut exact).expect("a route");
    assert_eq!(found.cost, exact.cost);
}
