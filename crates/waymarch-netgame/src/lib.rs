//! A small battle that several peers play over UDP: an example of a networked game, and a test of the engine's promise.
//!
//! Every peer has a whole [`Battle`]. Peers send each other inputs only, and each peer computes the same game from them.
//!
//! | module | content |
//! |---|---|
//! | [`battle`] | the game: a World, the health of units, and what an input does |
//! | [`input`] | what a player can do in a tick, and players that follow a script |
//! | [`link`] | a UDP socket on loopback that loses, delays and reorders datagrams, by a seed |
//! | [`hashes`] | hash reports that peers exchange, and the desync that they show |
//! | [`snapshot`] | a snapshot sent in pieces to a peer that joins late |
//! | [`lockstep`] | plain lockstep: a tick runs when all inputs for it have arrived |
//! | [`rollback`] | rollback with `ggrs`: ticks run on predicted inputs and are corrected |
//!
//! All peers of a game run in one loop of one thread. A step of the loop is one tick of real time. Delays are counted in steps, so a game runs as
//! fast as the machine can.

pub mod arguments;
pub mod battle;
pub mod hashes;
pub mod input;
pub mod link;
pub mod lockstep;
pub mod rollback;
pub mod snapshot;

#[doc(no_inline)]
pub use battle::Battle;
#[doc(no_inline)]
pub use link::{Faults, Link};
