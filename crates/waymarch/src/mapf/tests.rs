//! Units in mazes reach their targets.

use alloc::vec::Vec;

use super::{Around, Kept, LocalCell, Mover, StepPlanner, Swaps, Window};
use crate::base::{Agent, CellRect, GridSize, LocomotorId, Purpose, Rng, SizeClass, Tick, cell};
use crate::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};

/// Priorities and the swap rule change every 64 steps.
const EPOCH: u32 = 64;

/// A kind of maze.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// With loops, without dead ends.
    Braided,
    /// A tree.
    Perfect,
}

/// Corridors one cell wide, as open cells of a square.
fn maze(side: i32, seed: u64, kind: Kind) -> Vec<bool> {
    let mut rng = Rng::keyed(seed, Tick::ZERO, 0, Purpose(9));
    let mut open = alloc::vec![false; (side * side) as usize];
    let at = |x: i32, y: i32| (y * side + x) as usize;
    let mut stack = alloc::vec![(1, 1)];
    open[at(1, 1)] = true;
    let around = [(0, -2), (2, 0), (0, 2), (-2, 0)];
    while let Some(&(x, y)) = stack.last() {
        let closed: Vec<_> = around
            .iter()
            .filter(|(dx, dy)| {
                let (x, y) = (x + dx, y + dy);
                x > 0 && y > 0 && x < side - 1 && y < side - 1 && !open[at(x, y)]
            })
            .collect();
        if closed.is_empty() {
            stack.pop();
            continue;
        }
        let &(dx, dy) = closed[rng.below(closed.len() as u32) as usize];
        open[at(x + dx / 2, y + dy / 2)] = true;
        open[at(x + dx, y + dy)] = true;
        stack.push((x + dx, y + dy));
    }
    if kind == Kind::Braided {
        for y in (1..side - 1).step_by(2) {
            for x in (1..side - 1).step_by(2) {
                let walls: Vec<_> = around
                    .iter()
                    .filter(|(dx, dy)| {
                        let (fx, fy) = (x + dx, y + dy);
                        fx > 0
                            && fy > 0
                            && fx < side - 1
                            && fy < side - 1
                            && !open[at(x + dx / 2, y + dy / 2)]
                    })
                    .collect();
                let exits = around.iter().filter(|(dx, dy)| open[at(x + dx / 2, y + dy / 2)]).count();
                if exits == 1 && !walls.is_empty() {
                    let &(dx, dy) = walls[rng.below(walls.len() as u32) as usize];
                    open[at(x + dx / 2, y + dy / 2)] = true;
                }
            }
        }
    }
    open
}

/// Plays units with targets of their own in a maze. Returns how many arrive within `limit` steps.
fn play(side: i32, seed: u64, kind: Kind, units: usize, limit: u32) -> usize {
    let open = maze(side, seed, kind);
    let map = Map::flat("maze", GridSize::new(side as u32, side as u32).unwrap(), Rules::standard());
    let mut layer = CostLayer::new(&map.validate().unwrap(), CostSettings::default());
    for y in 0..side {
        for x in 0..side {
            if !open[(y * side + x) as usize] {
                layer.place(&Stamp::solid(1, 1), cell(x, y), Tick::ZERO).unwrap();
            }
        }
    }
    let field = layer.field(Agent::from(LocomotorId(0))).unwrap();
    let window = Window::new(CellRect::at(cell(0, 0), side as u32, side as u32)).unwrap();
    let mut free: Vec<u16> = (0..open.len() as u16).filter(|&place| open[usize::from(place)]).collect();
    let mut rng = Rng::keyed(seed, Tick::ZERO, 1, Purpose(9));
    let mut draw = |free: &mut Vec<u16>| {
        let place = rng.below(free.len() as u32) as usize;
        LocalCell(free.swap_remove(place))
    };
    let mut at: Vec<LocalCell> = (0..units).map(|_| draw(&mut free)).collect();
    let mut free: Vec<u16> = (0..open.len() as u16).filter(|&place| open[usize::from(place)]).collect();
    let mut target: Vec<Option<LocalCell>> = (0..units).map(|_| Some(draw(&mut free))).collect();
    let mut planner = StepPlanner::default();
    for step in 0..limit {
        for unit in 0..units {
            if target[unit] == Some(at[unit]) {
                target[unit] = None;
            }
        }
        let epoch = u64::from(step / EPOCH);
        let luck = |unit: usize| Rng::keyed(epoch, Tick::ZERO, unit as u64, Purpose(3)).next_u32();
        let mut order: Vec<usize> = (0..units).collect();
        order.sort_by_key(|&unit| (target[unit].is_none(), luck(unit), unit));
        planner.begin(window);
        let graph = planner.add_graph(field, StepRule::default());
        for &unit in &order {
            let number = target[unit].map(|target| planner.add_target(graph, target, Around::Nobody));
            let mover = Mover {
                at: at[unit],
                size: SizeClass::ONE,
                graph,
                target: number,
                fixed: false,
                leans: None,
                team: 0,
                name: unit as u32,
            };
            planner.add_mover(mover);
        }
        let next: Vec<_> = planner
            .plan(u64::from(step), if epoch % 2 == 0 { Swaps::Allowed } else { Swaps::Never })
            .collect();
        for (&unit, &to) in order.iter().zip(&next) {
            let (a, b) = (window.pos(at[unit]), window.pos(to));
            assert!(a.x.abs_diff(b.x) + a.y.abs_diff(b.y) <= 1);
        }
        for (first, &a) in order.iter().enumerate() {
            for (second, &b) in order.iter().enumerate().skip(first + 1) {
                assert_ne!(next[first], next[second], "two units on one cell");
                assert!(next[first] != at[b] || next[second] != at[a], "two units exchange cells");
            }
        }
        order.iter().zip(next).for_each(|(&unit, to)| at[unit] = to);
    }
    target.iter().filter(|target| target.is_none()).count()
}

#[test]
fn all_units_arrive_in_braided_mazes() {
    for seed in 0..10 {
        assert_eq!(play(31, seed, Kind::Braided, 30, 2000), 30, "maze {seed}");
    }
}

#[test]
fn nearly_all_units_arrive_in_perfect_mazes() {
    let arrived: usize = (0..10).map(|seed| play(31, seed, Kind::Perfect, 30, 4000)).sum();
    assert!(arrived >= 297, "{arrived} of 300");
}

/// The distances from the west side to the east side of an open field of 9 × 7 cells, across a column of units in the rows 0 to 5.
fn around_a_column(kept: Kept, team: u8) -> Option<u16> {
    let map = Map::flat("field", GridSize::new(9, 7).unwrap(), Rules::standard());
    let layer = CostLayer::new(&map.validate().unwrap(), CostSettings::default());
    let field = layer.field(Agent::from(LocomotorId(0))).unwrap();
    let window = Window::new(CellRect { x0: 0, y0: 0, x1: 9, y1: 7 }).unwrap();
    let mut planner = StepPlanner::default();
    planner.begin(window);
    let graph = planner.add_graph(field, StepRule::default());
    for y in 0..6 {
        planner.keep(window.local(cell(4, y)).unwrap(), SizeClass::ONE, kept);
    }
    let target = window.local(cell(8, 0)).unwrap();
    let number = planner.add_target(graph, target, Around::Keepers(team, SizeClass::ONE));
    planner.distance(number, window.local(cell(0, 0)).unwrap())
}

#[test]
fn routes_to_targets_lead_around_units_that_do_not_make_way() {
    assert_eq!(around_a_column(Kept::Team(1), 1), Some(8), "units of the own team make way");
    assert_eq!(around_a_column(Kept::Team(1), 2), Some(20));
    assert_eq!(around_a_column(Kept::Always, 1), Some(20));
}

/// Within 8 cells of a target, and where no route leaves that square, distances near it are those of the whole window.
#[test]
fn distances_near_a_target_are_exact_where_routes_stay_near() {
    let map = Map::flat("field", GridSize::new(40, 30).unwrap(), Rules::standard());
    let mut layer = CostLayer::new(&map.validate().unwrap(), CostSettings::default());
    for y in 10..14 {
        layer.place(&Stamp::solid(1, 1), cell(18, y), Tick::ZERO).unwrap();
    }
    let field = layer.field(Agent::from(LocomotorId(0))).unwrap();
    let window = Window::new(CellRect { x0: 0, y0: 0, x1: 40, y1: 30 }).unwrap();
    let mut planner = StepPlanner::default();
    planner.begin(window);
    let graph = planner.add_graph(field, StepRule::default());
    let target = window.local(cell(20, 12)).unwrap();
    let far = planner.add_target(graph, target, Around::Nobody);
    let near = planner.add_near_target(graph, target, Around::Nobody);
    for at in window.area().cells() {
        let (dx, dy) = (at.x.abs_diff(20), at.y.abs_diff(12));
        let at = window.local(at).unwrap();
        let expected = if dx <= 8 && dy <= 8 { planner.distance(far, at) } else { None };
        assert_eq!(planner.distance(near, at), expected, "{:?}", window.pos(at));
        assert_eq!(planner.is_near(at, target), dx <= 8 && dy <= 8);
    }
}
