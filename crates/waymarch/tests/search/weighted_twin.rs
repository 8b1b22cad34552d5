//! Weighted jump point search finds the twin's cost for every rule, size and locomotor, under threat and edits.

use std::cell::Cell;

use waymarch::base::{Agent, CellPos, CellRect, Dir8, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, Falloff, Stamp, StepRule, TerrainId, ThreatSource,
};
use waymarch::query::{PathQuery, PlanError, Quality, Threat};
use waymarch::search::{
    Bound, Landmarks, Route, SearchScratch, WeightedPlanes, WeightedSearch, ZoneDistances, jpsw,
};
use waymarch_testkit::dijkstra::{UNREACHED, distances};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::picture::{Picture, draw_costs};
use waymarch_testkit::route::check_route;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::wide_units::field_for_size;

use crate::ground::layer;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

const SIZES: [SizeClass; 3] = [SizeClass::ONE, SizeClass::TWO, SizeClass::THREE];

const FOOT: LocomotorId = LocomotorId(0);

/// Every kind of grid, and grids on which most neighbours differ in cost, or on which many routes cost exactly the same.
fn weighted_kinds(seed: u64, width: u32, height: u32) -> Vec<(&'static str, Grid)> {
    let mut rng = SplitMix::new(seed ^ 77);
    let mut strewn = |name, costs: &[u8]| {
        let mut grid = Grid::filled(width, height, 1);
        grid.cost.iter_mut().for_each(|cost| *cost = rng.pick(costs));
        (name, grid)
    };
    let mut kinds = vec![
        strewn("strewn", &[1, 2]),
        strewn("strewn with walls", &[1, 1, 1, 2, 3, 255]),
        strewn("any cost", &[1, 7, 80, 100, 113, 141, 200, 254, 255]),
        // 181/128 is the ratio of a diagonal step to a straight one: different steps cost the same.
        strewn("ties", &[128, 181, 181, 128, 255]),
        ("fine patches", Grid::patches(seed, width, height, &[2, 3, 5, 2, 2])),
    ];
    kinds.extend(every_kind(seed, width, height));
    kinds
}

/// The twin's view of a query: its costs, rule and unit size.
struct Twin<'a> {
    name: &'a str,
    rule: StepRule,
    agent: Agent,
    threat: Threat,
    costs: Grid,
}

impl Twin<'_> {
    /// Compares the costs that `search` finds between random cells with the twin's; `judge` gets both.
    fn compare(
        &self,
        rng: &mut SplitMix,
        mut search: impl FnMut(&PathQuery, &mut Route) -> Result<(), PlanError>,
        judge: impl Fn(u64, u64) -> bool,
    ) {
        let Self { name, rule, agent, threat, costs } = self;
        let mut route = Route::new();
        for _ in 0..2 {
            let Some(from) = costs.random_open(rng) else { return };
            let truth = distances(&costs.cost, costs.width, costs.height, *rule, from);
            for _ in 0..10 {
                let Some(to) = costs.random_open(rng) else { return };
                let query = PathQuery::new(from, to, *agent).with_threat(*threat);
                let expected = truth[costs.index((to.x, to.y))];
                let found = search(&query, &mut route);
                let cells: Vec<CellPos> = route.cells().collect();
                let scene = || {
                    let drawn = draw_costs(&costs.cost, costs.width, &cells);
                    format!("{name} {rule:?} {agent:?} {from} to {to}: {} {expected}\n{drawn}", route.cost)
                };
                if expected == UNREACHED {
                    assert_eq!(found, Err(PlanError::Unreachable { from, to }), "{}", scene());
                    continue;
                }
                assert_eq!(found, Ok(()), "{}", scene());
                assert_eq!((cells.first(), cells.last()), (Some(&from), Some(&to)), "{}", scene());
                let heading = |leg: &[CellPos]| Dir8::from_delta(leg[1].x - leg[0].x, leg[1].y - leg[0].y);
                let turns: Vec<_> = route.waypoints.windows(2).map(heading).collect();
                let wanted =
                    turns.iter().all(Option::is_some) && turns.windows(2).all(|pair| pair[0] != pair[1]);
                assert!(wanted, "a waypoint without a turn: {:?} {}", route.waypoints, scene());
                let walked = check_route(&costs.cost, costs.width, costs.height, *rule, &cells);
                assert_eq!(walked, Ok(route.cost.0), "{}", scene());
                assert!(judge(route.cost.0, expected), "{}", scene());
            }
        }
    }
}

/// The jump planes and lower bounds of one agent.
struct Known {
    planes: WeightedPlanes,
    zones: ZoneDistances,
    landmarks: Landmarks,
}

impl Known {
    fn new(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Self {
        Self {
            planes: WeightedPlanes::new(layer, agent, rule, threat).expect("it exists"),
            zones: ZoneDistances::new(layer, agent, rule).expect("it exists"),
            landmarks: Landmarks::new(layer, agent, rule).expect("it exists"),
        }
    }

    fn searches(&self) -> [WeightedSearch<'_>; 3] {
        let bounds = [Bound::Octile, Bound::Zones(&self.zones), Bound::Landmarks(&self.landmarks)];
        bounds.map(|bound| WeightedSearch::new(&self.planes).with_bound(bound))
    }

    fn update(&mut self, layer: &CostLayer, changed: CellRect) {
        self.planes.update(layer, changed);
        self.zones.update(layer, changed);
        self.landmarks.update(layer, changed);
    }
}

fn exactly(found: u64, least: u64) -> bool {
    found == least
}

#[test]
fn weighted_jump_point_search_finds_the_twins_cost_for_every_rule_and_size() {
    let mut rng = SplitMix::new(1);
    let mut scratch = SearchScratch::new();
    for seed in 0..4 {
        let (width, height) = (3 + rng.below(60), 3 + rng.below(60));
        for (name, grid) in weighted_kinds(seed, width, height) {
            let layer = layer(&grid);
            for rule in RULES {
                for size in SIZES {
                    let agent = Agent { locomotor: FOOT, size };
                    let known = Known::new(&layer, agent, rule, Threat::Ignore);
                    let cost = field_for_size(&grid.cost, grid.width, grid.height, size.side());
                    let costs = Grid { cost, ..grid.clone() };
                    let twin = Twin { name, rule, agent, threat: Threat::Ignore, costs };
                    for how in known.searches() {
                        let search = |query: &PathQuery, route: &mut Route| {
                            scratch.poison();
                            jpsw(&layer, query, &how, &mut scratch, route)
                        };
                        twin.compare(&mut rng, search, exactly);
                    }
                }
            }
        }
    }
}

#[test]
fn bounded_routes_are_within_their_bound_and_sometimes_dearer_than_the_cheapest() {
    let mut rng = SplitMix::new(2);
    let mut scratch = SearchScratch::new();
    let (dearer, asked) = (Cell::new(0), Cell::new(0));
    for seed in 0..2 {
        let (width, height) = (20 + rng.below(40), 20 + rng.below(40));
        for (name, grid) in weighted_kinds(seed, width, height) {
            let layer = layer(&grid);
            let agent = Agent { locomotor: FOOT, size: SizeClass::ONE };
            for rule in RULES {
                let known = Known::new(&layer, agent, rule, Threat::Ignore);
                let twin = Twin { name, rule, agent, threat: Threat::Ignore, costs: grid.clone() };
                for per_mille in [1001, 1050, 1500, 3000, 10_000] {
                    let quality = Quality::from_per_mille(per_mille).expect("in range");
                    for how in known.searches() {
                        let how = how.with_quality(quality);
                        let search = |query: &PathQuery, route: &mut Route| {
                            jpsw(&layer, query, &how, &mut scratch, route)
                        };
                        twin.compare(&mut rng, search, |found, least| {
                            asked.set(asked.get() + 1);
                            dearer.set(dearer.get() + u32::from(found > least));
                            least <= found && found * 1000 <= least * u64::from(per_mille)
                        });
                    }
                }
            }
        }
    }
    assert!(dearer.get() > asked.get() / 100, "{} of {}", dearer.get(), asked.get());
}

/// Every pair of cells, for every rule.
#[test]
fn bounds_never_overestimate_on_any_pair_of_cells() {
    let mut rng = SplitMix::new(3);
    for seed in 0..3 {
        let (width, height) = (9 + rng.below(14), 9 + rng.below(14));
        for (name, grid) in weighted_kinds(seed, width, height) {
            let layer = layer(&grid);
            for rule in RULES {
                let known = Known::new(&layer, FOOT.into(), rule, Threat::Ignore);
                for from in grid.open_cells() {
                    let truth = distances(&grid.cost, width, height, rule, from);
                    for to in grid.open_cells() {
                        let (a, b, truth) = (cell(from.0, from.1), cell(to.0, to.1), truth[grid.index(to)]);
                        for least in [known.zones.at_least(a, b), known.landmarks.at_least(a, b)] {
                            assert!(least.expect("fresh") <= truth, "{name} {rule:?} {a} to {b}: {truth}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn zones_that_touch_at_a_corner_are_one_diagonal_step_apart() {
    let layer = layer(&Grid::filled(32, 32, 1));
    let zones = ZoneDistances::new(&layer, FOOT.into(), StepRule::default()).expect("it exists");
    let side = zones.side() as i32;
    let corner = cell(side - 1, side - 1);
    assert_eq!(zones.at_least(corner, corner.offset(1, 1)), Some(1448), "two hops of 1024 would be too much");
    assert_eq!(zones.at_least(corner, corner.offset(1, 0)), Some(1024));
    assert_eq!(zones.at_least(corner, cell(0, 0)), Some(0), "the bound within a zone is 0");
    assert_eq!(zones.zones(), 16);
}

#[test]
fn planes_and_bounds_follow_edits_and_answers_stay_correct() {
    let mut rng = SplitMix::new(4);
    let mut scratch = SearchScratch::new();
    let rule = StepRule::default();
    for (name, grid) in weighted_kinds(5, 70, 50) {
        let mut layer = layer(&grid);
        let terrains = layer.rules().rules().terrains.len() as u32;
        for size in [SizeClass::ONE, SizeClass::THREE] {
            let agent = Agent { locomotor: FOOT, size };
            let costs = |layer: &CostLayer| {
                let field = layer.field(agent).expect("it exists");
                let cost = field.grid().rect().cells().map(|at| field.cost(at)).collect();
                Grid { cost, ..grid.clone() }
            };
            let first = costs(&layer);
            let mut known = Known::new(&layer, agent, rule, Threat::Ignore);
            let mut standing = Vec::new();
            for step in 0..40 {
                let stamp = Stamp::solid(1 + rng.below(4), 1 + rng.below(4));
                let at = cell(rng.below(66) as i32, rng.below(46) as i32);
                let rect = CellRect::at(at, stamp.width, stamp.height);
                let changed = match rng.below(3) {
                    0 if !standing.is_empty() => {
                        let (id, rect) = standing.swap_remove(rng.below(standing.len() as u32) as usize);
                        layer.remove(id).expect("it stands");
                        rect
                    }
                    1 if step > 20 => {
                        layer.set_terrain(rect, TerrainId(rng.below(terrains) as u8)).expect("on the map");
                        rect
                    }
                    _ => {
                        standing.push((layer.place(&stamp, at, Tick::ZERO).expect("it fits"), rect));
                        rect
                    }
                };
                // A change affects units of size 3 up to two cells away.
                known.update(&layer, changed.grow(2, 2));
                let rebuilt = WeightedPlanes::new(&layer, agent, rule, Threat::Ignore).expect("it exists");
                assert!(known.planes == rebuilt, "{name}, step {step}");
                let now = costs(&layer);
                let cheaper = first.cost.iter().zip(&now.cost).any(|(first, now)| now < first);
                assert_eq!(known.landmarks.holds(), !cheaper, "{name}, step {step}");
                assert_eq!(known.zones.holds(), !cheaper, "{name}, step {step}");
                assert!(step > 20 || !cheaper, "placing and removing buildings does not disable the bounds");
                let twin = Twin { name, rule, agent, threat: Threat::Ignore, costs: now };
                for how in known.searches() {
                    let search =
                        |query: &PathQuery, route: &mut Route| jpsw(&layer, query, &how, &mut scratch, route);
                    twin.compare(&mut rng, search, exactly);
                }
            }
        }
    }
}

#[test]
fn threat_counts_where_the_planes_count_it() {
    let mut rng = SplitMix::new(6);
    let mut scratch = SearchScratch::new();
    let agent = Agent::from(FOOT);
    for (name, grid) in weighted_kinds(3, 50, 40) {
        let mut layer = layer(&grid);
        let rule = RULES[rng.below(4) as usize];
        let mut known = Known::new(&layer, agent, rule, Threat::Heed);
        for round in 0..6 {
            let at = cell(rng.below(50) as i32, rng.below(40) as i32);
            let radius = 1 + rng.below(12) as u16;
            let source = ThreatSource { at, radius, strength: 90, falloff: Falloff::Linear };
            layer.add_threat(source).expect("on the map");
            layer.advance(Tick(4 * round));
            let reach = i32::from(radius);
            known.update(&layer, CellRect::at(at, 1, 1).grow(reach, reach));
            let rebuilt = WeightedPlanes::new(&layer, agent, rule, Threat::Heed).expect("it exists");
            assert!(known.planes == rebuilt, "{name}, round {round}");
            let mut costs = grid.clone();
            for at in grid.cells() {
                let threat = layer.threat().at(cell(at.0, at.1));
                let cost = grid.get(at).expect("on the map");
                costs.set(at, if cost == 255 { 255 } else { cost.saturating_add(threat).min(254) });
            }
            let twin = Twin { name, rule, agent, threat: Threat::Heed, costs };
            for how in known.searches() {
                let search =
                    |query: &PathQuery, route: &mut Route| jpsw(&layer, query, &how, &mut scratch, route);
                twin.compare(&mut rng, search, exactly);
            }
        }
    }
}

#[test]
fn bounds_of_a_small_unit_serve_a_bigger_one() {
    let mut rng = SplitMix::new(7);
    let mut scratch = SearchScratch::new();
    let rule = StepRule::default();
    let (mut with, mut without) = (0, 0);
    for (name, grid) in weighted_kinds(9, 60, 60) {
        let layer = layer(&grid);
        let landmarks = Landmarks::new(&layer, FOOT.into(), rule).expect("it exists");
        let agent = Agent { locomotor: FOOT, size: SizeClass::TWO };
        let planes = WeightedPlanes::new(&layer, agent, rule, Threat::Ignore).expect("it exists");
        let alone = WeightedSearch::new(&planes);
        let how = alone.with_bound(Bound::Landmarks(&landmarks));
        let costs = Grid { cost: field_for_size(&grid.cost, 60, 60, 2), ..grid.clone() };
        let twin = Twin { name, rule, agent, threat: Threat::Ignore, costs };
        let search = |query: &PathQuery, route: &mut Route| {
            let _compared_below = jpsw(&layer, query, &alone, &mut scratch, route);
            without += route.expanded;
            let found = jpsw(&layer, query, &how, &mut scratch, route);
            with += route.expanded;
            found
        };
        twin.compare(&mut rng, search, exactly);
    }
    assert!(with < without, "{with} {without}");
}

#[test]
fn planes_for_others_are_refused() {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let mut layer = layer(&Grid::filled(9, 9, 3));
    let query = PathQuery::new(cell(0, 0), cell(5, 5), FOOT);
    let ignoring =
        WeightedPlanes::new(&layer, FOOT.into(), StepRule::default(), Threat::Ignore).expect("foot");
    let how = WeightedSearch::new(&ignoring);
    let heeding = query.with_threat(Threat::Heed);
    assert_eq!(jpsw(&layer, &query, &how, &mut scratch, &mut route), Ok(()));
    assert_eq!(jpsw(&layer, &heeding, &how, &mut scratch, &mut route), Ok(()), "there is no threat to heed");
    let source = ThreatSource { at: cell(4, 4), radius: 2, strength: 9, falloff: Falloff::Flat };
    layer.add_threat(source).expect("on the map");
    layer.advance(Tick::ZERO);
    let refused = jpsw(&layer, &heeding, &how, &mut scratch, &mut route);
    assert!(matches!(refused, Err(PlanError::Unsuited(_))));
    let big = PathQuery::new(cell(1, 1), cell(5, 5), Agent { locomotor: FOOT, size: SizeClass::TWO });
    assert!(matches!(jpsw(&layer, &big, &how, &mut scratch, &mut route), Err(PlanError::Unsuited(_))));
    assert!(WeightedPlanes::new(&layer, LocomotorId(9).into(), StepRule::default(), Threat::Ignore).is_err());
}

#[test]
fn bounds_save_work_where_walls_make_detours_or_a_road_is_cheap() {
    let mut rng = SplitMix::new(8);
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let mut road = Grid::patches(4, 96, 96, &[100, 113, 100, 200]);
    (0..96).for_each(|x| road.set((x, 48), 10));
    for (name, grid) in [("maze", Grid::maze(4, 95, 95)), ("road", road)] {
        let layer = layer(&grid);
        let known = Known::new(&layer, FOOT.into(), StepRule::default(), Threat::Ignore);
        let mut expanded = [0; 3];
        for _ in 0..100 {
            let [from, to] = [(); 2].map(|()| grid.random_open(&mut rng).expect("an open cell"));
            for (sum, how) in expanded.iter_mut().zip(known.searches()) {
                let query = PathQuery::new(from, to, FOOT);
                jpsw(&layer, &query, &how, &mut scratch, &mut route).expect("all cells are joined");
                *sum += route.expanded;
            }
        }
        let [octile, zones, landmarks] = expanded;
        assert!(4 * zones < 3 * octile && 2 * landmarks < octile, "{name}: {expanded:?}");
    }
}

#[test]
fn a_cheap_road_is_worth_a_detour() {
    let picture = Picture::new(
        "9999999
         A99999B
         9999999
         1111111",
    );
    let map = picture.map.clone().validate().expect("a legal map");
    let layer = CostLayer::new(&map, CostSettings::default());
    let known = Known::new(&layer, FOOT.into(), StepRule::default(), Threat::Ignore);
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    for how in known.searches() {
        let query = PathQuery::new(picture.start(), picture.goal(), FOOT);
        jpsw(&layer, &query, &how, &mut scratch, &mut route).expect("a route");
        let turns: Vec<_> = route.waypoints.iter().map(|at| (at.x, at.y)).collect();
        assert_eq!(turns, [(0, 1), (0, 2), (1, 3), (5, 3), (5, 2), (6, 1)]);
    }
}
