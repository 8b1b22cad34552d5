//! Every control can be reached: by keyboard, by those who have the page read out, and on a phone.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::devtools::{Browser, Tab};
use crate::{Server, browser, page};

/// Roles of what visitors work with.
const ROLES: [&str; 9] =
    ["button", "checkbox", "combobox", "link", "searchbox", "slider", "spinbutton", "tab", "textbox"];

/// Gives every control that is seen and can be used a number, and says how many there are. Of tabs, arrows lead to those that are not chosen.
const NUMBER_CONTROLS: &str = "(() => { let n = 0;
    for (const it of document.querySelectorAll('button, input, select, textarea, a[href], summary, [tabindex]')) {
        delete it.dataset.control;
        const seen = it.checkVisibility({visibilityProperty: true}) && it.getBoundingClientRect().width > 0;
        if (seen && !it.disabled && it.tabIndex >= 0) it.dataset.control = String(n++);
    }
    return n; })()";

/// The number of what has the focus, and how thick the line around it is, in pixels.
const FOCUS: &str = "(() => { const it = document.activeElement; const style = getComputedStyle(it);
    return [Number(it?.dataset?.control ?? -1), style.outlineStyle == 'none' ? 0 : parseFloat(style.outlineWidth),
            it?.outerHTML.slice(0, 120)]; })()";

/// Presses Tab until all has been gone through; every control must have had the focus, and have shown it.
fn go_through(browser: &mut Browser, tab: &Tab, what: &str) {
    browser.eval(tab, "document.activeElement?.blur(), 0");
    let all = browser.eval(tab, NUMBER_CONTROLS).as_u64().unwrap();
    assert!(all > 20, "{what}: only {all} controls");
    let mut reached = BTreeSet::new();
    for _ in 0..all + 20 {
        browser.silent_key(tab, "Tab", 9);
        let focus = browser.eval(tab, FOCUS);
        if let Some(number) = focus[0].as_u64() {
            assert!(focus[1].as_f64().unwrap() >= 2.0, "{what}: no line around {}", focus[2]);
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
    assert!(missing.is_empty(), "{what}: no key leads to {missing:?}");
}

/// Everything that can be worked with has a name.
fn all_have_names(browser: &mut Browser, tab: &Tab, what: &str) {
    let controls = browser.read_out(tab);
    let controls: Vec<_> = controls.iter().filter(|(role, _)| ROLES.contains(&role.as_str())).collect();
    assert!(controls.len() > 20, "{what}: only {}", controls.len());
    let nameless: Vec<_> = controls.iter().filter(|(_, name)| name.trim().is_empty()).collect();
    assert!(nameless.is_empty(), "{what}: {nameless:?}");
}

#[test]
fn every_control_has_a_name_and_shows_the_focus_that_a_key_gives_it() {
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
        go_through(&mut browser, &tab, part);
    }
    browser.eval(&tab, "document.getElementById('tool-spawn').click(), 0");
    browser.wait(&tab, "document.getElementById('brush-count')");
    all_have_names(&mut browser, &tab, "a tool's settings");
    go_through(&mut browser, &tab, "a tool's settings");
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
        // The finger can move strips: what is brought into view must then be there, large enough, and on top.
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
        assert_eq!(browser.eval(&tab, "document.documentElement.scrollWidth"), 390, "nothing sticks out");
    }
}
