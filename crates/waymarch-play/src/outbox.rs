//! What waits to be sent to one page, within bounds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;
use serde_json::Value;
use tokio::sync::mpsc;

/// At most so many messages wait.
const MESSAGES: usize = 256;
/// And so many bytes.
const BYTES: usize = 64 << 20;

/// A message to a page.
#[derive(Clone, Debug)]
pub(crate) enum Post {
    Text(String),
    Binary(Bytes),
}

impl Post {
    pub(crate) fn json(value: &Value) -> Self {
        Self::Text(value.to_string())
    }

    fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Binary(bytes) => bytes.len(),
        }
    }
}

/// The simulation's end. Never waits.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    sender: mpsc::Sender<Post>,
    waiting: Arc<AtomicUsize>,
}

/// The page's end.
#[derive(Debug)]
pub(crate) struct Inbox {
    receiver: mpsc::Receiver<Post>,
    waiting: Arc<AtomicUsize>,
}

/// Who reads too slowly to be kept up to date, or is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooSlow;

/// Both ends.
pub(crate) fn outbox() -> (Outbox, Inbox) {
    let (sender, receiver) = mpsc::channel(MESSAGES);
    let waiting = Arc::new(AtomicUsize::new(0));
    (Outbox { sender, waiting: Arc::clone(&waiting) }, Inbox { receiver, waiting })
}

impl Outbox {
    /// Puts a message in. A page for which there is no room any more has to be cut off: it would miss something.
    pub(crate) fn send(&self, post: Post) -> Result<(), TooSlow> {
        let bytes = post.len();
        if self.waiting.fetch_add(bytes, Ordering::Relaxed) > BYTES {
            return Err(TooSlow);
        }
        self.sender.try_send(post).map_err(|_| TooSlow)
    }

    /// Whether the page has taken everything: only then does it get what may be left out.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) == 0
    }
}

impl Inbox {
    /// The next message; `None` when the simulation has let go of the page.
    pub(crate) async fn next(&mut self) -> Option<Post> {
        let post = self.receiver.recv().await?;
        self.waiting.fetch_sub(post.len(), Ordering::Relaxed);
        Some(post)
    }

    /// The next message, if one waits.
    pub(crate) fn try_next(&mut self) -> Option<Post> {
        let post = self.receiver.try_recv().ok()?;
        self.waiting.fetch_sub(post.len(), Ordering::Relaxed);
        Some(post)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_does_not_read_is_noticed_and_nothing_waits_for_it() {
        let (full, _inbox) = outbox();
        let sent = (0..MESSAGES * 2).take_while(|_| full.send(Post::Text(String::from("x"))).is_ok()).count();
        assert_eq!(sent, MESSAGES);
        let (heavy, _inbox) = outbox();
        let big = Bytes::from(vec![0; BYTES / 4]);
        let sent = (0..100).take_while(|_| heavy.send(Post::Binary(big.clone())).is_ok()).count();
        assert!((4..=5).contains(&sent), "{sent}");
    }
}
