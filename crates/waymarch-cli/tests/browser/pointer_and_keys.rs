//! What the pointer and the keys do: the focus after a click, keys of orders and tools, what tools show and place.

use serde_json::json;

use crate::{Server, browser, field, page};

#[test]
fn space_pauses_the_game_after_a_click_on_a_button() {
    let Some((mut browser, _turn)) = browser("space") else { return };
    let server = Server::start("--port 0 crossing");
    let tab = page(&mut browser, &server.url);
    browser.click_on(&tab, "snapshot");
    browser
        .wait(&tab, "waymarch.store.time.snapshot !== null && !document.getElementById('restore').disabled");
    let kept = browser.eval(&tab, "waymarch.store.time.snapshot").as_u64().unwrap();
    browser.wait(&tab, &format!("waymarch.tick > {kept} + 2"));
    // A button, a check box and a list: none of them is used again.
    for (number, id) in
        ["save", "tab-overlays", "overlay-density", "theme", "order-stop"].into_iter().enumerate()
    {
        if id == "order-stop" {
            browser.eval(&tab, "waymarch.store.select([0]), 0");
        }
        browser.click_on(&tab, id);
        let shown = browser.eval(&tab, "waymarch.store.shown.has('density')");
        browser.key(&tab, " ", "Space");
        browser.wait(&tab, &format!("waymarch.playing == {}", number % 2 == 1));
        assert_eq!(browser.eval(&tab, "document.activeElement.id"), "view", "{id}");
        assert_eq!(browser.eval(&tab, "waymarch.store.shown.has('density')"), shown, "{id}");
    }
    assert_eq!(browser.eval(&tab, "waymarch.store.time.snapshot"), kept);
    // Neither is the button of a dialog that was closed.
    browser.eval(&tab, "document.querySelector('#bar [aria-label=Keys]').id = 'help', 0");
    browser.click_on(&tab, "help");
    browser.wait(&tab, "document.querySelector('dialog').open");
    browser.silent_key(&tab, "Escape", 27);
    browser.wait(&tab, "!document.querySelector('dialog').open && document.activeElement.id == 'view'");
    // A control that is used with the keyboard keeps the focus, and Space presses it.
    browser.eval(&tab, "document.getElementById('snapshot').focus(), 0");
    browser.key(&tab, " ", "Space");
    browser.wait(&tab, &format!("waymarch.store.time.snapshot > {kept}"));
    assert_eq!(browser.eval(&tab, "document.activeElement.id"), "snapshot");
}

#[test]
fn arrows_move_the_view_and_letters_give_orders_only() {
    let Some((mut browser, _turn)) = browser("letters") else { return };
    let server = Server::start("--port 0 door");
    let tab = page(&mut browser, &server.url);
    field(&mut browser, &tab, 3);
    browser.eval(&tab, "waymarch.view.camera.scale = 40, waymarch.view.camera.goTo(20, 20), 0");
    for (key, code) in [("w", "KeyW"), ("a", "KeyA"), ("s", "KeyS"), ("d", "KeyD")] {
        browser.key(&tab, key, code);
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(browser.eval(&tab, "[waymarch.camera.x, waymarch.camera.y]"), json!([20, 20]));
    browser.hold_key(&tab, "ArrowRight", 39);
    browser.wait(&tab, "waymarch.camera.x > 20.5");
    browser.release_key(&tab, "ArrowRight", 39);
    let help = "document.querySelector('dialog').textContent";
    assert_eq!(browser.eval(&tab, &format!("{help}.includes('WASD')")), false);
}

#[test]
fn the_gate_tool_places_what_it_shows_also_in_a_wall() {
    let Some((mut browser, _turn)) = browser("gate") else { return };
    let server = Server::start("--port 0 door");
    let tab = page(&mut browser, &server.url);
    field(&mut browser, &tab, 1);
    browser.key(&tab, "1", "Digit1");
    browser.drag(&tab, (30.5, 10.5), (30.5, 20.5));
    browser.wait(&tab, "waymarch.store.ground.built[20 * 64 + 30] == 5");
    browser.key(&tab, "4", "Digit4");
    for (size, cell) in [(1, (30, 12)), (3, (40, 30))] {
        browser.eval(&tab, &format!("waymarch.store.setBrush({{size: {size}}}), 0"));
        let middle = (f64::from(cell.0) + 0.5, f64::from(cell.1) + 0.5);
        browser.hover(&tab, middle);
        let shown = browser.eval(&tab, "[waymarch.view.ink.ghost.w, waymarch.view.ink.ghost.h]");
        assert_eq!(shown, json!([size, size]));
        browser.picture(&tab, "gate-tool");
        browser.click(&tab, middle);
        browser.wait(&tab, &format!("waymarch.store.ground.built[{} * 64 + {}] == 3", cell.1, cell.0));
    }
    let gates = "waymarch.store.ground.built.reduce((n, built) => n + (built == 3), 0)";
    assert_eq!(browser.eval(&tab, gates), 10, "one gate of a cell and one of 3×3");
    browser.picture(&tab, "gate-placed");
    browser.click(&tab, (40.5, 30.5));
    browser.wait(&tab, "waymarch.store.ground.built[30 * 64 + 40] == 4");
}

#[test]
fn a_tool_chosen_by_key_shows_its_cross_to_the_keyboard_only() {
    let Some((mut browser, _turn)) = browser("cross") else { return };
    let server = Server::start("--port 0 door");
    let tab = page(&mut browser, &server.url);
    let cross = "getComputedStyle(document.getElementById('view'), '::before').content != 'none'";
    browser.click(&tab, (20.5, 20.5));
    browser.key(&tab, "1", "Digit1");
    browser.wait(&tab, "waymarch.store.tool == 'wall'");
    assert_eq!(browser.eval(&tab, cross), false, "the user has a pointer");
    browser.hold_key(&tab, "ArrowRight", 39);
    browser.release_key(&tab, "ArrowRight", 39);
    browser.wait(&tab, cross);
    browser.hover(&tab, (10.5, 10.5));
    browser.wait(&tab, &format!("!({cross})"));
    browser.key(&tab, "v", "KeyV");
    assert_eq!(browser.eval(&tab, "getComputedStyle(document.getElementById('view')).cursor"), "auto");
}
