//! The server: the page's files, a WebSocket for each page, map files in, recordings out. On this machine only.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{oneshot, watch};
use waymarch::cost::Map;
use waymarch_maps::scenario::BUILTIN_SCENARIOS;

use crate::game::Game;
use crate::outbox::{Inbox, Post, outbox};
use crate::session::{Input, Session};
use crate::upload::MAX_UPLOAD;
use crate::{guard, hello, page, upload};

/// The longest message of a page, in bytes.
const MAX_MESSAGE: usize = 64 << 10;
/// At most so many pages at once.
const MAX_PAGES: usize = 64;
/// At most so many messages wait for the simulation.
const MAX_WAITING: usize = 1024;
/// A page that takes nothing for so long is let go of.
const SEND_PATIENCE: Duration = Duration::from_secs(20);

/// A map file has to be here after so long.
const BODY_PATIENCE: Duration = Duration::from_secs(30);

/// What is to be played, and where.
#[derive(Clone, Debug, Default)]
pub struct Play {
    /// The port; a free one if it is taken, or 0.
    pub port: u16,
    /// A built-in scenario; the first of all if there is no map either.
    pub scenario: Option<String>,
    /// A map to play on, instead of a scenario.
    pub map: Option<Map>,
}

/// Why there is no playground.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// What was to be played cannot be.
    #[error("{0}")]
    Game(String),
    /// No port of this machine can be listened on, or no thread be had.
    #[error("the server cannot start: {0}")]
    Server(#[from] io::Error),
}

/// A playground that is ready to be opened in a browser.
#[derive(Debug)]
pub struct Playground {
    listener: TcpListener,
    port: u16,
    game: Game,
}

/// What all requests share.
struct Shared {
    port: u16,
    inputs: SyncSender<Input>,
    frames: watch::Receiver<Bytes>,
    numbers: AtomicU64,
    pages: AtomicUsize,
}

impl Playground {
    /// Prepares the game and takes a port of this machine, which no other machine can reach.
    ///
    /// # Errors
    /// [`PlayError`] if the game cannot be played or no port be had.
    pub fn open(play: Play) -> Result<Self, PlayError> {
        let game = match (play.map, &play.scenario) {
            (Some(map), _) => Game::of_map(map),
            (None, Some(name)) => Game::of_scenario(name),
            (None, None) => Game::of_scenario(BUILTIN_SCENARIOS.first().map_or("", |(name, _)| name)),
        };
        let game = game.map_err(PlayError::Game)?;
        let here = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = match here(play.port) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => here(0)?,
            other => other?,
        };
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port, game })
    }

    /// What to open in a browser.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Serves until the program ends.
    ///
    /// # Errors
    /// [`PlayError::Server`] if the machine gives no threads, or takes the port back.
    pub fn run(self) -> Result<(), PlayError> {
        hello::prepare();
        let (inputs, waiting) = sync_channel(MAX_WAITING);
        let (frames_in, frames) = watch::channel(Bytes::new());
        let session = Session::new(self.game, frames_in);
        std::thread::Builder::new().name(String::from("simulation")).spawn(move || session.run(&waiting))?;
        let shared = Shared {
            port: self.port,
            inputs,
            frames,
            numbers: AtomicU64::new(0),
            pages: AtomicUsize::new(0),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        self.listener.set_nonblocking(true)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            axum::serve(listener, router(Arc::new(shared))).await
        })?;
        Ok(())
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/ws", get(connect))
        .route("/map", post(take_map))
        .route("/replay", get(give_recording))
        .fallback(give_file)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), only_ours))
        .with_state(shared)
}

/// Refuses requests under foreign names, and says to the browser what pages of ours may do.
async fn only_ours(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let port = shared.port;
    if !guard::host_is_ours(request.headers(), port) {
        return refusal(StatusCode::FORBIDDEN, "this server answers to 127.0.0.1 and localhost only");
    }
    let mut response = next.run(request).await;
    let policy = format!(
        "default-src 'self'; connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; \
         img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
    );
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy.as_str()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        if let Ok(value) = value.parse() {
            headers.insert(name, value);
        }
    }
    response
}

fn refusal(status: StatusCode, what: &str) -> Response {
    let body = json!({"error": what}).to_string();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

async fn give_file(request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return refusal(StatusCode::METHOD_NOT_ALLOWED, "only GET");
    }
    let name = match request.uri().path() {
        "/" => "index.html",
        path => path.strip_prefix('/').unwrap_or(path),
    };
    match page::file(name) {
        Some((bytes, kind)) => {
            ([(header::CONTENT_TYPE, kind)], Body::from(bytes.into_owned())).into_response()
        }
        None => refusal(StatusCode::NOT_FOUND, "there is no such file"),
    }
}

async fn give_recording(State(shared): State<Arc<Shared>>) -> Response {
    let (answer, bytes) = oneshot::channel();
    if shared.inputs.try_send(Input::Recording(answer)).is_err() {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "the simulation is busy");
    }
    match bytes.await {
        Ok(bytes) => {
            let name = "attachment; filename=\"waymarch.rec\"";
            let kind = "application/octet-stream";
            ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)], bytes).into_response()
        }
        Err(_) => refusal(StatusCode::SERVICE_UNAVAILABLE, "the simulation has ended"),
    }
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn take_map(
    State(shared): State<Arc<Shared>>,
    named: Result<Query<Named>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if !guard::origin_is_ours(&headers, shared.port) || !headers.contains_key("x-waymarch") {
        return refusal(StatusCode::FORBIDDEN, "maps are taken from the playground's own page only");
    }
    let Ok(Query(Named { name })) = named else {
        return refusal(StatusCode::BAD_REQUEST, "`name` is missing");
    };
    let too_long =
        || refusal(StatusCode::PAYLOAD_TOO_LARGE, &format!("a map file has {MAX_UPLOAD} bytes at most"));
    let said =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if said.is_some_and(|length| length > MAX_UPLOAD as u64) {
        return too_long();
    }
    let bytes = match tokio::time::timeout(BODY_PATIENCE, to_bytes(body, MAX_UPLOAD)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return too_long(),
        Err(_) => return refusal(StatusCode::REQUEST_TIMEOUT, "the file came too slowly"),
    };
    let read = tokio::task::spawn_blocking(move || upload::read(&name, &bytes)).await;
    let map = match read {
        Ok(Ok(map)) => map,
        Ok(Err(what)) => return refusal(StatusCode::UNPROCESSABLE_ENTITY, &what),
        Err(_) => return refusal(StatusCode::INTERNAL_SERVER_ERROR, "the map could not be read"),
    };
    let (answer, done) = oneshot::channel();
    if shared.inputs.try_send(Input::Map(Box::new(map), answer)).is_err() {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "the simulation is busy");
    }
    match done.await {
        Ok(Ok(())) => {
            ([(header::CONTENT_TYPE, "application/json")], json!({"ok": true}).to_string()).into_response()
        }
        Ok(Err(what)) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &what),
        Err(_) => refusal(StatusCode::SERVICE_UNAVAILABLE, "the simulation has ended"),
    }
}

async fn connect(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    if !guard::origin_is_ours(&headers, shared.port) {
        return refusal(StatusCode::FORBIDDEN, "only pages of this server may connect");
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(error) => return error.into_response(),
    };
    if shared.pages.load(Ordering::Relaxed) >= MAX_PAGES {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "too many pages watch already");
    }
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(move |socket| async move {
        shared.pages.fetch_add(1, Ordering::Relaxed);
        let id = shared.numbers.fetch_add(1, Ordering::Relaxed);
        let (out, inbox) = outbox();
        if shared.inputs.try_send(Input::Join(id, out)).is_ok() {
            watch_and_talk(&shared, id, socket, inbox).await;
        }
        leave(&shared, id).await;
        shared.pages.fetch_sub(1, Ordering::Relaxed);
    })
}

/// The simulation is told in any case, however much it has to do.
async fn leave(shared: &Shared, id: u64) {
    let mut input = Input::Leave(id);
    while let Err(TrySendError::Full(back)) = shared.inputs.try_send(input) {
        input = back;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Serves one page until it goes, or does not keep up.
async fn watch_and_talk(shared: &Shared, id: u64, mut socket: WebSocket, mut inbox: Inbox) {
    let mut frames = shared.frames.clone();
    frames.mark_changed();
    loop {
        // What must arrive comes first, then what the page says; frames last, and of them the latest only.
        let message = tokio::select! {
            biased;
            post = inbox.next() => match post {
                Some(Post::Text(text)) => Message::Text(text.into()),
                Some(Post::Binary(bytes)) => Message::Binary(bytes),
                None => return,
            },
            said = socket.recv() => match said {
                Some(Ok(Message::Text(text))) => match hand_over(shared, id, text.as_str()) {
                    Some(refusal) => refusal,
                    None => continue,
                },
                Some(Ok(Message::Binary(_))) => error("pages speak in text"),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
            changed = frames.changed() => match changed {
                Ok(()) => Message::Binary(frames.borrow_and_update().clone()),
                Err(_) => return,
            },
        };
        let is_nothing = matches!(&message, Message::Binary(bytes) if bytes.is_empty());
        if is_nothing {
            continue;
        }
        match tokio::time::timeout(SEND_PATIENCE, socket.send(message)).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
}

/// Gives what a page says to the simulation; an answer if that has too much to do.
fn hand_over(shared: &Shared, id: u64, text: &str) -> Option<Message> {
    let full = shared.inputs.try_send(Input::Say(id, text.to_owned())).is_err();
    full.then(|| error("the simulation is busy, say it again"))
}

fn error(what: &str) -> Message {
    Message::Text(json!({"is": "error", "id": null, "what": what}).to_string().into())
}
