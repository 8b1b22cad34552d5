//! Views: what does a renderer draw between two ticks?
//!
//! It owns nothing of a World: a [`Frame`](frame::Frame) and an [`Interpolation`](interpolation::Interpolation) belong to the game.
//! It reads units.
//! It changes nothing.
//!
//! - A frame is what can be seen of all units after a tick.
//! - An interpolation keeps the frames of the last two ticks, and gives the poses at any moment between them. It allocates nothing once it has seen the most units.

pub(crate) mod frame;
pub(crate) mod interpolation;
