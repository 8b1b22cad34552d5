//! Data of a map of another size are refused with a reason, and an update rebuilds them.

use waymarch::base::{Agent, CellPos, CellRect, Dir8, LocomotorId, Tick, cell};
use waymarch::cost::{CostField, CostLayer, CostSettings, StepRule};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{
    Bound, Hierarchy, JumpDetail, JumpGraph, JumpPlanes, JumpState, JumpStore, Landmarks, Route,
    SearchScratch, WeightedPlanes, WeightedSearch, ZoneDistances, astar, hierarchical, jps, jps_graph, jpsw,
};
use waymarch_testkit::grids::Grid;

const FOOT: Agent = Agent { locomotor: LocomotorId(0), size: waymarch::base::SizeClass::ONE };

fn layer(width: u32, height: u32) -> CostLayer {
    let map = Grid::maze(3, width, height).to_map("one of several").validate().expect("a legal map");
    CostLayer::new(&map, CostSettings::default())
}

fn field(layer: &CostLayer) -> &CostField {
    layer.field(FOOT).expect("it exists")
}

/// Maps of different sizes: narrower, wider, transposed, and with the same number of cells in other rows.
fn layers() -> Vec<CostLayer> {
    let sizes = [(41, 61), (61, 41), (61, 61), (33, 33), (129, 65), (65, 129), (123, 61), (7, 1), (1, 7)];
    sizes.map(|(width, height)| layer(width, height)).into()
}

fn corners(layer: &CostLayer) -> [CellPos; 2] {
    let open: Vec<CellPos> = layer.grid().rect().cells().filter(|&at| field(layer).is_passable(at)).collect();
    [open[0], open[open.len() - 1]]
}

fn refused(answer: Result<(), PlanError>) -> &'static str {
    match answer {
        Err(PlanError::Unsuited(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn data_of_a_map_of_another_size_are_refused() {
    let (layers, rule) = (layers(), StepRule::default());
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    for made_for in &layers {
        let [straight, full] = [JumpPlanes::straight(field(made_for)), JumpPlanes::full(field(made_for))];
        let graph = JumpGraph::new(field(made_for));
        let hierarchy = Hierarchy::with_work(field(made_for), 100);
        let weighted = WeightedPlanes::new(made_for, FOOT, rule, Threat::Ignore).expect("it exists");
        let zones = ZoneDistances::new(made_for, FOOT, rule).expect("it exists");
        let landmarks = Landmarks::new(made_for, FOOT, rule).expect("it exists");
        for layer in &layers {
            let [from, to] = corners(layer);
            let query = PathQuery::new(from, to, FOOT);
            let own = WeightedPlanes::new(layer, FOOT, rule, Threat::Ignore).expect("it exists");
            let mut ask = |number| match number {
                0 => jps(layer, &query, &straight, &mut scratch, &mut route),
                1 => jps(layer, &query, &full, &mut scratch, &mut route),
                2 => jps_graph(layer, &query, &graph, &mut scratch, &mut route),
                3 => hierarchical(layer, &query, &hierarchy, &mut scratch, &mut route),
                4 => jpsw(layer, &query, &WeightedSearch::new(&weighted), &mut scratch, &mut route),
                5 => {
                    let how = WeightedSearch::new(&own).with_bound(Bound::Zones(&zones));
                    jpsw(layer, &query, &how, &mut scratch, &mut route)
                }
                _ => {
                    let how = WeightedSearch::new(&own).with_bound(Bound::Landmarks(&landmarks));
                    jpsw(layer, &query, &how, &mut scratch, &mut route)
                }
            };
            for number in 0..7 {
                let answer = ask(number);
                if layer.grid() == made_for.grid() {
                    assert_eq!(answer, Ok(()), "{number}");
                } else {
                    assert!(refused(answer).ends_with("made for a map of another size"), "{number}");
                }
            }
            if layer.grid() != made_for.grid() {
                let tables = Dir8::ALL.map(|dir| full.jump_entry(field(layer), from, dir));
                assert_eq!(tables, [None; 8]);
            }
        }
    }
}

#[test]
fn an_update_to_a_map_of_another_size_rebuilds_the_data() {
    let (layers, rule) = (layers(), StepRule::default());
    for before in &layers {
        for now in &layers {
            for changed in [CellRect::at(cell(0, 0), 3, 3), CellRect::at(cell(60, 40), 90, 90)] {
                for make in [JumpPlanes::straight, JumpPlanes::full] {
                    let mut planes = make(field(before));
                    planes.update(field(now), changed);
                    assert_eq!(planes, make(field(now)));
                }
                let mut graph = JumpGraph::new(field(before));
                graph.update(field(now), changed);
                assert_eq!(graph, JumpGraph::new(field(now)));
                let mut weighted = WeightedPlanes::new(before, FOOT, rule, Threat::Heed).expect("it exists");
                weighted.update(now, changed);
                assert!(weighted == WeightedPlanes::new(now, FOOT, rule, Threat::Heed).expect("it exists"));
                assert!(weighted.is_current(now));
            }
        }
    }
}

#[test]
fn bounds_do_not_follow_a_map_of_another_size() {
    let (ours, theirs, rule) = (layer(61, 41), layer(129, 65), StepRule::default());
    let [from, to] = corners(&ours);
    let mut zones = ZoneDistances::new(&ours, FOOT, rule).expect("it exists");
    let mut landmarks = Landmarks::new(&ours, FOOT, rule).expect("it exists");
    let before = (zones.at_least(from, to), landmarks.at_least(from, to));
    zones.update(&theirs, theirs.grid().rect());
    landmarks.update(&theirs, theirs.grid().rect());
    assert!(zones.holds() && landmarks.holds());
    assert_eq!((zones.at_least(from, to), landmarks.at_least(from, to)), before);
}

#[test]
fn a_store_of_jump_data_is_rebuilt_on_a_map_of_another_size() {
    let (layers, rule) = (layers(), StepRule::default());
    let (mut scratch, mut route, mut expected) = (SearchScratch::new(), Route::new(), Route::new());
    for detail in [JumpDetail::Straight, JumpDetail::Planes, JumpDetail::Graph] {
        let mut store = JumpStore::new(&layers[0], rule, detail, 2);
        for (number, layer) in layers.iter().enumerate() {
            let now = Tick(10 * number as u64);
            store.follow(layer, now);
            // A result of another map is dropped, and is computed again when it is due.
            let jobs: Vec<_> = store.jobs().map(|job| job.id()).collect();
            let other = &layers[(number + 1) % layers.len()];
            for job in jobs {
                store.install(job, waymarch::search::JumpData::Planes(JumpPlanes::full(field(other)).into()));
            }
            store.advance(layer, now + 2);
            let JumpState::Ready(data) = store.state(FOOT) else { panic!("{:?}", store.state(FOOT)) };
            assert_eq!(data.grid(), layer.grid());
            let [from, to] = corners(layer);
            let query = PathQuery::new(from, to, FOOT);
            data.plan(layer, &query, &mut scratch, &mut route).expect("a maze is joined");
            astar(layer, &query, rule, &mut scratch, &mut expected).expect("a maze is joined");
            assert_eq!(route.cost, expected.cost);
        }
    }
}
