//! A link as a socket of `ggrs`.

use std::cell::RefCell;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;

use ggrs::{Message, NonBlockingSocket};

use crate::link::{Link, LinkTotals};

/// A link that a session and its peer share.
#[derive(Clone)]
pub(super) struct Socket(Rc<RefCell<Shared>>);

struct Shared {
    link: Link,
    /// The first error. `ggrs` has no way to return one.
    failed: Option<io::Error>,
}

impl Socket {
    pub(super) fn new(link: Link) -> Self {
        Self(Rc::new(RefCell::new(Shared { link, failed: None })))
    }

    /// Begins the next step. Returns the error of the step before, if there was one.
    pub(super) fn step(&self) -> io::Result<()> {
        let mut shared = self.0.borrow_mut();
        match shared.failed.take() {
            Some(error) => Err(error),
            None => shared.link.step(),
        }
    }

    pub(super) fn totals(&self) -> LinkTotals {
        self.0.borrow().link.totals()
    }
}

impl NonBlockingSocket<SocketAddr> for Socket {
    fn send_to(&mut self, message: &Message, address: &SocketAddr) {
        let mut shared = self.0.borrow_mut();
        let bytes = bincode::serialize(message).map_err(io::Error::other);
        if let Err(error) = bytes.and_then(|bytes| shared.link.send(&bytes, *address)) {
            shared.failed.get_or_insert(error);
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        let mut shared = self.0.borrow_mut();
        match shared.link.receive() {
            Ok(received) => {
                let read =
                    |(from, bytes): (SocketAddr, Vec<u8>)| Some((from, bincode::deserialize(&bytes).ok()?));
                received.into_iter().filter_map(read).collect()
            }
            Err(error) => {
                shared.failed.get_or_insert(error);
                Vec::new()
            }
        }
    }
}
