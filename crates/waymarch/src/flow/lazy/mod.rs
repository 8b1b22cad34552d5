//! Lazy fields: which direction leads to the goal on a map without edges? Directions are computed only as far as units ask.
//!
//! [`LazyFlow`] is the entry. The room owns the ground (World) and the fields (Derived). It reads nothing but `base` and
//! the step rule of `cost`. It changes only its own data.
//!
//! | file | idea |
//! |---|---|
//! | `ground` | World: what cells cost, stored only where it differs from the rest |
//! | `chunks` | squares of 16×16 cells, found by position |
//! | `field` | Derived: the directions towards one goal, as far as they are known |
//! | `explore` | how a field grows, level by level |
//! | `levels` | the frontier, by level |
//! | `pocket` | proof that a start is walled in |
//! | `system` | all of it together: [`LazyFlow`] |
//!
//! A field grows outwards from its goal in *levels*. Level `n` holds the cells whose cheapest route costs at least `n` × 1024 and less than
//! `(n + 1)` × 1024. No step costs less than 1024, so the cells of a level do not lead to one another: a level is explored at once, in any order,
//! and its directions are final. A new level starts only while fewer than [`explore_limit`](LazySettings::explore_limit) cells are explored.
//!
//! Rules:
//! - A field is a function of ground, goal and settings, cut off at some level. Queries decide where the cut is, but not what lies before it. So no
//!   answer depends on the order of queries or on caches.
//! - `Unreachable` means that all cells connected with the start or the goal were explored. `Unknown` means that the limit was reached.
//! - An edit deletes a field only if exploring looked at the edited cell. A field is never repaired in part.

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
