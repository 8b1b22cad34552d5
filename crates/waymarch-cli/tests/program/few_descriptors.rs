//! The playground's server with few file descriptors.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A wait takes at most 60 seconds, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program; it ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the server with at most 64 open files. Returns its port.
fn start() -> (Server, u16) {
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -n 64 && exec \"$0\" play --no-open --port 0 --map open"])
        .arg(assert_cmd::cargo::cargo_bin!("waymarch"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let server = Server(child);
    let url =
        said.find_map(|line| Some(line.split_once(" is at ")?.1.split(' ').next()?.to_owned())).unwrap();
    let port = url.trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap();
    (server, port)
}

fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

#[test]
fn half_requests_on_more_connections_than_descriptors_do_not_stop_the_server() {
    let (mut server, port) = start();
    let half = |_| {
        let mut stream = connect(port);
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
        stream
    };
    // The system accepts all of them, the server only as many as it has descriptors for.
    let halves: Vec<TcpStream> = (0..100).map(half).collect();
    // This request waits until the server has closed half requests.
    let mut stream = connect(port);
    write!(stream, "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(
        answer.starts_with(b"HTTP/1.1 200"),
        "{}",
        String::from_utf8_lossy(&answer[..answer.len().min(99)])
    );
    assert!(server.0.try_wait().unwrap().is_none(), "the server runs");
    drop(halves);
}
