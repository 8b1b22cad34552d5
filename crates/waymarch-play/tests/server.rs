//! The server from outside: what pages get, what they can do, and what nobody can.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "tests of a server wait and use threads"
)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};
use waymarch::base::GridSize;
use waymarch::cost::{Map, Rules};
use waymarch::world::{Recording, Replay, Serial};
use waymarch_play::{Play, Playground};

/// Nothing here takes longer, on a busy machine either.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of its own for a test, by its port.
fn serve(play: Play) -> u16 {
    let playground = Playground::open(play).unwrap();
    let url = playground.url();
    std::thread::spawn(move || playground.run());
    url.trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap()
}

fn field() -> Play {
    let map = Map::flat("field", GridSize::new(64, 48).unwrap(), Rules::spec_000());
    Play { map: Some(map), ..Play::default() }
}

/// A page, as far as the server knows.
struct Page {
    socket: WebSocket<TcpStream>,
    asked: u64,
}

impl Page {
    fn open(port: u16) -> Self {
        let mut request = format!("ws://127.0.0.1:{port}/ws").into_client_request().unwrap();
        request.headers_mut().insert("Origin", format!("http://127.0.0.1:{port}").parse().unwrap());
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        Self { socket, asked: 0 }
    }

    fn say(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).unwrap();
    }

    /// The next text message of which `is` says so.
    fn wait_text(&mut self, is: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Message::Text(text) = self.socket.read().unwrap() {
                let value: Value = serde_json::from_str(&text).unwrap();
                if is(&value) {
                    return value;
                }
            }
        }
        panic!("no such message");
    }

    /// Asks and gives the answer.
    fn ask(&mut self, mut message: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        message["id"] = json!(id);
        self.say(&message);
        self.wait_text(|answer| answer["id"] == json!(id))
    }

    /// Asks for what must be done.
    fn done(&mut self, message: Value) -> Value {
        let answer = self.ask(message);
        assert_ne!(answer["is"], "error", "{answer}");
        answer
    }

    /// The next binary message that begins like that.
    fn wait_binary(&mut self, magic: &[u8]) -> Vec<u8> {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Message::Binary(bytes) = self.socket.read().unwrap()
                && bytes.starts_with(magic)
            {
                return bytes.to_vec();
            }
        }
        panic!("no such message");
    }

    fn frame(&mut self) -> Frame {
        Frame(self.wait_binary(b"WMF1"))
    }

    /// The first frame of which `is` says so.
    fn frame_where(&mut self, is: impl Fn(&Frame) -> bool) -> Frame {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let frame = self.frame();
            if is(&frame) {
                return frame;
            }
        }
        panic!("no such frame");
    }

    /// Stops the clock: the frame that stays.
    fn pause(&mut self) -> Frame {
        self.done(json!({"do": "time", "set": "pause"}));
        // Whatever was on its way has the flag unset, or another answer comes after it.
        let frame = self.frame_where(|frame| frame.flags() & 1 == 1);
        assert_eq!(frame.number(42, 2), 0, "the hash of a game that stands is of its tick");
        frame
    }
}

struct Frame(Vec<u8>);

impl Frame {
    fn number(&self, at: usize, bytes: usize) -> u64 {
        (0..bytes).map(|n| u64::from(self.0[at + n]) << (8 * n)).sum()
    }

    fn flags(&self) -> u64 {
        self.number(4, 4)
    }

    fn tick(&self) -> u64 {
        self.number(8, 8)
    }

    fn hash(&self) -> u64 {
        self.number(16, 8)
    }

    fn count(&self) -> u64 {
        self.number(44, 4)
    }

    /// The cell of the unit that is `n`th.
    fn cell(&self, n: usize) -> (i32, i32) {
        let side = |at| (self.number(48 + n * 20 + at, 4) as u32 as i32) >> 10;
        (side(4), side(8))
    }
}

/// An HTTP request, word by word; status and body.
fn http(port: u16, head: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    // Who is refused may close while we still send.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer).into_owned();
    let status = text.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    (status, text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}

fn get(port: u16, path: &str) -> (u16, String) {
    http(port, &format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"), b"")
}

fn upload(port: u16, name: &str, length: usize, more: &str, body: &[u8]) -> (u16, String) {
    let head = format!(
        "POST /map?name={name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Length: {length}\r\n{more}\r\n"
    );
    http(port, &head, body)
}

/// That the server goes on: a new page gets frames.
fn goes_on(port: u16) {
    assert!(Page::open(port).frame().0.len() >= 48);
}

#[test]
fn a_page_is_told_everything_in_order_and_two_pages_see_the_same_hash() {
    let port = serve(Play::default());
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

/// Lines of an overlay that is switched on for a moment: class and points.
fn lines(page: &mut Page, name: &str, units: &[u32]) -> Vec<(u32, Vec<[i32; 2]>)> {
    page.done(json!({"do": "overlay", "name": name, "on": true, "units": units}));
    let bytes = page.wait_binary(b"WMO1");
    page.done(json!({"do": "overlay", "name": name, "on": false}));
    let mut words = bytes[40..].chunks(4).map(|word| i32::from_le_bytes(word.try_into().unwrap()));
    let mut next = || words.next().unwrap();
    let count = next();
    (0..count)
        .map(|_| {
            let (class, points) = (next() as u32, next());
            (class, (0..points).map(|_| [next(), next()]).collect())
        })
        .collect()
}

/// The middles of the slots that are drawn for the groups of these units.
fn slots(page: &mut Page, units: &[u32]) -> Vec<[i32; 2]> {
    let lines = lines(page, "slots", units);
    let middle = |points: &Vec<[i32; 2]>| {
        [0, 1].map(|axis: usize| points[..8].iter().map(|at| at[axis]).sum::<i32>() / 8)
    };
    lines.iter().filter(|(class, _)| *class == 8).map(|(_, points)| middle(points)).collect()
}

#[test]
fn groups_stand_in_the_formation_they_are_told_and_take_another_on_their_way() {
    let port = serve(field());
    let mut page = Page::open(port);
    let hello = page.wait_text(|message| message["is"] == "hello");
    let names = hello["formations"].as_array().unwrap().clone();
    assert_eq!((names.len(), &names[0]), (9, &json!("adaptive")));
    page.pause();
    page.done(json!({"do": "spawn", "kind": 0, "count": 12, "x": 8, "y": 24}));
    page.done(json!({"do": "spawn", "kind": 0, "count": 4, "x": 8, "y": 40}));
    let all: Vec<u32> = (0..12).collect();
    page.done(json!({"do": "order", "units": all, "order": "move", "x": 40, "y": 24, "formation": "line"}));
    page.done(json!({"do": "order", "units": all, "order": "move", "x": 40, "y": 30, "queue": true}));
    page.done(json!({"do": "order", "units": [12, 13, 14, 15], "order": "move", "x": 50, "y": 40}));
    page.done(json!({"do": "time", "set": "step"}));
    let spread = |places: &[[i32; 2]], axis: usize| {
        let of = || places.iter().map(|at| at[axis]);
        of().max().unwrap() - of().min().unwrap()
    };
    // They come from the west: a line abreast goes from north to south.
    let line = slots(&mut page, &[3]);
    assert_eq!(line.len(), 12, "the whole group of the one selected, and nobody else");
    assert!(spread(&line, 0) < 1024 && spread(&line, 1) > 8 * 1024, "{line:?}");
    assert_eq!(slots(&mut page, &[]).len(), 16, "all groups when nobody is selected");
    assert_eq!(page.done(json!({"do": "form", "units": all, "formation": "column"}))["count"], 12);
    page.done(json!({"do": "time", "set": "step"}));
    let column = slots(&mut page, &[3, 4]);
    assert!(spread(&column, 1) < 1024 && spread(&column, 0) > 8 * 1024, "{column:?}");
    // Who has taken it already, or goes nowhere, is left alone.
    assert_eq!(page.done(json!({"do": "form", "units": all, "formation": "column"}))["count"], 0);

    page.say(&json!({"do": "unit", "unit": 3}));
    let unit = page.wait_text(|message| message["is"] == "unit");
    let rows = |title: &str| {
        let sections = unit["sections"].as_array().unwrap();
        sections.iter().find(|section| section["title"] == title).unwrap()["rows"].as_array().unwrap().clone()
    };
    let orders = rows("Orders");
    assert_eq!(orders.len(), 2, "what they were to do next stays: {orders:?}");
    assert_eq!(orders[0], json!(["now", "move to (40, 24) and stand in column"]));
    assert_eq!(orders[1], json!(["then", "move to (40, 30) and stand in column"]));
    let group = rows("Group");
    assert!(group[0][1].as_str().unwrap().contains("12 members, under way"), "{group:?}");
    assert!(group[1][1].as_str().unwrap().ends_with("cells away"), "{group:?}");
    assert_eq!(group[2], json!(["gate", "none on its way"]));
}

/// Lets a tick pass, and gives what is known of a unit after it, by section.
fn words_after_a_tick(page: &mut Page, unit: u32) -> impl Fn(&str) -> Vec<(String, String)> + use<> {
    page.say(&json!({"do": "unit", "unit": null}));
    page.done(json!({"do": "time", "set": "step"}));
    // What is asked for now is about the tick that has passed.
    page.say(&json!({"do": "unit", "unit": unit}));
    let told = page.wait_text(|message| message["is"] == "unit" && message["unit"] == json!(unit));
    move |title: &str| {
        let sections = told["sections"].as_array().unwrap();
        let section = sections.iter().find(|section| section["title"] == title).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        section["rows"].as_array().unwrap().iter().map(|row| (text(&row[0]), text(&row[1]))).collect()
    }
}

/// What a row of a unit's panel says; nothing if there is none of that name.
fn row(rows: &[(String, String)], name: &str) -> String {
    rows.iter().find(|(other, _)| other == name).map(|(_, text)| text.clone()).unwrap_or_default()
}

#[test]
fn every_order_is_taken_and_put_into_words_and_the_game_replays() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    page.done(json!({"do": "spawn", "kind": 0, "count": 6, "x": 8, "y": 24}));
    page.done(json!({"do": "spawn", "kind": 0, "count": 2, "x": 8, "y": 40, "owner": 1}));
    page.done(json!({"do": "paint", "tool": "stamp", "x": 30, "y": 20, "stamp": 0}));
    page.done(json!({"do": "order", "units": [6, 7], "order": "move", "x": 50, "y": 40}));
    for (order, now, target) in [
        (
            json!({"order": "move", "x": 40, "y": 24, "facing": 16384}),
            "move to (40, 24) and stand in what suits the ground, looking south",
            "",
        ),
        (
            json!({"order": "move", "x": 40, "y": 24, "facing": 24000, "formation": "line"}),
            "move to (40, 24) and stand in line, looking south-west",
            "",
        ),
        (json!({"order": "attack", "x": 40, "y": 24}), "move to (40, 24), looking out 8 cells far", ""),
        (json!({"order": "follow", "target": 6}), "follow unit 6 within 2 cells", "unit 6, "),
        (
            json!({"order": "follow-group", "target": 6, "distance": 4}),
            "follow a group of 2 within 4 cells",
            "unit ",
        ),
        (json!({"order": "guard", "target": 7}), "guard unit 7 within 8 cells", "unit 7, "),
        (json!({"order": "guard", "x": 31, "y": 21}), "guard building 0 within 8 cells", "building 0, 2"),
        (
            json!({"order": "guard", "x": 50, "y": 9, "distance": 5}),
            "guard (50, 9) within 5 cells",
            "(50, 9), ",
        ),
        (json!({"order": "range", "x": 30, "y": 20}), "stand in range of building 0", "building 0, "),
        (
            json!({"order": "range", "target": 6, "least": 0, "distance": 3}),
            "stand in range of unit 6",
            "unit 6, ",
        ),
        (json!({"order": "surround", "x": 30, "y": 20}), "surround building 0", "building 0, "),
        (json!({"order": "park", "target": 7}), "park beside unit 7", "unit 7, "),
        (json!({"order": "dock", "x": 30, "y": 20, "facing": 0}), "dock at building 0", "building 0, "),
        (json!({"order": "dock", "x": 20, "y": 30}), "dock at (20, 30)", "(20, 30), "),
        (json!({"order": "scatter"}), "scatter by 6 cells", ""),
    ] {
        let mut message = order.clone();
        message["do"] = json!("order");
        message["units"] = json!([0, 1, 2, 3, 4, 5, 6]);
        if !order["target"].is_number() {
            message["units"] = json!([0, 1, 2, 3, 4, 5]);
        }
        page.done(message);
        let rows = words_after_a_tick(&mut page, 2)("Orders");
        assert_eq!(row(&rows, "now"), now, "{order}");
        assert!(row(&rows, "target").starts_with(target), "{order}: {rows:?}");
        assert_eq!(row(&rows, "target").is_empty(), target.is_empty(), "{order}: {rows:?}");
    }
    let compared = page.ask(json!({"do": "compare"}));
    assert_eq!((&compared["same"], &compared["hash"]), (&json!(true), &compared["again"]));
}

#[test]
fn units_around_something_have_slots_and_lines_to_it() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    page.done(json!({"do": "spawn", "kind": 0, "count": 8, "x": 8, "y": 24}));
    page.done(json!({"do": "paint", "tool": "stamp", "x": 30, "y": 20, "stamp": 0}));
    let all: Vec<u32> = (0..8).collect();
    for order in ["range", "surround", "park", "dock"] {
        page.done(json!({"do": "order", "units": all, "order": order, "x": 30, "y": 20}));
        page.done(json!({"do": "time", "set": "step"}));
        let drawn = lines(&mut page, "slots", &all);
        let count = |class: u32| drawn.iter().filter(|(of, _)| *of == class).count();
        assert_eq!((count(8), count(11)), (8, 8), "{order}: a slot and a line to the building for each");
        // Its middle is the corner that its four cells share.
        let ends = drawn.iter().filter(|(of, _)| *of == 11).map(|(_, points)| points[1]);
        assert!(
            ends.clone().all(|end| end == [31 * 1024, 21 * 1024]),
            "{order}: {:?}",
            ends.collect::<Vec<_>>()
        );
    }
    assert_eq!(lines(&mut page, "slots", &[3]).iter().filter(|(of, _)| *of == 11).count(), 1);
}

#[test]
fn groups_split_join_reform_halt_and_go_on() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    page.done(json!({"do": "spawn", "kind": 0, "count": 10, "x": 8, "y": 24}));
    let all: Vec<u32> = (0..10).collect();
    page.done(json!({"do": "order", "units": all, "order": "attack", "x": 50, "y": 24}));
    let members = |page: &mut Page, unit: u32| row(&words_after_a_tick(page, unit)("Group"), "group");
    assert!(members(&mut page, 0).contains("10 members, under way"));
    // An attack-move has no formation of its own: its group takes one as it walks.
    assert_eq!(page.done(json!({"do": "form", "units": all, "formation": "line"}))["count"], 10);
    let group = words_after_a_tick(&mut page, 0)("Group");
    assert_eq!(row(&group, "formation"), "in line, taken on the way");
    assert_eq!(page.done(json!({"do": "form", "units": all, "formation": "line"}))["count"], 0);
    assert_eq!(
        page.done(json!({"do": "form", "units": all, "formation": "wedge", "facing": 0}))["count"],
        10
    );
    let group = words_after_a_tick(&mut page, 0)("Group");
    assert_eq!(row(&group, "formation"), "in a wedge, looking east, taken on the way");
    // Four leave, with the same goal, and two come back.
    assert_eq!(page.done(json!({"do": "split", "units": [6, 7, 8, 9]}))["count"], 4);
    assert!(members(&mut page, 0).contains("6 members"));
    assert!(members(&mut page, 7).contains("4 members"));
    assert_eq!(page.done(json!({"do": "split", "units": [6, 7, 8, 9]}))["count"], 0, "a whole group");
    page.done(json!({"do": "join", "units": [8, 9, 0], "with": 0}));
    assert!(members(&mut page, 9).contains("8 members"));
    assert!(members(&mut page, 6).contains("2 members"));
    // A halt keeps the order.
    page.done(json!({"do": "engage", "units": [0, 1]}));
    let orders = words_after_a_tick(&mut page, 1)("Orders");
    assert_eq!(row(&orders, "but"), "halts until it is told to go on");
    assert_eq!(row(&orders, "now"), "move to (50, 24), looking out 8 cells far");
    page.done(json!({"do": "resume", "units": [0, 1]}));
    assert_eq!(row(&words_after_a_tick(&mut page, 1)("Orders"), "but"), "");
    let compared = page.ask(json!({"do": "compare"}));
    assert_eq!((&compared["same"], &compared["hash"]), (&json!(true), &compared["again"]));
}

#[test]
fn a_flow_is_drawn_around_walls_as_it_leads() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    page.done(json!({"do": "paint", "tool": "wall", "x": 30, "y": 6, "w": 1, "h": 42}));
    page.done(json!({"do": "spawn", "kind": 0, "count": 200, "x": 12, "y": 30}));
    let all: Vec<u32> = (0..200).collect();
    page.done(json!({"do": "order", "units": all, "order": "move", "x": 50, "y": 30}));
    let mut guidance = String::new();
    for _ in 0..40 {
        guidance = row(&words_after_a_tick(&mut page, 3)("Guidance"), "follows");
        if guidance == "a flow that it shares" {
            break;
        }
    }
    assert_eq!(guidance, "a flow that it shares");
    let drawn = lines(&mut page, "routes", &[]);
    assert!(drawn.len() > 100, "{}", drawn.len());
    for (_, points) in &drawn {
        // Where the line crosses the wall's column it is north of the wall.
        for pair in points.windows(2).filter(|pair| pair[0][0] < 30 * 1024 && pair[1][0] > 31 * 1024) {
            let crossing = i64::from(pair[0][1])
                + i64::from(pair[1][1] - pair[0][1]) * i64::from(30 * 1024 + 512 - pair[0][0])
                    / i64::from(pair[1][0] - pair[0][0]);
            assert!(crossing < 6 * 1024 + 1024, "through the wall at {crossing}: {points:?}");
        }
    }
}

#[test]
fn gates_of_a_group_and_what_units_prefer_are_drawn() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    page.done(json!({"do": "paint", "tool": "wall", "x": 30, "y": 0, "w": 1, "h": 20}));
    page.done(json!({"do": "paint", "tool": "wall", "x": 30, "y": 23, "w": 1, "h": 25}));
    page.done(json!({"do": "spawn", "kind": 0, "count": 20, "x": 12, "y": 21}));
    let all: Vec<u32> = (0..20).collect();
    page.done(json!({"do": "order", "units": all, "order": "move", "x": 48, "y": 21, "formation": "box"}));
    for _ in 0..8 {
        page.done(json!({"do": "time", "set": "step"}));
    }
    let drawn = lines(&mut page, "slots", &all);
    let gates: Vec<_> = drawn.iter().filter(|(class, _)| *class == 9).collect();
    let in_gap =
        |ends: &[[i32; 2]]| ends.iter().all(|at| (29 << 10..=32 << 10).contains(&at[0]) && at[1] >= 19 << 10);
    assert!(gates.iter().any(|(_, ends)| in_gap(ends)), "{gates:?}");
    // All would go east, and have gone so by now.
    let ways = lines(&mut page, "velocity", &[]);
    for class in [5, 6] {
        let of: Vec<_> = ways.iter().filter(|(other, _)| *other == class).collect();
        assert_eq!(of.len(), 20, "{class}");
        assert!(of.iter().filter(|(_, ends)| ends[1][0] > ends[0][0]).count() >= 18, "{of:?}");
    }
    page.say(&json!({"do": "unit", "unit": 0}));
    let unit = page.wait_text(|message| message["is"] == "unit");
    let sections = unit["sections"].as_array().unwrap();
    let group = sections.iter().find(|section| section["title"] == "Group").unwrap();
    let gate = group["rows"][2][1].as_str().unwrap();
    assert!(gate.starts_with("1 of ") && gate.ends_with("nobody comes the other way"), "{gate}");
}

#[test]
fn the_neighbours_shown_are_as_many_as_units_look_at() {
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
fn a_wall_changes_the_map_and_the_route_and_erasing_brings_both_back() {
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

/// What stands on column 30 in the 40 cells from row 5 on, as areas of several sectors tell it.
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
fn time_stands_steps_and_goes_back() {
    let port = serve(Play { scenario: Some("crossing".into()), ..Play::default() });
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
    // While the game runs the hash may be some ticks old; of one that stands it is not.
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
fn a_game_played_twice_is_the_same_and_its_file_replays() {
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
    // The game goes on: neither its clock nor its units begin anew.
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
    let port = serve(Play::default());
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

/// The numbers at the head of an overlay from its form on, the tick left out: form and shift, x, y, wide, high, most.
fn head(drawn: &[u8]) -> [u32; 6] {
    [8, 20, 24, 28, 32, 36].map(|at| u32::from_le_bytes(drawn[at..at + 4].try_into().unwrap()))
}

#[test]
fn overlays_of_huge_maps_are_drawn_in_bounded_messages() {
    let map = Map::flat("huge", GridSize::new(1536, 1100).unwrap(), Rules::spec_000());
    let mut page = Page::open(serve(Play { map: Some(map), ..Play::default() }));
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
    // From afar a value stands for two cells a side; near by, or of a part, for one.
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
    // What is drawn beside the game is right: on open ground the way to the goal is known.
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
fn the_search_that_is_shown_is_the_one_the_engine_would_choose() {
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
        // A patch of rough ground off the way: jump point search on even ground cannot be used any more.
        page.done(json!({"do": "paint", "tool": "terrain", "x": 2, "y": 2, "terrain": 2}));
        let list: Vec<u8> = drawn[44..].chunks(12).map(|cell| cell[8]).collect();
        assert!(list.contains(&1) && list.first() == Some(&3) && list.last() == Some(&4), "{ground}");
        (list.len(), list.contains(&2))
    };
    let (even, weighted) = (classes("even"), classes("weighted"));
    // Jump points, and far fewer nodes than the thousand cells that A* would look at.
    assert!(even.1 && even.0 < 200, "{even:?}");
    assert!(weighted.1 && weighted.0 != even.0, "{weighted:?}");
}

#[test]
fn what_makes_no_sense_is_answered_with_an_error() {
    let port = serve(field());
    let mut page = Page::open(port);
    for text in [
        "",
        "{",
        "[]",
        "7",
        "null",
        "{\"do\":\"fly\"}",
        "{\"do\":\"order\"}",
        "{\"do\":\"spawn\",\"kind\":-1}",
    ] {
        page.socket.send(Message::text(text)).unwrap();
        page.wait_text(|message| message["is"] == "error");
    }
    page.socket.send(Message::binary(vec![0xff; 1000])).unwrap();
    page.wait_text(|message| message["is"] == "error");
    // Two who have nothing to do, for what is wrong in other ways.
    page.done(json!({"do": "spawn", "kind": 0, "count": 2, "x": 5, "y": 5}));
    for wrong in [
        json!({"do": "order", "units": [], "order": "stop"}),
        json!({"do": "order", "units": [77], "order": "stop"}),
        json!({"do": "spawn", "kind": 0, "count": 0, "x": 1, "y": 1}),
        json!({"do": "spawn", "kind": 0, "count": 5001, "x": 1, "y": 1}),
        json!({"do": "spawn", "kind": 999, "count": 1, "x": 1, "y": 1}),
        json!({"do": "spawn", "kind": 0, "count": 1, "x": i32::MAX, "y": i32::MIN}),
        json!({"do": "load", "scenario": "../../etc/passwd"}),
        json!({"do": "load", "map": "/etc/passwd"}),
        json!({"do": "load", "map": "generate:1:9999x9999"}),
        json!({"do": "load"}),
        json!({"do": "load", "generate": {"seed": 1, "width": 100_000, "height": 100_000}}),
        json!({"do": "overlay", "name": "nothing", "on": true}),
        json!({"do": "restore"}),
        json!({"do": "order", "units": [0], "order": "move", "x": 9, "y": 9, "formation": "blob"}),
        json!({"do": "order", "units": [0], "order": "move", "x": 9, "y": 9, "formation": 7}),
        json!({"do": "order", "units": [0], "order": "stop", "formation": "box"}),
        json!({"do": "form", "units": [0], "formation": "Box"}),
        json!({"do": "form", "units": [0]}),
        json!({"do": "order", "units": [0], "order": "move", "facing": 5}),
        json!({"do": "order", "units": [0], "order": "move", "x": 9, "y": 9, "facing": 70_000}),
        json!({"do": "order", "units": [0], "order": "attack", "x": 9, "y": 9, "facing": 7}),
        json!({"do": "order", "units": [0], "order": "attack", "x": 9, "y": 9, "distance": 900}),
        json!({"do": "order", "units": [0], "order": "attack", "x": 9_000_000, "y": i32::MIN}),
        json!({"do": "order", "units": [0], "order": "guard"}),
        json!({"do": "order", "units": [0], "order": "guard", "target": 999}),
        json!({"do": "order", "units": [0], "order": "guard", "target": 0}),
        json!({"do": "order", "units": [0], "order": "surround", "x": i32::MAX, "y": i32::MAX}),
        json!({"do": "order", "units": [0], "order": "range", "x": 3, "y": 3, "least": 9, "distance": 2}),
        json!({"do": "order", "units": [0], "order": "dock", "target": 1}),
        json!({"do": "order", "units": [0], "order": "scatter", "distance": 65}),
        json!({"do": "order", "units": [0], "order": "follow-group"}),
        json!({"do": "order", "units": [0], "order": "follow-group", "target": 0}),
        json!({"do": "join", "units": [0], "with": 1}),
        json!({"do": "join", "units": [0], "with": 0}),
        json!({"do": "join", "units": [0]}),
        json!({"do": "engage", "units": []}),
        json!({"do": "resume", "units": [77]}),
        json!({"do": "split"}),
    ] {
        assert_eq!(page.ask(wrong.clone())["is"], "error", "{wrong}");
    }
    // An area off the map is drawn empty, and arithmetic holds.
    page.done(json!({"do": "overlay", "name": "cost", "on": true, "area": [i32::MAX, i32::MIN, i32::MAX, i32::MAX]}));
    page.wait_binary(b"WMO1");
    goes_on(port);
}

#[test]
fn malformed_frames_end_their_own_connection_only() {
    let port = serve(field());
    let hello = format!(
        "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let mut watcher = Page::open(port);
    let ping = [b"\x89\xfe\x01\0\0\0\0\0".as_slice(), &[b'x'; 256]].concat();
    let frames: [(&str, &[u8]); 7] = [
        ("text without a mask", b"\x81\x02{}"),
        ("an unknown kind", b"\x83\x80\0\0\0\0"),
        ("reserved bits", b"\xf1\x80\0\0\0\0"),
        ("text that is not UTF-8", b"\x81\x82\0\0\0\0\xff\xfe"),
        ("more of a message that never began", b"\x80\x80\0\0\0\0"),
        ("a ping of many bytes", &ping),
        ("a length of almost all there is", b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0"),
    ];
    for (what, bytes) in frames {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(hello.as_bytes()).unwrap();
        stream.write_all(bytes).unwrap();
        let begun = Instant::now();
        let mut buffer = vec![0; 1 << 16];
        // It is closed by the server: reading ends, by a reset at worst.
        while stream.read(&mut buffer).is_ok_and(|read| read > 0) {
            assert!(begun.elapsed() < Duration::from_secs(20), "{what}: it is still connected");
        }
        let before = watcher.frame().tick();
        watcher.frame_where(|frame| frame.tick() > before);
    }
    goes_on(port);
}

#[test]
fn a_huge_message_ends_its_own_connection_only() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.frame();
    let huge = format!("{{\"do\":\"snapshot\",\"x\":\"{}\"}}", "x".repeat(1 << 20));
    let _ = page.socket.send(Message::text(huge));
    let begun = Instant::now();
    while page.socket.read().is_ok() {
        assert!(begun.elapsed() < PATIENCE, "it is still connected");
    }
    goes_on(port);
}

#[test]
fn one_page_too_many_is_refused_and_there_is_room_when_one_goes() {
    let port = serve(field());
    let mut pages: Vec<Page> = (0..64).map(|_| Page::open(port)).collect();
    // Whoever gets frames is counted.
    pages.iter_mut().for_each(|page| _ = page.frame());
    let knock = || {
        let mut request = format!("ws://127.0.0.1:{port}/ws").into_client_request().unwrap();
        request.headers_mut().insert("Origin", format!("http://127.0.0.1:{port}").parse().unwrap());
        tungstenite::client(request, TcpStream::connect(("127.0.0.1", port)).unwrap()).is_ok()
    };
    assert!(!knock(), "the sixty-fifth");
    pages.truncate(60);
    let begun = Instant::now();
    while !knock() {
        assert!(begun.elapsed() < PATIENCE, "room is never made");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn foreign_pages_and_names_are_refused() {
    let port = serve(field());
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let ws = |host: &str, origin: &str| {
        http(
            port,
            &format!("GET /ws HTTP/1.1\r\nHost: {host}\r\n{origin}{upgrade}Connection: close\r\n\r\n"),
            b"",
        )
        .0
    };
    let own = format!("127.0.0.1:{port}");
    assert_eq!(ws(&own, "Origin: http://evil.example\r\n"), 403);
    assert_eq!(ws(&own, "Origin: null\r\n"), 403);
    assert_eq!(ws(&own, ""), 403);
    assert_eq!(ws("evil.example", &format!("Origin: http://{own}\r\n")), 403);
    for path in ["/", "/main.js", "/replay"] {
        let head = format!("GET {path} HTTP/1.1\r\nHost: evil.example:{port}\r\nConnection: close\r\n\r\n");
        assert_eq!(http(port, &head, b"").0, 403);
        let own = format!("GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
        assert_eq!(http(port, &own, b"").0, 200);
    }
    let map = b"type octile\nheight 1\nwidth 2\nmap\n..\n";
    let marked = "X-Waymarch: 1\r\n";
    assert_eq!(
        upload(port, "a.map", map.len(), &format!("{marked}Origin: http://evil.example\r\n"), map).0,
        403
    );
    assert_eq!(upload(port, "a.map", map.len(), &format!("Origin: http://{own}\r\n"), map).0, 403);
    goes_on(port);
}

#[test]
fn no_file_of_the_machine_is_given_out() {
    let port = serve(field());
    assert_eq!(get(port, "/").0, 200);
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/etc/passwd",
        "/page/index.html",
        "/main.js/../../src/lib.rs",
        "/..\\..\\Cargo.toml",
        "/index.html%00.js",
        "/.git/config",
    ] {
        let (status, body) = get(port, path);
        assert!(status == 404 || status == 400, "{path}: {status}");
        assert!(!body.contains("root:") && !body.contains("[package]"), "{path}");
    }
    let head = format!("DELETE / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    assert_eq!(http(port, &head, b"").0, 405);
}

#[test]
fn map_files_are_read_within_limits() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.wait_text(|message| message["is"] == "hello");
    let own = format!("X-Waymarch: 1\r\nOrigin: http://127.0.0.1:{port}\r\n");
    let map = b"type octile\nheight 2\nwidth 3\nmap\n...\n.T.\n";
    let (status, body) = upload(port, "small.map", map.len(), &own, map);
    assert_eq!((status, body.as_str()), (200, "{\"ok\":true}"));
    let hello = page.wait_text(|message| message["is"] == "hello");
    assert_eq!((&hello["width"], &hello["height"]), (&json!(3), &json!(2)));
    // Two gigabytes are refused by their length, or when the limit is passed.
    assert_eq!(upload(port, "huge.map", 2 << 30, &own, b"").0, 413);
    let chunked = format!(
        "POST /map?name=a.map HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Transfer-Encoding: chunked\r\n{own}\r\n{:x}\r\n",
        64 << 20
    );
    // Cut off in the middle: whether the answer still arrives is the machine's affair.
    let (status, _) = http(port, &chunked, &vec![b'.'; 20 << 20]);
    assert!(status == 413 || status == 0, "{status}");
    // A whole file that says nothing of its length: were it read, it would be refused as a map, not for its length.
    let chunked = chunked.replace(&format!("{:x}\r\n", 64 << 20), "");
    let mut body = Vec::new();
    for _ in 0..20 {
        body.extend_from_slice(format!("{:x}\r\n", 1 << 20).as_bytes());
        body.extend_from_slice(&vec![b'.'; 1 << 20]);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"0\r\n\r\n");
    let (status, _) = http(port, &chunked, &body);
    assert!(status == 413 || status == 0, "{status}");
    for (name, bytes) in
        [("a.tmx", &map[..]), ("a.map", b"nonsense"), ("..%2f..%2fetc%2fpasswd", b"x"), ("a.png", b"\x89PNG")]
    {
        let (status, body) = upload(port, name, bytes.len(), &own, bytes);
        assert!(status == 422 && body.contains("error"), "{name}: {status}");
    }
    goes_on(port);
}

#[test]
fn a_page_that_does_not_read_slows_nobody() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.done(json!({"do": "spawn", "kind": 0, "count": 1500, "x": 30, "y": 24}));
    // It asks for a lot and never reads.
    let mut lazy: Vec<Page> = (0..8).map(|_| Page::open(port)).collect();
    for other in &mut lazy {
        other.say(&json!({"do": "overlay", "name": "cost", "on": true}));
    }
    let first = page.frame();
    let begun = Instant::now();
    let last = page.frame_where(|frame| frame.tick() >= first.tick() + 40);
    // Twenty a second are two seconds; half that speed is allowed for on a busy machine.
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?} for 40 ticks", begun.elapsed());
    assert!(last.tick() < first.tick() + 60, "frames were left out though this page reads");
}
