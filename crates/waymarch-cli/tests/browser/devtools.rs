//! Controls a browser through the DevTools protocol.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// A test waits at most 60 seconds for anything, which is enough on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The browser for the tests: `WAYMARCH_CHROMIUM`, or an installed one.
pub(crate) fn installed() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("WAYMARCH_CHROMIUM") {
        return Some(PathBuf::from(path));
    }
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

/// A browser for one test. It is stopped at the end of the test.
pub(crate) struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    asked: u64,
}

/// A tab of a browser.
#[derive(Clone)]
pub(crate) struct Tab(String);

impl Browser {
    pub(crate) fn start(program: &Path, profile: &Path) -> Self {
        let mut child = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
            ])
            .args(["--remote-debugging-port=0", "--window-size=1280,720"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let url =
            said.find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned)).unwrap();
        // Later output is read and dropped, so that the browser never blocks on a full pipe.
        std::thread::spawn(move || said.for_each(drop));
        let host = url.trim_start_matches("ws://").split('/').next().unwrap().to_owned();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(url, stream).unwrap();
        Self { child, socket, asked: 0 }
    }

    fn call(&mut self, tab: Option<&Tab>, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let mut message = json!({"id": self.asked, "method": method, "params": params});
        if let Some(Tab(session)) = tab {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == json!(self.asked) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    pub(crate) fn open(&mut self, url: &str) -> Tab {
        let target = self.call(
            None,
            "Target.createTarget",
            &json!({"url": url, "newWindow": true, "width": 1280, "height": 720}),
        );
        let asked = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.call(None, "Target.attachToTarget", &asked);
        Tab(session["sessionId"].as_str().unwrap().to_owned())
    }

    pub(crate) fn show(&mut self, tab: &Tab) {
        self.call(Some(tab), "Page.bringToFront", &json!({}));
    }

    /// The value of a JavaScript expression. Waits for promises.
    pub(crate) fn eval(&mut self, tab: &Tab, script: &str) -> Value {
        let asked = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let answer = self.call(Some(tab), "Runtime.evaluate", &asked);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until a JavaScript expression is true.
    pub(crate) fn wait(&mut self, tab: &Tab, script: &str) {
        let begun = Instant::now();
        let safe = format!("(() => {{ try {{ return !!({script}) }} catch {{ return false }} }})()");
        while self.eval(tab, &safe) != json!(true) {
            assert!(begun.elapsed() < PATIENCE, "timed out: {script}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The position of a point given in cells, in pixels of the window.
    fn pixel(&mut self, tab: &Tab, (x, y): (f64, f64)) -> [f64; 2] {
        let script = format!(
            "(() => {{ const p = waymarch.toScreen({x}, {y}); const r = document.getElementById('view').getBoundingClientRect();
               const [px, py] = Array.isArray(p) ? p : [p.x, p.y]; return [px + r.left, py + r.top]; }})()"
        );
        let at = self.eval(tab, &script);
        [at[0].as_f64().unwrap(), at[1].as_f64().unwrap()]
    }

    fn mouse(&mut self, tab: &Tab, kind: &str, at: [f64; 2], button: &str) {
        let buttons = match (kind, button) {
            ("mouseReleased", _) | (_, "none") => 0,
            (_, "right") => 2,
            _ => 1,
        };
        let event = json!({"type": kind, "x": at[0], "y": at[1], "button": button, "buttons": buttons, "clickCount": 1});
        self.call(Some(tab), "Input.dispatchMouseEvent", &event);
    }

    /// Drags from cell to cell with the left button.
    pub(crate) fn drag(&mut self, tab: &Tab, from: (f64, f64), to: (f64, f64)) {
        self.drag_with(tab, from, to, "left");
    }

    /// Drags from cell to cell with the given button.
    pub(crate) fn drag_with(&mut self, tab: &Tab, from: (f64, f64), to: (f64, f64), button: &str) {
        let (from, to) = (self.pixel(tab, from), self.pixel(tab, to));
        self.mouse(tab, "mouseMoved", from, "none");
        self.mouse(tab, "mousePressed", from, button);
        for step in 1..=8 {
            let part = |n: usize| from[n] + (to[n] - from[n]) * f64::from(step) / 8.0;
            self.mouse(tab, "mouseMoved", [part(0), part(1)], button);
        }
        self.mouse(tab, "mouseReleased", to, button);
    }

    pub(crate) fn click(&mut self, tab: &Tab, at: (f64, f64)) {
        let at = self.pixel(tab, at);
        self.mouse(tab, "mouseMoved", at, "none");
        self.mouse(tab, "mousePressed", at, "left");
        self.mouse(tab, "mouseReleased", at, "left");
    }

    pub(crate) fn right_click(&mut self, tab: &Tab, at: (f64, f64)) {
        let at = self.pixel(tab, at);
        self.mouse(tab, "mouseMoved", at, "none");
        self.mouse(tab, "mousePressed", at, "right");
        self.mouse(tab, "mouseReleased", at, "right");
    }

    /// Scrolls to the element with this id, and clicks its middle.
    pub(crate) fn click_on(&mut self, tab: &Tab, id: &str) {
        let script = format!(
            "(() => {{ const it = document.getElementById('{id}'); it.scrollIntoView({{block: 'nearest'}});
               const r = it.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; }})()"
        );
        let at = self.eval(tab, &script);
        let at = [at[0].as_f64().unwrap(), at[1].as_f64().unwrap()];
        self.mouse(tab, "mouseMoved", at, "none");
        self.mouse(tab, "mousePressed", at, "left");
        self.mouse(tab, "mouseReleased", at, "left");
    }

    /// Moves the pointer to a cell.
    pub(crate) fn hover(&mut self, tab: &Tab, at: (f64, f64)) {
        let at = self.pixel(tab, at);
        self.mouse(tab, "mouseMoved", at, "none");
    }

    /// Presses a key that types a character.
    pub(crate) fn key(&mut self, tab: &Tab, text: &str, code: &str) {
        let event = |kind: &str| json!({"type": kind, "key": text, "code": code, "text": text});
        self.call(Some(tab), "Input.dispatchKeyEvent", &event("keyDown"));
        self.call(Some(tab), "Input.dispatchKeyEvent", &json!({"type": "keyUp", "key": text, "code": code}));
    }

    /// Presses a key while the Alt key is down.
    pub(crate) fn key_with_alt(&mut self, tab: &Tab, text: &str, code: &str) {
        let event = |kind: &str| json!({"type": kind, "key": text, "code": code, "modifiers": 1});
        self.call(Some(tab), "Input.dispatchKeyEvent", &event("rawKeyDown"));
        self.call(Some(tab), "Input.dispatchKeyEvent", &event("keyUp"));
    }

    /// Presses a key that types nothing, like Tab (9) and Enter (13).
    pub(crate) fn silent_key(&mut self, tab: &Tab, name: &str, number: u32) {
        for kind in ["rawKeyDown", "keyUp"] {
            let event = json!({"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": number});
            self.call(Some(tab), "Input.dispatchKeyEvent", &event);
        }
    }

    /// Presses a key that types nothing, and does not release it.
    pub(crate) fn hold_key(&mut self, tab: &Tab, name: &str, number: u32) {
        let event = json!({"type": "rawKeyDown", "key": name, "code": name, "windowsVirtualKeyCode": number});
        self.call(Some(tab), "Input.dispatchKeyEvent", &event);
    }

    pub(crate) fn release_key(&mut self, tab: &Tab, name: &str, number: u32) {
        let event = json!({"type": "keyUp", "key": name, "code": name, "windowsVirtualKeyCode": number});
        self.call(Some(tab), "Input.dispatchKeyEvent", &event);
    }

    /// Emulates the screen of a phone, with light or dark colours.
    pub(crate) fn make_phone(&mut self, tab: &Tab, colours: &str) {
        self.make_screen(tab, (390, 844), colours);
    }

    /// Emulates the screen of a phone with this width and height.
    pub(crate) fn make_screen(&mut self, tab: &Tab, (width, height): (u32, u32), colours: &str) {
        let screen = json!({"width": width, "height": height, "deviceScaleFactor": 2, "mobile": true});
        self.call(Some(tab), "Emulation.setDeviceMetricsOverride", &screen);
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": colours}]});
        self.call(Some(tab), "Emulation.setEmulatedMedia", &features);
    }

    /// The page as a screen reader sees it: role and name of every node that is not ignored.
    pub(crate) fn read_out(&mut self, tab: &Tab) -> Vec<(String, String)> {
        let tree = self.call(Some(tab), "Accessibility.getFullAXTree", &json!({}));
        let word = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
        let nodes = tree["nodes"].as_array().unwrap().iter().filter(|node| node["ignored"] != true);
        nodes.map(|node| (word(&node["role"]), word(&node["name"]))).collect()
    }

    /// A screenshot of the page in Base64. Also saved as `target/screenshots/NAME.png`.
    pub(crate) fn picture(&mut self, tab: &Tab, name: &str) -> String {
        let answer = self.call(Some(tab), "Page.captureScreenshot", &json!({"format": "png"}));
        let data = answer["data"].as_str().unwrap().to_owned();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), decoded(&data)).unwrap();
        data
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Decodes Base64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let values: Vec<u8> = text.bytes().filter_map(value).collect();
    let join = |four: &[u8]| {
        let bits = four.iter().fold(0_u32, |bits, six| bits << 6 | u32::from(*six)) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    values.chunks(4).flat_map(join).collect()
}
