//! Routes over doors equal a search over all cells that changes sectors only at doors. Hierarchical routes are legal and near the best.

use std::collections::BTreeSet;

use waymarch::base::{Agent, CellPos, CellRect, GridSize, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, Falloff, FootCell, Map, Rules, Stamp, StampId, StepRule, TerrainId,
    ThreatSource,
};
use waymarch::planners::{ExactSearch, FarScratch, FarSearch, hpa};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{NoProbe, Route, SearchRun, SearchScratch, WeightedPlanes, WeightedSearch};
use waymarch::sectors::{DoorGoal, DoorRoute, DoorScratch, Doors, Rims, Sectors};
use waymarch_testkit::dijkstra::{UNREACHED, distances, distances_by};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::route::check_route;
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::costs_of;
use crate::ground::layer;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

const FOOT: LocomotorId = LocomotorId(0);

/// A block of sectors is 256 cells wide.
const BLOCK: i32 = 256;
/// Blocks are used on maps with at least 5 of them in a row.
const BLOCKS: i32 = 5;

/// The cheapest costs from `from` for a route to `to` that changes sectors at doors only. On huge maps it uses only main doors, except in
/// the blocks of its start and its end.
fn through_doors(layer: &CostLayer, doors: &Doors, costs: &Grid, from: CellPos, to: CellPos) -> Vec<u64> {
    let set = |pairs: &mut dyn Iterator<Item = (CellPos, CellPos)>| -> BTreeSet<_> {
        pairs.flat_map(|(a, b)| [(a.x, a.y, b.x, b.y), (b.x, b.y, a.x, a.y)]).collect()
    };
    let (open, main) = (set(&mut doors.pairs()), set(&mut doors.main_pairs()));
    let (sectors, size) = (layer.changes().sectors(), layer.grid());
    let huge = size.width().max(size.height()) as i32 > BLOCK * (BLOCKS - 1);
    let block = |at: CellPos| (at.x / BLOCK, at.y / BLOCK);
    let fine = |at: CellPos| block(at) == block(from) || block(at) == block(to);
    let may = |a: CellPos, b: CellPos| {
        let step = (a.x, a.y, b.x, b.y);
        let any_door = !huge || (fine(a) && fine(b));
        sectors.of(a) == sectors.of(b) || if any_door { open.contains(&step) } else { main.contains(&step) }
    };
    distances_by(&costs.cost, (costs.width, costs.height), doors.rule(), from, may)
}

/// Asks `doors` for random routes and compares them with the twin and with reachability.
fn check(layer: &CostLayer, doors: &Doors, rng: &mut SplitMix, what: &str) {
    let (rule, costs) = (doors.rule(), costs_of(layer, doors.agent(), doors.threat()));
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    for _ in 0..2 {
        let Some(from) = costs.random_open(rng) else { return };
        let best = distances(&costs.cost, costs.width, costs.height, rule, from);
        for _ in 0..8 {
            let Some(to) = costs.random_open(rng) else { return };
            let at = costs.index((to.x, to.y));
            let found = doors.route(layer, from, to, &mut scratch, &mut route);
            assert_eq!(
                found,
                best[at] != UNREACHED,
                "{what} {rule:?}: from {from} to {to}, reachable or not"
            );
            if !found {
                continue;
            }
            let truth = through_doors(layer, doors, &costs, from, to);
            assert_eq!(route.cost, truth[at], "{what} {rule:?}: from {from} to {to}");
            assert_eq!((route.cells.first(), route.cells.last()), (Some(&from), Some(&to)), "{what}");
            // Start and goal, and the two cells of each door, which are one step apart.
            assert_eq!(route.cells.len() % 2, 0, "{what}");
            for door in route.cells[1..route.cells.len() - 1].chunks(2) {
                let apart = door[0].x.abs_diff(door[1].x).max(door[0].y.abs_diff(door[1].y));
                assert_eq!(apart, 1, "{what}: {} to {}", door[0], door[1]);
            }
        }
    }
}

#[test]
fn routes_over_doors_are_the_cheapest_of_their_kind_and_exist_when_any_route_does() {
    let mut rng = SplitMix::new(11);
    for seed in 0..4 {
        let (width, height) = (20 + rng.below(90), 20 + rng.below(90));
        for (name, grid) in every_kind(seed, width, height) {
            let layer = layer(&grid, 8 << rng.below(3));
            for rule in RULES {
                let doors = Doors::new(&layer, FOOT.into(), rule, Threat::Ignore).expect("foot exists");
                check(&layer, &doors, &mut rng, name);
            }
            let big = Agent { locomotor: FOOT, size: SizeClass::TWO };
            let doors = Doors::new(&layer, big, RULES[0], Threat::Ignore).expect("size two exists");
            check(&layer, &doors, &mut rng, name);
        }
    }
}

#[test]
fn costs_found_door_by_door_are_those_found_for_whole_sectors() {
    let mut rng = SplitMix::new(23);
    let (mut scratch, mut cold_way, mut ready_way) =
        (DoorScratch::default(), DoorRoute::default(), DoorRoute::default());
    let mut found = 0;
    for (name, grid) in every_kind(6, 100, 70) {
        let layer = layer(&grid, 16);
        for rule in RULES {
            let doors = || Doors::new(&layer, FOOT.into(), rule, Threat::Ignore).expect("foot exists");
            let (cold, ready) = (doors(), doors());
            ready.prepare_all(&layer, &mut scratch);
            for _ in 0..6 {
                let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else {
                    break;
                };
                let is_way = cold.route(&layer, from, to, &mut scratch, &mut cold_way);
                assert_eq!(is_way, ready.route(&layer, from, to, &mut scratch, &mut ready_way));
                assert_eq!(cold_way, ready_way, "{name}, {rule:?}: {from} to {to}");
                found += u32::from(is_way);
            }
            // `cold` knows only the costs that its routes needed; `same_as` finds the others first.
            assert!(cold.same_as(&ready, &layer, &mut scratch), "{name}, {rule:?}");
        }
    }
    assert!(found > 100, "{found} routes are too few for a test");
}

#[test]
fn blocks_of_sectors_change_nothing() {
    let mut rng = SplitMix::new(3);
    // Long enough for blocks. Doors between blocks are few and far apart, and some can be passed only by a diagonal step.
    for (name, grid) in every_kind(9, 1400, 40) {
        let layer = layer(&grid, 32);
        for rule in [RULES[0], RULES[2]] {
            let doors = Doors::new(&layer, FOOT.into(), rule, Threat::Ignore).expect("foot exists");
            check(&layer, &doors, &mut rng, name);
        }
    }
}

/// Makes a random edit and keeps the list of standing stamps up to date.
fn edit(layer: &mut CostLayer, standing: &mut Vec<StampId>, rng: &mut SplitMix) {
    let (width, height) = (layer.grid().width(), layer.grid().height());
    let mut at = cell(rng.below(width) as i32, rng.below(height) as i32);
    if width > 256 && rng.chance(500) {
        // Where blocks meet.
        at.x = (256 * (1 + rng.below((width - 1) / 256)) + rng.below(6)) as i32 - 3;
    }
    match rng.below(4) {
        0 | 1 => {
            let side = 1 + rng.below(4);
            standing.extend(layer.place(&Stamp::solid(side, side), at, Tick::ZERO).ok());
        }
        2 if !standing.is_empty() => {
            let taken = standing.swap_remove(rng.below(standing.len() as u32) as usize);
            layer.remove(taken).expect("it stands");
        }
        _ => {
            let terrains = layer.rules().rules().terrains.len() as u32;
            let area = CellRect::at(at, 1 + rng.below(9), 1 + rng.below(9)).intersect(layer.grid().rect());
            layer.set_terrain(area, TerrainId(rng.below(terrains) as u8)).expect("on the map");
        }
    }
}

#[test]
fn doors_that_followed_edits_equal_rebuilt_ones() {
    let mut rng = SplitMix::new(5);
    let mut scratch = DoorScratch::default();
    for (name, grid) in every_kind(4, 100, 70).into_iter().chain(every_kind(4, 1330, 24)) {
        let mut layer = layer(&grid, 16);
        let rule = rng.pick(&RULES);
        let mut doors = Doors::new(&layer, FOOT.into(), rule, Threat::Ignore).expect("foot exists");
        let mut standing = Vec::new();
        for round in 0..12 {
            if round % 2 == 0 {
                // All costs are known before the edit.
                doors.prepare_all(&layer, &mut scratch);
            }
            for _ in 0..=rng.below(3) {
                edit(&mut layer, &mut standing, &mut rng);
            }
            let stale = !doors.is_current(&layer);
            doors.follow(&layer);
            assert!(doors.is_current(&layer), "{name}");
            let rebuilt = Doors::new(&layer, FOOT.into(), rule, Threat::Ignore).expect("foot exists");
            if round % 3 == 2 {
                assert!(doors.same_as(&rebuilt, &layer, &mut scratch), "{name} {rule:?}, round {round}");
            } else if stale {
                check(&layer, &doors, &mut rng, name);
            }
        }
    }
}

#[test]
fn doors_can_count_threat_and_follow_it() {
    let mut rng = SplitMix::new(8);
    let mut layer = layer(&Grid::patches(2, 90, 90, &[3, 2, 5]), 16);
    let source = |at, strength| ThreatSource { at, radius: 14, strength, falloff: Falloff::Linear };
    let threat = layer.add_threat(source(cell(45, 45), 60)).expect("on the map");
    layer.advance(Tick(1000));
    let mut doors = Doors::new(&layer, FOOT.into(), RULES[0], Threat::Heed).expect("foot exists");
    check(&layer, &doors, &mut rng, "threat");
    for round in 1..6 {
        layer.set_threat(threat, source(cell(20 + 10 * round, 60), 90)).expect("on the map");
        layer.advance(Tick(1000 + 1000 * round as u64));
        doors.follow(&layer);
        check(&layer, &doors, &mut rng, "threat that moves");
    }
}

#[test]
fn hierarchical_routes_are_legal_and_near_the_best_on_every_kind_of_map_and_rule() {
    let mut rng = SplitMix::new(21);
    let (mut scratch, mut far, mut route) = (SearchScratch::new(), FarScratch::new(), Route::new());
    let (mut sum, mut best_sum) = (0, 0);
    for seed in 0..3 {
        for (name, grid) in every_kind(seed, 150, 120) {
            let layer = layer(&grid, 16);
            for rule in RULES {
                let doors = Doors::new(&layer, FOOT.into(), rule, Threat::Ignore).expect("foot exists");
                let planes =
                    WeightedPlanes::new(&layer, FOOT.into(), rule, Threat::Ignore).expect("foot exists");
                let sectors = Sectors::new(&layer, rule);
                for legs in [ExactSearch::Astar(rule), ExactSearch::Weighted(WeightedSearch::new(&planes))] {
                    let how = FarSearch { doors: &doors, legs, short: rng.below(30) };
                    let Some(from) = grid.random_open(&mut rng) else { continue };
                    let truth = distances(&grid.cost, grid.width, grid.height, rule, from);
                    for _ in 0..6 {
                        let Some(to) = grid.random_open(&mut rng) else { continue };
                        let query = PathQuery::new(from, to, FOOT);
                        let answer = hpa(
                            &layer,
                            &query,
                            &how,
                            &mut far,
                            SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut NoProbe },
                        );
                        let least = truth[grid.index((to.x, to.y))];
                        if !sectors.reachable(from, to, FOOT) {
                            assert_eq!(answer, Err(PlanError::Unreachable { from, to }), "{name} {rule:?}");
                            continue;
                        }
                        assert_eq!(answer, Ok(()), "{name} {rule:?} from {from} to {to}");
                        let cells: Vec<CellPos> = route.cells().collect();
                        let cost = check_route(&grid.cost, grid.width, grid.height, rule, &cells);
                        assert_eq!(cost, Ok(route.cost.0), "{name} {rule:?} from {from} to {to}");
                        assert_eq!((cells.first(), cells.last()), (Some(&from), Some(&to)));
                        assert!(route.cost.0 >= least, "{name} {rule:?}: cheaper than the cheapest");
                        assert!(
                            route.cost.0 * 4 <= least * 5,
                            "{name} {rule:?} from {from} to {to}: {} is more than a quarter above {least}",
                            route.cost
                        );
                        sum += route.cost.0;
                        best_sum += least;
                    }
                }
            }
        }
    }
    assert!(sum * 1000 <= best_sum * 1010, "{sum} is more than a hundredth above {best_sum}");
}

#[test]
fn legs_do_not_end_on_cells_where_stopping_is_forbidden() {
    // Every cell except both ends may be passed but not stopped on.
    let grid = Grid::filled(200, 40, 1);
    let map = grid.to_map("no stopping").validate().expect("legal");
    let mut layer = CostLayer::new(&map, CostSettings { sector_size: 16, ..CostSettings::default() });
    for x in 0..3 {
        let no_stop = Stamp::filled("pass only", 60, 40, FootCell::NoStop);
        layer.place(&no_stop, cell(10 + 60 * x, 0), Tick::ZERO).expect("it fits");
    }
    let doors = Doors::new(&layer, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
    let how = FarSearch { doors: &doors, legs: ExactSearch::Astar(RULES[0]), short: 10 };
    let (mut scratch, mut far, mut route) = (SearchScratch::new(), FarScratch::new(), Route::new());
    let query = PathQuery::new(cell(2, 20), cell(197, 20), FOOT);
    hpa(
        &layer,
        &query,
        &how,
        &mut far,
        SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut NoProbe },
    )
    .expect("a route exists");
    assert_eq!(route.cost.0, 195 * 1024);
    let into = PathQuery::new(cell(2, 20), cell(150, 20), FOOT);
    let refused = hpa(
        &layer,
        &into,
        &how,
        &mut far,
        SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut NoProbe },
    );
    assert_eq!(refused, Err(PlanError::GoalNoStop { at: cell(150, 20) }));
}

#[test]
fn hierarchical_search_refuses_what_it_is_not_made_for() {
    let mut layer = layer(&Grid::filled(100, 100, 1), 16);
    let doors = Doors::new(&layer, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
    let how = FarSearch { doors: &doors, legs: ExactSearch::Astar(RULES[0]), short: 10 };
    let (mut scratch, mut far, mut route) = (SearchScratch::new(), FarScratch::new(), Route::new());
    let mut ask = |layer: &CostLayer, query: &PathQuery| {
        hpa(
            layer,
            query,
            &how,
            &mut far,
            SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut NoProbe },
        )
    };
    let (a, b) = (cell(3, 3), cell(90, 90));
    assert!(ask(&layer, &PathQuery::new(a, b, FOOT)).is_ok());
    let big = Agent { locomotor: FOOT, size: SizeClass::TWO };
    assert!(matches!(ask(&layer, &PathQuery::new(a, b, big)), Err(PlanError::Unsuited(_))));
    for (from, to) in
        [(a, cell(100, 3)), (cell(-1, 5), b), (cell(i32::MIN, i32::MAX), cell(i32::MAX, i32::MIN))]
    {
        assert!(
            matches!(ask(&layer, &PathQuery::new(from, to, FOOT)), Err(PlanError::OffMap { .. })),
            "{from} {to}"
        );
    }
    layer.place(&Stamp::solid(3, 3), b, Tick::ZERO).expect("it fits");
    assert!(
        matches!(ask(&layer, &PathQuery::new(a, cell(80, 3), FOOT)), Err(PlanError::Unsuited(_))),
        "stale doors"
    );
    let unknown = Agent { locomotor: LocomotorId(9), size: SizeClass::ONE };
    assert!(Doors::new(&layer, unknown, RULES[0], Threat::Ignore).is_err());
}

#[test]
fn the_cost_over_doors_is_no_lower_bound() {
    // A wall in the middle of the border leaves two narrow openings. The door of each opening is at its cheapest cell, not on this route.
    let mut grid = Grid::filled(64, 32, 2);
    for y in 2..30 {
        grid.set((31, y), 255);
    }
    grid.set((31, 0), 1);
    let layer = layer(&grid, 32);
    let doors = Doors::new(&layer, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
    let (from, to) = (cell(28, 1), cell(40, 1));
    let mut route = DoorRoute::default();
    assert!(doors.route(&layer, from, to, &mut DoorScratch::default(), &mut route));
    let least = distances(&grid.cost, grid.width, grid.height, RULES[0], from)[grid.index((to.x, to.y))];
    assert!(route.cost > least, "{} is not above {least}", route.cost);
}

#[test]
fn issue_4_a_door_that_moved_along_the_border_of_a_block_has_other_costs() {
    // A wall on the border of two blocks has two gaps, and one of them leads into a pocket. Stamps beyond the border decide which gap has the door.
    let mut grid = Grid::filled(1300, 64, 1);
    for y in (0..64).filter(|y| ![4, 12].contains(y)) {
        grid.set((511, y), 255);
    }
    for y in 3..6 {
        grid.set((510, y), 255);
    }
    let mut layer = layer(&grid, 32);
    let lid = layer.place(&Stamp::solid(1, 1), cell(512, 12), Tick::ZERO).expect("it fits");
    let mut doors = Doors::new(&layer, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    let (from, to) = (cell(5, 30), cell(1290, 30));
    doors.prepare_all(&layer, &mut scratch);
    assert!(!doors.route(&layer, from, to, &mut scratch, &mut route), "only into the pocket");
    layer.remove(lid).expect("it stands");
    layer.place(&Stamp::solid(1, 1), cell(512, 4), Tick::ZERO).expect("it fits");
    doors.follow(&layer);
    assert!(doors.route(&layer, from, to, &mut scratch, &mut route), "through the other gap");
    let rebuilt = Doors::new(&layer, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
    assert!(doors.same_as(&rebuilt, &layer, &mut scratch));
}

#[test]
fn doors_follow_to_a_map_of_another_size() {
    let (small, big) = (layer(&Grid::filled(40, 40, 1), 16), layer(&Grid::filled(90, 70, 1), 32));
    let mut doors = Doors::new(&small, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    assert!(!doors.route(&big, cell(3, 3), cell(80, 60), &mut scratch, &mut route), "not for this map");
    doors.follow(&big);
    assert!(doors.route(&big, cell(3, 3), cell(80, 60), &mut scratch, &mut route));
    let mut sectors = Sectors::new(&small, RULES[0]);
    sectors.follow(&big);
    assert!(sectors.reachable(cell(3, 3), cell(80, 60), FOOT));
}

#[test]
fn routes_to_one_goal_cost_the_same_together_as_alone() {
    let mut rng = SplitMix::new(77);
    let (mut alone, mut helped, mut found) = (0_u64, 0_u64, 0);
    for (name, grid) in every_kind(31, 96, 80) {
        for rule in RULES {
            let mut layer = layer(&grid, 16);
            let mut doors = Doors::new(&layer, FOOT.into(), rule, Threat::Ignore).expect("known");
            let (mut scratch, mut one, mut other) =
                (DoorScratch::default(), DoorRoute::default(), DoorRoute::default());
            let mut goal = DoorGoal::new(cell(0, 0));
            let mut standing = Vec::new();
            for _ in 0..3 {
                let to = grid.random_open(&mut rng).expect("open");
                goal.begin(to);
                // The members of a group stand near each other.
                let camp = grid.random_open(&mut rng).expect("open");
                for start in 0..14 {
                    if start == 9 {
                        // Costs found before an edit are not used after it.
                        edit(&mut layer, &mut standing, &mut rng);
                        doors.follow(&layer);
                    }
                    let from = camp.offset(rng.below(17) as i32 - 8, rng.below(17) as i32 - 8);
                    if !layer.grid().contains(from) {
                        continue;
                    }
                    let is_found = doors.route(&layer, from, to, &mut scratch, &mut one);
                    let same = doors.route_towards(&layer, from, &mut goal, &mut scratch, &mut other);
                    assert_eq!((is_found, one.cost), (same, other.cost), "{name} {rule:?} {from:?} {to:?}");
                    if is_found {
                        let ends = (other.cells.first(), other.cells.last());
                        assert_eq!(ends, (Some(&from), Some(&to)));
                        let walked = cost_over_doors(&layer, rule, &other);
                        assert_eq!(walked, other.cost, "{name} {rule:?} {from:?} {to:?}");
                        found += 1;
                    }
                    (alone, helped) = (alone + u64::from(one.expanded), helped + u64::from(other.expanded));
                }
            }
        }
    }
    assert!(found > 500, "{found}");
    // The first member of each group, and the first after each edit, can reuse no costs.
    assert!(helped * 4 < alone * 3, "{helped} of {alone}");
}

/// The twin's cost of the cheapest route through exactly the doors of `route`.
fn cost_over_doors(layer: &CostLayer, rule: StepRule, route: &DoorRoute) -> u64 {
    let costs = costs_of(layer, FOOT.into(), Threat::Ignore);
    let sectors = layer.changes().sectors();
    let mut paid = 0;
    for pair in route.cells.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        // A door is one step long; elsewhere the route stays in its sector.
        let is_door = sectors.of(from) != sectors.of(to);
        let may = |a, b| if is_door { (a, b) == (from, to) } else { sectors.of(a) == sectors.of(b) };
        let inside = distances_by(&costs.cost, (costs.width, costs.height), rule, from, may);
        paid += inside[costs.index((to.x, to.y))];
    }
    paid
}

#[test]
fn doors_and_rims_of_other_sectors_are_not_current_on_a_map_of_the_same_size() {
    let size = GridSize::new(100, 60).expect("legal");
    let map = Map::flat("field", size, Rules::standard()).validate().expect("legal");
    let with = |sector_size| CostLayer::new(&map, CostSettings { sector_size, ..CostSettings::default() });
    let (coarse, fine) = (with(32), with(16));
    let mut doors = Doors::new(&coarse, FOOT.into(), StepRule::default(), Threat::Ignore).expect("known");
    let mut rims = Rims::new(&coarse, FOOT.into(), StepRule::default(), Threat::Ignore).expect("known");
    assert!(doors.is_current(&coarse) && rims.is_current(&coarse));
    assert!(!doors.is_current(&fine) && !rims.is_current(&fine), "the sectors differ");
    doors.follow(&fine);
    rims.follow(&fine);
    assert!(doors.is_current(&fine) && rims.is_current(&fine));
}
