//! Every control can be reached: by keyboard, with a screen reader, and on a phone.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::devtools::{Browser, Tab};
use crate::{Server, browser, page};

/// The accessibility roles of controls.
const ROLES: [&str; 9] =
    ["button", "checkbox", "combobox", "link", "searchbox", "slider", "spinbutton", "tab", "textbox"];

/// Numbers every visible and enabled control, and gives their count. Tabs that are not selected do not count: arrow keys reach them.
const NUMBER_CONTROLS: &str = "(() => { let n = 0;
    for (const it of document.querySelectorAll('button, input, select, textarea, a[href], summary, [tabindex]')) {
        delete it.dataset.control;
        const seen = it.checkVisibility({visibilityProperty: true}) && it.getBoundingClientRect().width > 0;
        if (seen && !it.disabled && it.tabIndex >= 0) it.dataset.control = String(n++);
    }
    return n; })()";

/// The number of the focused control, the width of its outline in pixels, and its HTML.
const FOCUS: &str = "(() => { const it = document.activeElement; const style = getComputedStyle(it);
    return [Number(it?.dataset?.control ?? -1), style.outlineStyle == 'none' ? 0 : parseFloat(style.outlineWidth),
            it?.outerHTML.slice(0, 120)]; })()";

/// Presses Tab through the whole page. Every control must get the focus and show it with an outline.
fn tab_through(browser: &mut Browser, tab: &Tab, what: &str) {
    browser.eval(tab, "document.activeElement?.blur(), 0");
    let all = browser.eval(tab, NUMBER_CONTROLS).as_u64().unwrap();
    assert!(all > 20, "{what}: only {all} controls");
    let mut reached = BTreeSet::new();
    for _ in 0..all + 20 {
        browser.silent_key(tab, "Tab", 9);
        let focus = browser.eval(tab, FOCUS);
        if let Some(number) = focus[0].as_u64() {
            assert!(focus[1].as_f64().unwrap() >= 2.0, "{what}: no outline around {}", focus[2]);
            reached.insert(number);
        }
    }
    let missing: Vec<Value> = (0..all)
        .filter(|number| !reached.contains(number))
        .map(|number| {
            browser.eval(
                tab,
                &format!("document.querySelector('[data-control=\"{number}\"]')?.outerHTML.slice(0, 120)"),
            )
        })
        .collect();
    assert!(missing.is_empty(), "{what}: Tab does not reach {missing:?}");
}

/// Every control must have a name.
fn all_have_names(browser: &mut Browser, tab: &Tab, what: &str) {
    let controls = browser.read_out(tab);
    let controls: Vec<_> = controls.iter().filter(|(role, _)| ROLES.contains(&role.as_str())).collect();
    assert!(controls.len() > 20, "{what}: only {}", controls.len());
    let nameless: Vec<_> = controls.iter().filter(|(_, name)| name.trim().is_empty()).collect();
    assert!(nameless.is_empty(), "{what}: {nameless:?}");
}

#[test]
fn every_control_has_a_name_and_shows_its_keyboard_focus() {
    let Some((mut browser, _turn)) = browser("controls") else { return };
    let server = Server::start("--port 0 door");
    let tab = page(&mut browser, &server.url);
    browser.eval(
        &tab,
        "document.getElementById('play').click(), document.getElementById('snapshot').click(), 0",
    );
    browser.wait(&tab, "!waymarch.playing && !document.getElementById('restore').disabled");
    browser.eval(&tab, "waymarch.store.select([...waymarch.store.stage.frame.id]), 0");
    for part in ["world", "overlays", "unit", "tuning", "events"] {
        browser.eval(&tab, &format!("document.getElementById('tab-{part}').click(), 0"));
        browser.wait(&tab, &format!("!document.getElementById('page-{part}').hidden"));
        std::thread::sleep(std::time::Duration::from_millis(300));
        all_have_names(&mut browser, &tab, part);
        tab_through(&mut browser, &tab, part);
    }
    browser.eval(&tab, "document.getElementById('tool-spawn').click(), 0");
    browser.wait(&tab, "document.getElementById('brush-count')");
    all_have_names(&mut browser, &tab, "a tool's settings");
    tab_through(&mut browser, &tab, "a tool's settings");
    browser.picture(&tab, "focus");
}

#[test]
fn a_phone_has_every_control() {
    let Some((mut browser, _turn)) = browser("phone") else { return };
    let server = Server::start("--port 0 valley-march");
    for colours in ["light", "dark"] {
        let tab = page(&mut browser, &server.url);
        browser.make_phone(&tab, colours);
        browser.wait(
            &tab,
            &format!("innerWidth == 390 && document.documentElement.dataset.theme == '{colours}'"),
        );
        browser.eval(&tab, "waymarch.store.select([]), 0");
        std::thread::sleep(std::time::Duration::from_millis(500));
        browser.picture(&tab, &format!("phone-{colours}"));
        browser.eval(&tab, "waymarch.store.select([...waymarch.store.stage.frame.id]), 0");
        browser.wait(&tab, "!document.getElementById('orders').hidden");
        browser.picture(&tab, &format!("phone-{colours}-orders"));
        // Strips can be scrolled. A control that is scrolled into view must be inside the window, large enough, and on top.
        let hidden = "[...document.querySelectorAll('#bar button, #bar select, #rail button, #orders button')].filter(it => {
            if (it.disabled) return false;
            it.scrollIntoView({block: 'nearest', inline: 'nearest'});
            const box = it.getBoundingClientRect();
            const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            return box.left < -0.5 || box.right > innerWidth + 0.5 || box.top < 0 || box.bottom > innerHeight || box.width < 32 || box.height < 32
                || !it.contains(top); }).map(it => it.id || it.ariaLabel)";
        assert_eq!(browser.eval(&tab, hidden), serde_json::json!([]), "{colours}");
        let ids = "['tool-erase', 'tool-spawn', 'formation', 'restore', 'compare', 'save', 'order-dock', 'formation-hex'].filter(id =>
            !document.getElementById(id)?.checkVisibility())";
        assert_eq!(browser.eval(&tab, ids), serde_json::json!([]), "{colours}");
        assert_eq!(
            browser.eval(&tab, "document.documentElement.scrollWidth"),
            390,
            "the page is not wider than the screen"
        );
    }
}
