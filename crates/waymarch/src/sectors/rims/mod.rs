//! Rims: what does a route from a cell to the goal cost at least?
//!
//! A route over doors is a real route, so its cost is never below the cheapest cost. An exact search needs a bound that is never
//! above the cheapest cost. So the *rim* of each sector, the cells along its edges, is cut into short *pieces* of up to 4 open
//! cells. The cost between two pieces is that of the cheapest route from any cell of one to any cell of the other.
//!
//! Between pieces of one sector that bound would be weak. A route along a border could change sides again and again,
//! and each time jump to the other end of a piece at no cost. So a route is followed until it leaves the *square* of
//! four sectors around the corner nearest to its start. Such a route is at least half a sector long, so the free jumps
//! matter little.
//!
//! *Why it is never too high.* Take any route from a cell of a piece to the goal. If it stays within the piece's
//! square, it costs no less than the cheapest route within the square. Otherwise it leaves the square by a step to a
//! cell of another piece. Up to there it costs no less than the cheapest route between the two pieces, and from there
//! no less than that piece's bound. For cells outside of pieces, the sector takes the place of the square.
//!
//! The room owns the costs between pieces (Derived) and Scratch. It reads the cost layer and changes nothing else. `pieces` cuts the rims,
//! `squares` finds the costs between pieces, and `field` finds the bounds for one goal. No bound depends on earlier queries. The bounds are
//! not consistent: a search that uses them may expand a cell again.

mod field;
mod pieces;
mod squares;

pub use field::{RimField, RimScratch};
pub use squares::Rims;
