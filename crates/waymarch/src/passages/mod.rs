//! Passages: where is ground too narrow for two units of one size to pass each other?
//!
//! [`Passages`] is the entry. It lists every stretch of narrow ground with its mouths, its length, and the stretches that it joins.
//! Ground is narrow where no free square of two units' width holds the unit. A door, a bridge of one cell and a corridor of a maze are narrow.
//!
//! The room owns the passages of one agent (Derived from its cost field). It reads `cost` and changes nothing else. The passages follow the
//! change log, and after any edits they equal those of a rebuild.
//!
//! Rules:
//! - A cell where three or more narrow branches meet is a junction. It belongs to no passage: units can pass each other there, one of them in a side branch.
//! - The name of a passage is its first cell in row-major order. So names do not depend on the order of edits.
//!
//! | file | idea |
//! |---|---|
//! | `narrow` | which cells are narrow: bit rows, 64 cells at a time |
//! | `plane` | bits and labels per cell |
//! | `stretch` | one passage: its cells, mouths and length |
//! | `follow` | all passages of a map, and how they follow edits |
//! | `in_work` | passages that are found a few rows at a time |
//! | `store` | the passages of several agents |
//! | `standing` | where units may come to rest |

mod follow;
mod in_work;
mod narrow;
mod plane;
mod standing;
mod store;
mod stretch;

pub use follow::Passages;
pub(crate) use in_work::PassagesInWork;
pub use standing::StandingGround;
pub(crate) use store::PassageStore;
pub use stretch::{Beyond, Mouth, Passage, PassageId};
