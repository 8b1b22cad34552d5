//! A playground without a server, for tests and fuzzing.

use axum::body::Bytes;
use tokio::sync::watch;

use crate::game::Game;
use crate::game_loading::{GameLoader, GameSource};
use crate::outbox::{Inbox, Outgoing, outbox};
use crate::page_message::{PageMessage, Request};
use crate::session::Session;
use crate::simulation_thread::Input;

/// The id of the only page: 1.
const PAGE: u64 = 1;

/// A playground with one page and no server: messages go in as text, and what the page would be sent comes back.
///
/// ```
/// let mut playground = waymarch_play::HeadlessPlayground::new(24, 16)?;
/// let answers = playground.say(r#"{"id": 7, "do": "spawn", "kind": 0, "count": 2, "x": 5, "y": 5}"#);
/// assert!(answers.iter().any(|answer| answer.contains(r#""id":7"#)));
/// # Ok::<(), String>(())
/// ```
pub struct HeadlessPlayground {
    session: Session,
    inbox: Inbox,
    frames: watch::Receiver<Bytes>,
}

impl std::fmt::Debug for HeadlessPlayground {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HeadlessPlayground").finish_non_exhaustive()
    }
}

impl HeadlessPlayground {
    /// A playground on a grass map of `width` × `height` cells, without units.
    ///
    /// # Errors
    /// If a map cannot have that size.
    pub fn new(width: u32, height: u32) -> Result<Self, String> {
        let size = waymarch::base::GridSize::new(width, height).map_err(|error| error.to_string())?;
        let map = waymarch::cost::Map::flat("headless", size, waymarch::cost::Rules::standard());
        let (sender, frames) = watch::channel(Bytes::new());
        let (outbox, mut inbox) = outbox();
        let mut session = Session::new(Game::of_map(map)?, sender, GameLoader::default());
        session.take(Input::Join(PAGE, outbox));
        while inbox.try_next().is_some() {}
        Ok(Self { session, inbox, frames })
    }

    /// Handles a message, runs one tick, and returns the texts that the page was sent meanwhile. A page that was disconnected gets none.
    pub fn say(&mut self, text: &str) -> Vec<String> {
        self.session.take(Input::Message(PAGE, String::from(text)));
        self.session.tick();
        self.session.publish();
        let messages = std::iter::from_fn(|| self.inbox.try_next());
        messages
            .filter_map(|message| if let Outgoing::Text(text) = message { Some(text) } else { None })
            .collect()
    }

    /// Runs one tick without a message. The frame is sent with the next message.
    pub fn tick(&mut self) {
        self.session.tick();
        while self.inbox.try_next().is_some() {}
    }

    /// Checks that a text is a message. This needs no game, so it does not tell whether a game would accept the message.
    ///
    /// # Errors
    /// The sentence that a page would be told.
    pub fn understands(text: &str) -> Result<(), String> {
        PageMessage::read(text).map(drop).map_err(|error| error.what)
    }

    /// The number of cells of the map that a message asks to load; 0 for other messages and for maps that do not exist.
    #[must_use]
    pub fn asked_cells(text: &str) -> u64 {
        let Ok(PageMessage { request: Request::Load { scenario, map, generate }, .. }) =
            PageMessage::read(text)
        else {
            return 0;
        };
        match GameSource::of(scenario, map, generate) {
            Ok(source) => source.cells(),
            Err(_) => 0,
        }
    }

    /// The last frame that was sent.
    #[must_use]
    pub fn frame(&self) -> Vec<u8> {
        self.frames.borrow().to_vec()
    }
}
