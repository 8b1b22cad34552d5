//! The server from outside: what pages get, what they can do, and what is refused.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "tests of a server wait and use threads"
)]

mod hostile;
mod orders;
mod page;
mod replay_page;
mod script;
mod uploads;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use serde_json::{Value, json};
use waymarch::base::GridSize;
use waymarch::cost::{Map, Rules};
use waymarch::world::{Recording, Replay, Serial};
use waymarch_play::PlayOptions;

use crate::page::{PATIENCE, Page, field, serve};

#[test]
fn a_page_is_told_everything_in_order_and_two_pages_see_the_same_hash() {
    let port = serve(PlayOptions::default());
    let mut first = Page::open(port);
    let hello = first.wait_text(|_| true);
    assert_eq!((&hello["is"], &hello["version"]), (&json!("hello"), &json!(1)));
    for key in ["terrains", "types", "scenarios", "maps", "config", "overlays", "stamps", "timings"] {
        assert!(!hello[key].as_array().unwrap().is_empty(), "{key}");
    }
    assert_eq!(first.wait_text(|_| true)["is"], "time");
    let map = first.wait_binary(b"");
    let cells = hello["width"].as_u64().unwrap() * hello["height"].as_u64().unwrap();
    assert_eq!((&map[..4], map.len() as u64), (&b"WMM1"[..], 16 + 2 * cells));
    let begun = first.frame_where(|frame| frame.tick() > 5);
    assert!(begun.count() > 0);
    let mut second = Page::open(port);
    first.frame_where(|frame| frame.tick() > begun.tick() + 2);
    let here = first.pause();
    let there = second.frame_where(|frame| frame.flags() & 1 == 1);
    assert_eq!((here.tick(), here.hash()), (there.tick(), there.hash()));
    assert_ne!(here.hash(), begun.hash());
}

#[test]
fn units_are_spawned_ordered_and_arrive() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.done(json!({"do": "time", "speed": 1600}));
    let spawned = page.done(json!({"do": "spawn", "kind": 0, "count": 3, "x": 5, "y": 5}));
    assert_eq!(spawned["count"], 3);
    let there = page.frame_where(|frame| frame.count() == 3);
    assert_eq!(there.cell(0), (5, 5));
    page.done(json!({"do": "order", "units": [0], "order": "move", "x": 40, "y": 20}));
    page.done(json!({"do": "order", "units": [0], "order": "move", "x": 30, "y": 30, "queue": true}));
    page.wait_text(|event| {
        let list = event["list"].as_array();
        list.is_some_and(|list| list.iter().any(|event| event["what"] == "arrived" && event["unit"] == 0))
    });
    page.frame_where(|frame| frame.cell(0) == (30, 30));
    page.done(json!({"do": "remove", "units": [0, 1]}));
    assert_eq!(page.frame_where(|frame| frame.count() == 1).number(48, 4), 2);
}

#[test]
fn the_overlay_shows_as_many_neighbours_as_units_avoid() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    page.done(json!({"do": "spawn", "kind": 0, "count": 49, "x": 20, "y": 20}));
    page.done(json!({"do": "config", "key": "avoidance_neighbours", "value": "5"}));
    page.done(json!({"do": "time", "set": "step"}));
    page.done(json!({"do": "overlay", "name": "neighbours", "on": true, "unit": 0}));
    let drawn = page.wait_binary(b"WMO1");
    let cells: Vec<[i32; 2]> = drawn[44..]
        .chunks(12)
        .map(|cell| [0, 4].map(|at| i32::from_le_bytes(cell[at..at + 4].try_into().unwrap())))
        .collect();
    assert_eq!(cells.len(), 5, "{cells:?}");
    assert!(cells.iter().all(|[x, y]| x.abs_diff(20) <= 1 && y.abs_diff(20) <= 1), "{cells:?}");
}

#[test]
fn a_wall_changes_the_map_and_the_route_and_erasing_restores_both() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    page.done(json!({"do": "spawn", "kind": 0, "count": 1, "x": 5, "y": 20}));
    page.done(json!({"do": "order", "units": [0], "order": "move", "x": 60, "y": 20}));
    page.done(json!({"do": "time", "set": "step"}));
    page.done(json!({"do": "time", "set": "step"}));
    page.say(&json!({"do": "unit", "unit": 0}));
    let route = |page: &mut Page| {
        let tells =
            |unit: &Value| unit["is"] == "unit" && unit["route"].as_array().is_some_and(|way| way.len() > 1);
        page.wait_text(tells)["route"].as_array().unwrap().len()
    };
    assert_eq!(route(&mut page), 2);
    page.done(json!({"do": "paint", "tool": "wall", "x": 30, "y": 5, "w": 1, "h": 40}));
    assert_eq!(column(&mut page), vec![5; 40], "a wall is not drawn like a building");
    let begun = Instant::now();
    loop {
        page.done(json!({"do": "time", "set": "step"}));
        if route(&mut page) > 2 {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "the route stays as it was");
    }
    page.done(json!({"do": "paint", "tool": "erase", "x": 30, "y": 10}));
    assert_eq!(column(&mut page), vec![0; 40]);
}

/// The structures on column 30 in the 40 cells from row 5 on, from areas of several sectors.
fn column(page: &mut Page) -> Vec<u8> {
    let mut things = Vec::new();
    while things.len() < 40 {
        let area = page.wait_binary(b"WMA1");
        let high = usize::from(area[20]);
        assert_eq!((area[8], usize::from(area[12]), area[16]), (30, 5 + things.len(), 1));
        things.extend_from_slice(&area[24 + high..]);
    }
    things
}

#[test]
fn every_tool_does_something_and_gates_open() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    for (n, tool) in ["wall", "terrain", "stamp", "gate", "bridge"].into_iter().enumerate() {
        page.done(json!({"do": "paint", "tool": tool, "x": 6 * n, "y": 8, "w": 2, "h": 2, "terrain": 2, "stamp": 0}));
        let area = page.wait_binary(b"WMA1");
        assert_eq!(u64::from(area[8]), 6 * n as u64, "{tool}");
    }
    page.done(json!({"do": "toggle", "x": 18, "y": 8}));
    let area = page.wait_binary(b"WMA1");
    assert_eq!(area[24 + 4..], [4, 4, 4, 4]);
    page.done(json!({"do": "paint", "tool": "threat", "x": 40, "y": 30, "radius": 5, "strength": 90}));
    for wrong in [
        json!({"do": "paint", "tool": "wall", "x": -1, "y": 8}),
        json!({"do": "paint", "tool": "wall", "x": 1, "y": 8, "w": 65}),
        json!({"do": "paint", "tool": "wall", "x": 1, "y": 8, "w": 0}),
        json!({"do": "paint", "tool": "terrain", "x": 1, "y": 8, "terrain": 200}),
        json!({"do": "paint", "tool": "stamp", "x": 1, "y": 8, "stamp": 4_000_000_000_u32}),
        json!({"do": "paint", "tool": "dynamite", "x": 1, "y": 8}),
        json!({"do": "toggle", "x": 1, "y": 1}),
    ] {
        assert_eq!(page.ask(wrong.clone())["is"], "error", "{wrong}");
    }
}

#[test]
fn a_gate_makes_room_in_a_wall_and_is_refused_where_it_would_do_nothing() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    // One stroke of three cells, and a gate in its middle.
    page.done(json!({"do": "paint", "tool": "wall", "x": 30, "y": 10, "w": 1, "h": 3}));
    assert_eq!(page.wait_binary(b"WMA1")[24 + 3..], [5, 5, 5]);
    page.done(json!({"do": "paint", "tool": "gate", "x": 30, "y": 11}));
    assert_eq!(page.wait_binary(b"WMA1")[24 + 1..], [3], "the wall goes on beside the gate");
    // Units pass the open gate: no wall is left under it.
    page.done(json!({"do": "toggle", "x": 30, "y": 11}));
    page.done(json!({"do": "spawn", "kind": 0, "count": 1, "x": 30, "y": 11}));
    assert_eq!(page.frame_where(|frame| frame.count() == 1).cell(0), (30, 11));
    // A gate of the size of the brush.
    page.done(json!({"do": "paint", "tool": "gate", "x": 40, "y": 20, "w": 3, "h": 2}));
    page.frame_where(|frame| frame.count() == 1);
    for (place, what) in [
        (json!({"do": "paint", "tool": "stamp", "x": 10, "y": 30, "stamp": 0}), "erase the building `house`"),
        (json!({"do": "paint", "tool": "terrain", "x": 10, "y": 30, "terrain": 6}), "closed to all units"),
    ] {
        page.done(place);
        let answer = page.ask(json!({"do": "paint", "tool": "gate", "x": 10, "y": 30}));
        let told = answer["what"].as_str().unwrap_or_default();
        assert!(told.contains("(10, 30)") && told.contains(what), "{answer}");
        page.done(json!({"do": "paint", "tool": "erase", "x": 10, "y": 30}));
    }
}

#[test]
fn a_loaded_game_plays_at_full_speed_whatever_the_last_one_did() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.done(json!({"do": "time", "set": "pause", "speed": 1600}));
    page.say(&json!({"do": "load", "scenario": "door"}));
    page.wait_text(|message| message["is"] == "hello");
    let time = page.wait_text(|message| message["is"] == "time");
    assert_eq!((&time["playing"], &time["speed"], &time["tick"]), (&json!(true), &json!(100), &json!(0)));
    page.frame_where(|frame| frame.tick() > 2 && frame.count() == 40);
}

#[test]
fn the_clock_stops_steps_and_restores_the_snapshot() {
    let port = serve(PlayOptions { scenario: Some("crossing".into()), ..PlayOptions::default() });
    let mut page = Page::open(port);
    page.frame_where(|frame| frame.tick() >= 20);
    let still = page.pause();
    page.done(json!({"do": "time", "set": "step"}));
    let next = page.frame_where(|frame| frame.tick() != still.tick());
    assert_eq!(next.tick(), still.tick() + 1);
    page.say(&json!({"do": "snapshot"}));
    let snapshot = page.wait_text(|message| message["is"] == "snapshot");
    assert_eq!(snapshot["hash"], json!(format!("{:016x}", next.hash())));
    page.done(json!({"do": "time", "set": "play", "speed": 1600}));
    page.frame_where(|frame| frame.tick() > next.tick() + 30);
    // While the game runs the hash may be some ticks old; while it is paused it is not.
    let later = page.pause();
    page.done(json!({"do": "restore"}));
    let back = page.frame_where(|frame| frame.flags() & 2 == 2);
    assert_eq!((back.tick(), back.hash()), (next.tick(), next.hash()));
    assert_ne!(later.hash(), back.hash());
    for wrong in [json!({"do": "time", "speed": 24}), json!({"do": "time", "speed": 1601})] {
        assert_eq!(page.ask(wrong)["is"], "error");
    }
}

#[test]
fn a_replayed_game_is_the_same_and_its_file_replays() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.done(json!({"do": "spawn", "kind": 0, "count": 40, "x": 10, "y": 10}));
    page.done(
        json!({"do": "order", "units": [0, 1, 2, 3], "order": "patrol", "stops": [[40, 10], [40, 40]]}),
    );
    page.done(json!({"do": "order", "units": [4, 5, 0], "order": "follow", "target": 0}));
    page.done(json!({"do": "paint", "tool": "stamp", "x": 20, "y": 8, "stamp": 4}));
    page.done(json!({"do": "time", "speed": 1600}));
    page.frame_where(|frame| frame.tick() > 100);
    let compared = page.ask(json!({"do": "compare"}));
    assert_eq!((&compared["same"], &compared["hash"]), (&json!(true), &compared["again"]));
    let end = page.pause();
    let told = page.done(json!({"do": "replay"}));
    assert_eq!(told["url"], "/replay");
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET /replay HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let body = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    let recording = Recording::from_bytes(&answer[body..]).unwrap();
    let mut replay = Replay::new(&recording).unwrap();
    while replay.step(&Serial).unwrap() {}
    assert_eq!((replay.world().now().0, replay.world().state_hash().total()), (end.tick(), end.hash()));
}

#[test]
fn settings_are_changed_refused_reset_and_exported() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.wait_text(|message| message["is"] == "hello");
    let value = |hello: &Value| {
        let keys = hello["config"].as_array().unwrap();
        keys.iter().find(|key| key["key"] == "stuck_threshold").unwrap()["value"].clone()
    };
    // The game continues: neither its clock nor its units start again.
    page.done(json!({"do": "spawn", "kind": 0, "count": 3, "x": 20, "y": 20}));
    let before = page.frame_where(|frame| frame.tick() > 5).tick();
    page.say(&json!({"do": "config", "key": "stuck_threshold", "value": "33"}));
    assert_eq!(value(&page.wait_text(|message| message["is"] == "config")), "33");
    page.done(json!({"do": "config", "key": "sector_size", "value": "16"}));
    let after = page.frame_where(|frame| frame.tick() > before);
    assert!(after.count() >= 3, "{} units", after.count());
    let yaml = page.done(json!({"do": "yaml"}))["text"].as_str().unwrap().to_owned();
    assert_eq!(waymarch_maps::yaml::read_config("", yaml.as_bytes()).unwrap().stuck_threshold, 33);
    for (key, wrong) in [
        ("stuck_threshold", "0"),
        ("nothing", "1"),
        ("name", "a\n  stuck_threshold: 5"),
        ("sector_size", "9"),
    ] {
        let answer = page.ask(json!({"do": "config", "key": key, "value": wrong}));
        assert_eq!(answer["is"], "error", "{key}: {wrong}");
    }
    page.say(&json!({"do": "reset"}));
    page.wait_text(|message| message["is"] == "config" && value(message) != "33");
}

#[test]
fn every_overlay_is_drawn_and_every_scenario_and_map_loads() {
    let port = serve(PlayOptions::default());
    let mut page = Page::open(port);
    let hello = page.wait_text(|message| message["is"] == "hello");
    page.frame_where(|frame| frame.tick() > 10);
    for (number, overlay) in hello["overlays"].as_array().unwrap().iter().enumerate() {
        page.done(
            json!({"do": "overlay", "name": overlay["name"], "on": true, "unit": 0, "area": [0, 0, 40, 30]}),
        );
        let drawn = page.wait_binary(b"WMO1");
        assert_eq!(
            (u64::from(drawn[4]), u64::from(drawn[8])),
            (number as u64, overlay["form"].as_u64().unwrap())
        );
        let expected = match drawn[8] {
            0 | 1 => Some(40 + 40 * 30 * 2),
            2 => Some(40 + 40 * 30),
            _ => None,
        };
        assert!(expected.is_none_or(|bytes| bytes == drawn.len()), "{overlay}");
        page.done(json!({"do": "overlay", "name": overlay["name"], "on": false}));
    }
    for scenario in hello["scenarios"].as_array().unwrap() {
        page.say(&json!({"do": "load", "scenario": scenario["name"]}));
        let now = page.wait_text(|message| message["is"] == "hello" || message["is"] == "error");
        assert_eq!(now["scenario"], scenario["name"]);
        assert!(page.frame_where(|frame| frame.flags() & 2 == 2).count() > 0);
    }
    for map in hello["maps"].as_array().unwrap() {
        page.say(&json!({"do": "load", "map": map}));
        let now = page.wait_text(|message| message["is"] == "hello" || message["is"] == "error");
        assert_eq!((&now["is"], &now["scenario"]), (&json!("hello"), &Value::Null));
    }
    page.say(&json!({"do": "load", "generate": {"seed": 3, "width": 96, "height": 64}}));
    assert_eq!(page.wait_text(|message| message["is"] == "hello")["width"], 96);
}

/// The numbers in the header of an overlay from its form on, without the tick: form and shift, x, y, columns, rows, most.
fn head(drawn: &[u8]) -> [u32; 6] {
    [8, 20, 24, 28, 32, 36].map(|at| u32::from_le_bytes(drawn[at..at + 4].try_into().unwrap()))
}

#[test]
fn overlays_of_huge_maps_are_drawn_in_bounded_messages() {
    let map = Map::flat("huge", GridSize::new(1536, 1100).unwrap(), Rules::standard());
    let mut page = Page::open(serve(PlayOptions { map: Some(map), ..PlayOptions::default() }));
    let hello = page.wait_text(|message| message["is"] == "hello");
    page.done(json!({"do": "spawn", "kind": 0, "count": 1, "x": 20, "y": 20}));
    page.done(json!({"do": "order", "units": [0], "order": "move", "x": 1500, "y": 1000}));
    page.frame_where(|frame| frame.count() == 1 && frame.cell(0).0 > 22);
    page.pause();
    let mut drawn = |name: &str, area: Value| {
        let number = hello["overlays"].as_array().unwrap().iter().position(|overlay| overlay["name"] == name);
        page.done(json!({"do": "overlay", "name": name, "on": true, "unit": 0, "area": area}));
        let mut bytes = page.wait_binary(b"WMO1");
        while usize::from(bytes[4]) != number.unwrap() {
            bytes = page.wait_binary(b"WMO1");
        }
        page.done(json!({"do": "overlay", "name": name, "on": false}));
        bytes
    };
    // For the whole map a value stands for two cells per side; for a part, one.
    for overlay in hello["overlays"].as_array().unwrap() {
        let (name, form) = (overlay["name"].as_str().unwrap(), overlay["form"].as_u64().unwrap() as u32);
        let whole = drawn(name, Value::Null);
        assert_eq!(head(&whole)[..5], [form | 1 << 16, 0, 0, 768, 550], "{name}");
        let part = drawn(name, json!([1401, 903, 90, 80]));
        assert_eq!(head(&part)[..5], [form, 1401, 903, 90, 80], "{name}");
        for (bytes, values) in [(whole, 768 * 550), (part, 90 * 80)] {
            match form {
                0 | 1 => assert_eq!(bytes.len(), 40 + 2 * values, "{name}"),
                2 => assert_eq!(bytes.len(), 40 + values, "{name}"),
                _ => assert!((44..3 << 20).contains(&bytes.len()), "{name}: {} bytes", bytes.len()),
            }
        }
    }
    // An overlay drawn in the background is right: on open ground the direction to the goal is known.
    let integration = drawn("integration", Value::Null);
    let flow = drawn("flow", Value::Null);
    for (column, row) in [(0, 0), (749, 500), (767, 549), (300, 20)] {
        let (at, x, y) = (row * 768 + column, 2 * column as u32 + 1, 2 * row as u32 + 1);
        let (dx, dy) = (x.abs_diff(1500), y.abs_diff(1000));
        let far = 1024 * (dx.max(dy) - dx.min(dy)) + 1448 * dx.min(dy);
        let value = u16::from_le_bytes([integration[40 + 2 * at], integration[41 + 2 * at]]);
        assert_eq!(u32::from(value), far >> 10, "{x}, {y}");
    }
    assert_eq!(flow[40 + 500 * 768 + 749], 1, "north-east from (1499, 1001) to (1500, 1000)");
    assert!(u32::from_le_bytes(drawn("portals", Value::Null)[40..44].try_into().unwrap()) > 1000);
    assert!(u32::from_le_bytes(drawn("search", Value::Null)[40..44].try_into().unwrap()) > 2);
}

#[test]
fn the_search_overlay_uses_the_planner_that_the_engine_would_choose() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    page.done(json!({"do": "spawn", "kind": 0, "count": 1, "x": 5, "y": 20}));
    page.done(json!({"do": "paint", "tool": "wall", "x": 30, "y": 5, "w": 1, "h": 40}));
    page.done(json!({"do": "order", "units": [0], "order": "move", "x": 60, "y": 20}));
    page.done(json!({"do": "time", "set": "step"}));
    let mut classes = |ground: &str| {
        page.done(json!({"do": "overlay", "name": "search", "on": true, "unit": 0}));
        let drawn = page.wait_binary(b"WMO1");
        page.done(json!({"do": "overlay", "name": "search", "on": false}));
        // A patch of rough ground off the route: jump point search for uniform cost cannot be used any more.
        page.done(json!({"do": "paint", "tool": "terrain", "x": 2, "y": 2, "terrain": 2}));
        let list: Vec<u8> = drawn[44..].chunks(12).map(|cell| cell[8]).collect();
        assert!(list.contains(&1) && list.first() == Some(&3) && list.last() == Some(&4), "{ground}");
        (list.len(), list.contains(&2))
    };
    let (even, weighted) = (classes("even"), classes("weighted"));
    // Jump points, and far fewer nodes than the thousand cells that A* would expand.
    assert!(even.1 && even.0 < 200, "{even:?}");
    assert!(weighted.1 && weighted.0 != even.0, "{weighted:?}");
}
