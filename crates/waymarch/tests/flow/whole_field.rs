//! Whole-map fields equal a slow twin: on every kind of map, for every rule, size and goal shape, from every cell.

use waymarch::base::{Agent, CellPos, CellRect, Fixed, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{CornerRule, CostLayer, CostSettings, Falloff, FootCell, Stamp, StepRule, ThreatSource};
use waymarch::flow::whole::{FieldKey, Flow, Keep, WalkError, WholeField, WholeScratch};
use waymarch::query::{Cost, Goal, PathQuery, PlanError, Shape, Threat};
use waymarch::search::{Route, SearchScratch, astar};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::route::check_route;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::whole_field::field_cells;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

fn layer(grid: &Grid) -> CostLayer {
    CostLayer::new(&grid.to_map("twin").validate().expect("legal"), CostSettings::default())
}

/// The costs of all cells for the agent of the key, row by row.
fn costs(layer: &CostLayer, key: &FieldKey) -> Vec<u8> {
    let field = layer.field(key.agent).expect("in use");
    let threat = |at| if key.threat == Threat::Heed { layer.threat().at(at) } else { 0 };
    let cost = |at| match field.cost(at) {
        255 => 255,
        cost => cost.saturating_add(threat(at)).min(254),
    };
    layer.grid().rect().cells().map(cost).collect()
}

/// Checks that the field equals the twin's in every cell, and that a walk from every cell is legal and costs what the field says.
fn check(layer: &CostLayer, field: &WholeField, what: &str) -> usize {
    let (key, rule, size) = (field.key(), field.rule(), layer.grid());
    let costs = costs(layer, key);
    let is_goal = |at: &CellPos| key.goal.contains(*at) && layer.can_stop(*at, key.agent);
    let goals: Vec<CellPos> = size.rect().cells().filter(is_goal).collect();
    let truth = field_cells(&costs, (size.width(), size.height()), rule, &goals);
    let (mut path, mut reached) = (Vec::new(), 0);
    for (place, at) in size.rect().cells().enumerate() {
        let found = match field.direction(at) {
            Flow::Step(dir) => Some(Some(dir.index())),
            Flow::Goal => Some(None),
            Flow::Nowhere | Flow::Closed => None,
        };
        assert_eq!(field.direction(at) == Flow::Closed, costs[place] == 255, "{what} {at}");
        assert_eq!(found, truth[place].map(|(_, direction)| direction), "{what} {key:?} {rule:?} {at}");
        let expected = truth[place].map(|(cost, _)| Cost(cost));
        let walked = match field.keeps() {
            Keep::Costs => {
                assert_eq!(field.cost_to_goal(at), expected, "{what} {at}");
                field.path_into(at, &mut path)
            }
            Keep::DirectionsOnly => field.path_over(layer, at, &mut path),
        };
        assert_eq!(walked.ok(), expected, "{what} {at}");
        if let Some(Cost(cost)) = expected {
            reached += 1;
            let route = Route { waypoints: path.clone(), cost: Cost(cost), expanded: 0 };
            let cells: Vec<CellPos> = route.cells().collect();
            let legal = check_route(&costs, size.width(), size.height(), rule, &cells);
            assert_eq!(legal, Ok(cost), "{what} {at}");
            assert_eq!(cells.first(), Some(&at), "{what}");
            assert!(goals.contains(&cells[cells.len() - 1]), "{what} {at}");
        }
    }
    reached
}

fn random_goal(rng: &mut SplitMix, (width, height): (u32, u32)) -> Goal {
    let mut at = || cell(rng.below(width) as i32, rng.below(height) as i32);
    let (a, b, c) = (at(), at(), at());
    let (inner, wide) = (rng.below(5) as i32, rng.below(5) as i32);
    let ring =
        Shape::Ring { centre: a, inner: Fixed::from_cells(inner), outer: Fixed::from_cells(inner + wide) };
    match rng.below(9) {
        0..3 => Goal::point(a),
        3 => Goal::circle(a, Fixed::from_cells(wide)),
        4 => Goal::In(ring),
        5 => Goal::rect(CellRect::at(a, 1 + rng.below(9), 1 + rng.below(9))),
        6 => Goal::AnyOf(vec![Shape::Point(a), Shape::Point(b), Shape::Point(c)]),
        7 => Goal::AnyOf(vec![Shape::Point(c), ring, Shape::Rect(CellRect::at(b, 3, 2))]),
        _ => Goal::OutOfAll(vec![
            Shape::Circle { centre: a, radius: Fixed::from_cells(wide + 3) },
            Shape::Rect(CellRect::at(b, 6, 6)),
        ]),
    }
}

#[test]
fn following_from_every_cell_costs_the_optimum_on_every_kind_of_map() {
    let (mut rng, mut scratch, mut reached) = (SplitMix::new(1), WholeScratch::new(), 0);
    for seed in 0..6 {
        let (width, height) = (1 + rng.below(50), 1 + rng.below(40));
        for (name, grid) in every_kind(seed, width, height) {
            let mut layer = layer(&grid);
            let source = ThreatSource {
                at: cell(width as i32 / 2, 0),
                radius: 9,
                strength: 90,
                falloff: Falloff::Linear,
            };
            layer.add_threat(source).expect("on the map");
            layer.advance(Tick::ZERO);
            for rule in RULES {
                for agent in layer.agents() {
                    let goal = random_goal(&mut rng, (width, height));
                    let threat = rng.pick(&[Threat::Ignore, Threat::Heed]);
                    let keep = rng.pick(&[Keep::Costs, Keep::Costs, Keep::DirectionsOnly]);
                    let key = FieldKey::new(agent, goal).with_threat(threat);
                    match WholeField::new(&layer, &key, rule, keep, &mut scratch) {
                        Ok(field) => reached += check(&layer, &field, name),
                        Err(error) => assert!(matches!(error, PlanError::Goal(_)), "{error}"),
                    }
                }
            }
        }
    }
    assert!(reached > 100_000, "{reached} routes are too few for a test");
}

#[test]
fn a_field_costs_what_astar_finds() {
    let (mut rng, mut scratch) = (SplitMix::new(2), WholeScratch::new());
    let (mut search, mut route) = (SearchScratch::new(), Route::new());
    for (name, grid) in every_kind(7, 60, 50) {
        let layer = layer(&grid);
        for rule in RULES {
            let Some(to) = grid.random_open(&mut rng) else { continue };
            let key = FieldKey::new(LocomotorId(0), to);
            let field = WholeField::new(&layer, &key, rule, Keep::Costs, &mut scratch).expect("a legal goal");
            for _ in 0..30 {
                let Some(from) = grid.random_open(&mut rng) else { continue };
                let query = PathQuery::new(from, to, LocomotorId(0));
                let found = astar(&layer, &query, rule, &mut search, &mut route).map(|()| route.cost);
                assert_eq!(found.ok(), field.cost_to_goal(from), "{name} {rule:?} {from} to {to}");
            }
        }
    }
}

/// A field whose costs need eight bytes: one winding corridor over the whole map, at the highest cost.
#[test]
fn costs_above_four_bytes_are_correct_before_and_after_an_edit() {
    let mut grid = Grid::filled(199, 201, 254);
    for y in (1..201).step_by(2) {
        let gap = if y % 4 == 1 { 198 } else { 0 };
        (0..199).filter(|&x| x != gap).for_each(|x| grid.set((x, y), 255));
    }
    let mut layer = layer(&grid);
    let mut scratch = WholeScratch::new();
    let key = FieldKey::new(LocomotorId(0), cell(0, 0));
    let rule = StepRule::default();
    let mut field = WholeField::new(&layer, &key, rule, Keep::Costs, &mut scratch).expect("legal");
    assert!(field.cost_to_goal(cell(198, 200)).expect("a route").0 > 1 << 32);
    assert!(field.memory_bytes() > 10 * 199 * 201, "ten bytes per cell");
    let end = field.cost_to_goal(cell(198, 200));
    let id = layer.place(&Stamp::solid(1, 1), cell(100, 100), Tick::ZERO).expect("it fits");
    field.follow(&layer, &mut scratch).expect("legal");
    assert_eq!(field.direction(cell(198, 200)), Flow::Nowhere);
    layer.remove(id).expect("it stands");
    field.follow(&layer, &mut scratch).expect("legal");
    assert_eq!(field.cost_to_goal(cell(198, 200)), end);
    let rebuilt = WholeField::new(&layer, &key, rule, Keep::Costs, &mut scratch).expect("legal");
    assert!(field == rebuilt);
    let costs = costs(&layer, &key);
    let truth = field_cells(&costs, (199, 201), rule, &[cell(0, 0)]);
    for (at, expected) in layer.grid().rect().cells().zip(truth) {
        assert_eq!(field.cost_to_goal(at).map(|cost| cost.0), expected.map(|(cost, _)| cost), "{at}");
    }
}

#[test]
fn cells_where_stopping_is_forbidden_are_no_goal_at_any_size() {
    let mut layer = layer(&Grid::filled(30, 30, 1));
    let exit = Stamp::filled("exit", 4, 4, FootCell::NoStop);
    layer.place(&exit, cell(10, 10), Tick::ZERO).expect("it fits");
    let mut scratch = WholeScratch::new();
    for agent in [SizeClass::ONE, SizeClass::THREE].map(|size| Agent { locomotor: LocomotorId(0), size }) {
        let key = FieldKey::new(agent, Goal::rect(CellRect::at(cell(8, 8), 5, 5)));
        let field =
            WholeField::new(&layer, &key, StepRule::default(), Keep::Costs, &mut scratch).expect("legal");
        assert!(matches!(field.direction(cell(11, 11)), Flow::Step(_)), "passed, not stopped on");
        assert!(check(&layer, &field, "exit") > 700);
    }
}

#[test]
fn a_cell_without_a_route_says_why() {
    let mut grid = Grid::filled(20, 20, 1);
    (0..20).for_each(|y| grid.set((10, y), 255));
    let layer = layer(&grid);
    let (mut scratch, mut path) = (WholeScratch::new(), vec![cell(9, 9)]);
    let rule = StepRule::default();
    let (foot, to) = (LocomotorId(0), cell(15, 5));
    let field =
        WholeField::new(&layer, &FieldKey::new(foot, to), rule, Keep::Costs, &mut scratch).expect("legal");
    let mut ask = |from| {
        let answer = field.path_into(from, &mut path);
        assert_eq!(answer.is_err(), path.is_empty());
        answer
    };
    let (at, size) = (cell(20, 3), layer.grid());
    assert_eq!(ask(at), Err(WalkError::Plan(PlanError::OffMap { at, size })));
    let at = cell(10, 3);
    assert_eq!(ask(at), Err(WalkError::Plan(PlanError::StartBlocked { at })));
    let from = cell(3, 3);
    assert_eq!(ask(from), Err(WalkError::Plan(PlanError::Unreachable { from, to })));
    assert_eq!(ask(to), Ok(Cost::ZERO));
    assert_eq!(ask(cell(15, 6)), Ok(Cost(1024)));
    assert_eq!(path, [cell(15, 6), cell(15, 5)]);
    let bare = WholeField::new(&layer, &FieldKey::new(foot, to), rule, Keep::DirectionsOnly, &mut scratch)
        .expect("legal");
    assert_eq!(bare.path_into(to, &mut path), Err(WalkError::CostsNotKept));
    assert_eq!(bare.cost_to_goal(to), None);
    assert_eq!(bare.memory_bytes(), 21 * 22 + 1, "one byte per cell, padding included");
    let wrong = FieldKey::new(LocomotorId(9), to);
    let agent = Agent::from(LocomotorId(9));
    assert_eq!(
        WholeField::new(&layer, &wrong, rule, Keep::Costs, &mut scratch).err(),
        Some(PlanError::UnknownAgent(agent))
    );
    let mut field = bare;
    let off = FieldKey::new(foot, cell(20, 20));
    assert!(matches!(field.retarget(&layer, &off, &mut scratch), Err(PlanError::Goal(_))));
    assert_eq!(field.key().goal, Goal::point(to), "the field keeps its goal");
}

#[test]
fn a_walk_notices_that_the_layer_was_edited_after_the_field_was_built() {
    let mut layer = layer(&Grid::filled(20, 20, 1));
    let (mut scratch, mut path) = (WholeScratch::new(), Vec::new());
    let key = FieldKey::new(LocomotorId(0), cell(15, 5));
    let field = WholeField::new(&layer, &key, StepRule::default(), Keep::DirectionsOnly, &mut scratch)
        .expect("legal");
    layer.place(&Stamp::solid(1, 20), cell(10, 0), Tick::ZERO).expect("it fits");
    assert_eq!(field.path_over(&layer, cell(3, 5), &mut path), Err(WalkError::Corrupt { at: cell(10, 5) }));
}
