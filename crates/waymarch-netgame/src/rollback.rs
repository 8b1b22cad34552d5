//! Rollback with `ggrs`: ticks run on predicted inputs and are corrected.
//!
//! A peer runs a tick at once, as if the others did nothing. When an input arrives that it did not expect, the peer restores the battle from
//! before that input and runs the ticks since then again. It saves the battle in every tick, into memory that is used again and again.
//!
//! Every [`Settings::hash_every`] ticks a peer hashes its battle. When all inputs before that tick are known, the report is final.
//! In every tick it sends its last 4 reports to the others. They name the parts that differ; a checksum of `ggrs` would not.
//!
//! `ggrs` has a fixed set of players per session. A peer that joins late takes part in a new session: it begins with the same battle in all
//! peers. See [`Game::snapshot`] and [`Game::resume`].

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use ggrs::GgrsError;
use waymarch::base::{LoadError, Rng};

use crate::battle::Battle;
use crate::hashes::Desync;
use crate::link::{Faults, Link, LinkTotals};

mod peer;
mod socket;

pub use peer::{Corruption, Peer, PeerTotals};

/// A game gives up after 30,000 steps (at least 30 seconds) without a tick in any peer.
const MAX_IDLE_STEPS: u32 = 30_000;
/// A step in which no peer runs a tick takes 1 ms: `ggrs` repeats lost datagrams by the clock, after 200 ms.
const IDLE_PAUSE: Duration = Duration::from_millis(1);

/// What all peers of a game agree on before it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The number of players, 1 to 4.
    pub players: u8,
    /// The seed of the World, of the scripted players and of the faults.
    pub seed: u64,
    /// Ticks from an input to its effect: 1 by default. Rollback hides the rest of a link's delay.
    pub delay: u64,
    /// The most ticks that a peer runs ahead of the inputs that it has: 8 by default.
    pub window: usize,
    /// Ticks between two hash reports: 4 (a fifth of a second) by default.
    pub hash_every: u64,
    /// What goes wrong on every link.
    pub faults: Faults,
}

impl Settings {
    /// The defaults, for a number of players and a seed, on bad links.
    #[must_use]
    pub const fn new(players: u8, seed: u64) -> Self {
        Self { players, seed, delay: 1, window: 8, hash_every: 4, faults: Faults::BAD }
    }
}

/// Why a game ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RollbackError {
    /// A socket failed.
    #[error(transparent)]
    Socket(#[from] io::Error),
    /// Two peers differ.
    #[error(transparent)]
    Desync(#[from] Desync),
    /// A state that was saved cannot be restored.
    #[error("a saved battle: {0}")]
    Saved(#[from] LoadError),
    /// `ggrs` asked for the state of a tick that was never saved.
    #[error("no battle was saved for tick {0}")]
    NotSaved(u64),
    /// The first battle cannot be made.
    #[error("the battle: {0}")]
    Battle(Box<dyn std::error::Error>),
    /// `ggrs` refused something.
    #[error("ggrs: {0}")]
    Session(#[from] GgrsError),
    /// `ggrs` disconnected a peer.
    #[error("peer {0} was disconnected")]
    Disconnected(u8),
    /// A peer has already passed the tick.
    #[error("a peer has passed tick {0} already: its battle there was not kept")]
    Passed(u64),
    /// No peer can go on.
    #[error("no peer has run a tick in {MAX_IDLE_STEPS} steps; the slowest is at tick {0}")]
    Stalled(u64),
}

/// A game with all its peers, in one loop.
pub struct Game {
    /// By seat.
    pub peers: Vec<Peer>,
    rng: Rng,
}

impl Game {
    /// A game from its beginning.
    ///
    /// # Errors
    /// If a socket, a session or the battle cannot be made.
    pub fn new(settings: Settings) -> Result<Self, RollbackError> {
        let battle = |_| Battle::new(settings.players, settings.seed).map_err(RollbackError::Battle);
        let battles = (0..settings.players).map(battle).collect::<Result<Vec<_>, _>>()?;
        Self::resume(settings, battles)
    }

    /// A game that goes on with one battle per peer, by seat. All battles must be equal.
    ///
    /// # Errors
    /// If a socket or a session cannot be made.
    pub fn resume(settings: Settings, battles: Vec<Battle>) -> Result<Self, RollbackError> {
        let seed = |seat: u64| settings.seed.wrapping_mul(1000).wrapping_add(100 + seat);
        let links = (0..u64::from(settings.players)).map(|seat| Link::new(settings.faults, seed(seat)));
        let links = links.collect::<Result<Vec<_>, _>>()?;
        let addresses: Vec<SocketAddr> = links.iter().map(Link::address).collect::<Result<_, _>>()?;
        let mut peers = Vec::new();
        for ((seat, link), battle) in (0..settings.players).zip(links).zip(battles) {
            peers.push(Peer::new(settings, seat, battle, link, &addresses)?);
        }
        Ok(Self { peers, rng: Rng::pcg32(settings.seed, 5) })
    }

    /// Runs all peers until each knows all inputs before a tick. Peers may have run some ticks further then.
    ///
    /// # Errors
    /// [`RollbackError`] at the first desync, if a peer has passed the tick, and if the game cannot go on.
    pub fn run_to(&mut self, tick: u64) -> Result<(), RollbackError> {
        if self.peers.iter().any(|peer| peer.tick() > tick) {
            return Err(RollbackError::Passed(tick));
        }
        self.peers.iter_mut().for_each(|peer| peer.keep(tick));
        let mut idle = 0;
        while self.peers.iter().any(|peer| peer.kept().is_none()) {
            let mut moved = false;
            for peer in &mut self.peers {
                // Peers are not equally fast: each skips a step with a chance of 1 in 12.
                if !self.rng.chance(1, 12) {
                    moved |= peer.step()?;
                }
            }
            idle = if moved { 0 } else { idle + 1 };
            if !moved {
                std::thread::sleep(IDLE_PAUSE);
            }
            if idle > MAX_IDLE_STEPS {
                return Err(RollbackError::Stalled(self.peers.iter().map(Peer::tick).min().unwrap_or(0)));
            }
        }
        Ok(())
    }

    /// The saved battle of a seat, at the tick of the last [`Game::run_to`]. No later input can change it.
    #[must_use]
    pub fn snapshot(&self, seat: u8) -> Option<&[u8]> {
        self.peers.get(usize::from(seat))?.kept()
    }

    /// What all links have done.
    #[must_use]
    pub fn link_totals(&self) -> LinkTotals {
        self.peers.iter().map(Peer::link_totals).fold(LinkTotals::default(), LinkTotals::plus)
    }
}
