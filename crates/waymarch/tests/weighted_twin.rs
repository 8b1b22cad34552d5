//! Weighted jump point search finds the twin's cost, for every rule, size and locomotor, under threat and edits.

use waymarch::base::{Agent, CellPos, LocomotorId, SizeClass};
use waymarch::cost::{CornerRule, CostLayer, CostSettings, StepRule};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{Route, SearchScratch, WeightedPlanes, jpsw};
use waymarch_testkit::dijkstra::{UNREACHED, distances};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::picture::draw_costs;
use waymarch_testkit::route::check_route;
use waymarch_testkit::sizes::field_for_size;
use waymarch_testkit::splitmix::SplitMix;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

const SIZES: [SizeClass; 3] = [SizeClass::ONE, SizeClass::TWO, SizeClass::THREE];

const FOOT: LocomotorId = LocomotorId(0);

fn layer(grid: &Grid) -> CostLayer {
    let map = grid.to_map("twin").validate().expect("the testkit makes legal maps");
    CostLayer::new(&map, CostSettings::default())
}

/// Every kind of grid, and some on which hardly two neighbours cost the same, or many ways cost exactly the same.
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
        // 181/128 is the ratio of a diagonal step to a straight one: unlike steps cost the same.
        strewn("ties", &[128, 181, 181, 128, 255]),
        ("fine patches", Grid::patches(seed, width, height, &[2, 3, 5, 2, 2])),
    ];
    kinds.extend(every_kind(seed, width, height));
    kinds
}

/// What a question is asked of, as the twin sees it.
struct Twin<'a> {
    name: &'a str,
    rule: StepRule,
    agent: Agent,
    threat: Threat,
    costs: Grid,
}

impl Twin<'_> {
    /// Compares what `search` finds from random starts to random goals with the twin's distances; `judge` gets both costs.
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
                let walked = check_route(&costs.cost, costs.width, costs.height, *rule, &cells);
                assert_eq!(walked, Ok(route.cost.0), "{}", scene());
                assert!(judge(route.cost.0, expected), "{}", scene());
            }
        }
    }
}

#[test]
fn weighted_jump_point_search_finds_the_twins_cost_for_every_rule_and_size() {
    let mut rng = SplitMix::new(1);
    let mut scratch = SearchScratch::new();
    for seed in 0..12 {
        let (width, height) = (3 + rng.below(60), 3 + rng.below(60));
        for (name, grid) in weighted_kinds(seed, width, height) {
            let layer = layer(&grid);
            for rule in RULES {
                for size in SIZES {
                    let agent = Agent { locomotor: FOOT, size };
                    let planes = WeightedPlanes::new(&layer, agent, rule, Threat::Ignore).expect("it exists");
                    let cost = field_for_size(&grid.cost, grid.width, grid.height, size.side());
                    let costs = Grid { cost, ..grid.clone() };
                    let twin = Twin { name, rule, agent, threat: Threat::Ignore, costs };
                    let search = |query: &PathQuery, route: &mut Route| {
                        scratch.poison();
                        jpsw(&layer, query, &planes, &mut scratch, route)
                    };
                    twin.compare(&mut rng, search, |found, least| found == least);
                }
            }
        }
    }
}
