//! The server, for this machine only: the page's files, one WebSocket per page, map uploads, recordings to download.

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
use waymarch_maps::openra::GameMod;
use waymarch_maps::scenario::BUILTIN_SCENARIOS;

use crate::game::Game;
use crate::game_loading::GameLoader;
use crate::outbox::{Inbox, Outgoing, outbox};
use crate::session::Session;
use crate::simulation_thread::Input;
use crate::upload::MAX_UPLOAD;
use crate::{connections, hello_message, origin_check, page_files, upload};

/// The longest message from a page: 64 KiB.
const MAX_MESSAGE: usize = 64 << 10;
/// At most 64 pages are connected at once.
const MAX_PAGES: usize = 64;
/// At most 1024 inputs wait for the simulation.
const MAX_INPUTS: usize = 1024;
/// A page that reads nothing for 20 seconds is disconnected.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);

/// An uploaded map file has to arrive within 30 seconds.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// What the playground plays, and on which port.
#[derive(Clone, Debug, Default)]
pub struct PlayOptions {
    /// The port to listen on. If it is taken, or 0, the system chooses a free one.
    pub port: u16,
    /// A built-in scenario; the first one if this and `map` are `None`.
    pub scenario: Option<String>,
    /// A map to play on instead of a scenario.
    pub map: Option<Map>,
    /// The OpenRA mod of `.oramap` files that pages upload; without it such files are refused.
    pub openra_mod: Option<GameMod>,
}

/// Why the playground did not start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The scenario or the map cannot be played.
    #[error("{0}")]
    Game(String),
    /// The system gives no port or no thread.
    #[error("the server cannot start: {0}")]
    Server(#[from] io::Error),
}

/// A playground that listens on a port and is ready to run.
#[derive(Debug)]
pub struct Playground {
    listener: TcpListener,
    port: u16,
    game: Game,
    openra_mod: Option<GameMod>,
}

/// What all requests share.
struct Shared {
    port: u16,
    inputs: Arc<SyncSender<Input>>,
    frames: watch::Receiver<Bytes>,
    next_id: AtomicU64,
    pages: AtomicUsize,
    openra_mod: Option<GameMod>,
}

impl Playground {
    /// Loads the game and opens a port of this machine. Other machines cannot reach it.
    ///
    /// # Errors
    /// [`PlayError`] if the game cannot be played or no port is free.
    pub fn open(options: PlayOptions) -> Result<Self, PlayError> {
        let game = match (options.map, &options.scenario) {
            (Some(map), _) => Game::of_map(map),
            (None, Some(name)) => Game::of_scenario(name),
            (None, None) => Game::of_scenario(BUILTIN_SCENARIOS.first().map_or("", |(name, _)| name)),
        };
        let game = game.map_err(PlayError::Game)?;
        let here = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = match here(options.port) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => here(0)?,
            other => other?,
        };
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port, game, openra_mod: options.openra_mod })
    }

    /// The address to open in a browser.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Serves until the program ends.
    ///
    /// # Errors
    /// [`PlayError::Server`] if the system gives no threads or closes the port.
    pub fn run(self) -> Result<(), PlayError> {
        hello_message::prepare();
        let (inputs, waiting) = sync_channel(MAX_INPUTS);
        let (frames_in, frames) = watch::channel(Bytes::new());
        let inputs = Arc::new(inputs);
        let mut session = Session::new(self.game, frames_in, GameLoader::new(Arc::downgrade(&inputs)));
        session.uploads = upload::formats(self.openra_mod.as_ref());
        std::thread::Builder::new().name(String::from("simulation")).spawn(move || session.run(&waiting))?;
        let shared = Shared {
            port: self.port,
            inputs,
            frames,
            next_id: AtomicU64::new(0),
            pages: AtomicUsize::new(0),
            openra_mod: self.openra_mod,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        self.listener.set_nonblocking(true)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            connections::serve(listener, router(Arc::new(shared))).await;
            Ok(())
        })
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/ws", get(connect))
        .route("/map", post(upload_map))
        .route("/replay", get(download_recording))
        .fallback(serve_file)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), check_host))
        .with_state(shared)
}

/// Refuses requests with a foreign host name, and sends the browser the rules for our pages.
async fn check_host(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let port = shared.port;
    if !origin_check::host_is_ours(request.headers(), port) {
        return error_response(StatusCode::FORBIDDEN, "this server answers to 127.0.0.1 and localhost only");
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

fn error_response(status: StatusCode, what: &str) -> Response {
    let body = json!({"error": what}).to_string();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

async fn serve_file(request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return error_response(StatusCode::METHOD_NOT_ALLOWED, "use GET");
    }
    let name = match request.uri().path() {
        "/" => "index.html",
        path => path.strip_prefix('/').unwrap_or(path),
    };
    match page_files::file(name) {
        Some((bytes, kind)) => {
            ([(header::CONTENT_TYPE, kind)], Body::from(bytes.into_owned())).into_response()
        }
        None => error_response(StatusCode::NOT_FOUND, "the page has no such file"),
    }
}

async fn download_recording(State(shared): State<Arc<Shared>>) -> Response {
    let (answer, bytes) = oneshot::channel();
    if shared.inputs.try_send(Input::Recording(answer)).is_err() {
        return error_response(StatusCode::SERVICE_UNAVAILABLE, "the simulation is busy: try again");
    }
    match bytes.await {
        Ok(bytes) => {
            let name = "attachment; filename=\"waymarch.rec\"";
            let kind = "application/octet-stream";
            ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)], bytes).into_response()
        }
        Err(_) => error_response(StatusCode::SERVICE_UNAVAILABLE, "the simulation has ended"),
    }
}

#[derive(Deserialize)]
struct UploadQuery {
    name: String,
}

async fn upload_map(
    State(shared): State<Arc<Shared>>,
    named: Result<Query<UploadQuery>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if !origin_check::origin_is_ours(&headers, shared.port) || !headers.contains_key("x-waymarch") {
        return error_response(StatusCode::FORBIDDEN, "only the playground's own page may upload maps");
    }
    let Ok(Query(UploadQuery { name })) = named else {
        return error_response(StatusCode::BAD_REQUEST, "`name` is missing");
    };
    let too_long = || {
        error_response(
            StatusCode::PAYLOAD_TOO_LARGE,
            &format!("{name}: the file is too large: at most {MAX_UPLOAD} bytes"),
        )
    };
    let said =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if said.is_some_and(|length| length > MAX_UPLOAD as u64) {
        return too_long();
    }
    let bytes = match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, MAX_UPLOAD)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return too_long(),
        Err(_) => {
            return error_response(
                StatusCode::REQUEST_TIMEOUT,
                &format!("{name}: the upload took longer than 30 seconds"),
            );
        }
    };
    // The map is read and its game built beside the simulation, which goes on meanwhile.
    let (file, all) = (name.clone(), Arc::clone(&shared));
    let build = move || {
        let game = upload::read(&file, &bytes, all.openra_mod.as_ref());
        game.and_then(|map| Game::of_map(map).map_err(|what| format!("{file}: {what}")))
    };
    let built = tokio::task::spawn_blocking(build).await;
    let game = match built {
        Ok(Ok(game)) => game,
        Ok(Err(what)) => return error_response(StatusCode::UNPROCESSABLE_ENTITY, &what),
        Err(_) => {
            return error_response(
                StatusCode::INTERNAL_SERVER_ERROR,
                &format!("{name}: the map could not be read"),
            );
        }
    };
    let (answer, done) = oneshot::channel();
    if shared.inputs.try_send(Input::Uploaded(Box::new(game), answer)).is_err() {
        return error_response(StatusCode::SERVICE_UNAVAILABLE, "the simulation is busy: try again");
    }
    match done.await {
        Ok(()) => {
            ([(header::CONTENT_TYPE, "application/json")], json!({"ok": true}).to_string()).into_response()
        }
        Err(_) => error_response(StatusCode::SERVICE_UNAVAILABLE, "the simulation has ended"),
    }
}

async fn connect(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    if !origin_check::origin_is_ours(&headers, shared.port) {
        return error_response(StatusCode::FORBIDDEN, "only pages of this server may connect");
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(error) => return error.into_response(),
    };
    if shared.pages.load(Ordering::Relaxed) >= MAX_PAGES {
        return error_response(StatusCode::SERVICE_UNAVAILABLE, "too many pages are open: close one");
    }
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(move |socket| async move {
        shared.pages.fetch_add(1, Ordering::Relaxed);
        let id = shared.next_id.fetch_add(1, Ordering::Relaxed);
        let (out, inbox) = outbox();
        if shared.inputs.try_send(Input::Join(id, out)).is_ok() {
            serve_page(&shared, id, socket, inbox).await;
        }
        leave(&shared, id).await;
        shared.pages.fetch_sub(1, Ordering::Relaxed);
    })
}

/// Tells the simulation that a page is gone, however full its queue is.
async fn leave(shared: &Shared, id: u64) {
    let mut input = Input::Leave(id);
    while let Err(TrySendError::Full(back)) = shared.inputs.try_send(input) {
        input = back;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Serves one page until it closes or is too slow.
async fn serve_page(shared: &Shared, id: u64, mut socket: WebSocket, mut inbox: Inbox) {
    let mut frames = shared.frames.clone();
    frames.mark_changed();
    loop {
        // Queued messages go first, then the page's own messages are read; frames come last, and only the newest one.
        let message = tokio::select! {
            biased;
            post = inbox.next() => match post {
                Some(Outgoing::Text(text)) => Message::Text(text.into()),
                Some(Outgoing::Binary(bytes)) => Message::Binary(bytes),
                None => return,
            },
            said = socket.recv() => match said {
                Some(Ok(Message::Text(text))) => match forward(shared, id, text.as_str()) {
                    Some(refusal) => refusal,
                    None => continue,
                },
                Some(Ok(Message::Binary(_))) => error("messages must be JSON text"),
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
        match tokio::time::timeout(SEND_TIMEOUT, socket.send(message)).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
}

/// Passes a page's message to the simulation; returns an error message if the queue is full.
fn forward(shared: &Shared, id: u64, text: &str) -> Option<Message> {
    let full = shared.inputs.try_send(Input::Message(id, text.to_owned())).is_err();
    full.then(|| error("the simulation is busy: send the message again"))
}

fn error(what: &str) -> Message {
    Message::Text(json!({"is": "error", "id": null, "what": what}).to_string().into())
}
