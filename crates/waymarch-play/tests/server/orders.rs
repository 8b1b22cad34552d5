//! Orders from pages, and what pages show of groups.

use serde_json::{Value, json};

use crate::page::{Page, field, serve};

/// The lines of an overlay that is switched on for a moment: class and points.
pub(crate) fn lines(page: &mut Page, name: &str, units: &[u32]) -> Vec<(u32, Vec<[i32; 2]>)> {
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

/// The middles of the formation slots that are drawn for the groups of these units.
pub(crate) fn slots(page: &mut Page, units: &[u32]) -> Vec<[i32; 2]> {
    let lines = lines(page, "slots", units);
    let middle = |points: &Vec<[i32; 2]>| {
        [0, 1].map(|axis: usize| points[..8].iter().map(|at| at[axis]).sum::<i32>() / 8)
    };
    lines.iter().filter(|(class, _)| *class == 8).map(|(_, points)| middle(points)).collect()
}

#[test]
fn groups_take_the_ordered_formation_and_another_one_on_the_way() {
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
    // They come from the west: a line abreast extends from north to south.
    let line = slots(&mut page, &[3]);
    assert_eq!(line.len(), 12, "the slots of the selected unit's group, and no others");
    assert!(spread(&line, 0) < 1024 && spread(&line, 1) > 8 * 1024, "{line:?}");
    assert_eq!(slots(&mut page, &[]).len(), 16, "the slots of all groups if no unit is selected");
    assert_eq!(page.done(json!({"do": "form", "units": all, "formation": "column"}))["count"], 12);
    page.done(json!({"do": "time", "set": "step"}));
    let column = slots(&mut page, &[3, 4]);
    assert!(spread(&column, 1) < 1024 && spread(&column, 0) > 8 * 1024, "{column:?}");
    // Units that already have the formation, or have no goal, do not count.
    assert_eq!(page.done(json!({"do": "form", "units": all, "formation": "column"}))["count"], 0);

    page.say(&json!({"do": "unit", "unit": 3}));
    let unit = page.wait_text(|message| message["is"] == "unit");
    let rows = |title: &str| {
        let sections = unit["sections"].as_array().unwrap();
        sections.iter().find(|section| section["title"] == title).unwrap()["rows"].as_array().unwrap().clone()
    };
    let orders = rows("Orders");
    assert_eq!(orders.len(), 2, "queued orders stay: {orders:?}");
    assert_eq!(orders[0], json!(["now", "move to (40, 24) and stand in a column"]));
    assert_eq!(orders[1], json!(["then", "move to (40, 30) and stand in a column"]));
    let group = rows("Group");
    assert!(group[0][1].as_str().unwrap().contains("12 members, under way"), "{group:?}");
    assert!(group[1][1].as_str().unwrap().ends_with("cells away"), "{group:?}");
    assert_eq!(group[2], json!(["gate", "none on its route"]));
}

/// Runs one tick and returns the details of a unit after it, by section.
pub(crate) fn words_after_a_tick(
    page: &mut Page,
    unit: u32,
) -> impl Fn(&str) -> Vec<(String, String)> + use<> {
    page.say(&json!({"do": "unit", "unit": null}));
    page.done(json!({"do": "time", "set": "step"}));
    // A request made now is about the tick that has passed.
    page.say(&json!({"do": "unit", "unit": unit}));
    let told = page.wait_text(|message| message["is"] == "unit" && message["unit"] == json!(unit));
    move |title: &str| {
        let sections = told["sections"].as_array().unwrap();
        let section = sections.iter().find(|section| section["title"] == title).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        section["rows"].as_array().unwrap().iter().map(|row| (text(&row[0]), text(&row[1]))).collect()
    }
}

/// The text of a row in a unit's details; empty if there is no such row.
pub(crate) fn row(rows: &[(String, String)], name: &str) -> String {
    rows.iter().find(|(other, _)| other == name).map(|(_, text)| text.clone()).unwrap_or_default()
}

#[test]
fn destinations_of_present_and_queued_orders_are_drawn() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    page.done(json!({"do": "spawn", "kind": 0, "count": 20, "x": 8, "y": 24}));
    let all: Vec<u32> = (0..20).collect();
    let (few, many) = (&all[..3], &all[3..]);
    let middle = |x: i32, y: i32| [x * 1024 + 512, y * 1024 + 512];
    page.done(json!({"do": "order", "units": few, "order": "move", "x": 40, "y": 24}));
    page.done(json!({"do": "order", "units": few, "order": "attack", "x": 50, "y": 30, "queue": true}));
    page.done(json!({"do": "order", "units": few, "order": "guard", "x": 20, "y": 5, "queue": true}));
    let drawn = lines(&mut page, "orders", few);
    let to = |class: u32| {
        drawn.iter().filter(|line| line.0 == class).map(|line| line.1.clone()).collect::<Vec<_>>()
    };
    // Three units have a line each to their common destination, and share those of their queue.
    assert_eq!(to(12).len(), 3);
    assert!(to(12).iter().all(|line| line[1] == middle(40, 24)), "{drawn:?}");
    assert_eq!(to(16), [vec![middle(40, 24), middle(50, 30)]]);
    assert_eq!(to(17), [vec![middle(50, 30), middle(20, 5)]]);
    assert_eq!(drawn.len(), 5);
    // Seventeen units have one line from their middle.
    page.done(json!({"do": "order", "units": many, "order": "patrol", "stops": [[40, 10], [40, 40]]}));
    let loop_of = lines(&mut page, "orders", many);
    assert_eq!(loop_of.len(), 3, "{loop_of:?}");
    assert!(loop_of.iter().all(|line| line.0 == 14));
    assert_eq!(loop_of[2].1, [middle(40, 40), middle(40, 10)], "a patrol returns to its first stop");
    // Units without a destination, and no selection, have no lines.
    page.done(json!({"do": "order", "units": many, "order": "hold"}));
    assert_eq!(lines(&mut page, "orders", many), []);
    assert_eq!(lines(&mut page, "orders", &[]), []);
}

#[test]
fn a_player_has_the_same_number_everywhere() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.pause();
    page.done(json!({"do": "spawn", "kind": 0, "count": 1, "x": 8, "y": 24}));
    page.done(json!({"do": "spawn", "kind": 0, "count": 1, "x": 12, "y": 24, "owner": 1}));
    // The page calls the players 1 and 2, and their units too.
    for (unit, player) in [(0, "1"), (1, "2")] {
        let about = words_after_a_tick(&mut page, unit)("Unit");
        assert_eq!((row(&about, "player").as_str(), row(&about, "owner").as_str()), (player, ""));
    }
}

#[test]
fn every_order_is_accepted_and_described_and_the_game_replays() {
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
            "move to (40, 24) and stand in an adaptive formation, facing south",
            "",
        ),
        (
            json!({"order": "move", "x": 40, "y": 24, "facing": 24000, "formation": "line"}),
            "move to (40, 24) and stand in a line, facing south-west",
            "",
        ),
        (json!({"order": "attack", "x": 40, "y": 24}), "move to (40, 24), sight 8 cells", ""),
        (json!({"order": "follow", "target": 6}), "follow unit 6 within 2 cells", "unit 6, "),
        (
            json!({"order": "follow-group", "target": 6, "distance": 4}),
            "follow a group of 2 units within 4 cells",
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
fn units_around_a_target_have_slots_and_lines_to_it() {
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
fn groups_split_join_reform_halt_and_resume() {
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
    assert_eq!(row(&group, "formation"), "in a line, chosen for the ground or commanded on the way");
    assert_eq!(page.done(json!({"do": "form", "units": all, "formation": "line"}))["count"], 0);
    assert_eq!(
        page.done(json!({"do": "form", "units": all, "formation": "wedge", "facing": 0}))["count"],
        10
    );
    let group = words_after_a_tick(&mut page, 0)("Group");
    assert_eq!(
        row(&group, "formation"),
        "in a wedge, facing east, chosen for the ground or commanded on the way"
    );
    // Four units leave, with the same goal, and two come back.
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
    assert_eq!(row(&orders, "halted"), "until a resume command");
    assert_eq!(row(&orders, "now"), "move to (50, 24), sight 8 cells");
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
        if guidance == "a shared flow" {
            break;
        }
    }
    assert_eq!(guidance, "a shared flow");
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
fn gates_of_a_group_and_preferred_velocities_are_drawn() {
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
    // All units prefer to go east, and have gone east by now.
    let velocities = lines(&mut page, "velocity", &[]);
    for class in [5, 6] {
        let of: Vec<_> = velocities.iter().filter(|(other, _)| *other == class).collect();
        assert_eq!(of.len(), 20, "{class}");
        assert!(of.iter().filter(|(_, ends)| ends[1][0] > ends[0][0]).count() >= 18, "{of:?}");
    }
    page.say(&json!({"do": "unit", "unit": 0}));
    let unit = page.wait_text(|message| message["is"] == "unit");
    let sections = unit["sections"].as_array().unwrap();
    let group = sections.iter().find(|section| section["title"] == "Group").unwrap();
    let gate = group["rows"][2][1].as_str().unwrap();
    assert!(gate.starts_with("1 of ") && gate.ends_with("no traffic from the other side"), "{gate}");
}
