//! A game that is told messages without a server: for tests and fuzzing.

use axum::body::Bytes;
use tokio::sync::watch;

use crate::game::Game;
use crate::outbox::{Inbox, Post, outbox};
use crate::session::{Input, Session};

/// The only page of a rehearsal.
const PAGE: u64 = 1;

/// A playground with one page and no server: what the page would say is said, what it would be sent is handed over.
///
/// ```
/// let mut rehearsal = waymarch_play::Rehearsal::new(24, 16)?;
/// let answers = rehearsal.say(r#"{"id": 7, "do": "spawn", "kind": 0, "count": 2, "x": 5, "y": 5}"#);
/// assert!(answers.iter().any(|answer| answer.contains(r#""id":7"#)));
/// # Ok::<(), String>(())
/// ```
pub struct Rehearsal {
    session: Session,
    inbox: Inbox,
    frames: watch::Receiver<Bytes>,
}

impl std::fmt::Debug for Rehearsal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rehearsal").finish_non_exhaustive()
    }
}

impl Rehearsal {
    /// On a map of grass of so many cells.
    ///
    /// # Errors
    /// When there can be no such map.
    pub fn new(width: u32, height: u32) -> Result<Self, String> {
        let size = waymarch::base::GridSize::new(width, height).map_err(|error| error.to_string())?;
        let map = waymarch::cost::Map::flat("rehearsal", size, waymarch::cost::Rules::spec_000());
        let (sender, frames) = watch::channel(Bytes::new());
        let (outbox, mut inbox) = outbox();
        let mut session = Session::new(Game::of_map(map)?, sender);
        session.take(Input::Join(PAGE, outbox));
        while inbox.try_next().is_some() {}
        Ok(Self { session, inbox, frames })
    }

    /// Says something, lets a tick pass, and gives the texts that the page is sent meanwhile. A page that is cut off gets none.
    pub fn say(&mut self, text: &str) -> Vec<String> {
        self.session.take(Input::Say(PAGE, String::from(text)));
        self.session.tick();
        self.session.publish();
        let posts = std::iter::from_fn(|| self.inbox.try_next());
        posts.filter_map(|post| if let Post::Text(text) = post { Some(text) } else { None }).collect()
    }

    /// The last frame that was shown.
    #[must_use]
    pub fn frame(&self) -> Vec<u8> {
        self.frames.borrow().to_vec()
    }
}
