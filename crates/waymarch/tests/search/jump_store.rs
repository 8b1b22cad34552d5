//! The store of jump data: data are valid or withheld, shared between equal cost fields, and published at fixed ticks.

use waymarch::base::{Agent, CellRect, GridSize, LocomotorId, SizeClass, Tick, cell};
use waymarch::config::Config;
use waymarch::cost::{CostField, CostLayer, CostSettings, Map, Rules, Stamp, StampId, StepRule, TerrainId};
use waymarch::query::{PathQuery, Threat};
use waymarch::search::{
    JumpData, JumpDetail, JumpGraph, JumpJobId, JumpPlanes, JumpState, JumpStore, Route, SearchScratch,
    astar, jps_suits,
};
use waymarch::world::{Navigator, PlannerChoice, PlannerReason};
use waymarch_testkit::splitmix::SplitMix;

const SIDE: u32 = 80;

fn flat() -> Map {
    Map::flat("store", GridSize::new(SIDE, SIDE).expect("legal"), Rules::standard())
}

fn agents(layer: &CostLayer) -> Vec<Agent> {
    let locomotors = layer.rules().rules().locomotors.len() as u8;
    let sizes = layer.sizes();
    (0..locomotors)
        .flat_map(|id| sizes.iter().map(move |&size| Agent { locomotor: LocomotorId(id), size }))
        .collect()
}

fn rebuilt(detail: JumpDetail, field: &CostField) -> JumpData {
    match detail {
        JumpDetail::Straight => JumpData::Planes(Box::new(JumpPlanes::straight(field))),
        JumpDetail::Planes => JumpData::Planes(Box::new(JumpPlanes::full(field))),
        JumpDetail::Graph => JumpData::Graph(Box::new(JumpGraph::new(field))),
    }
}

/// A random edit as in a game: walls, water, or ground of another cost.
fn random_edit(layer: &mut CostLayer, standing: &mut Vec<StampId>, rng: &mut SplitMix, now: Tick) {
    let at = cell(rng.below(SIDE - 4) as i32, rng.below(SIDE - 4) as i32);
    match rng.below(10) {
        0..4 => standing.push(layer.place(&Stamp::solid(1 + rng.below(4), 3), at, now).expect("it fits")),
        4..6 if !standing.is_empty() => {
            let id = standing.swap_remove(rng.below(standing.len() as u32) as usize);
            layer.remove(id).expect("it stands");
        }
        // Clear ground, road, river (closed to wheels and tracks, of another cost for foot), bridge, wall.
        _ => {
            let terrain = TerrainId(rng.pick(&[0, 0, 1, 3, 5, 6]));
            let side = if rng.chance(100) { 60 } else { 4 };
            layer.set_terrain(CellRect::at(at, side, 2 + side / 2), terrain).expect("on the map");
        }
    }
}

#[test]
fn data_match_the_current_cost_field_or_are_withheld() {
    let details =
        [(JumpDetail::Planes, 1), (JumpDetail::Graph, 2), (JumpDetail::Graph, 3), (JumpDetail::Straight, 4)];
    for (detail, seed) in details {
        let mut rng = SplitMix::new(seed);
        let mut layer = CostLayer::new(&flat().validate().expect("legal"), CostSettings::default());
        let mut store = JumpStore::new(&layer, StepRule::default(), detail, 3);
        let (mut standing, mut seen) = (Vec::new(), [0; 3]);
        let (mut shared, mut split) = (0, 0);
        for step in 0..150_u64 {
            let now = Tick(step / 2);
            if step % 2 == 0 {
                store.advance(&layer, now);
            }
            if rng.chance(100) {
                // All terrain is as at the start: fields that differed are equal again.
                layer.set_terrain(layer.grid().rect(), TerrainId(0)).expect("on the map");
            }
            random_edit(&mut layer, &mut standing, &mut rng, now);
            store.follow(&layer, now);
            let mut ready = 0;
            for agent in agents(&layer) {
                let field = layer.field(agent).expect("in use");
                let suits =
                    field.cheapest() <= field.dearest() && jps_suits(field, StepRule::default()).is_ok();
                match store.state(agent) {
                    JumpState::Ready(data) => {
                        assert!(suits, "step {step} {agent:?}");
                        assert!(*data == rebuilt(detail, field), "step {step} {agent:?}");
                        ready += 1;
                        seen[0] += 1;
                    }
                    JumpState::Building(due) => {
                        assert!(suits && due > now && due.since(now) <= 3, "step {step} {agent:?}");
                        seen[1] += 1;
                    }
                    JumpState::Unsuited(why) => {
                        assert!(!suits && !why.is_empty(), "step {step} {agent:?} {why}");
                        seen[2] += 1;
                    }
                }
            }
            assert!(store.shares() <= ready, "step {step}: a share without a field");
            shared += usize::from(store.shares() < ready);
            split += usize::from(store.shares() > layer.sizes().len());
        }
        assert!(seen.iter().all(|&count| count > 50), "the test saw too little: {seen:?}");
        assert!(shared > 10 && split > 10, "{shared} {split}");
    }
}

#[test]
fn equal_fields_share_jump_data_until_they_differ() {
    let mut layer = CostLayer::new(&flat().validate().expect("legal"), CostSettings::default());
    let mut store = JumpStore::new(&layer, StepRule::default(), JumpDetail::Graph, 0);
    assert_eq!(
        store.shares(),
        3,
        "foot, wheel and track have equal fields at each of three sizes; float has no open cell"
    );
    layer.place(&Stamp::solid(3, 3), cell(9, 9), Tick::ZERO).expect("it fits");
    store.follow(&layer, Tick::ZERO);
    assert_eq!(store.shares(), 3);
    // A ford: foot passes at another cost, so jump point search no longer applies to it. Wheels and tracks go around.
    layer.set_terrain(CellRect::at(cell(40, 0), 2, 30), TerrainId(3)).expect("on the map");
    store.follow(&layer, Tick::ZERO);
    let state = |store: &JumpStore, id| match store.state(LocomotorId(id).into()) {
        JumpState::Ready(_) => "ready",
        JumpState::Building(_) => "building",
        JumpState::Unsuited(why) => why,
    };
    assert_eq!(state(&store, 0), "jump point search needs ground of one cost");
    assert_eq!([state(&store, 1), state(&store, 2)], ["ready"; 2]);
    assert_eq!(state(&store, 3), "ready", "now there is water");
    assert!(matches!(store.state(LocomotorId(9).into()), JumpState::Unsuited(_)));
    let big = Agent { locomotor: LocomotorId(0), size: SizeClass::new(9).expect("legal") };
    assert!(matches!(store.state(big), JumpState::Unsuited(_)));
}

/// Runs the store's jobs on `threads` threads and installs each result when it arrives.
#[expect(clippy::disallowed_methods, reason = "the test plays a host that has threads of its own")]
fn run_jobs(store: &mut JumpStore, threads: usize) {
    let jobs: Vec<_> = store.jobs().cloned().collect();
    let results: Vec<Vec<(JumpJobId, JumpData)>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                let jobs = &jobs;
                scope.spawn(move || {
                    let mine = jobs.iter().skip(worker).step_by(threads);
                    mine.map(|job| (job.id(), job.build())).collect()
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("it builds")).collect()
    });
    for (job, data) in results.into_iter().rev().flatten() {
        store.install(job, data);
    }
}

#[test]
fn published_data_are_the_same_at_each_tick_for_any_number_of_threads() {
    let story = |threads: usize, detail: JumpDetail| {
        let mut rng = SplitMix::new(8);
        let mut layer = CostLayer::new(&flat().validate().expect("legal"), CostSettings::default());
        let mut store = JumpStore::new(&layer, StepRule::default(), detail, 4);
        let (mut standing, mut told) = (Vec::new(), Vec::new());
        for tick in 0..40 {
            store.advance(&layer, Tick(tick));
            random_edit(&mut layer, &mut standing, &mut rng, Tick(tick));
            store.follow(&layer, Tick(tick));
            // A fast host installs results at once, a slow host late, and a host without threads never.
            if threads > 0 && tick % threads as u64 == 0 {
                run_jobs(&mut store, threads);
            }
            told.extend(agents(&layer).into_iter().map(|agent| match store.state(agent) {
                JumpState::Ready(data) => (Some(data.clone()), None),
                JumpState::Building(due) => (None, Some(due)),
                JumpState::Unsuited(_) => (None, None),
            }));
        }
        told
    };
    for detail in [JumpDetail::Planes, JumpDetail::Graph] {
        let alone = story(0, detail);
        assert!(alone.iter().any(|(data, _)| data.is_some()) && alone.iter().any(|(_, due)| due.is_some()));
        for threads in [1, 2, 3] {
            assert!(story(threads, detail) == alone, "{threads} threads");
        }
    }
}

#[test]
fn a_navigators_routes_cost_the_same_as_astars_through_edits() {
    let mut rng = SplitMix::new(4);
    let mut nav = Navigator::new(flat(), Config::default()).expect("legal");
    let (mut scratch, mut exact, mut route) = (SearchScratch::new(), Route::new(), Route::new());
    let (mut jumped, mut walked) = (0, 0);
    for step in 0..200 {
        let at = cell(rng.below(SIDE - 4) as i32, rng.below(SIDE - 4) as i32);
        if step % 3 == 0 {
            nav.place(&Stamp::solid(3, 2).lasting(20), at).expect("it fits");
        } else if step % 31 == 1 {
            nav.set_terrain(CellRect::at(at, 30, 2), TerrainId(rng.pick(&[3, 6]))).expect("on the map");
        } else if step % 47 == 2 {
            nav.set_terrain(CellRect::at(cell(0, 0), SIDE, SIDE), TerrainId(0)).expect("on the map");
        }
        if step % 2 == 0 {
            nav.tick();
        }
        for agent in agents(nav.layer()) {
            let from = cell(rng.below(SIDE) as i32, rng.below(SIDE) as i32);
            let query = PathQuery::new(from, cell(rng.below(SIDE) as i32, rng.below(SIDE) as i32), agent);
            let expected = astar(nav.layer(), &query, StepRule::default(), &mut scratch, &mut exact);
            let (choice, reason) = nav.planner_for(agent, Threat::Ignore);
            assert_eq!(nav.path_into(&query, &mut route), expected, "step {step} {query:?}");
            assert_eq!(route.cost, exact.cost, "step {step} {query:?}");
            match choice {
                PlannerChoice::JpsPlus => jumped += 1,
                PlannerChoice::Astar | PlannerChoice::Jpsw => walked += 1,
                other => panic!("{other:?} is no search that a navigator uses with `jps_precomputed` on"),
            }
            assert_eq!(choice == PlannerChoice::JpsPlus, reason == PlannerReason::OneCost);
        }
    }
    assert!(jumped > 200 && walked > 200, "{jumped} {walked}");
}
