use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use waymarch::base::{CellPos, LocomotorId};
use waymarch::cost::{CornerRule, CostLayer, CostSettings, StepRule};
use waymarch::query::PathQuery;
use waymarch::search::{
    JumpPlanes, Recorder, Route, SearchRun, SearchScratch, astar_with, jps_suits, jps_with,
};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;

use super::*;

fn written(form: TraceForm, trace: &Trace<'_>) -> String {
    let mut out = Vec::new();
    write_trace(&mut out, form, trace).expect("memory takes every byte");
    String::from_utf8(out).expect("traces are text")
}

/// The trace read back from both of its forms, which must say the same.
fn read_back(trace: &Trace<'_>) -> Value {
    let json: Value = serde_json::from_str(&written(TraceForm::Json, trace)).expect("it is JSON");
    let yaml: Value = serde_saphyr::from_str(&written(TraceForm::Yaml, trace)).expect("it is YAML");
    assert_eq!(json, yaml);
    json
}

fn number(event: &Value, key: &str) -> u64 {
    event[key].as_u64().unwrap_or_else(|| panic!("no {key} in {event}"))
}

/// Checks what must hold for every trace. It reads only the document.
fn check(document: &Value, grid: &Grid, route: Option<&Route>) {
    assert_eq!(document["version"], "1.4.0");
    assert!(document["views"]["main"].is_array());
    let events = document["events"].as_array().expect("events");
    assert_eq!(events[0]["type"], "map");
    let mut closed = vec![false; grid.cost.len()];
    for run in events[0]["closed"].as_array().expect("runs") {
        let [x, y, length] = [0, 1, 2].map(|i| run[i].as_u64().expect("a number") as usize);
        closed[y * grid.width as usize + x..][..length].fill(true);
    }
    assert!(closed.iter().zip(&grid.cost).all(|(&closed, &cost)| closed == (cost == 255)));
    assert_eq!((&events[1]["type"], &events[2]["type"]), (&"source".into(), &"destination".into()));
    let (source, goal) = (number(&events[1], "id"), number(&events[2], "id"));
    let mut known = BTreeMap::from([(source, 0)]);
    let mut expanding = None;
    let mut solution = Vec::new();
    for event in &events[3..events.len() - 1] {
        let id = number(event, "id");
        assert_eq!(id, number(event, "y") * u64::from(grid.width) + number(event, "x") + 1);
        match event["type"].as_str().expect("a type") {
            "expanding" => {
                assert_eq!(expanding, None, "the one before was closed");
                assert_eq!(known.get(&id), Some(&number(event, "g")), "it was generated: {event}");
                assert_eq!(number(event, "f"), number(event, "g") + number(event, "h"));
                match event.get("pId") {
                    Some(parent) => assert!(known.contains_key(&parent.as_u64().expect("a number"))),
                    None => assert_eq!(id, source),
                }
                expanding = Some(id);
            }
            kind @ ("generating" | "updating") => {
                assert_eq!(Some(number(event, "pId")), expanding);
                assert!(number(event, "g") > known[&number(event, "pId")]);
                let before = known.insert(id, number(event, "g"));
                assert!(before.is_none_or(|before| number(event, "g") <= before));
                assert!(kind == "generating" || before.is_some());
            }
            "closing" => assert_eq!(expanding.take(), Some(id)),
            "solution" => {
                assert_eq!(event.get("pId"), solution.last(), "each waypoint follows the one before");
                solution.push(event["id"].clone());
            }
            other => panic!("an event of type {other}"),
        }
    }
    let end = &events[events.len() - 1];
    assert_eq!((&end["type"], &end["left_out"]), (&"end".into(), &0.into()));
    assert_eq!(end["found"], route.is_some());
    assert_eq!(solution.len(), route.map_or(0, |route| route.waypoints.len()));
    if let Some(route) = route {
        assert_eq!((solution.first(), solution.last()), (Some(&source.into()), Some(&goal.into())));
        assert_eq!((end["g"].as_u64(), known.get(&goal)), (Some(route.cost.0), Some(&route.cost.0)));
    }
}

#[test]
fn every_trace_of_every_search_reads_back_complete() {
    let (mut rng, mut scratch, mut route) = (SplitMix::new(7), SearchScratch::new(), Route::new());
    let mut recorder = Recorder::with_limit(usize::MAX);
    let mut jumps = 0;
    for seed in 0..3 {
        let (width, height) = (5 + rng.below(30), 5 + rng.below(30));
        for (_, grid) in every_kind(seed, width, height) {
            let map = grid.to_map("traced").validate().expect("the testkit makes legal maps");
            let layer = CostLayer::new(&map, CostSettings::default());
            let field = layer.field(LocomotorId(0).into()).expect("it exists");
            let mut search = |plan: &mut dyn FnMut(&PathQuery, &mut Route, &mut Recorder) -> bool| {
                let ends = [(); 2].map(|()| grid.random_open(&mut rng));
                let [Some(from), Some(to)] = ends else { return };
                recorder.clear();
                let query = PathQuery::new(from, to, LocomotorId(0));
                let found = plan(&query, &mut route, &mut recorder).then_some(&route);
                let trace = Trace { field, events: recorder.events(), left_out: 0, route: found };
                let document = read_back(&trace);
                check(&document, &grid, found);
                jumps +=
                    document["events"].as_array().unwrap().iter().filter(|e| e.get("tx").is_some()).count();
            };
            for rule in [StepRule::FOUR, StepRule::eight(CornerRule::AllowOne)] {
                search(&mut |query, route, recorder| {
                    astar_with(
                        &layer,
                        query,
                        rule,
                        SearchRun { scratch: &mut scratch, out: route, probe: recorder },
                    )
                    .is_ok()
                });
            }
            if jps_suits(field, StepRule::default()).is_ok() {
                for planes in [JumpPlanes::straight(field), JumpPlanes::full(field)] {
                    search(&mut |query, route, recorder| {
                        jps_with(
                            &layer,
                            query,
                            &planes,
                            SearchRun { scratch: &mut scratch, out: route, probe: recorder },
                        )
                        .is_ok()
                    });
                }
            }
        }
    }
    assert!(jumps > 100, "{jumps} jumps");
}

/// A 6×2 map with a wall, a search across it, and as many of its events as `limit` allows.
fn small(limit: usize, look: impl FnOnce(&Trace<'_>)) {
    let mut grid = Grid::filled(6, 2, 1);
    for at in [(2, 0), (3, 0)] {
        grid.set(at, 255);
    }
    let map = grid.to_map("small").validate().expect("a legal map");
    let layer = CostLayer::new(&map, CostSettings::default());
    let field = layer.field(LocomotorId(0).into()).expect("it exists");
    let (mut scratch, mut route, mut recorder) =
        (SearchScratch::new(), Route::new(), Recorder::with_limit(limit));
    let query = PathQuery::new(CellPos::new(0, 0), CellPos::new(5, 0), LocomotorId(0));
    let planes = JumpPlanes::full(field);
    jps_with(
        &layer,
        &query,
        &planes,
        SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut recorder },
    )
    .expect("a route exists");
    look(&Trace { field, events: recorder.events(), left_out: recorder.left_out(), route: Some(&route) });
}

#[test]
fn an_event_is_one_readable_line() {
    small(100, |trace| {
        let text = written(TraceForm::Yaml, trace);
        for line in [
            "version: 1.4.0",
            "- {type: map, id: 0, width: 6, height: 2, closed: [[2,0,2]]}",
            "- {type: source, id: 1, x: 0, y: 0}",
            "- {type: destination, id: 6, x: 5, y: 0}",
            "- {type: expanding, id: 1, x: 0, y: 0, g: 0, h: 5120, f: 5120}",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(
            last,
            "- {type: end, id: 6, x: 5, y: 0, g: 5968, h: 0, f: 5968, found: true, left_out: 0}"
        );
    });
}

#[test]
fn a_limited_recording_says_so_and_still_has_its_solution() {
    small(2, |trace| {
        let document = read_back(trace);
        let events = document["events"].as_array().expect("events");
        let end = events.last().expect("an end");
        assert!(number(end, "left_out") > 0);
        assert_eq!(
            events.iter().filter(|event| event["type"] == "solution").count(),
            trace.route.unwrap().waypoints.len()
        );
    });
}

#[test]
fn the_extension_chooses_the_form_and_errors_name_the_file() {
    assert_eq!(TraceForm::of(Path::new("a.yaml")), Ok(TraceForm::Yaml));
    assert_eq!(TraceForm::of(Path::new("b/a.YML")), Ok(TraceForm::Yaml));
    assert_eq!(TraceForm::of(Path::new("a.json")), Ok(TraceForm::Json));
    small(9, |trace| {
        for name in ["-", "trace", "a.txt", "no/such/folder/a.yaml"] {
            let error = save_trace(Path::new(name), trace).expect_err("it cannot be");
            assert_eq!(error.file, name);
        }
    });
}
