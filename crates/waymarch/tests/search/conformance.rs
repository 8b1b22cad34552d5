//! Every planner in the list keeps its promise on one corpus. Neither earlier queries nor the order of preparation change an answer.

use waymarch::base::{
    Agent, ByteReader, ByteWriter, CellPos, CellRect, GridSize, LocomotorId, SizeClass, cell,
};
use waymarch::config::Config;
use waymarch::cost::{CornerRule, Falloff, Map, Neighbours, Rules, Stamp, StepRule, TerrainId, ThreatSource};
use waymarch::planners::{FarScratch, PlanScratch, PlanView, Planner, PlannerList, Promise};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{Route, SearchScratch, astar};
use waymarch::world::Navigator;
use waymarch_testkit::dijkstra::{UNREACHED, distances};
use waymarch_testkit::grids::every_kind;
use waymarch_testkit::route::check_route;
use waymarch_testkit::splitmix::SplitMix;

const FOOT: LocomotorId = LocomotorId(0);
const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

/// The cost of each cell for `agent`: its cost field, plus threat if the query heeds it.
fn costs(view: &PlanView<'_>, agent: Agent, threat: Threat) -> Vec<u8> {
    let field = view.layer.field(agent).expect("a field for each size");
    let cost = |at: CellPos| match (field.cost(at), threat) {
        (255, _) => 255,
        (cost, Threat::Ignore) => cost,
        (cost, Threat::Heed) => cost.saturating_add(view.layer.threat().at(at)).min(254),
        (cost, Threat::HeedAs(observer)) => {
            let threat = view.layer.threat();
            let frightens = |id| threat.owner(id).is_none_or(|of| threat.side(of) != threat.side(observer));
            let sources = threat.sources().filter(|&(id, _)| frightens(id));
            let sum = sources.fold(0_u8, |sum, (_, source)| sum.saturating_add(source.strength_at(at)));
            cost.saturating_add(sum).min(254)
        }
    };
    view.layer.grid().rect().cells().map(cost).collect()
}

/// The twins' answer to a query: the lowest cost, or the reason why there is no route.
fn truth(view: &PlanView<'_>, query: &PathQuery) -> Result<u64, PlanError> {
    // A* decides which ends are refused, and other tests check that.
    let mut route = Route::new();
    let plain = astar(view.layer, query, view.config.step_rule(), &mut SearchScratch::new(), &mut route);
    let PathQuery { from, to, .. } = *query;
    match plain {
        Ok(()) | Err(PlanError::Unreachable { .. }) => {
            let (costs, grid) = (costs(view, query.agent, query.threat), view.layer.grid());
            let all = distances(&costs, grid.width(), grid.height(), view.config.step_rule(), from);
            match all[(to.y * grid.width() as i32 + to.x) as usize] {
                UNREACHED => Err(PlanError::Unreachable { from, to }),
                cost => Ok(cost),
            }
        }
        Err(error) => Err(error),
    }
}

/// Checks that an answer keeps the planner's promise.
fn keeps_promise(
    view: &PlanView<'_>,
    planner: &dyn Planner,
    query: &PathQuery,
    done: Result<(), PlanError>,
    route: &Route,
) -> Result<(), String> {
    let fault = |what: String| Err(format!("{}: {query:?}: {what}", planner.name()));
    let truth = truth(view, query);
    if let Err(why) = planner.suits(view, query) {
        return match done {
            Err(PlanError::Unsuited(_)) => Ok(()),
            Err(error) if truth == Err(error) => Ok(()),
            other => fault(format!("`{why}`, and yet {other:?}")),
        };
    }
    let best = match (truth, done) {
        (Ok(best), Ok(())) => best,
        (Err(expected), Err(error)) if expected == error => return Ok(()),
        (expected, answer) => return fault(format!("{answer:?} instead of {expected:?}")),
    };
    let cells: Vec<CellPos> = route.cells().collect();
    let (costs, grid) = (costs(view, query.agent, query.threat), view.layer.grid());
    let walked = check_route(&costs, grid.width(), grid.height(), view.config.step_rule(), &cells)
        .or_else(|why| fault(why).map(|()| 0))?;
    if (cells.first(), cells.last()) != (Some(&query.from), Some(&query.to)) {
        return fault(format!("from {:?} to {:?}", cells.first(), cells.last()));
    }
    if walked != route.cost.0 {
        return fault(format!("it costs {walked}, not {}", route.cost));
    }
    let kept = match planner.promise() {
        Promise::Optimal => walked == best,
        Promise::Bounded(most) => walked * 1000 <= best * u64::from(most.get()),
        Promise::Legal => walked >= best,
    };
    if kept { Ok(()) } else { fault(format!("{walked} where {best} is the least")) }
}

/// A map with edits and threat, and random queries.
struct Scene {
    nav: Navigator,
    rng: SplitMix,
    terrains: u32,
}

impl Scene {
    fn new(map: Map, rule: StepRule, seed: u64) -> Self {
        let config = Config {
            neighbours: rule.neighbours,
            corner_rule: rule.corners,
            sector_size: 8,
            short_path_threshold: 12,
            threat_update_frequency: 2,
            ..Config::default()
        };
        let terrains = map.rules.terrains.len() as u32;
        Self {
            nav: Navigator::new(map, config).expect("legal maps and settings"),
            rng: SplitMix::new(seed),
            terrains,
        }
    }

    fn somewhere(&mut self) -> CellPos {
        let grid = self.nav.layer().grid();
        cell(self.rng.below(grid.width()) as i32, self.rng.below(grid.height()) as i32)
    }

    /// Step 0 changes nothing; later steps add edits, then threat, then edits under threat.
    fn go_on(&mut self, step: u32) {
        let at = self.somewhere();
        if step > 0 {
            // A stamp that does not fit changes nothing.
            let _ = self.nav.place(&Stamp::solid(1 + self.rng.below(6), 2), at);
            let terrain = TerrainId(self.rng.below(self.terrains) as u8);
            let at = self.somewhere();
            let _ = self.nav.set_terrain(CellRect::at(at, 3, 2), terrain);
        }
        if step == 2 {
            let source = ThreatSource { at, radius: 9, strength: 60, falloff: Falloff::Linear };
            self.nav.add_threat(source).expect("on the map");
        }
        self.nav.tick();
        self.nav.tick();
    }

    /// Near and far queries, legal and illegal.
    fn questions(&mut self, count: u32) -> Vec<PathQuery> {
        let one = |_| {
            let size = self.rng.pick(&[SizeClass::ONE, SizeClass::ONE, SizeClass::TWO, SizeClass::THREE]);
            let agent = Agent { locomotor: FOOT, size };
            let (from, mut to) = (self.somewhere(), self.somewhere());
            let field = self.nav.layer().field(agent).expect("a field for each size");
            let open = |at: &CellPos| field.is_passable(*at);
            let (from_there, to_there) = (CellRect::at(from, 9, 9), CellRect::at(to, 9, 9));
            // Most queries start and end on open ground.
            let from = from_there.cells().find(open).filter(|_| self.rng.chance(950)).unwrap_or(from);
            to = to_there.cells().find(open).filter(|_| self.rng.chance(950)).unwrap_or(to);
            if self.rng.chance(20) {
                to = cell(-1, 3);
            }
            PathQuery::new(from, to, agent).with_threat(self.rng.pick(&[Threat::Ignore, Threat::Heed]))
        };
        (0..count).map(one).collect()
    }
}

type Answers = Vec<(Result<(), PlanError>, Route)>;

/// Asks all queries, in their order or backwards. The answers are in the order of the queries.
fn ask_all(
    view: &PlanView<'_>,
    planner: &dyn Planner,
    batch: &[PathQuery],
    scratch: &mut PlanScratch,
    order: Order,
) -> Answers {
    let mut answers: Answers = Vec::new();
    for at in 0..batch.len() {
        let at = if order == Order::Backwards { batch.len() - 1 - at } else { at };
        let mut route = Route::new();
        let mut done = planner.plan(view, &batch[at], scratch, &mut route);
        for _ in 0..100_000 {
            if !matches!(done, Err(PlanError::Paused { .. })) {
                break;
            }
            done = planner.plan(view, &batch[at], scratch, &mut route);
        }
        if order == Order::Backwards {
            scratch.poison();
        }
        answers.push((done, route));
    }
    if order == Order::Backwards {
        answers.reverse();
    }
    answers
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Forwards,
    Backwards,
}

/// Plays a scene with all planners and returns the number of routes found.
fn hold_to_promises(what: &str, mut scene: Scene, steps: u32) -> u32 {
    let mut routes = 0;
    // `warm` gets all queries and remembers legs. `other` gets them backwards, after other batches, with a poisoned scratch. `paused` pauses often.
    let [mut warm, mut other, mut paused] = [(); 3].map(|()| PlannerList::builtin());
    let mut remembering = PlanScratch { far: FarScratch::remembering(64), ..PlanScratch::new() };
    let mut poisoned = PlanScratch::new();
    for step in 0..steps {
        scene.go_on(step);
        let (batch, others) = (scene.questions(8), scene.questions(3));
        let view = scene.nav.view();
        let fresh = PlannerList::builtin();
        let lists = warm.iter_mut().zip(other.iter_mut()).zip(paused.iter_mut());
        for ((warm, other), paused) in lists {
            let what = format!("{what}, step {step}, {}", warm.name());
            for planner in [&mut *warm, &mut *other, &mut *paused] {
                planner.map_changed(&view);
            }
            other.map_changed(&view);
            warm.prepare(&view, &batch);
            other.prepare(&view, &others);
            other.prepare(&view, &batch.iter().rev().copied().collect::<Vec<_>>());
            paused.prepare(&view, &batch);
            let answers = ask_all(&view, &**warm, &batch, &mut remembering, Order::Forwards);
            for (query, (done, route)) in batch.iter().zip(&answers) {
                keeps_promise(&view, &**warm, query, *done, route)
                    .unwrap_or_else(|why| panic!("{what}: {why}"));
                routes += u32::from(done.is_ok());
            }
            let again = ask_all(&view, &**warm, &batch, &mut remembering, Order::Forwards);
            assert_eq!(again, answers, "{what}: asked again");
            let backwards = ask_all(&view, &**other, &batch, &mut poisoned, Order::Backwards);
            assert_eq!(backwards, answers, "{what}: prepared and asked in another order, scratch poisoned");
            let mut in_bits = PlanScratch::new();
            in_bits.search.pause_after(Some(5));
            let in_bits = ask_all(&view, &**paused, &batch, &mut in_bits, Order::Forwards);
            assert_eq!(in_bits, answers, "{what}: asked with pauses");
            let mut rebuilt = fresh.get(warm.name()).expect("the same list").boxed();
            rebuilt.prepare(&view, &batch);
            let again = ask_all(&view, &*rebuilt, &batch, &mut PlanScratch::new(), Order::Forwards);
            assert_eq!(again, answers, "{what}: a new planner");
        }
    }
    routes
}

fn through_all_kinds(rule: StepRule, seed: u64) {
    let mut routes = 0;
    for (name, grid) in every_kind(seed, 40, 32) {
        let scene = Scene::new(grid.to_map(name), rule, seed);
        routes += hold_to_promises(&format!("{name}, {rule:?}"), scene, 4);
    }
    assert!(routes > 500, "{routes} routes");
}

#[test]
fn every_planner_keeps_its_promise_where_corners_are_not_cut() {
    through_all_kinds(RULES[0], 1);
}

#[test]
fn every_planner_keeps_its_promise_where_one_side_is_enough() {
    through_all_kinds(RULES[1], 2);
}

#[test]
fn every_planner_keeps_its_promise_where_corners_are_cut() {
    through_all_kinds(RULES[2], 3);
}

#[test]
fn every_planner_keeps_its_promise_in_four_directions() {
    through_all_kinds(RULES[3], 4);
}

/// A planner that a game keeps answers like a new one after its navigator went to another map, to other settings, or both.
#[test]
fn every_planner_that_is_kept_answers_like_a_new_one_after_the_navigator_goes_to_another_map() {
    for (rule, other_rule, width) in
        [(RULES[0], RULES[3], 40), (RULES[2], RULES[0], 40), (RULES[0], RULES[0], 33)]
    {
        let mut rng = SplitMix::new(u64::from(width));
        for (name, grid) in every_kind(3, 40, 32) {
            let mut planners = PlannerList::builtin();
            let mut scene = Scene::new(grid.to_map(name), rule, 3);
            let (batch, view) = (scene.questions(8), scene.nav.view());
            for planner in planners.iter_mut() {
                planner.map_changed(&view);
                planner.prepare(&view, &batch);
            }
            let other = every_kind(rng.next_u64(), width, 32).swap_remove(rng.below(3) as usize).1;
            let mut other = Scene::new(other.to_map("other"), other_rule, 4);
            let batch = other.questions(8);
            let mut writer = ByteWriter::new();
            other.nav.save(&mut writer);
            scene.nav.restore(&mut ByteReader::new(writer.bytes())).expect("its own save");
            let (view, fresh) = (scene.nav.view(), PlannerList::builtin());
            for planner in planners.iter_mut() {
                let mut rebuilt = fresh.get(planner.name()).expect("the same list").boxed();
                planner.map_changed(&view);
                planner.prepare(&view, &batch);
                rebuilt.prepare(&view, &batch);
                let [kept, new] = [&**planner, &*rebuilt]
                    .map(|one| ask_all(&view, one, &batch, &mut PlanScratch::new(), Order::Forwards));
                assert_eq!(kept, new, "{name}, {rule:?}, {other_rule:?}, {}", planner.name());
            }
        }
    }
}

/// The default rules, with hills and patches of all terrains, over several sectors.
#[test]
fn every_planner_keeps_its_promise_over_land() {
    for seed in 0..2 {
        let mut rng = SplitMix::new(seed);
        let size = GridSize::new(100, 70).expect("legal");
        let mut map = Map::flat("land", size, Rules::standard());
        for _ in 0..60 {
            let terrain = TerrainId(rng.below(map.rules.terrains.len() as u32) as u8);
            let at = cell(rng.below(100) as i32, rng.below(70) as i32);
            let patch = CellRect::at(at, 1 + rng.below(14), 1 + rng.below(9)).intersect(size.rect());
            patch.cells().for_each(|at| map.set_terrain(at, terrain));
        }
        let routes = hold_to_promises("land", Scene::new(map, RULES[0], seed), 4);
        assert!(routes > 100, "{routes} routes");
    }
}

/// A planner whose routes pass a fixed cell. Its promise is given by the test.
#[derive(Clone)]
struct Scenic(Promise, CellPos);

impl Planner for Scenic {
    fn name(&self) -> &str {
        "scenic"
    }

    fn promise(&self) -> Promise {
        self.0
    }

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        let rule = view.config.step_rule();
        let (first, second) = (PathQuery { to: self.1, ..*query }, PathQuery { from: self.1, ..*query });
        astar(view.layer, &first, rule, &mut scratch.search, out)?;
        let mut rest = Route::new();
        astar(view.layer, &second, rule, &mut scratch.search, &mut rest)?;
        out.cost.0 += rest.cost.0;
        out.waypoints.extend(&rest.waypoints[1..]);
        Ok(())
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}

#[test]
fn a_planner_that_promises_too_much_is_found_out() {
    let grid = waymarch_testkit::grids::Grid::filled(40, 32, 1);
    let nav = Navigator::new(grid.to_map("open"), Config::default()).expect("legal");
    let query = PathQuery::new(cell(3, 3), cell(30, 3), FOOT);
    let judged = |promise, by| {
        let (planner, mut route) = (Scenic(promise, by), Route::new());
        let done = planner.plan(&nav.view(), &query, &mut PlanScratch::new(), &mut route);
        keeps_promise(&nav.view(), &planner, &query, done, &route)
    };
    let bounded = |most| Promise::Bounded(waymarch::query::PerMille::new(most).expect("legal"));
    assert_eq!(judged(Promise::Legal, cell(17, 30)), Ok(()));
    assert_eq!(judged(Promise::Optimal, cell(17, 3)), Ok(()), "that cell is on the cheapest route");
    assert!(judged(Promise::Optimal, cell(17, 30)).is_err_and(|why| why.contains("is the least")));
    assert!(judged(bounded(1050), cell(17, 30)).is_err_and(|why| why.contains("is the least")));
    assert_eq!(judged(bounded(2000), cell(17, 8)), Ok(()));
    // It reports that a cell off the map is unreachable, although the query named another cell.
    assert!(judged(Promise::Legal, cell(-1, 30)).is_err_and(|why| why.contains("instead of")));
    let mut cut = Route::new();
    let planner = Scenic(Promise::Legal, cell(17, 8));
    planner.plan(&nav.view(), &query, &mut PlanScratch::new(), &mut cut).expect("open ground");
    cut.waypoints.pop();
    assert!(keeps_promise(&nav.view(), &planner, &query, Ok(()), &cut).is_err_and(|why| why.contains("to")));
}

/// The list of planners is complete: a new planner must be added here too.
#[test]
fn these_are_the_planners_that_come_with_the_engine() {
    let list = PlannerList::builtin();
    let names: Vec<&str> = list.names().collect();
    let expected = [
        "hybrid",
        "astar",
        "jps",
        "jps+",
        "jps-graph",
        "jps-graph-flat",
        "jpsw",
        "jpsw-zones",
        "jpsw-rims",
        "jpsw-octile",
        "jpsw-1050",
        "hpa",
        "context",
    ];
    assert_eq!(names, expected);
    assert_eq!(Neighbours::Eight, RULES[0].neighbours);
    let mut list = list;
    let taken = list
        .register(Box::new(Scenic(Promise::Legal, cell(0, 0))))
        .and_then(|()| list.register(Box::new(Scenic(Promise::Optimal, cell(1, 1)))));
    assert!(taken.is_err_and(|error| error.to_string().contains("scenic")));
    assert!(list.take("scenic").is_some() && list.get("scenic").is_none());
}
