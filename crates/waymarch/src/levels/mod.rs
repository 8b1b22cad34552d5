//! Levels: which decks and links does a map have, and how do they lie in one grid?
//!
//! [`LevelMap`] is a map with decks (bridges, tunnels, floors, wall-tops) over or under its base, and with links between cells of its levels.
//! It is plain data, and [`LevelMap::validate`] checks it once. A [`Map`](crate::cost::Map) has one level, so what cannot follow links cannot
//! be given a map with decks.
//!
//! The room owns the description of levels (World) and the [`Atlas`] and [`LinkSteps`] made from it (Derived). It reads rules and costs and
//! changes nothing else.
//!
//! Rules:
//! - All levels lie in one grid, the atlas: the base at the north-west, all decks below it, with closed cells around each. So no step leads
//!   from level to level, and all that works on one grid works inside each level.
//! - Only links lead from level to level. A link costs its length times the cost of the cell that it leads to, as a step does.
//! - A cell is barred to units that are higher than the room below the next level above it. Decks are barred to flyers.
//!
//! | file | idea |
//! |---|---|
//! | `deck`, `link` | decks, and links between cells |
//! | `map`, `check`, `error` | the map with all of them; what is checked, and the faults |
//! | `atlas` | one grid for all levels |
//! | `bars` | which locomotors are barred from a cell |
//! | `steps` | the links that one agent may use |

mod atlas;
mod bars;
mod check;
mod deck;
mod error;
mod link;
mod map;
mod steps;

pub use atlas::Atlas;
pub(crate) use bars::Bars;
pub use deck::{Deck, DeckState};
pub use error::LevelError;
pub use link::{Link, LinkKind, LinkState, LinkWays};
pub use map::{LevelMap, MAX_DECKS, MAX_LINKS, UnitHeight, ValidLevelMap};
pub use steps::{LinkStep, LinkSteps, Passage};
