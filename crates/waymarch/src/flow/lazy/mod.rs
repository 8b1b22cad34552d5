//! Lazy fields on a world without edges (spec 002): directions towards a goal, worked out only as far as units ask.
//!
//! | file | idea |
//! |---|---|
//! | `ground.rs` | World: what cells cost, kept only where it differs from the rest |
//! | `chunks.rs` | squares of 16×16 cells, found by place |
//! | `field.rs` | Derived: the directions towards one goal, as far as they are known |
//! | `explore.rs` | how a field grows, level by level |
//! | `levels.rs` | the stored frontier, by level |
//! | `pocket.rs` | proof that a start is walled in |
//! | `system.rs` | all of it together: [`LazyFlow`] |
//!
//! # How far a field goes
//!
//! A field grows outwards from its goal in *levels*: level `n` holds the cells whose cheapest way to the goal costs at least
//! `n` × 1024 and less than `(n + 1)` × 1024. No step costs less than 1024, so the cells of a level do not lead to one
//! another: a level is done at once, in any order, and what is found is final. A new level is begun only while fewer
//! than [`explore_limit`](LazySettings::explore_limit) cells are explored.
//!
//! *Invariant:* a field is a function of ground, goal and settings, cut off at some level. Where it was cut depends on who
//! asked; what lies before the cut does not. So answers depend on no order of questions, and on no cache.

mod chunks;
mod explore;
mod field;
mod ground;
mod levels;
mod pocket;
mod settings;
mod system;

pub use field::{FrontierPart, LazyField};
pub use ground::{CLOSED, SparseGround};
pub use settings::{LazySettings, LazySettingsError, LazySteps, ValidLazySettings};
pub use system::{LazyAnswer, LazyFlow};
