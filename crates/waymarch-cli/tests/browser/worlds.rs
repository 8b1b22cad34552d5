//! Loading another world, settings, phones, and how units look.

use serde_json::json;

use crate::{Server, browser, page, spawn};

#[test]
fn a_loaded_world_begins_anew() {
    let Some((mut browser, _turn)) = browser("anew") else { return };
    let server = Server::start("--port 0 valley-march");
    let tab = page(&mut browser, &server.url);
    browser.wait(&tab, "waymarch.tick > 20 && waymarch.store.log.length > 0");
    browser.eval(&tab, "waymarch.store.select([0, 1, 2]), waymarch.store.send({do: 'time', speed: 1600}), 0");
    browser.wait(&tab, "waymarch.store.time.speed == 1600 && waymarch.store.details");
    browser.click_on(&tab, "play");
    browser.wait(&tab, "!waymarch.playing");
    browser.eval(&tab, "document.querySelector('[data-scenario=corner]').click(), 0");
    browser.wait(&tab, "waymarch.store.hello.scenario == 'corner' && waymarch.units == 16");
    // No selection, no details, the clock runs at full speed, and the strip shows times of this world only.
    assert_eq!(browser.eval(&tab, "[waymarch.selected.length, waymarch.store.details]"), json!([0, null]));
    assert_eq!(browser.eval(&tab, "document.getElementById('orders').hidden"), true);
    assert_eq!(browser.eval(&tab, "[waymarch.playing, waymarch.store.time.speed]"), json!([true, 100]));
    browser.wait(&tab, "document.getElementById('ms').title.includes('mean of')");
    let told = browser.eval(&tab, "document.getElementById('ms').title + ' at ' + waymarch.tick");
    let told = told.as_str().unwrap();
    let ticks: Vec<u64> =
        told.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    // A frame or two may come without a tick, at the start.
    assert!(ticks[0] <= ticks.last().unwrap() + 3, "{told}");
    assert_eq!(browser.eval(&tab, "waymarch.store.log.every(event => event.unit < 16)"), true);
}

#[test]
fn a_refused_setting_does_not_stay_in_its_box() {
    let Some((mut browser, _turn)) = browser("settings") else { return };
    let server = Server::start("--port 0 door");
    let tab = page(&mut browser, &server.url);
    browser.eval(&tab, "document.getElementById('tab-tuning').click(), 0");
    let fill = |key: &str, value: &str| {
        format!(
            "(() => {{ const box = document.getElementById('setting-{key}'); box.value = '{value}';
             box.dispatchEvent(new Event('change', {{bubbles: true}})); return box.value; }})()"
        )
    };
    let toasts = "document.getElementById('toasts').textContent";
    for (key, wrong, right) in
        [("sector_size", "9", "16"), ("stuck_threshold", "0", "33"), ("sector_size", "", "64")]
    {
        let before = browser.eval(&tab, &format!("document.getElementById('setting-{key}').value"));
        browser.eval(&tab, "document.getElementById('toasts').replaceChildren(), 0");
        assert_eq!(browser.eval(&tab, &fill(key, wrong)), wrong, "shown until the server answers");
        browser.wait(&tab, &format!("document.getElementById('setting-{key}').value == {before}"));
        browser.wait(&tab, &format!("{toasts}.includes('{key}')"));
        browser.eval(&tab, &fill(key, right));
        let value = format!("waymarch.store.hello.config.find(setting => setting.key == '{key}').value");
        browser.wait(&tab, &format!("{value} == '{right}'"));
    }
}

#[test]
fn names_of_settings_break_after_underscores_only() {
    let Some((mut browser, _turn)) = browser("setting-names") else { return };
    let server = Server::start("--port 0 door");
    let tab = page(&mut browser, &server.url);
    browser.eval(&tab, "document.getElementById('tab-tuning').click(), 0");
    browser.wait(&tab, "document.querySelectorAll('.setting code').length > 40");
    // Every word of every name is on one line, and no name is wider than the panel.
    let broken =
        "[...document.querySelectorAll('.setting code')].filter(name => [...name.childNodes].some(word => {
        const range = document.createRange(); range.selectNodeContents(word);
        return word.nodeType == 3 && range.getClientRects().length != 1;
    }) || name.getBoundingClientRect().right > innerWidth - 8).map(name => name.textContent)";
    assert_eq!(browser.eval(&tab, broken), json!([]));
    browser.picture(&tab, "setting-names");
}

#[test]
fn a_phone_on_its_side_shows_the_map_and_has_every_control() {
    let Some((mut browser, _turn)) = browser("landscape") else { return };
    let server = Server::start("--port 0 valley-march");
    let tab = page(&mut browser, &server.url);
    // The phone is turned: upright, then on its side.
    browser.make_phone(&tab, "light");
    browser.wait(&tab, "innerWidth == 390 && document.getElementById('panel').classList.contains('closed')");
    browser.make_screen(&tab, (844, 390), "light");
    browser.wait(&tab, "innerWidth == 844");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(browser.eval(&tab, "document.getElementById('panel').classList.contains('closed')"), true);
    browser.picture(&tab, "landscape");
    browser.eval(&tab, "waymarch.store.select([...waymarch.store.stage.frame.id]), 0");
    browser.wait(&tab, "!document.getElementById('orders').hidden");
    browser.picture(&tab, "landscape-orders");
    let part = browser.eval(
        &tab,
        "(() => { const size = id => document.getElementById(id).getBoundingClientRect();
        return size('orders').height / size('view').height; })()",
    );
    assert!(part.as_f64().unwrap() < 0.25, "the orders cover {part} of the map");
    let hidden = "[...document.querySelectorAll('#bar button, #bar select, #rail button, #orders button')].filter(it => {
        if (it.disabled) return false;
        it.scrollIntoView({block: 'nearest', inline: 'nearest'});
        const box = it.getBoundingClientRect();
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return box.left < -0.5 || box.right > innerWidth + 0.5 || box.top < 0 || box.bottom > innerHeight || box.height < 30
            || !it.contains(top); }).map(it => it.id || it.ariaLabel)";
    assert_eq!(browser.eval(&tab, hidden), json!([]));
    // The panel opens over the map when it is asked for.
    browser.eval(&tab, "document.getElementById('panel-button').click(), 0");
    browser.wait(&tab, "document.getElementById('page-world').checkVisibility({visibilityProperty: true})");
    std::thread::sleep(std::time::Duration::from_millis(300));
    browser.picture(&tab, "landscape-panel");
}

#[test]
fn units_of_different_kinds_look_different() {
    let Some((mut browser, _turn)) = browser("kinds") else { return };
    let server = Server::start("--port 0 --map valley");
    let tab = page(&mut browser, &server.url);
    browser.wait(&tab, "waymarch.store.hello.types.length > 6");
    // 18 kinds have outlines and shades of their own.
    let looks = "import('/unit-looks.js').then(looks => new Set(Array.from({length: 18}, (_, kind) =>
        `${looks.shapeOf(kind)} ${looks.shadeOf(kind)}`)).size)";
    assert_eq!(browser.eval(&tab, looks), 18);
    // The list of kinds has an icon for each, and no two are equal.
    let icons =
        "(() => { const all = [...document.querySelectorAll('#kinds svg')].map(icon => icon.innerHTML);
        return [all.length, new Set(all).size]; })()";
    let kinds = browser.eval(&tab, "waymarch.store.hello.types.length");
    assert_eq!(browser.eval(&tab, icons), json!([kinds, kinds]));
    // On the map a unit of another kind changes the picture: foot (1 cell) against wheel (1 cell).
    browser.eval(&tab, "waymarch.store.send({do: 'time', set: 'pause'}), 0");
    spawn(&mut browser, &tab, 1, (30, 30));
    browser.eval(&tab, "waymarch.store.send({do: 'spawn', kind: 2, count: 1, x: 34, y: 30}), 0");
    browser.wait(&tab, "waymarch.units == 2");
    browser.eval(&tab, "waymarch.view.camera.scale = 40, waymarch.view.camera.goTo(32, 30), 0");
    std::thread::sleep(std::time::Duration::from_millis(500));
    browser.picture(&tab, "kinds");
    let pixels = |x: f64| {
        format!(
            "(() => {{ const canvas = document.querySelector('canvas.units'); const [x, y] = waymarch.toScreen({x}, 30.5);
             const dpr = waymarch.view.dpr; const [px, py] = [Math.round(x * dpr) - 16, Math.round(y * dpr) - 16];
             const copy = document.createElement('canvas'); copy.width = copy.height = 32;
             const context = copy.getContext('2d'); context.drawImage(canvas, px, py, 32, 32, 0, 0, 32, 32);
             return [...context.getImageData(0, 0, 32, 32).data].join(); }})()"
        )
    };
    let (foot, wheel) = (browser.eval(&tab, &pixels(30.5)), browser.eval(&tab, &pixels(34.5)));
    assert!(foot.as_str().unwrap().contains("255") && foot != wheel);
}
