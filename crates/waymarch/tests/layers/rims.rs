//! Rim fields: the lower bound from sector rims never exceeds the twin's cost, and searches that use it find the cheapest routes.

use waymarch::base::{Agent, CellPos, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{CornerRule, Falloff, Stamp, StepRule, ThreatSource};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{
    Route, SearchScratch, WeightedPlanes, WeightedSearch, astar_towards, jpsw, jpsw_towards,
};
use waymarch::sectors::{RimField, RimScratch, Rims};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::route::check_route;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::whole_field::field_cells;

use crate::ground::costs_of;
use crate::ground::layer;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

const FOOT: LocomotorId = LocomotorId(0);

/// Asks for the bound of every cell in a random order. Returns the average bound in thousandths of the true cost.
fn check(field: &mut RimField<'_>, costs: &Grid, rule: StepRule, rng: &mut SplitMix, what: &str) -> u64 {
    let goal = field.goal();
    let truth = field_cells(&costs.cost, (costs.width, costs.height), rule, &[(goal.x, goal.y)]);
    for _ in 0..5 {
        let at = cell(rng.below(costs.width) as i32, rng.below(costs.height) as i32);
        let _any = field.at_least(at);
    }
    let (mut sum, mut count) = (0, 0);
    for at in costs.open_cells() {
        let Some((truth, _)) = truth[costs.index(at)] else { continue };
        let least = field.at_least(cell(at.0, at.1));
        assert!(least <= truth, "{what} {rule:?}: from {at:?} to {goal}: {least}, the truth is {truth}");
        (sum, count) = (sum + (1000 * least).checked_div(truth).unwrap_or(1000), count + 1);
    }
    assert_eq!(field.at_least(goal), 0, "{what}");
    assert_eq!(field.at_least(cell(-1, 0)), 0, "{what}: off the map");
    sum / count
}

/// Searches that use the field find the twin's costs.
fn compare(field: &mut RimField<'_>, costs: &Grid, rng: &mut SplitMix, what: &str) {
    let (rims, goal) = (field.rims(), field.goal());
    let rule = rims.rule();
    let planes = WeightedPlanes::new(field.layer(), rims.agent(), rule, rims.threat()).expect("it exists");
    let (how, truth) = (
        WeightedSearch::new(&planes),
        field_cells(&costs.cost, (costs.width, costs.height), rule, &[(goal.x, goal.y)]),
    );
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    for _ in 0..6 {
        let Some(from) = costs.random_open(rng) else { return };
        let query = PathQuery::new(from, goal, rims.agent()).with_threat(rims.threat());
        let expected = truth[costs.index((from.x, from.y))].map(|(truth, _)| truth);
        for search in ["jpsw", "astar"] {
            scratch.poison();
            let found = match search {
                "jpsw" => jpsw_towards(&query, &how, field, &mut scratch, &mut route),
                _ => astar_towards(&query, rule, field, &mut scratch, &mut route),
            };
            let Some(expected) = expected else {
                assert_eq!(found, Err(PlanError::Unreachable { from, to: goal }), "{what}: {search}");
                continue;
            };
            assert_eq!(found, Ok(()), "{what}: {search}");
            let cells: Vec<CellPos> = route.cells().collect();
            let walked = check_route(&costs.cost, costs.width, costs.height, rule, &cells);
            assert_eq!(walked, Ok(route.cost.0), "{what}: {search}");
            assert_eq!(route.cost.0, expected, "{what} {rule:?}: {search} from {from} to {goal}");
        }
    }
}

#[test]
fn never_more_than_the_truth_from_any_cell_and_routes_are_the_cheapest() {
    let mut rng = SplitMix::new(5);
    let mut scratch = RimScratch::new();
    for seed in 0..3 {
        let (width, height) = (10 + rng.below(100), 10 + rng.below(100));
        for (name, grid) in every_kind(seed, width, height) {
            let layer = layer(&grid, 8 << rng.below(3));
            for (rule, size) in
                RULES.into_iter().zip([SizeClass::ONE, SizeClass::ONE, SizeClass::TWO, SizeClass::ONE])
            {
                let agent = Agent { locomotor: FOOT, size };
                let costs = costs_of(&layer, agent, Threat::Ignore);
                let Some(goal) = costs.random_open(&mut rng) else { continue };
                let rims = Rims::new(&layer, agent, rule, Threat::Ignore).expect("foot exists");
                let mut field = RimField::new(&rims, &layer, goal, &mut scratch).expect("an open goal");
                check(&mut field, &costs, rule, &mut rng, name);
                compare(&mut field, &costs, &mut rng, name);
            }
        }
    }
}

#[test]
fn the_bound_is_nearly_the_true_cost_on_rough_ground_and_behind_walls() {
    let mut rng = SplitMix::new(6);
    let mut scratch = RimScratch::new();
    let mut road = Grid::patches(4, 256, 256, &[100, 113, 100, 200]);
    (0..256).for_each(|x| road.set((x, 48), 10));
    for (name, grid) in
        [("maze", Grid::maze(4, 255, 255)), ("rooms", Grid::rooms(4, 256, 256, 15)), ("road", road)]
    {
        let layer = layer(&grid, 32);
        let rims = Rims::new(&layer, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
        let goal = grid.random_open(&mut rng).expect("an open cell");
        let mut field = RimField::new(&rims, &layer, goal, &mut scratch).expect("an open goal");
        let known = check(&mut field, &grid, RULES[0], &mut rng, name);
        println!("{name}: {known} thousandths of the truth");
        assert!(known > 900, "{name}: {known} thousandths of the truth");
    }
}

#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let mut rng = SplitMix::new(7);
    for (name, grid) in every_kind(3, 130, 90) {
        let layer = layer(&grid, 16);
        let rims = Rims::new(&layer, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
        let Some(goal) = grid.random_open(&mut rng) else { continue };
        let (mut one, mut two) = (RimScratch::new(), RimScratch::new());
        let mut forwards = RimField::new(&rims, &layer, goal, &mut one).expect("an open goal");
        let first: Vec<u64> = grid.cells().map(|(x, y)| forwards.at_least(cell(x, y))).collect();
        let again = rims.clone();
        again.prepare_all(&layer, &mut two);
        let mut backwards = RimField::new(&again, &layer, goal, &mut two).expect("an open goal");
        let cells: Vec<(i32, i32)> = grid.cells().collect();
        for (&(x, y), first) in cells.iter().zip(&first).rev() {
            assert_eq!(backwards.at_least(cell(x, y)), *first, "{name} ({x}, {y})");
        }
    }
}

#[test]
fn rims_that_follow_edits_and_threat_equal_new_ones() {
    let mut rng = SplitMix::new(8);
    let (mut scratch, mut other) = (RimScratch::new(), RimScratch::new());
    for (name, grid) in every_kind(9, 90, 70) {
        let mut layer = layer(&grid, 16);
        let rule = RULES[rng.below(4) as usize];
        let mut rims = Rims::new(&layer, FOOT.into(), rule, Threat::Heed).expect("foot exists");
        let mut standing = Vec::new();
        for step in 0..8 {
            let at = cell(rng.below(86) as i32, rng.below(66) as i32);
            match step % 4 {
                3 if !standing.is_empty() => layer.remove(standing.remove(0)).expect("it stands"),
                2 => {
                    let source = ThreatSource { at, radius: 9, strength: 90, falloff: Falloff::Linear };
                    layer.add_threat(source).map(|_| ()).expect("on the map");
                    layer.advance(Tick(4 * step));
                }
                _ => standing.push(layer.place(&Stamp::solid(3, 4), at, Tick::ZERO).expect("it fits")),
            }
            let mut route = Route::new();
            assert!(!rims.is_current(&layer), "{name}: something changed");
            rims.follow(&layer);
            let costs = costs_of(&layer, FOOT.into(), Threat::Heed);
            let Some(goal) = costs.random_open(&mut rng) else { continue };
            let mut field = RimField::new(&rims, &layer, goal, &mut scratch).expect("an open goal");
            check(&mut field, &costs, rule, &mut rng, name);
            compare(&mut field, &costs, &mut rng, name);
            let rebuilt = Rims::new(&layer, FOOT.into(), rule, Threat::Heed).expect("foot exists");
            let mut fresh = RimField::new(&rebuilt, &layer, goal, &mut other).expect("an open goal");
            for (x, y) in costs.cells() {
                assert_eq!(field.at_least(cell(x, y)), fresh.at_least(cell(x, y)), "{name}, step {step}");
            }
            let planes = WeightedPlanes::new(&layer, FOOT.into(), rule, Threat::Ignore).expect("foot exists");
            let careless = PathQuery::new(goal, goal, FOOT).with_threat(Threat::Ignore);
            let refused = jpsw_towards(
                &careless,
                &WeightedSearch::new(&planes),
                &mut field,
                &mut SearchScratch::new(),
                &mut route,
            );
            let threatened = !layer.threat().padded().is_empty();
            assert_eq!(
                matches!(refused, Err(PlanError::Unsuited(_))),
                threatened,
                "{name}: it counts threat"
            );
        }
    }
}

#[test]
fn fields_for_others_are_refused() {
    let grid = Grid::patches(3, 60, 60, &[1, 2, 3]);
    let mut layer = layer(&grid, 16);
    let big = Agent { locomotor: FOOT, size: SizeClass::TWO };
    let mut memory = RimScratch::new();
    let rims = Rims::new(&layer, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
    assert!(Rims::new(&layer, LocomotorId(9).into(), RULES[0], Threat::Ignore).is_err());
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    assert!(RimField::new(&rims, &layer, cell(60, 5), &mut memory).is_none(), "off the map");
    {
        let mut field = RimField::new(&rims, &layer, cell(50, 50), &mut memory).expect("open");
        let mut ask =
            |query: PathQuery, rule| astar_towards(&query, rule, &mut field, &mut scratch, &mut route);
        assert_eq!(ask(PathQuery::new(cell(1, 1), cell(50, 50), FOOT), RULES[0]), Ok(()));
        let unsuited = |found| matches!(found, Err(PlanError::Unsuited(_)));
        assert!(unsuited(ask(PathQuery::new(cell(1, 1), cell(50, 51), FOOT), RULES[0])), "another goal");
        assert!(unsuited(ask(PathQuery::new(cell(1, 1), cell(50, 50), big), RULES[0])), "a bigger unit");
        assert!(unsuited(ask(PathQuery::new(cell(1, 1), cell(50, 50), FOOT), RULES[3])), "another rule");
        let off = ask(PathQuery::new(cell(-1, 1), cell(50, 50), FOOT), RULES[0]);
        assert!(matches!(off, Err(PlanError::OffMap { .. })), "{off:?}");
    }
    layer.place(&Stamp::solid(3, 3), cell(20, 20), Tick::ZERO).expect("it fits");
    assert!(RimField::new(&rims, &layer, cell(50, 50), &mut memory).is_none(), "rims that have not followed");
}

#[test]
fn it_saves_work_where_walls_make_detours_or_a_road_is_cheap() {
    let mut rng = SplitMix::new(8);
    let (mut scratch, mut route, mut memory) = (SearchScratch::new(), Route::new(), RimScratch::new());
    let mut road = Grid::patches(4, 192, 192, &[100, 113, 100, 200]);
    (0..192).for_each(|x| road.set((x, 48), 10));
    for (name, grid) in [("maze", Grid::maze(4, 191, 191)), ("road", road)] {
        let layer = layer(&grid, 32);
        let planes = WeightedPlanes::new(&layer, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
        let rims = Rims::new(&layer, FOOT.into(), RULES[0], Threat::Ignore).expect("foot exists");
        let how = WeightedSearch::new(&planes);
        let (mut without, mut with) = (0, 0);
        for _ in 0..40 {
            let [from, to] = [(); 2].map(|()| grid.random_open(&mut rng).expect("an open cell"));
            let query = PathQuery::new(from, to, FOOT);
            jpsw(&layer, &query, &how, &mut scratch, &mut route).expect("all cells are joined");
            without += route.expanded;
            let mut field = RimField::new(&rims, &layer, to, &mut memory).expect("an open goal");
            jpsw_towards(&query, &how, &mut field, &mut scratch, &mut route).expect("all cells are joined");
            with += route.expanded;
        }
        println!("{name}: {with} instead of {without} expanded");
        assert!(2 * with < without, "{name}: {with} {without}");
    }
}
