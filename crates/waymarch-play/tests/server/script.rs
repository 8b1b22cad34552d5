//! The script of a scenario, and visitors who give other orders.

use std::time::Duration;

use serde_json::json;
use waymarch_play::PlayOptions;

use crate::orders::{row, words_after_a_tick};
use crate::page::{Page, serve};

fn valley() -> PlayOptions {
    PlayOptions { scenario: Some("valley-march".into()), ..PlayOptions::default() }
}

#[test]
fn the_game_is_at_its_first_tick_when_the_first_page_connects() {
    let port = serve(valley());
    // 20 ticks would pass in this time.
    std::thread::sleep(Duration::from_secs(1));
    let mut page = Page::open(port);
    let time = page.wait_text(|message| message["is"] == "time");
    assert_eq!((&time["tick"], &time["playing"]), (&json!(0), &json!(true)));
    page.frame_where(|frame| frame.tick() > 3);
    // The second page finds the game where it is.
    let mut second = Page::open(port);
    assert!(second.wait_text(|message| message["is"] == "time")["tick"].as_u64().unwrap() > 3);
}

#[test]
fn units_that_a_visitor_ordered_ignore_later_orders_of_the_script() {
    let port = serve(valley());
    let (mut page, mut other) = (Page::open(port), Page::open(port));
    assert_eq!(page.wait_text(|message| message["is"] == "hello")["script"], true);
    page.frame_where(|frame| frame.tick() > 2);
    page.pause();
    // The soldiers 0 to 199 are scattered at tick 500; the script has no more orders for the cars and tanks.
    page.say(&json!({"do": "order", "units": [0, 1, 2, 250, 290], "order": "hold"}));
    for page in [&mut page, &mut other] {
        assert_eq!(page.wait_text(|message| message["is"] == "left-script")["units"], 3);
    }
    let orders = words_after_a_tick(&mut page, 1)("Orders");
    assert_eq!(row(&orders, "script"), "left out: a visitor commands this unit");
    assert_eq!(row(&words_after_a_tick(&mut page, 100)("Orders"), "script"), "");
    page.done(json!({"do": "time", "set": "play", "speed": 1600}));
    page.frame_where(|frame| frame.tick() > 500);
    page.pause();
    assert_eq!(row(&words_after_a_tick(&mut page, 1)("Orders"), "now"), "no orders");
    let stance = row(&words_after_a_tick(&mut page, 1)("Unit"), "stance");
    assert!(stance.starts_with("holding"), "{stance}");
    let scattered = row(&words_after_a_tick(&mut page, 100)("Orders"), "now");
    assert!(scattered.starts_with("move to ("), "{scattered}");
    // The script has ended: no page needs to be told any more, and the recording replays.
    page.done(json!({"do": "order", "units": [5], "order": "hold"}));
    let compared = page.ask(json!({"do": "compare"}));
    assert_eq!((&compared["same"], &compared["hash"]), (&json!(true), &compared["again"]));
}
