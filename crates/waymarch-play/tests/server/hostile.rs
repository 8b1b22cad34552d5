//! Hostile pages and programs: their requests are refused, and the server continues.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;

use crate::page::{PATIENCE, Page, field, get, goes_on, http, serve, upload};

#[test]
fn illegal_messages_are_answered_with_an_error() {
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
    for (text, problem) in [
        ("{", "not JSON"),
        ("7", "a JSON object with the key `do`"),
        ("{\"do\":\"load\",\"generate\":7}", "expected an object"),
    ] {
        page.socket.send(Message::text(text)).unwrap();
        let answer = page.wait_text(|message| message["is"] == "error");
        let what = answer["what"].as_str().unwrap();
        assert!(what.contains(problem) && !what.contains("struct"), "{text}: {what}");
    }
    page.socket.send(Message::binary(vec![0xff; 1000])).unwrap();
    page.wait_text(|message| message["is"] == "error");
    // Two units without orders, so that messages are wrong only in what they test.
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
    // An area off the map is drawn empty, without overflow.
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
        // The server closes it: reading ends, possibly with a reset.
        while stream.read(&mut buffer).is_ok_and(|read| read > 0) {
            assert!(begun.elapsed() < Duration::from_secs(20), "{what}: it is still connected");
        }
        let before = watcher.frame().tick();
        watcher.frame_where(|frame| frame.tick() > before);
    }
    goes_on(port);
}

#[test]
fn half_requests_do_not_keep_their_connections() {
    let port = serve(field());
    let half = |n: usize| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX: y\r\n");
        stream.write_all(&head.as_bytes()[..n * head.len() / 80]).unwrap();
        stream
    };
    let halves: Vec<TcpStream> = (0..80).map(half).collect();
    goes_on(port);
    let begun = Instant::now();
    for (n, mut stream) in halves.into_iter().enumerate() {
        // The server closes it: reading ends, possibly with a reset or an answer before.
        let mut buffer = [0; 1024];
        while stream.read(&mut buffer).is_ok_and(|read| read > 0) {}
        assert!(begun.elapsed() < Duration::from_secs(30), "half request {n} is still connected");
    }
    // A page is no half request: it stays.
    let mut page = Page::open(port);
    let tick = page.frame().tick();
    page.frame_where(|frame| frame.tick() > tick + 150);
}

#[test]
fn loading_a_large_map_does_not_stop_the_pages() {
    let port = serve(field());
    let (mut page, mut watcher) = (Page::open(port), Page::open(port));
    page.frame();
    page.say(&json!({"do": "load", "id": 7, "generate": {"seed": 1, "width": 1024, "height": 1024}}));
    page.say(&json!({"do": "load", "id": 8, "map": "rooms"}));
    let refused = page.wait_text(|answer| answer["id"] == 8);
    assert!(refused["what"].as_str().unwrap().contains("being loaded"), "{refused}");
    // The game goes on meanwhile: the watcher gets frames, and its own messages are answered.
    let tick = watcher.frame().tick();
    for _ in 0..5 {
        assert_eq!(watcher.ask(json!({"do": "events", "on": false}))["is"], "done");
        let frame = watcher.frame();
        assert!(frame.tick() >= tick, "the new game has begun");
    }
    assert_eq!(page.wait_text(|answer| answer["id"] == 7)["is"], "done");
    watcher.wait_hello(|hello| hello["width"] == 1024);
    page.done(json!({"do": "load", "map": "rooms"}));
    assert_eq!(page.ask(json!({"do": "load", "map": "nonesuch"}))["is"], "error");
    goes_on(port);
}

/// Frames come 20 times a second. A gap of 2 seconds is allowed while a game is built, because test machines are busy.
#[test]
fn frames_go_on_while_the_largest_map_is_generated() {
    let port = serve(field());
    let (mut page, mut watcher) = (Page::open(port), Page::open(port));
    watcher.frame();
    page.say(&json!({"do": "load", "id": 7, "generate": {"seed": 1, "width": 2048, "height": 2048}}));
    let asked = Instant::now();
    let (mut last, mut longest, mut frames) = (asked, Duration::ZERO, 0);
    while !watcher.has_announced(|hello| hello["width"] == 2048) {
        assert!(asked.elapsed() < PATIENCE, "the map is never ready");
        let tick = watcher.frame().tick();
        frames += 1;
        longest = longest.max(last.elapsed());
        last = Instant::now();
        assert!(tick > 0);
    }
    println!("ready after {:?}, {frames} frames, longest gap {longest:?}", asked.elapsed());
    assert!(frames > 2, "{frames} frames");
    assert!(longest < Duration::from_secs(2), "no frame for {longest:?}");
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
fn a_page_over_the_limit_is_refused_until_another_one_leaves() {
    let port = serve(field());
    let mut pages: Vec<Page> = (0..64).map(|_| Page::open(port)).collect();
    // A page that gets frames is counted.
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
        assert!(begun.elapsed() < PATIENCE, "no page may connect after another one left");
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
fn no_file_outside_the_page_is_served() {
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
    // Cut off in the middle: whether the answer still arrives depends on the machine.
    let (status, _) = http(port, &chunked, &vec![b'.'; 20 << 20]);
    assert!(status == 413 || status == 0, "{status}");
    // A whole file without a length: if it were read, it would be refused as a map, not for its length.
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
fn a_page_that_does_not_read_does_not_slow_the_others() {
    let port = serve(field());
    let mut page = Page::open(port);
    page.done(json!({"do": "spawn", "kind": 0, "count": 1500, "x": 30, "y": 24}));
    // It requests much and never reads.
    let mut lazy: Vec<Page> = (0..8).map(|_| Page::open(port)).collect();
    for other in &mut lazy {
        other.say(&json!({"do": "overlay", "name": "cost", "on": true}));
    }
    let first = page.frame();
    let begun = Instant::now();
    let last = page.frame_where(|frame| frame.tick() >= first.tick() + 40);
    // At 20 ticks per second this takes two seconds; a busy machine may take twice as long.
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?} for 40 ticks", begun.elapsed());
    assert!(last.tick() < first.tick() + 60, "frames were left out though this page reads");
}
