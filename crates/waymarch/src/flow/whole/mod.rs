//! Whole-map fields: what is the cheapest route into one goal, from every cell of the map? A field has one byte per cell.
//!
//! A field is made by a Dijkstra search outward from the goal. All units with the same goal follow it: a step costs reading one byte.
//! [`WholeFields`] keeps the fields in use.
//!
//! The room owns fields (Derived) and search memory (Scratch). It reads the cost layer. It changes only its own data.
//!
//! Rules:
//! - Every step of a field lowers the remaining cost, and following it costs what A\* finds.
//! - Of equally cheap steps the lowest direction counts. So a repaired field equals a new one, bit for bit.
//! - After an edit only the cells whose route changes are touched: first the labels that no longer hold are removed, the cheapest first, then new
//!   labels spread from the rest.
//!
//! | files | idea |
//! |---|---|
//! | `field`, `key`, `goals` | one field; what it is for; the cells of its goal |
//! | `ground`, `kept`, `repair` | the costs it was made with, and repairing it after edits |
//! | `path`, `error` | reading a path off a field; what can go wrong |
//! | `cache` | the fields in use |
//! | `scratch` | memory of searches |

mod cache;
mod error;
mod field;
mod goals;
mod ground;
mod kept;
mod key;
mod path;
mod repair;
mod scratch;

pub use crate::flow::dijkstra::{Flow, FlowByte};
pub use cache::{WholeFields, WholeFieldsSettings, WholeFieldsWork};
pub use error::{FieldError, WalkError};
pub use field::{Followed, Keep, WholeField};
pub use key::FieldKey;
pub use scratch::WholeScratch;

#[cfg(test)]
mod tests;
