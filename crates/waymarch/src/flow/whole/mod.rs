//! Whole-map fields: the cheapest way into one goal from every cell of the map, one byte a cell.
//!
//! A field is made once by a Dijkstra outward from the goal and then followed by everybody with the same goal: a step costs a
//! look at a byte. After an edit it is mended: only cells whose way changes are touched, and what comes out equals a field made anew,
//! bit for bit. [`WholeFields`] keeps the fields in use.

mod cache;
mod error;
mod field;
mod flow_byte;
pub(super) mod front;
mod goals;
mod ground;
mod key;
pub(super) mod label;
mod mend;
mod scratch;
pub(super) mod spread;
mod walk;

pub use cache::{WholeFields, WholeFieldsSettings, WholeFieldsWork};
pub use error::{FieldError, WalkError};
pub use field::{Followed, Keep, WholeField};
pub use flow_byte::{Flow, FlowByte};
pub use key::FieldKey;
pub use scratch::WholeScratch;

#[cfg(test)]
mod tests;
