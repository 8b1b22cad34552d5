//! A link as a socket of `ggrs`. Hash reports travel over it as well.

use std::cell::RefCell;
use std::io;
use std::mem;
use std::net::SocketAddr;
use std::rc::Rc;

use ggrs::{Message, NonBlockingSocket};

use crate::link::{Link, LinkTotals};

/// The first byte of a datagram of `ggrs`.
const SESSION: u8 = 0;
/// The first byte of a datagram with hash reports.
const REPORTS: u8 = 1;

/// A link that a session and its peer share.
#[derive(Clone)]
pub(super) struct Socket(Rc<RefCell<Shared>>);

struct Shared {
    link: Link,
    /// The first error. `ggrs` has no way to return one.
    failed: Option<io::Error>,
    /// Datagrams with hash reports that the peer has not taken yet.
    reports: Vec<(SocketAddr, Vec<u8>)>,
}

impl Shared {
    fn send(&mut self, kind: u8, body: &[u8], address: SocketAddr) {
        let bytes = [&[kind], body].concat();
        if let Err(error) = self.link.send(&bytes, address) {
            self.failed.get_or_insert(error);
        }
    }
}

impl Socket {
    pub(super) fn new(link: Link) -> Self {
        Self(Rc::new(RefCell::new(Shared { link, failed: None, reports: Vec::new() })))
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

    /// Sends hash reports. A failure is returned by the next step.
    pub(super) fn send_report(&self, bytes: &[u8], address: SocketAddr) {
        self.0.borrow_mut().send(REPORTS, bytes, address);
    }

    /// The hash reports that `ggrs` found among its messages since the last call, with their senders.
    pub(super) fn take_reports(&self) -> Vec<(SocketAddr, Vec<u8>)> {
        mem::take(&mut self.0.borrow_mut().reports)
    }
}

impl NonBlockingSocket<SocketAddr> for Socket {
    fn send_to(&mut self, message: &Message, address: &SocketAddr) {
        let mut shared = self.0.borrow_mut();
        match bincode::serialize(message) {
            Ok(body) => shared.send(SESSION, &body, *address),
            Err(error) => {
                shared.failed.get_or_insert(io::Error::other(error));
            }
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        let mut shared = self.0.borrow_mut();
        let received = shared.link.receive().unwrap_or_else(|error| {
            shared.failed.get_or_insert(error);
            Vec::new()
        });
        let mut messages = Vec::new();
        for (from, bytes) in received {
            match bytes.split_first() {
                Some((&SESSION, body)) => {
                    // A datagram that is no message is ignored, as if it were lost.
                    messages.extend(bincode::deserialize(body).ok().map(|message| (from, message)));
                }
                Some((&REPORTS, body)) => shared.reports.push((from, body.to_vec())),
                _ => {}
            }
        }
        messages
    }
}
