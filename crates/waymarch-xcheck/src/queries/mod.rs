//! Queries on maps: every planner and search, fields, tiles, doors, rooms, smoothing. All are asked again after edits.

use waymarch::base::{ByteWriter, HashState, StateHasher};
use waymarch::config::{Config, InfluenceAvoidance};
use waymarch::cost::{CornerRule, Map, StepRule};
use waymarch::planners::{FarScratch, PlanScratch, PlannerList};
use waymarch::query::{PathQuery, PlanError};
use waymarch::search::{Route, SmoothPath};
use waymarch::world::Navigator;

use scene::{Kept, Scene};

use crate::{Digest, Lines, Options, maps, report};

mod flows;
mod goals;
mod layer;
mod navigator;
mod odd_maps;
mod open_ground;
mod scene;
mod searches;
mod sectors;

/// A map with its rule for steps and the side of its sectors.
struct Case {
    name: &'static str,
    map: Map,
    rule: StepRule,
    sector: u32,
}

pub(crate) fn run(out: &mut Lines<'_>, options: &Options) {
    let case = |name, map, rule, sector| Case { name, map, rule, sector };
    let eight = StepRule::eight;
    let cases = [
        case("mixed", maps::mixed(11, 64, 56), eight(CornerRule::Forbid), 16),
        case("rooms", maps::rooms(12, 77, 66), eight(CornerRule::Forbid), 32),
        case("maze", maps::maze(13, 64, 64), eight(CornerRule::AllowOne), 16),
        case("river", maps::river(14, 80, 50), eight(CornerRule::Allow), 32),
        case("blocks", maps::blocks(15, 80, 70), eight(CornerRule::Forbid), 64),
        case("speckles", maps::speckles(16, 48, 44), StepRule::FOUR, 8),
    ];
    let rounds = options.amount.choose(3, 1);
    for case in cases {
        if options.wants("queries", case.name) {
            one_map(out, case, rounds);
        }
    }
    if options.wants("queries", "lazy") {
        open_ground::lazy(out);
    }
    if options.wants("queries", "wide") {
        open_ground::wide(out, options.amount);
    }
    if options.wants("queries", "odd") {
        odd_maps::run(out);
    }
}

/// Adds a route and the answer of its search.
pub(crate) fn hash_route(
    h: &mut Digest,
    done: Result<impl core::fmt::Debug, impl core::fmt::Debug>,
    route: &Route,
) {
    h.debug(done);
    h.number(route.cost.0);
    h.number(route.expanded.into());
    h.number(route.length());
    h.debug(route.steps());
    for at in &route.waypoints {
        h.signed(at.x.into());
        h.signed(at.y.into());
    }
    let mut count = 0_u64;
    for at in route.cells() {
        count += (at.x as u64) ^ ((at.y as u64) << 20);
    }
    h.number(count);
}

fn hash_points(h: &mut Digest, path: &SmoothPath) {
    h.number(path.cost.0);
    h.number(path.length);
    path.points.iter().for_each(|p| {
        h.signed(p.x.raw().into());
        h.signed(p.y.raw().into());
    });
}

fn state<T: HashState + ?Sized>(v: &T) -> u64 {
    StateHasher::hash_of(v)
}

/// Runs all queries on one map, first as it is, then again after edits.
fn one_map(out: &mut Lines<'_>, case: Case, rounds: u32) {
    let Case { name, map, rule, sector } = case;
    let config = Config {
        neighbours: rule.neighbours,
        corner_rule: rule.corners,
        sector_size: sector,
        size_classes: vec![1, 2, 3, 5],
        short_path_threshold: 20,
        threat_update_frequency: 2,
        influence_avoidance: InfluenceAvoidance::All,
        ..Config::default()
    };
    let nav = Navigator::new(map, config).expect("a legal map and settings");
    let (mut digest, mut writer) = (Digest::new(), ByteWriter::new());
    nav.save(&mut writer);
    digest.bytes(writer.bytes());
    report!(out, "q.{name} saved {:016x} state {}", digest.value(), nav.state_hash());
    let mut scene = Scene::new(name, nav, rule);
    let mut planners = Planners::new();
    let mut kept = Kept::new(&scene);
    for round in 0..rounds {
        scene.edit(round);
        layer::layer(out, &scene, round);
        let batch: Vec<PathQuery> = (0..9).map(|_| scene.query(round)).collect();
        planners.ask(out, &scene, &batch, round);
        searches::searches(out, &scene, &batch, round);
        goals::goals(out, &scene, &batch, round);
        goals::hierarchical_routes(out, &scene, &batch, round);
        navigator::navigator(out, &mut scene, &batch, round);
        navigator::smoothing(out, &mut scene, &batch, round);
        sectors::sectors(out, &mut scene, &batch, round, &mut kept);
        flows::flows(out, &mut scene, &batch, round, &mut kept);
    }
}

/// All planners that come with the engine. Each answers once in one run, and once with a pause after every 7 nodes.
struct Planners {
    list: PlannerList,
    scratch: PlanScratch,
}

impl Planners {
    fn new() -> Self {
        let scratch = PlanScratch { far: FarScratch::remembering(64), ..PlanScratch::new() };
        Self { list: PlannerList::builtin(), scratch }
    }

    fn ask(&mut self, out: &mut Lines<'_>, scene: &Scene, batch: &[PathQuery], round: u32) {
        let view = scene.nav.view();
        for planner in self.list.iter_mut() {
            let mut digest = Digest::new();
            planner.map_changed(&view);
            planner.prepare(&view, batch);
            digest.text(planner.promise());
            let (mut found, mut nodes) = (0_u32, 0_u64);
            for query in batch {
                let mut route = Route::new();
                digest.debug(planner.suits(&view, query));
                let done = planner.plan(&view, query, &mut self.scratch, &mut route);
                found += u32::from(done.is_ok());
                nodes += u64::from(route.expanded);
                hash_route(&mut digest, done, &route);
                let mut scratch = PlanScratch::new();
                scratch.search.pause_after(Some(7));
                let mut pauses = 0;
                let done = loop {
                    let done = planner.plan(&view, query, &mut scratch, &mut route);
                    if !matches!(done, Err(PlanError::Paused { .. })) || pauses > 100_000 {
                        break done;
                    }
                    pauses += 1;
                };
                hash_route(&mut digest, done, &route);
                digest.number(pauses);
            }
            let (name, planner, digest) = (scene.name, planner.name(), digest.value());
            report!(out, "q.{name}.{round} planner {planner} found {found} nodes {nodes} {digest:016x}");
        }
    }
}
