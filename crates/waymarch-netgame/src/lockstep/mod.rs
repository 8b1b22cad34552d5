//! Plain lockstep: a tick runs when the inputs of all players for it have arrived.
//!
//! - A player's input takes effect [`Settings::delay`] ticks later. In this time it travels to all peers.
//! - Inputs are numbered by tick. A peer repeats its inputs until the receiver has acknowledged them.
//! - Every [`Settings::hash_every`] ticks a peer hashes its battle. Each datagram carries the last 4 reports.
//! - A seat may be empty at first. The host admits the joining peer by an input, so all peers know the tick from which its inputs count.
//!   The host saves the battle after that tick, and the joining peer loads it and catches up.

use std::io;
use std::time::Duration;

use waymarch::base::{LoadError, StateHash};

use crate::battle::Battle;
use crate::hashes::Desync;
use crate::link::{Faults, Link, LinkTotals};

mod message;
mod peer;

pub use message::Message;
use peer::Entry;
pub use peer::{Peer, PeerTotals};

/// A game gives up after 20,000 steps (at least a second) without a tick in any peer.
const MAX_IDLE_STEPS: u32 = 20_000;
/// Every 16th step without a tick takes 1 ms. A busy system needs this time to deliver datagrams.
const STEPS_PER_PAUSE: u32 = 16;
/// See [`STEPS_PER_PAUSE`].
const IDLE_PAUSE: Duration = Duration::from_millis(1);

/// What all peers of a game agree on before it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The number of players, 1 to 4.
    pub players: u8,
    /// The seed of the World, of the scripted players and of the faults.
    pub seed: u64,
    /// Ticks from an input to its effect: 4 (200 ms) by default. A game runs without pauses if this is at least twice the one-way delay of a link.
    pub delay: u64,
    /// Ticks between two hash reports: 5 (a quarter of a second) by default.
    pub hash_every: u64,
    /// What goes wrong on every link.
    pub faults: Faults,
}

impl Settings {
    /// The defaults, for a number of players and a seed, on bad links.
    #[must_use]
    pub const fn new(players: u8, seed: u64) -> Self {
        Self { players, seed, delay: 4, hash_every: 5, faults: Faults::BAD }
    }
}

/// Why a game ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockstepError {
    /// A socket failed.
    #[error(transparent)]
    Socket(#[from] io::Error),
    /// Two peers differ.
    #[error(transparent)]
    Desync(#[from] Desync),
    /// A snapshot cannot be loaded.
    #[error("the snapshot of the host: {0}")]
    Snapshot(#[from] LoadError),
    /// The first battle cannot be made.
    #[error("the battle: {0}")]
    Battle(Box<dyn std::error::Error>),
    /// No peer can go on.
    #[error("no peer has run a tick in {MAX_IDLE_STEPS} steps; the slowest is at tick {0}")]
    Stalled(u64),
}

/// A game with all its peers, in one loop.
pub struct Game {
    /// By seat.
    pub peers: Vec<Peer>,
}

impl Game {
    /// A game in which `present` players have their seats from the beginning. The other seats are empty until their peers join.
    ///
    /// # Errors
    /// If a socket or the battle cannot be made.
    pub fn new(settings: Settings, present: u8) -> Result<Self, LockstepError> {
        let links = (0..u64::from(settings.players))
            .map(|seat| Link::new(settings.faults, settings.seed.wrapping_mul(1000).wrapping_add(seat)))
            .collect::<Result<Vec<_>, _>>()?;
        let addresses = links.iter().map(Link::address).collect::<Result<Vec<_>, _>>()?;
        let mut peers = Vec::new();
        for (seat, link) in (0..settings.players).zip(links) {
            let battle = (seat < present).then(|| Battle::new(settings.players, settings.seed));
            let battle = battle.transpose().map_err(LockstepError::Battle)?;
            let entry = Entry { seat, present, battle, link, addresses: addresses.clone() };
            peers.push(Peer::new(settings, entry));
        }
        Ok(Self { peers })
    }

    /// Runs all peers that have a battle, or ask for one, up to a tick. No peer runs further.
    ///
    /// # Errors
    /// [`LockstepError`] at the first desync, and if the game cannot go on.
    pub fn run_to(&mut self, tick: u64) -> Result<(), LockstepError> {
        let mut idle = 0;
        loop {
            let mut reached = true;
            let before: u64 = self.peers.iter().map(Peer::tick).sum();
            for peer in self.peers.iter_mut().filter(|peer| peer.takes_part()) {
                peer.step(tick)?;
                reached &= peer.tick() >= tick;
            }
            if reached {
                return Ok(());
            }
            let moved = self.peers.iter().map(Peer::tick).sum::<u64>() != before;
            idle = if moved { 0 } else { idle + 1 };
            if idle % STEPS_PER_PAUSE == STEPS_PER_PAUSE - 1 {
                std::thread::sleep(IDLE_PAUSE);
            }
            if idle > MAX_IDLE_STEPS {
                let slowest = self.peers.iter().filter(|peer| peer.takes_part()).map(Peer::tick).min();
                return Err(LockstepError::Stalled(slowest.unwrap_or(0)));
            }
        }
    }

    /// The hash of every battle, by seat. Seats that are still empty are left out.
    #[must_use]
    pub fn hashes(&self) -> Vec<StateHash> {
        self.peers.iter().filter_map(Peer::battle).map(Battle::hash).collect()
    }

    /// What all links have done.
    #[must_use]
    pub fn link_totals(&self) -> LinkTotals {
        self.peers.iter().map(Peer::link_totals).fold(LinkTotals::default(), LinkTotals::plus)
    }
}
