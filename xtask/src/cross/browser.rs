//! Runs the check in a browser: serves a page with the module, and waits for the output that the page posts.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::jobs::Context;
use crate::root;
use crate::stages::installed_browser;

/// A browser has 10 minutes for the check.
const MOST_TIME: Duration = Duration::from_secs(600);

/// What the page asks for.
struct Files<'a> {
    module: &'a [u8],
    recordings: &'a [u8],
    arguments: &'a str,
}

/// Ends the browser, and removes its profile.
struct Browser {
    child: Child,
    profile: std::path::PathBuf,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Runs the check in a browser; `None` if there is no browser.
pub(crate) fn run(
    context: &Context<'_>,
    module: &Path,
    arguments: &[&str],
) -> Option<Result<String, String>> {
    let program = installed_browser()?;
    Some(run_in(&program, context, module, &arguments.join(" ")))
}

fn run_in(program: &str, context: &Context<'_>, module: &Path, arguments: &str) -> Result<String, String> {
    let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let (wasm, recordings) = (read(module)?, read(context.recordings)?);
    let files = Files { module: &wasm, recordings: &recordings, arguments };
    let failed = |error: std::io::Error| format!("the page's server: {error}");
    let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let profile = std::env::temp_dir().join(format!("waymarch-cross-browser-{port}"));
    let child = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("http://127.0.0.1:{port}/page.html"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("`{program}` could not start: {error}"))?;
    let _browser = Browser { child, profile };
    let begun = Instant::now();
    while begun.elapsed() < MOST_TIME {
        match listener.accept() {
            Ok((stream, _)) => match answer(stream, &files) {
                Ok(Some(output)) => return Ok(output),
                Ok(None) => {}
                // A browser may close connections that it opened ahead of need.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {}
                Err(error) => return Err(failed(error)),
            },
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(20))
            }
            Err(error) => return Err(failed(error)),
        }
    }
    Err(format!("the page posted no output within {} s", MOST_TIME.as_secs()))
}

/// Answers one request; returns the output if the page posted it.
fn answer(stream: TcpStream, files: &Files<'_>) -> std::io::Result<Option<String>> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        if line.trim().is_empty() {
            break;
        }
        let header = line.to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if request.is_empty() {
            request = line;
        }
    }
    let mut words = request.split_whitespace();
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let page = |name: &str| std::fs::read(root().join("crates/waymarch-xcheck/web").join(name));
    let (status, kind, content) = match path {
        "/page.html" => ("200 OK", "text/html", page("page.html")?),
        "/module.mjs" => ("200 OK", "text/javascript", page("module.mjs")?),
        "/check.wasm" => ("200 OK", "application/wasm", files.module.to_vec()),
        "/recordings" => ("200 OK", "application/octet-stream", files.recordings.to_vec()),
        "/arguments" => ("200 OK", "text/plain", files.arguments.as_bytes().to_vec()),
        "/output" => ("200 OK", "text/plain", Vec::new()),
        _ => ("404 Not Found", "text/plain", Vec::new()),
    };
    let stream = reader.get_mut();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&content)?;
    let posted = method == "POST" && path == "/output";
    Ok(posted.then(|| String::from_utf8_lossy(&body).into_owned()))
}
