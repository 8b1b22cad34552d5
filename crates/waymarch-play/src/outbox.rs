//! The queue of messages to one page, with a bounded size.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;
use serde_json::Value;
use tokio::sync::mpsc;

/// At most 256 messages wait.
const MESSAGES: usize = 256;
/// At most 64 MiB wait.
const BYTES: usize = 64 << 20;

/// A message to a page.
#[derive(Clone, Debug)]
pub(crate) enum Outgoing {
    Text(String),
    Binary(Bytes),
}

impl Outgoing {
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

/// The session's end of the queue. Sending never blocks.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    sender: mpsc::Sender<Outgoing>,
    waiting: Arc<AtomicUsize>,
}

/// The page's end of the queue.
#[derive(Debug)]
pub(crate) struct Inbox {
    receiver: mpsc::Receiver<Outgoing>,
    waiting: Arc<AtomicUsize>,
}

/// The page reads too slowly, or is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooSlow;

/// Makes a queue.
pub(crate) fn outbox() -> (Outbox, Inbox) {
    let (sender, receiver) = mpsc::channel(MESSAGES);
    let waiting = Arc::new(AtomicUsize::new(0));
    (Outbox { sender, waiting: Arc::clone(&waiting) }, Inbox { receiver, waiting })
}

impl Outbox {
    /// Queues a message. If the queue is full, the page must be disconnected, because it would miss a message.
    pub(crate) fn send(&self, message: Outgoing) -> Result<(), TooSlow> {
        let bytes = message.len();
        if self.waiting.fetch_add(bytes, Ordering::Relaxed) > BYTES {
            return Err(TooSlow);
        }
        self.sender.try_send(message).map_err(|_| TooSlow)
    }

    /// Whether the page has read everything. Only then is it sent messages that it could miss.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) == 0
    }
}

impl Inbox {
    /// The next message; `None` when the session has dropped the page.
    pub(crate) async fn next(&mut self) -> Option<Outgoing> {
        let message = self.receiver.recv().await?;
        self.waiting.fetch_sub(message.len(), Ordering::Relaxed);
        Some(message)
    }

    /// The next message, if one waits.
    pub(crate) fn try_next(&mut self) -> Option<Outgoing> {
        let message = self.receiver.try_recv().ok()?;
        self.waiting.fetch_sub(message.len(), Ordering::Relaxed);
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_does_not_read_is_noticed_and_sending_never_blocks() {
        let (full, _inbox) = outbox();
        let sent =
            (0..MESSAGES * 2).take_while(|_| full.send(Outgoing::Text(String::from("x"))).is_ok()).count();
        assert_eq!(sent, MESSAGES);
        let (heavy, _inbox) = outbox();
        let big = Bytes::from(vec![0; BYTES / 4]);
        let sent = (0..100).take_while(|_| heavy.send(Outgoing::Binary(big.clone())).is_ok()).count();
        assert!((4..=5).contains(&sent), "{sent}");
    }
}
