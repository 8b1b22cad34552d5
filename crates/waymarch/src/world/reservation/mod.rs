//! Reservation: which side may enter a passage that is too narrow for two units to pass each other?
//!
//! - Owns: the reservations (World), the passages of each agent (Derived), the scratch of the search for users.
//! - Reads: units, routes, the ground.
//! - Changes: the reservations, and which units wait before a passage or line up for it (`Units::waits`, `Units::lines`).
//!
//! Rules:
//! - A passage between two open places that units want to cross in both directions is reserved for one side at a time. Units of the other side wait outside.
//! - The sides take turns ([`Turn`](turns::Turn)). A turn ends when no unit of its side is left outside, or when the other side would wait for more than 20 seconds.
//!   The other side enters when the passage is empty. Time counts only while units of the other side wait.
//! - Units of the next side walk to the mouth while the last units leave it.
//! - Units of all players take part, but only on the collision layers of their locomotor. A submarine that has the locomotor of ships crosses without a reservation.
//! - A unit that waits is idle: it makes way for units that come out, and keeps clear of the mouth and of the lane before it.
//!   A unit in the mouth of another passage does not wait there.
//! - Units without a group line up before a passage, and cross it as one stream, whatever their orders. Groups have gates for that.
//! - A unit inside that goes against the turn walks back to its own mouth.
//! - Passages that end at junctions are not reserved: a unit that waited there would block others. `deadlock/` serves them.
//!
//! | file | idea |
//! |---|---|
//! | `turns` | the reservations and their turns |
//! | `users` | which units want to cross a passage, and in which direction |

pub(crate) mod turns;
pub(crate) mod users;
