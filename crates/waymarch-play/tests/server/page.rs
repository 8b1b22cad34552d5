//! A server under test, and a page as the server sees it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};
use waymarch::base::GridSize;
use waymarch::cost::{Map, Rules};
use waymarch_play::{PlayOptions, Playground};

/// A wait in these tests takes at most 60 seconds, even on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a server for a test; returns its port.
pub(crate) fn serve(play: PlayOptions) -> u16 {
    let playground = Playground::open(play).unwrap();
    let url = playground.url();
    std::thread::spawn(move || playground.run());
    url.trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap()
}

pub(crate) fn field() -> PlayOptions {
    let map = Map::flat("field", GridSize::new(64, 48).unwrap(), Rules::standard());
    PlayOptions { map: Some(map), ..PlayOptions::default() }
}

/// A page as the server sees it.
pub(crate) struct Page {
    pub(crate) socket: WebSocket<TcpStream>,
    asked: u64,
    /// The last game that the server announced, also while the test waited for another message.
    hello: Option<Value>,
}

impl Page {
    pub(crate) fn open(port: u16) -> Self {
        let mut request = format!("ws://127.0.0.1:{port}/ws").into_client_request().unwrap();
        request.headers_mut().insert("Origin", format!("http://127.0.0.1:{port}").parse().unwrap());
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        Self { socket, asked: 0, hello: None }
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).unwrap();
    }

    /// The next text message for which `is` holds.
    pub(crate) fn wait_text(&mut self, is: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Read::Text(value) = self.read()
                && is(&value)
            {
                return value;
            }
        }
        panic!("no such message");
    }

    /// Waits until the server has announced a game for which `is` holds. An announcement that came earlier counts.
    pub(crate) fn wait_hello(&mut self, is: impl Fn(&Value) -> bool) {
        if !self.hello.as_ref().is_some_and(&is) {
            self.wait_text(|message| message["is"] == "hello" && is(message));
        }
    }

    /// Whether the last game that the server announced is such a game.
    pub(crate) fn has_announced(&self, is: impl Fn(&Value) -> bool) -> bool {
        self.hello.as_ref().is_some_and(is)
    }

    fn read(&mut self) -> Read {
        match self.socket.read().unwrap() {
            Message::Text(text) => {
                let value: Value = serde_json::from_str(&text).unwrap();
                if value["is"] == "hello" {
                    self.hello = Some(value.clone());
                }
                Read::Text(value)
            }
            Message::Binary(bytes) => Read::Binary(bytes.to_vec()),
            _ => Read::Other,
        }
    }

    /// Sends a message and returns the answer.
    pub(crate) fn ask(&mut self, mut message: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        message["id"] = json!(id);
        self.say(&message);
        self.wait_text(|answer| answer["id"] == json!(id))
    }

    /// Sends a message that must be answered with `done`.
    pub(crate) fn done(&mut self, message: Value) -> Value {
        let answer = self.ask(message);
        assert_ne!(answer["is"], "error", "{answer}");
        answer
    }

    /// The next binary message with this magic.
    pub(crate) fn wait_binary(&mut self, magic: &[u8]) -> Vec<u8> {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Read::Binary(bytes) = self.read()
                && bytes.starts_with(magic)
            {
                return bytes;
            }
        }
        panic!("no such message");
    }

    pub(crate) fn frame(&mut self) -> Frame {
        Frame(self.wait_binary(b"WMF1"))
    }

    /// The first frame for which `is` holds.
    pub(crate) fn frame_where(&mut self, is: impl Fn(&Frame) -> bool) -> Frame {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let frame = self.frame();
            if is(&frame) {
                return frame;
            }
        }
        panic!("no such frame");
    }

    /// Stops the clock; returns the frame at which it stopped.
    pub(crate) fn pause(&mut self) -> Frame {
        self.done(json!({"do": "time", "set": "pause"}));
        // Frames that were sent before the pause do not have the paused flag and are skipped.
        let frame = self.frame_where(|frame| frame.flags() & 1 == 1);
        assert_eq!(frame.number(42, 2), 0, "the hash of a paused game belongs to its tick");
        frame
    }
}

/// A message of the server.
enum Read {
    Text(Value),
    Binary(Vec<u8>),
    Other,
}

pub(crate) struct Frame(pub(crate) Vec<u8>);

impl Frame {
    pub(crate) fn number(&self, at: usize, bytes: usize) -> u64 {
        (0..bytes).map(|n| u64::from(self.0[at + n]) << (8 * n)).sum()
    }

    pub(crate) fn flags(&self) -> u64 {
        self.number(4, 4)
    }

    pub(crate) fn tick(&self) -> u64 {
        self.number(8, 8)
    }

    pub(crate) fn hash(&self) -> u64 {
        self.number(16, 8)
    }

    pub(crate) fn count(&self) -> u64 {
        self.number(44, 4)
    }

    /// The cell of the `n`th unit.
    pub(crate) fn cell(&self, n: usize) -> (i32, i32) {
        let side = |at| (self.number(48 + n * 20 + at, 4) as u32 as i32) >> 10;
        (side(4), side(8))
    }
}

/// An HTTP request as raw text; returns status and body.
pub(crate) fn http(port: u16, head: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    // The server may close the connection while we still send.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    // An endless answer is cut off: a request that should have been refused but is not gets frames for ever.
    let (begun, mut part) = (Instant::now(), vec![0; 1 << 16]);
    while begun.elapsed() < PATIENCE {
        match stream.read(&mut part) {
            Ok(read) if read > 0 => answer.extend_from_slice(&part[..read]),
            _ => break,
        }
    }
    let text = String::from_utf8_lossy(&answer).into_owned();
    let status = text.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    (status, text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}

pub(crate) fn get(port: u16, path: &str) -> (u16, String) {
    http(port, &format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"), b"")
}

pub(crate) fn upload(port: u16, name: &str, length: usize, more: &str, body: &[u8]) -> (u16, String) {
    let head = format!(
        "POST /map?name={name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Length: {length}\r\n{more}\r\n"
    );
    http(port, &head, body)
}

/// Checks that the server still works: a new page gets frames.
pub(crate) fn goes_on(port: u16) {
    assert!(Page::open(port).frame().0.len() >= 48);
}
