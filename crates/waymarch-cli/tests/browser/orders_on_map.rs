//! What the page shows of orders: destinations on the map, and that ordered units leave the script.

use serde_json::json;

use crate::{Server, browser, field, page};

#[test]
fn queued_orders_of_the_selection_are_drawn_with_their_destinations() {
    let Some((mut browser, _turn)) = browser("destinations") else { return };
    let server = Server::start("--port 0 door");
    let tab = page(&mut browser, &server.url);
    field(&mut browser, &tab, 5);
    browser.key(&tab, " ", "Space");
    browser.wait(&tab, "!waymarch.playing");
    let ink = "document.querySelector('canvas.ink')";
    browser.drag(&tab, (4.0, 18.0), (16.0, 30.0));
    browser.wait(&tab, "waymarch.selected.length == 5");
    browser.right_click(&tab, (40.5, 10.5));
    let queued = |kind: &str, x: i32, y: i32| {
        format!(
            "waymarch.store.send({{do: 'order', order: '{kind}', units: waymarch.selected, x: {x}, y: {y}, queue: true}}), 0"
        )
    };
    browser.eval(&tab, &queued("move", 50, 30));
    browser.eval(&tab, &queued("attack", 30, 40));
    // Without any overlay of the panel: five lines to the first destination, one to each queued one.
    let styles = "waymarch.store.overlays.get('orders')?.lines.map(line => line.style).sort().join()";
    browser.wait(&tab, &format!("{styles} == '12,12,12,12,12,15,16'"));
    std::thread::sleep(std::time::Duration::from_millis(900));
    browser.picture(&tab, "destinations");
    // At each destination there is a mark.
    let inked = |x: f64, y: f64| {
        format!(
            "(() => {{ const [x, y] = waymarch.toScreen({x}, {y}); const dpr = waymarch.view.dpr;
             return {ink}.style.visibility != 'hidden' && {ink}.getContext('2d').getImageData(x * dpr, y * dpr, 1, 1).data[3] > 100; }})()"
        )
    };
    for (x, y) in [(40.5, 10.5), (50.5, 30.5), (30.5, 40.5)] {
        assert_eq!(browser.eval(&tab, &inked(x, y)), true, "{x}, {y}");
    }
    assert_eq!(browser.eval(&tab, &inked(60.5, 45.5)), false);
    browser.eval(&tab, "waymarch.store.select([]), 0");
    browser.wait(&tab, "!waymarch.store.overlays.has('orders')");
    browser.wait(&tab, &format!("!({})", inked(50.5, 30.5)));
}

#[test]
fn the_page_says_that_ordered_units_leave_the_script() {
    let Some((mut browser, _turn)) = browser("script") else { return };
    let server = Server::start("--port 0 valley-march");
    let tab = page(&mut browser, &server.url);
    assert_eq!(browser.eval(&tab, "document.getElementById('script').hidden"), false);
    browser.eval(&tab, "waymarch.store.select([0, 1, 2]), 0");
    browser.key(&tab, "h", "KeyH");
    let toasts = "document.getElementById('toasts').textContent";
    browser.wait(&tab, &format!("{toasts}.startsWith('3 units follow your orders from now on')"));
    browser.picture(&tab, "left-script");
    // A second order says nothing new.
    browser.eval(&tab, "document.getElementById('toasts').replaceChildren(), 0");
    browser.key(&tab, "s", "KeyS");
    browser.wait(
        &tab,
        "waymarch.store.details?.sections.some(part => part.rows.some(row => row[1] == 'no orders'))",
    );
    assert_eq!(browser.eval(&tab, toasts), json!(""));
}
