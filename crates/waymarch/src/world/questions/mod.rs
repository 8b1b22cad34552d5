//! Questions of a game about its World: which units are here, where does a unit go, how long will it take, how far is it?
//!
//! The room adds methods to [`World`](super::World), which only read. It owns nothing in the World: an [`UnitIndex`] borrows the World, and a [`DistanceField`] belongs
//! to the caller. It reads units, groups, routes and the map. It may change nothing, so no later result depends on a question.
//!
//! Rules:
//! - Answers are in a documented order that ends in the unit index. They follow from World data: equal Worlds give equal answers.
//! - Positions are those after the last tick and command, exact to 1/65,536 of a cell.
//! - An area outside of the map is legal and holds no unit. A negative length is an error.
//! - Lists are written to a list of the caller, which is cleared first. So repeated questions allocate nothing.
//! - Work that depends on the map has a limit that the caller gives.
//!
//! | file | question |
//! |---|---|
//! | `filter` | which units count: owner, team, type, layers, idle |
//! | `area` | which units are in a rectangle, in a circle, along a line; which are nearest; which unit is under a point |
//! | `unit_index` | the same for many questions between two ticks |
//! | `route_points` | which points does a unit pass? |
//! | `time_left` | how many ticks will units need? |
//! | `distances` | what does it cost to get from one cell to many? |
//!
//! Which unit blocks another one: [`World::blocker_of`](super::World::blocker_of).

pub(crate) mod area;
pub(crate) mod distances;
pub(crate) mod error;
pub(crate) mod filter;
pub(crate) mod route_points;
pub(crate) mod time_left;
pub(crate) mod unit_index;
