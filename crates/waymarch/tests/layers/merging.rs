//! Merging routes: routes over doors that prefer the doors of live routes. They stay within their bound and are optimal by their edge weights.

use std::collections::BTreeMap;

use waymarch::base::{Agent, CellPos, HashState, LocomotorId, SizeClass, StateHasher, cell};
use waymarch::config::Config;
use waymarch::cost::{CornerRule, CostLayer, SectorId, StepRule};
use waymarch::query::{MergeBias, Threat};
use waymarch::sectors::{DoorQuery, DoorRoute, DoorScratch, Doors, LiveDoors, Merging, NotLive};
use waymarch_testkit::alloc::allocations_in;
use waymarch_testkit::dijkstra::{UNREACHED, distances_by};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::rule::{Rule, step_cost};
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::layer;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

const FOOT: Agent = Agent { locomotor: LocomotorId(0), size: SizeClass::ONE };
const IGNORE: Threat = Threat::Ignore;

fn doors(layer: &CostLayer, rule: StepRule) -> Doors {
    Doors::new(layer, FOOT, rule, IGNORE).expect("foot exists")
}

fn bias(percent: u32) -> MergeBias {
    MergeBias::new(percent).expect("within 0..=20")
}

/// The weight of an edge that ends with the step from `from` to `to`: its cost after the discount, rounded up to a multiple of 8.
fn counted(edge: u64, (from, to): (CellPos, CellPos), live: &LiveDoors, bias: MergeBias) -> u64 {
    // The lowest weight at which a route of equal weight stays within the percentage of the setting.
    let most = match bias.percent() {
        0 => 100,
        5 => 105,
        10 => 111,
        15 => 117,
        20 => 125,
        other => panic!("{other} is not tried here"),
    };
    let per_mille = if live.users(FOOT, IGNORE, from, to) > 0 { 100_000_u64.div_ceil(most) } else { 1000 };
    (edge / 8 * per_mille).div_ceil(1000) * 8
}

/// The twin of a map: the costs of routes within sectors, computed once for each start cell.
struct Twin<'a> {
    grid: &'a Grid,
    layer: &'a CostLayer,
    rule: StepRule,
    known: BTreeMap<(i32, i32), Vec<u64>>,
}

impl<'a> Twin<'a> {
    fn new(grid: &'a Grid, layer: &'a CostLayer, rule: StepRule) -> Self {
        Self { grid, layer, rule, known: BTreeMap::new() }
    }

    fn sector(&self, at: CellPos) -> SectorId {
        self.layer.changes().sectors().of(at)
    }

    /// The cost of the cheapest route between two cells that stays in their sector.
    fn inside(&mut self, from: CellPos, to: CellPos) -> Option<u64> {
        let (grid, sectors, rule) = (self.grid, self.layer.changes().sectors(), self.rule);
        let home = sectors.of(from);
        let costs = self.known.entry((from.x, from.y)).or_insert_with(|| {
            let may = |_, to: CellPos| sectors.of(to) == home;
            distances_by(&grid.cost, (grid.width, grid.height), rule, from, may)
        });
        Some(costs[grid.index((to.x, to.y))]).filter(|&cost| cost != UNREACHED)
    }

    fn step(&self, from: CellPos, to: CellPos) -> u64 {
        let size = (self.grid.width, self.grid.height);
        let rule = Rule::from(self.rule);
        step_cost(&self.grid.cost, size, rule, (from.x, from.y), (to.x, to.y)).expect("doors are legal steps")
    }

    /// The cost and the weight of a route through these cells.
    fn along(&mut self, cells: &[CellPos], live: &LiveDoors, bias: MergeBias) -> (u64, u64) {
        let (mut cost, mut counts, mut at) = (0, 0, cells[0]);
        for door in cells[1..cells.len() - 1].chunks(2) {
            let edge = self.inside(at, door[0]).expect("a route") + self.step(door[0], door[1]);
            cost += edge;
            counts += counted(edge, (door[0], door[1]), live, bias);
            at = door[1];
        }
        let rest = self.inside(at, cells[cells.len() - 1]).expect("a route");
        (cost + rest, counts + rest)
    }

    /// The lowest weight of a route between the two ends: relaxes all doors until nothing changes.
    fn least(&mut self, doors: &Doors, ends: (CellPos, CellPos), live: &LiveDoors, bias: MergeBias) -> u64 {
        let both: Vec<(CellPos, CellPos)> = doors.pairs().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        let mut reached: Vec<u64> = vec![u64::MAX; both.len()];
        loop {
            let mut changed = false;
            for (exit, &(a, b)) in both.iter().enumerate() {
                let entered = both.iter().zip(&reached).map(|(door, &so_far)| (door.1, so_far));
                let places: Vec<(CellPos, u64)> = entered.chain([(ends.0, 0)]).collect();
                for (at, so_far) in places {
                    if so_far == u64::MAX || self.sector(at) != self.sector(a) {
                        continue;
                    }
                    let Some(inside) = self.inside(at, a) else { continue };
                    let total = so_far + counted(inside + self.step(a, b), (a, b), live, bias);
                    if total < reached[exit] {
                        reached[exit] = total;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let mut best = u64::MAX;
        if self.sector(ends.0) == self.sector(ends.1) {
            best = self.inside(ends.0, ends.1).unwrap_or(u64::MAX);
        }
        for (&(_, at), &so_far) in both.iter().zip(&reached) {
            if so_far != u64::MAX && self.sector(at) == self.sector(ends.1) {
                if let Some(rest) = self.inside(at, ends.1) {
                    best = best.min(so_far + rest);
                }
            }
        }
        best
    }
}

/// Live routes between random cells.
fn some_live(layer: &CostLayer, doors: &Doors, grid: &Grid, count: u32, rng: &mut SplitMix) -> LiveDoors {
    let (mut live, mut scratch, mut route) = (LiveDoors::new(), DoorScratch::default(), DoorRoute::default());
    for _ in 0..count {
        let (Some(from), Some(to)) = (grid.random_open(rng), grid.random_open(rng)) else { break };
        if doors.route(layer, from, to, &mut scratch, &mut route) {
            live.add(FOOT, IGNORE, &route);
        }
    }
    live
}

#[test]
fn merged_routes_are_the_best_by_what_edges_count_for() {
    let mut rng = SplitMix::new(1);
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    let mut asked = 0;
    for seed in 0..2 {
        for (name, grid) in every_kind(seed, 26, 23) {
            let layer = layer(&grid, 8);
            let rule = rng.pick(&RULES);
            let doors = doors(&layer, rule);
            let mut twin = Twin::new(&grid, &layer, rule);
            for percent in [5, 10, 20] {
                let live = some_live(&layer, &doors, &grid, 4, &mut rng);
                let merging = Merging { live: &live, bias: bias(percent) };
                for _ in 0..4 {
                    let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng))
                    else {
                        continue;
                    };
                    let found = doors.route_merging(
                        &layer,
                        DoorQuery { from, to },
                        &merging,
                        &mut scratch,
                        &mut route,
                    );
                    let least = twin.least(&doors, (from, to), &live, merging.bias);
                    assert_eq!(found, least != u64::MAX, "{name} {rule:?} {from} to {to}");
                    if found {
                        asked += 1;
                        let (cost, counts) = twin.along(&route.cells, &live, merging.bias);
                        assert_eq!(route.cost, cost, "{name} {rule:?} {from} to {to} by {percent}");
                        assert_eq!(counts, least, "{name} {rule:?} {from} to {to} by {percent}");
                    }
                }
            }
        }
    }
    assert!(asked > 100, "{asked} routes are too few for a test");
}

/// Routes with every bias and a growing number of live routes. Returns the number of routes that cost more than the cheapest.
fn check_bound(name: &str, grid: &Grid, layer: &CostLayer, rule: StepRule, rng: &mut SplitMix) -> u32 {
    let doors = doors(layer, rule);
    let (mut scratch, mut plain, mut merged) =
        (DoorScratch::default(), DoorRoute::default(), DoorRoute::default());
    let mut dearer = 0;
    for percent in [0, 1, 5, 10, 15, 20] {
        let mut live = LiveDoors::new();
        for _ in 0..12 {
            let (Some(from), Some(to)) = (grid.random_open(rng), grid.random_open(rng)) else {
                return dearer;
            };
            let merging = Merging { live: &live, bias: bias(percent) };
            let found = doors.route(layer, from, to, &mut scratch, &mut plain);
            let also =
                doors.route_merging(layer, DoorQuery { from, to }, &merging, &mut scratch, &mut merged);
            assert_eq!(found, also, "{name} {rule:?} {from} to {to}");
            if !found {
                continue;
            }
            let what =
                || format!("{name} {rule:?} {from} to {to} by {percent}: {} {}", plain.cost, merged.cost);
            assert!(merged.cost >= plain.cost, "{}", what());
            assert!(merged.cost <= merging.bias.most(plain.cost), "{}", what());
            assert!(percent != 10 || 100 * merged.cost <= 111 * plain.cost, "11 % at most: {}", what());
            let shared = |route| live.shared(FOOT, IGNORE, route);
            if merged.cost == plain.cost && percent == 0 {
                assert_eq!(merged.cells, plain.cells, "{}", what());
            }
            if merged.cost > plain.cost {
                dearer += 1;
                assert!(shared(&merged).0 > 0, "a detour that shares no door: {}", what());
            }
            live.add(FOOT, IGNORE, &merged);
        }
    }
    dearer
}

#[test]
fn a_merged_route_is_never_dearer_than_its_bound() {
    let mut rng = SplitMix::new(2);
    let mut dearer = 0;
    for seed in 0..6 {
        let (width, height) = (40 + rng.below(90), 40 + rng.below(90));
        for (name, grid) in every_kind(seed, width, height) {
            let layer = layer(&grid, 8 << rng.below(3));
            let rule = rng.pick(&RULES);
            dearer += check_bound(name, &grid, &layer, rule, &mut rng);
        }
    }
    // Long enough for blocks of sectors.
    for (name, grid) in every_kind(9, 1400, 40) {
        dearer += check_bound(name, &grid, &layer(&grid, 32), RULES[0], &mut rng);
    }
    assert!(dearer > 100, "{dearer} detours are too few for a test");
}

#[test]
fn of_two_routes_of_equal_cost_the_live_one_is_taken() {
    // A wall with two gaps at equal distance from the middle.
    let mut grid = Grid::filled(64, 32, 1);
    (0..32).filter(|&y| y != 4 && y != 28).for_each(|y| grid.set((31, y), 255));
    let layer = layer(&grid, 32);
    let doors = doors(&layer, RULES[0]);
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    for gap in [4, 28] {
        let mut live = LiveDoors::new();
        assert!(doors.route(&layer, cell(2, gap), cell(60, gap), &mut scratch, &mut route));
        live.add(FOOT, IGNORE, &route);
        let merging = Merging { live: &live, bias: MergeBias::default() };
        assert!(doors.route_merging(
            &layer,
            DoorQuery { from: cell(2, 16), to: cell(60, 16) },
            &merging,
            &mut scratch,
            &mut route
        ));
        assert!(route.cells.contains(&cell(31, gap)), "{gap}: {:?}", route.cells);
    }
    // A detour of more than the bias is not taken.
    let mut live = LiveDoors::new();
    assert!(doors.route(&layer, cell(2, 28), cell(60, 28), &mut scratch, &mut route));
    live.add(FOOT, IGNORE, &route);
    let merging = Merging { live: &live, bias: MergeBias::default() };
    assert!(doors.route_merging(
        &layer,
        DoorQuery { from: cell(2, 2), to: cell(60, 2) },
        &merging,
        &mut scratch,
        &mut route
    ));
    assert!(route.cells.contains(&cell(31, 4)));
}

/// Two straight routes to a goal. The southern one costs more and is live. Both are long, so that the cost of their ends is negligible.
#[test]
fn a_live_detour_is_taken_up_to_eleven_per_cent_and_no_further() {
    // 210 / 190 is 10.5 % more, 211 / 190 is 11.05 % more: within 100 / 90, but above 11 %.
    for (dear, is_taken) in [(200, true), (210, true), (211, false), (215, false)] {
        let mut grid = Grid::filled(6000, 3, 255);
        for x in 0..6000 {
            grid.set((x, 0), 190);
            grid.set((x, 2), dear);
        }
        grid.set((0, 1), 190);
        grid.set((5999, 1), 190);
        let layer = layer(&grid, 8);
        let doors = doors(&layer, RULES[3]);
        let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
        let steps = (7..5992).step_by(8).flat_map(|x| [cell(x, 2), cell(x + 1, 2)]);
        route.cells = [cell(1, 2)].into_iter().chain(steps).chain([cell(5998, 2)]).collect();
        let mut live = LiveDoors::new();
        live.add(FOOT, IGNORE, &route);
        let (from, to) = (cell(0, 1), cell(5999, 1));
        assert!(doors.route(&layer, from, to, &mut scratch, &mut route));
        let least = route.cost;
        let merging = Merging { live: &live, bias: MergeBias::default() };
        assert!(doors.route_merging(&layer, DoorQuery { from, to }, &merging, &mut scratch, &mut route));
        assert_eq!(route.cells.contains(&cell(3007, 2)), is_taken, "{dear}: {} beside {least}", route.cost);
        assert_eq!(route.cost > least, is_taken, "{dear}: {} beside {least}", route.cost);
    }
}

#[test]
fn live_routes_of_others_do_not_count() {
    let grid = Grid::filled(100, 100, 1);
    let layer = layer(&grid, 16);
    let doors = doors(&layer, RULES[0]);
    let mut rng = SplitMix::new(5);
    let (mut scratch, mut plain, mut merged) =
        (DoorScratch::default(), DoorRoute::default(), DoorRoute::default());
    let mut live = LiveDoors::new();
    let big = Agent { size: SizeClass::TWO, ..FOOT };
    for _ in 0..20 {
        let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else { return };
        let merging = Merging { live: &live, bias: bias(20) };
        assert!(doors.route(&layer, from, to, &mut scratch, &mut plain));
        assert!(doors.route_merging(&layer, DoorQuery { from, to }, &merging, &mut scratch, &mut merged));
        assert_eq!((&plain.cells, plain.cost), (&merged.cells, merged.cost));
        live.add(big, IGNORE, &plain);
        live.add(FOOT, Threat::Heed, &plain);
    }
}

#[test]
fn live_doors_are_counted_whatever_the_order_and_given_back_whole() {
    let grid = Grid::scatter(3, 120, 120, 150);
    let layer = layer(&grid, 16);
    let doors = doors(&layer, RULES[0]);
    let mut rng = SplitMix::new(6);
    let mut scratch = DoorScratch::default();
    let mut routes = Vec::new();
    while routes.len() < 20 {
        let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else { return };
        let mut route = DoorRoute::default();
        if doors.route(&layer, from, to, &mut scratch, &mut route) && route.cells.len() > 4 {
            routes.push(route);
        }
    }
    let (mut there, mut back) = (LiveDoors::new(), LiveDoors::new());
    routes.iter().for_each(|route| there.add(FOOT, IGNORE, route));
    routes.iter().rev().for_each(|route| back.add(FOOT, IGNORE, route));
    let hash = |live: &LiveDoors| {
        let mut hasher = StateHasher::new();
        live.hash_state(&mut hasher);
        hasher.finish()
    };
    assert_eq!((&there, hash(&there)), (&back, hash(&back)));
    let first = &routes[0];
    there.add(FOOT, IGNORE, first);
    assert_ne!(hash(&there), hash(&back), "a second user counts");
    assert_eq!(there.shared(FOOT, IGNORE, first), back.shared(FOOT, IGNORE, first));
    let users = |live: &LiveDoors| live.users(FOOT, IGNORE, first.cells[1], first.cells[2]);
    assert_eq!(users(&there), users(&back) + 1);
    there.remove(FOOT, IGNORE, first).expect("it was added");
    assert_eq!(there, back);
    let refused = there.remove(FOOT, Threat::Heed, first);
    assert_eq!(refused, Err(NotLive { from: first.cells[1], to: first.cells[2] }));
    assert_eq!(there, back, "a refusal changes nothing");
    for route in &routes {
        there.remove(FOOT, IGNORE, route).expect("each was added");
    }
    assert!(there.is_empty());
    assert!(there.remove(FOOT, IGNORE, first).is_err());
    let nothing = DoorRoute::default();
    there.add(FOOT, IGNORE, &nothing);
    assert_eq!(there.remove(FOOT, IGNORE, &nothing), Ok(()));
}

#[test]
fn warm_merging_allocates_nothing() {
    let grid = Grid::scatter(3, 160, 120, 200);
    let layer = layer(&grid, 16);
    let doors = doors(&layer, RULES[0]);
    let mut rng = SplitMix::new(8);
    let live = some_live(&layer, &doors, &grid, 10, &mut rng);
    let merging = Merging { live: &live, bias: bias(15) };
    let asked: Vec<_> =
        (0..80).filter_map(|_| Some((grid.random_open(&mut rng)?, grid.random_open(&mut rng)?))).collect();
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    let mut all = || {
        let mut found = |&(from, to): &(CellPos, CellPos)| {
            doors.route_merging(&layer, DoorQuery { from, to }, &merging, &mut scratch, &mut route)
        };
        asked.iter().filter(|ends| found(ends)).count()
    };
    let found = all();
    assert!(found > 50);
    assert_eq!(allocations_in(&mut all).0.calls, 0);
}

#[test]
fn the_setting_is_hashed_and_its_default_hashes_as_if_there_were_none() {
    let hash = |config: Config| {
        let config = config.validate().expect("legal");
        let mut hasher = StateHasher::new();
        config.hash_state(&mut hasher);
        (hasher.finish(), config.merge_bias().percent())
    };
    let (usual, ten) = hash(Config::default());
    assert_eq!(ten, 10);
    let mut seen = vec![usual];
    for percent in [0, 5, 20] {
        let (other, as_given) = hash(Config { merge_bias: percent, ..Config::default() });
        assert_eq!(as_given, percent);
        assert!(!seen.contains(&other), "{percent}");
        seen.push(other);
    }
    let refused = Config { merge_bias: 21, ..Config::default() }.validate().expect_err("above 20");
    assert_eq!(refused.to_string(), "`merge_bias` is 21: it must be 0..=20");
}
