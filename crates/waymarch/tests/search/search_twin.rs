//! Every exact search finds the twin's cost by legal steps, for every rule and size.

use waymarch::base::{Agent, CellPos, CellRect, Dir8, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{CornerRule, CostLayer, Falloff, Stamp, StepRule, ThreatSource};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{
    Hierarchy, JumpGraph, JumpPlanes, Route, SearchScratch, astar, hierarchical, jps, jps_graph, jps_suits,
};
use waymarch_testkit::dijkstra::{UNREACHED, distances};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::picture::draw_costs;
use waymarch_testkit::route::check_route;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::wide_units::field_for_size;

use crate::ground::layer;

/// Compares the costs that `search` finds between random cells with the twin's.
fn compare(
    name: &str,
    grid: &Grid,
    rule: StepRule,
    size: SizeClass,
    rng: &mut SplitMix,
    mut search: impl FnMut(&PathQuery, &mut Route) -> Result<(), PlanError>,
) {
    let costs = field_for_size(&grid.cost, grid.width, grid.height, size.side());
    let field = Grid { cost: costs, ..grid.clone() };
    let mut route = Route::new();
    for _ in 0..3 {
        let Some(from) = field.random_open(rng) else { return };
        let truth = distances(&field.cost, field.width, field.height, rule, from);
        for _ in 0..12 {
            let Some(to) = field.random_open(rng) else { return };
            let query = PathQuery::new(from, to, Agent { locomotor: LocomotorId(0), size });
            let expected = truth[field.index((to.x, to.y))];
            let found = search(&query, &mut route);
            let cells: Vec<CellPos> = route.cells().collect();
            let scene = || {
                let drawn = draw_costs(&field.cost, field.width, &cells);
                format!("{name} {rule:?} {size} {from} to {to}\n{drawn}")
            };
            if expected == UNREACHED {
                assert_eq!(found, Err(PlanError::Unreachable { from, to }), "{}", scene());
                continue;
            }
            assert_eq!(found, Ok(()), "{}", scene());
            assert_eq!((cells.first(), cells.last()), (Some(&from), Some(&to)), "{}", scene());
            let walked = check_route(&field.cost, field.width, field.height, rule, &cells);
            assert_eq!(walked, Ok(route.cost.0), "{}", scene());
            assert_eq!(route.cost.0, expected, "{}", scene());
        }
    }
}

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

const SIZES: [SizeClass; 3] = [SizeClass::ONE, SizeClass::TWO, SizeClass::THREE];

#[test]
fn astar_finds_the_twins_cost_for_every_rule_and_size() {
    let mut rng = SplitMix::new(1);
    let mut scratch = SearchScratch::new();
    for seed in 0..8 {
        let (width, height) = (20 + rng.below(60), 20 + rng.below(60));
        for (name, grid) in every_kind(seed, width, height) {
            let layer = layer(&grid);
            for rule in RULES {
                for size in SIZES {
                    compare(name, &grid, rule, size, &mut rng, |query, route| {
                        scratch.poison();
                        astar(&layer, query, rule, &mut scratch, route)
                    });
                }
            }
        }
    }
}

#[test]
fn jump_point_searches_find_the_twins_cost_on_ground_of_one_cost() {
    let mut rng = SplitMix::new(2);
    let mut scratch = SearchScratch::new();
    let rule = StepRule::default();
    for seed in 0..60 {
        let (width, height) = (10 + rng.below(130), 10 + rng.below(130));
        for (name, grid) in every_kind(seed, width, height) {
            let layer = layer(&grid);
            for size in SIZES {
                let field = layer.field(Agent { locomotor: LocomotorId(0), size }).expect("a size in use");
                if jps_suits(field, rule).is_err() {
                    continue;
                }
                for planes in [JumpPlanes::straight(field), JumpPlanes::full(field)] {
                    compare(name, &grid, rule, size, &mut rng, |query, route| {
                        scratch.poison();
                        jps(&layer, query, &planes, &mut scratch, route)
                    });
                }
                let graph = JumpGraph::new(field);
                compare(name, &grid, rule, size, &mut rng, |query, route| {
                    scratch.poison();
                    jps_graph(&layer, query, &graph, &mut scratch, route)
                });
            }
        }
    }
}

#[test]
fn hierarchies_find_the_twins_cost_however_much_work_went_into_them() {
    let mut rng = SplitMix::new(9);
    let mut scratch = SearchScratch::new();
    let rule = StepRule::default();
    let mut cores = [0; 3];
    for seed in 0..12 {
        let (width, height) = (10 + rng.below(130), 10 + rng.below(130));
        for (name, grid) in every_kind(seed, width, height) {
            let layer = layer(&grid);
            for size in SIZES {
                let field = layer.field(Agent { locomotor: LocomotorId(0), size }).expect("a size in use");
                if jps_suits(field, rule).is_err() {
                    continue;
                }
                for (core, work) in cores.iter_mut().zip([0, 30, u32::MAX]) {
                    let hierarchy = Hierarchy::with_work(field, work);
                    *core += hierarchy.core();
                    compare(name, &grid, rule, size, &mut rng, |query, route| {
                        scratch.poison();
                        hierarchical(&layer, query, &hierarchy, &mut scratch, route)
                    });
                }
            }
        }
    }
    assert!(cores[0] > cores[1] && cores[1] > 0 && cores[2] == 0, "all in the core, some, none: {cores:?}");
}

#[test]
fn hierarchies_pay_in_mazes_and_not_on_open_ground() {
    let pays = |grid: Grid| {
        let layer = layer(&grid);
        Hierarchy::new(layer.field(LocomotorId(0).into()).expect("it exists")).is_some()
    };
    assert!(pays(Grid::maze(1, 101, 101)));
    assert!(pays(Grid::scatter(1, 100, 100, 400)));
    assert!(!pays(Grid::scatter(1, 100, 100, 30)));
}

#[test]
fn jump_planes_updated_step_by_step_equal_rebuilt_ones() {
    let mut rng = SplitMix::new(3);
    let foot = LocomotorId(0);
    // The second map is more than twice as high as wide: its diagonals wrap around it more than once.
    let sizes = [(90, 70), (30, 67)];
    for ((width, height), (name, grid)) in
        sizes.into_iter().flat_map(|(w, h)| every_kind(5, w, h).into_iter().map(move |kind| ((w, h), kind)))
    {
        let mut layer = layer(&grid);
        let field = layer.field(foot.into()).expect("it exists");
        let (mut straight, mut full) = (JumpPlanes::straight(field), JumpPlanes::full(field));
        let mut standing = Vec::new();
        for step in 0..60 {
            let stamp = Stamp::solid(1 + rng.below(3), 1 + rng.below(3));
            let at = cell(rng.below(width - 3) as i32, rng.below(height - 3) as i32);
            let changed = if rng.chance(400) && !standing.is_empty() {
                let (id, rect) = standing.swap_remove(rng.below(standing.len() as u32) as usize);
                layer.remove(id).expect("it stands");
                rect
            } else {
                let rect = CellRect::at(at, stamp.width, stamp.height);
                standing.push((layer.place(&stamp, at, Tick::ZERO).expect("it fits"), rect));
                rect
            };
            let field = layer.field(foot.into()).expect("it exists");
            straight.update(field, changed);
            full.update(field, changed);
            assert!(straight == JumpPlanes::straight(field), "{name}, step {step}");
            assert!(full == JumpPlanes::full(field), "{name}, step {step}");
        }
    }
}

#[test]
fn jump_point_search_refuses_what_it_cannot_answer() {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let mut grid = Grid::filled(9, 9, 3);
    let query = PathQuery::new(cell(0, 0), cell(8, 8), LocomotorId(0));
    let mut ask = |layer: &CostLayer, query: &PathQuery| {
        let planes = JumpPlanes::full(layer.field(query.agent).expect("it exists"));
        jps(layer, query, &planes, &mut scratch, &mut route)
    };
    assert_eq!(ask(&layer(&grid), &query), Ok(()));
    let mut threatened = layer(&grid);
    let source = ThreatSource { at: cell(4, 4), radius: 2, strength: 9, falloff: Falloff::Flat };
    threatened.add_threat(source).expect("on the map");
    assert_eq!(ask(&threatened, &query), Ok(()));
    let heeding = query.with_threat(Threat::Heed);
    assert!(matches!(ask(&threatened, &heeding), Err(PlanError::Unsuited(_))));
    grid.set((5, 5), 4);
    assert!(matches!(ask(&layer(&grid), &query), Err(PlanError::Unsuited(_))));
}

/// The entry of the jump table, computed cell by cell from its definition.
fn naive_entry(grid: &Grid, at: (i32, i32), dir: Dir8) -> i16 {
    let open = |x: i32, y: i32| grid.get((x, y)).is_some_and(|cost| cost != 255);
    let (dx, dy) = (dir.dx(), dir.dy());
    let (mut x, mut y) = at;
    for steps in 0.. {
        if dir.is_diagonal() {
            let legal = open(x + dx, y) && open(x, y + dy) && open(x + dx, y + dy);
            if !legal {
                return -steps;
            }
        } else if !open(x + dx, y + dy) {
            return -steps;
        }
        (x, y) = (x + dx, y + dy);
        let found = if dir.is_diagonal() {
            let sideways = Dir8::from_delta(dx, 0).expect("a direction");
            let up_down = Dir8::from_delta(0, dy).expect("a direction");
            naive_entry(grid, (x, y), sideways) > 0 || naive_entry(grid, (x, y), up_down) > 0
        } else {
            // A jump point: the cell beside is open, and the cell behind that is closed.
            [dir.turn(2), dir.turn(-2)].into_iter().any(|side| {
                open(x + side.dx(), y + side.dy()) && !open(x + side.dx() - dx, y + side.dy() - dy)
            })
        };
        if found {
            return steps + 1;
        }
    }
    unreachable!("every map has an edge")
}

#[test]
fn jump_entries_match_their_definition() {
    for (width, height) in [(37, 29), (23, 70), (64, 64)] {
        for (name, grid) in every_kind(8, width, height) {
            let layer = layer(&grid);
            let field = layer.field(LocomotorId(0).into()).expect("it exists");
            let (planes, straight) = (JumpPlanes::full(field), JumpPlanes::straight(field));
            for at in grid.cells() {
                for dir in Dir8::ALL {
                    let expected = (grid.get(at) != Some(255)).then(|| naive_entry(&grid, at, dir));
                    let place = cell(at.0, at.1);
                    assert_eq!(planes.jump_entry(field, place, dir), expected, "{name} {at:?} {dir:?}");
                    let without = expected.filter(|_| !dir.is_diagonal());
                    assert_eq!(straight.jump_entry(field, place, dir), without, "{name} {at:?} {dir:?}");
                }
            }
            assert_eq!(planes.jump_entry(field, cell(-1, 0), Dir8::E), None);
        }
    }
}

#[test]
fn jump_point_routes_had_every_waypoint_of_a_straight_leg_twice() {
    let layer = layer(&Grid::filled(30, 9, 1));
    let planes = JumpPlanes::full(layer.field(LocomotorId(0).into()).expect("it exists"));
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    for (to, waypoints) in [(cell(29, 4), vec![cell(0, 4), cell(29, 4)]), (cell(0, 4), vec![cell(0, 4)])] {
        let query = PathQuery::new(cell(0, 4), to, LocomotorId(0));
        jps(&layer, &query, &planes, &mut scratch, &mut route).expect("a route");
        assert_eq!(route.waypoints, waypoints);
    }
}
