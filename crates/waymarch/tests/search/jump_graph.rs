//! The jump point graph: its lists hold the right successors, and an updated graph equals a rebuilt one.

use waymarch::base::{CellPos, CellRect, Dir8, LocomotorId, Tick, cell};
use waymarch::cost::{CostField, CostLayer, Falloff, Stamp, ThreatSource};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{JumpGraph, Route, SearchScratch, Successor, jps_graph};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::picture::Picture;
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::layer;

const FOOT: LocomotorId = LocomotorId(0);

fn field(layer: &CostLayer) -> &CostField {
    layer.field(FOOT.into()).expect("it exists")
}

/// The successors of a node, computed cell by cell from the definition.
fn naive_successors(grid: &Grid, at: (i32, i32), by: Dir8) -> Option<Vec<Successor>> {
    let open = |(x, y): (i32, i32)| grid.get((x, y)).is_some_and(|cost| cost != 255);
    let step = |(x, y): (i32, i32), dir: Dir8| (x + dir.dx(), y + dir.dy());
    let opens =
        |at, dir: Dir8, side: Dir8| open(step(at, side)) && !open(step(step(at, side), dir.opposite()));
    let sides = |dir: Dir8| [dir.turn(2), dir.turn(-2)];
    let jump_point = |at, dir| sides(dir).into_iter().any(|side| opens(at, dir, side));
    let legal = |at, dir: Dir8| {
        open(step(at, dir))
            && (!dir.is_diagonal() || (open(step(at, dir.turn(1))) && open(step(at, dir.turn(-1)))))
    };
    let node = open(at) && open(step(at, by.opposite())) && jump_point(at, by);
    if !node {
        return None;
    }
    let straight = |from, dir: Dir8, so_far: u32, out: &mut Vec<Successor>| {
        let (mut at, mut length) = (from, so_far);
        while open(step(at, dir)) {
            (at, length) = (step(at, dir), length + 1024);
            if jump_point(at, dir) {
                out.push(Successor { to: cell(at.0, at.1), by: dir, length });
                return;
            }
        }
    };
    let mut dirs = vec![by];
    for side in [1, -1] {
        if opens(at, by, by.turn(2 * side)) {
            dirs.extend([by.turn(side), by.turn(2 * side)]);
        }
    }
    dirs.retain(|&dir| legal(at, dir));
    dirs.sort_by_key(|dir| (dir.is_diagonal(), dir.index()));
    let mut out = Vec::new();
    for dir in dirs {
        if !dir.is_diagonal() {
            straight(at, dir, 0, &mut out);
            continue;
        }
        let (mut on, mut length) = (at, 0);
        while legal(on, dir) {
            (on, length) = (step(on, dir), length + 1448);
            straight(on, Dir8::from_delta(dir.dx(), 0).expect("a direction"), length, &mut out);
            straight(on, Dir8::from_delta(0, dir.dy()).expect("a direction"), length, &mut out);
        }
    }
    Some(out)
}

#[test]
fn lists_hold_exactly_the_jump_points_one_jump_away() {
    for (width, height) in [(37, 29), (23, 70), (64, 64), (1, 9)] {
        for (name, grid) in every_kind(8, width, height) {
            let layer = layer(&grid);
            let graph = JumpGraph::new(field(&layer));
            let (mut nodes, mut edges) = (0, 0);
            for at in grid.cells() {
                for by in Dir8::ALL {
                    let expected = if by.is_diagonal() { None } else { naive_successors(&grid, at, by) };
                    let list = graph.successors(cell(at.0, at.1), by);
                    assert_eq!(list, expected, "{name} {at:?} {by:?}");
                    nodes += usize::from(list.is_some());
                    edges += list.map_or(0, |list| list.len());
                }
            }
            assert_eq!((graph.nodes(), graph.edges()), (nodes, edges), "{name}");
            assert_eq!(graph.successors(cell(-1, 0), Dir8::E), None);
        }
    }
}

/// Places or removes a random stamp and returns the area that changed.
fn random_edit(
    layer: &mut CostLayer,
    standing: &mut Vec<(waymarch::cost::StampId, CellRect)>,
    rng: &mut SplitMix,
) -> CellRect {
    let (width, height) = (layer.grid().width(), layer.grid().height());
    if rng.chance(450) && !standing.is_empty() {
        let (id, rect) = standing.swap_remove(rng.below(standing.len() as u32) as usize);
        layer.remove(id).expect("it stands");
        return rect;
    }
    let stamp = Stamp::solid(1 + rng.below(4.min(width)), 1 + rng.below(4.min(height)));
    let at = cell(rng.below(width - stamp.width + 1) as i32, rng.below(height - stamp.height + 1) as i32);
    let rect = CellRect::at(at, stamp.width, stamp.height);
    standing.push((layer.place(&stamp, at, Tick::ZERO).expect("it fits"), rect));
    rect
}

#[test]
fn an_updated_graph_equals_a_rebuilt_one_and_gives_the_same_routes() {
    let mut rng = SplitMix::new(3);
    let mut scratch = SearchScratch::new();
    let (mut route, mut again) = (Route::new(), Route::new());
    for (width, height) in [(60, 50), (33, 90), (128, 20)] {
        for (name, grid) in every_kind(5, width, height) {
            let mut layer = layer(&grid);
            let mut graph = JumpGraph::new(field(&layer));
            let mut standing = Vec::new();
            for step in 0..50 {
                let changed = random_edit(&mut layer, &mut standing, &mut rng);
                graph.update(field(&layer), changed);
                let rebuilt = JumpGraph::new(field(&layer));
                assert!(graph == rebuilt, "{name} {width}×{height}, step {step}, {changed:?}");
                let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else {
                    continue;
                };
                let query = PathQuery::new(from, to, FOOT);
                scratch.poison();
                let found = jps_graph(&layer, &query, &graph, &mut scratch, &mut route);
                assert_eq!(jps_graph(&layer, &query, &rebuilt, &mut scratch, &mut again), found);
                assert_eq!(route, again, "{name}, step {step}: {from} to {to}");
            }
        }
    }
}

#[test]
fn a_graph_of_edits_back_and_forth_does_not_grow() {
    let mut layer = layer(&Grid::scatter(4, 100, 100, 150));
    let mut graph = JumpGraph::new(field(&layer));
    let mut cycle = |graph: &mut JumpGraph| {
        for step in 0..30 {
            let (stamp, at) = (Stamp::solid(3, 3), cell(3 * step, (17 * step) % 97));
            let id = layer.place(&stamp, at, Tick::ZERO).expect("it fits");
            graph.update(field(&layer), CellRect::at(at, 3, 3));
            layer.remove(id).expect("it stands");
            graph.update(field(&layer), CellRect::at(at, 3, 3));
        }
    };
    for _ in 0..3 {
        cycle(&mut graph);
    }
    let size = graph.memory_bytes();
    for _ in 0..10 {
        cycle(&mut graph);
    }
    assert_eq!(graph.memory_bytes(), size);
}

#[test]
fn waypoints_are_start_turns_and_goal_and_nothing_twice() {
    let picture = Picture::new(
        "A......
         .####..
         .#..#..
         .#.B#..
         ....#..",
    );
    let grid = Grid { width: 7, height: 5, cost: picture.costs(0) };
    let layer = layer(&grid);
    let graph = JumpGraph::new(field(&layer));
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let query = PathQuery::new(cell(0, 0), cell(3, 3), FOOT);
    jps_graph(&layer, &query, &graph, &mut scratch, &mut route).expect("there is a route");
    let turns: Vec<CellPos> = route.waypoints.clone();
    assert_eq!(turns, [cell(0, 0), cell(0, 4), cell(2, 4), cell(3, 3)]);
    assert_eq!(route.cost.0, 6 * 1024 + 1448);
}

#[test]
fn every_pair_of_cells_of_a_small_map_is_answered_correctly() {
    let picture = Picture::new(
        "......#.
         .##...#.
         .#..#...
         ...##.#.
         #.......
         ..#.##..",
    );
    let grid = Grid { width: 8, height: 6, cost: picture.costs(0) };
    let layer = layer(&grid);
    let graph = JumpGraph::new(field(&layer));
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    for from in grid.cells().filter(|&at| grid.get(at) != Some(255)) {
        let from = cell(from.0, from.1);
        let truth = waymarch_testkit::dijkstra::distances(
            &grid.cost,
            8,
            6,
            waymarch::cost::StepRule::default(),
            from,
        );
        for to in grid.cells().filter(|&at| grid.get(at) != Some(255)) {
            let query = PathQuery::new(from, cell(to.0, to.1), FOOT);
            scratch.poison();
            jps_graph(&layer, &query, &graph, &mut scratch, &mut route).expect("all cells are connected");
            assert_eq!(route.cost.0, truth[grid.index(to)], "{from} to {to:?}");
            assert!(route.waypoints.windows(2).all(|pair| pair[0] != pair[1]), "{:?}", route.waypoints);
        }
    }
}

#[test]
fn the_graph_refuses_what_it_cannot_answer() {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let mut grid = Grid::filled(9, 9, 3);
    let query = PathQuery::new(cell(0, 0), cell(8, 8), FOOT);
    let mut ask = |layer: &CostLayer, query: &PathQuery, graph: &JumpGraph| {
        jps_graph(layer, query, graph, &mut scratch, &mut route)
    };
    let mut plain = layer(&grid);
    let graph = JumpGraph::new(field(&plain));
    assert_eq!(ask(&plain, &query, &graph), Ok(()));
    let source = ThreatSource { at: cell(4, 4), radius: 2, strength: 9, falloff: Falloff::Flat };
    plain.add_threat(source).expect("on the map");
    assert_eq!(ask(&plain, &query, &graph), Ok(()));
    let heeding = query.with_threat(Threat::Heed);
    assert!(matches!(ask(&plain, &heeding, &graph), Err(PlanError::Unsuited(_))));
    let other = layer(&Grid::filled(9, 8, 3));
    let small = JumpGraph::new(field(&other));
    assert!(matches!(ask(&plain, &query, &small), Err(PlanError::Unsuited(_))));
    grid.set((5, 5), 4);
    let mixed = layer(&grid);
    assert!(matches!(ask(&mixed, &query, &graph), Err(PlanError::Unsuited(_))));
}
