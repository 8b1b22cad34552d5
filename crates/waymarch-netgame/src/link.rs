//! A UDP socket on loopback that loses, delays and reorders datagrams, by a seed.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

use waymarch::base::Rng;

/// The largest datagram has 1200 bytes. Real networks would split larger ones.
pub const MAX_DATAGRAM: usize = 1200;
/// One call of [`Link::receive`] takes at most 4,096 datagrams.
const MAX_RECEIVED: usize = 4096;

/// What goes wrong on a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Faults {
    /// Lost datagrams, per mille.
    pub loss: u32,
    /// Datagrams that arrive twice, per mille.
    pub twice: u32,
    /// The shortest delay, in steps.
    pub delay: u32,
    /// The most steps that are added to the delay, by chance. Datagrams with different delays overtake each other.
    pub jitter: u32,
}

impl Faults {
    /// A perfect link.
    pub const NONE: Self = Self { loss: 0, twice: 0, delay: 0, jitter: 0 };
    /// A bad link: 8 % lost, 2 % twice, 1 to 4 steps late (50 to 200 ms at 20 ticks per second).
    pub const BAD: Self = Self { loss: 80, twice: 20, delay: 1, jitter: 3 };
}

/// What a link has done so far, in datagrams.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinkTotals {
    /// Sent by the game.
    pub sent: u64,
    /// Lost on purpose.
    pub lost: u64,
    /// Sent twice on purpose.
    pub twice: u64,
    /// Put on the network after a datagram that the game sent later.
    pub overtaken: u64,
}

impl LinkTotals {
    /// The sums of two totals.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            sent: self.sent + other.sent,
            lost: self.lost + other.lost,
            twice: self.twice + other.twice,
            overtaken: self.overtaken + other.overtaken,
        }
    }
}

/// A datagram that waits for its step.
struct Waiting {
    due: u64,
    number: u64,
    to: SocketAddr,
    bytes: Vec<u8>,
}

/// A UDP socket on 127.0.0.1, with faults on the sending side.
///
/// The faults follow from the seed and from the order of calls. The socket itself is real.
pub struct Link {
    socket: UdpSocket,
    faults: Faults,
    rng: Rng,
    now: u64,
    waiting: Vec<Waiting>,
    newest_sent: u64,
    totals: LinkTotals,
    buffer: Vec<u8>,
}

impl Link {
    /// A link on a free port.
    ///
    /// # Errors
    /// If the system gives no socket.
    pub fn new(faults: Faults, seed: u64) -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            faults,
            rng: Rng::pcg32(seed, 77),
            now: 0,
            waiting: Vec::new(),
            newest_sent: 0,
            totals: LinkTotals::default(),
            buffer: vec![0; 1 << 16],
        })
    }

    /// The address that others send to.
    ///
    /// # Errors
    /// If the system does not know it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// What the link has done so far.
    #[must_use]
    pub const fn totals(&self) -> LinkTotals {
        self.totals
    }

    /// Begins the next step: sends what is due.
    ///
    /// # Errors
    /// If the socket fails.
    pub fn step(&mut self) -> io::Result<()> {
        self.now += 1;
        self.flush()
    }

    /// Sends a datagram, or loses or delays it.
    ///
    /// # Errors
    /// If the socket fails, or the datagram is larger than [`MAX_DATAGRAM`].
    pub fn send(&mut self, bytes: &[u8], to: SocketAddr) -> io::Result<()> {
        if bytes.len() > MAX_DATAGRAM {
            let text = format!("a datagram of {} bytes; at most {MAX_DATAGRAM} are allowed", bytes.len());
            return Err(io::Error::new(ErrorKind::InvalidInput, text));
        }
        self.totals.sent += 1;
        if self.rng.chance(self.faults.loss, 1000) {
            self.totals.lost += 1;
            return Ok(());
        }
        let copies = if self.rng.chance(self.faults.twice, 1000) { 2 } else { 1 };
        self.totals.twice += copies - 1;
        for _ in 0..copies {
            let due = self.now + u64::from(self.faults.delay + self.rng.below(self.faults.jitter + 1));
            self.waiting.push(Waiting { due, number: self.totals.sent, to, bytes: bytes.to_vec() });
        }
        self.flush()
    }

    /// Puts all datagrams that are due on the network, the oldest first.
    fn flush(&mut self) -> io::Result<()> {
        let mut at = 0;
        while at < self.waiting.len() {
            if self.waiting[at].due > self.now {
                at += 1;
                continue;
            }
            let datagram = self.waiting.remove(at);
            self.totals.overtaken += u64::from(datagram.number < self.newest_sent);
            self.newest_sent = self.newest_sent.max(datagram.number);
            match self.socket.send_to(&datagram.bytes, datagram.to) {
                Ok(_) => {}
                // The peer's port is closed, or the system's buffer is full: the datagram is lost, as on any network.
                Err(error)
                    if matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::WouldBlock) =>
                {
                    self.totals.lost += 1;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// All datagrams that have arrived, with their senders.
    ///
    /// # Errors
    /// If the socket fails.
    pub fn receive(&mut self) -> io::Result<Vec<(SocketAddr, Vec<u8>)>> {
        let mut received = Vec::new();
        while received.len() < MAX_RECEIVED {
            match self.socket.recv_from(&mut self.buffer) {
                Ok((length, from)) => received.push((from, self.buffer[..length].to_vec())),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // A datagram that was sent before came back: its receiver is gone.
                Err(error)
                    if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::ConnectionRefused) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(received)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that arrive at a second link, in order, when one is sent in each step. A step ends when all datagrams on the network have arrived.
    fn arrivals(faults: Faults) -> io::Result<(Vec<u8>, LinkTotals)> {
        let mut from = Link::new(faults, 3)?;
        let mut to = Link::new(Faults::NONE, 4)?;
        let (address, sender) = (to.address()?, from.address()?);
        let mut numbers = Vec::new();
        for step in 0..240 {
            from.step()?;
            if step < 200 {
                from.send(&[step], address)?;
            }
            let totals = from.totals();
            let on_network = totals.sent - totals.lost + totals.twice - from.waiting.len() as u64;
            while (numbers.len() as u64) < on_network {
                for (address, bytes) in to.receive()? {
                    assert_eq!(address, sender);
                    numbers.extend(bytes);
                }
            }
        }
        Ok((numbers, from.totals()))
    }

    #[test]
    fn a_perfect_link_delivers_everything_in_order() -> io::Result<()> {
        let (numbers, totals) = arrivals(Faults::NONE)?;
        assert_eq!(numbers, (0..200).collect::<Vec<u8>>());
        assert_eq!(totals, LinkTotals { sent: 200, ..LinkTotals::default() });
        Ok(())
    }

    #[test]
    fn a_bad_link_loses_repeats_and_reorders() -> io::Result<()> {
        let (numbers, totals) = arrivals(Faults::BAD)?;
        assert!(totals.lost > 5 && totals.twice > 0 && totals.overtaken > 20, "{totals:?}");
        assert_eq!(numbers.len() as u64, totals.sent - totals.lost + totals.twice);
        assert!(!numbers.is_sorted());
        Ok(())
    }

    #[test]
    fn a_datagram_that_is_too_large_is_refused() -> io::Result<()> {
        let mut link = Link::new(Faults::NONE, 1)?;
        let address = link.address()?;
        assert!(link.send(&[0; MAX_DATAGRAM + 1], address).is_err());
        assert!(link.send(&[0; MAX_DATAGRAM], address).is_ok());
        Ok(())
    }
}
