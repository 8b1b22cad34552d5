//! Saving: how does a World become bytes, and how do bytes become a World?
//!
//! The room owns nothing. It reads all World data. It may replace the state of a World, but only after all bytes have been read and checked.
//!
//! Rules:
//! - Equal Worlds give equal bytes. A loaded or restored World goes on like the saved one, events included.
//! - `World::restore` edits only what differs: terrain, heights, stamps and threat. Derived data follow as after any edit.

pub(crate) mod commands;
pub(crate) mod orders;
pub(crate) mod state;
pub(crate) mod world;
