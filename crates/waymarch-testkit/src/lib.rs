//! Helpers for the tests of waymarch: twins (slow reference implementations), generators of grids, and checks.
//!
//! | module | for |
//! |---|---|
//! | [`picture`] | maps drawn as text in a test, and routes drawn in its failure message |
//! | [`grids`] | seeded random grids: scatter, mazes, rooms, caves, patches, city blocks |
//! | [`dijkstra`] | the twin of every search |
//! | [`turn_costs`] | the same with turn costs |
//! | [`whole_field`] | the twin of whole-map flow fields |
//! | [`tile_walks`] | the cost of following flow tiles from every cell |
//! | [`expansion_order`] | the order in which a best-first search expands cells |
//! | [`lazy_field`] | the twin of lazy fields on a world without edges, and a known faulty algorithm for comparison |
//! | [`wide_units`] | twins of clearance and of the cost fields of units wider than a cell |
//! | [`levels`] | Dijkstra over all levels of a map with decks and links |
//! | [`line_of_sight`] | twins of lines of sight and of their cost |
//! | [`assignment`] | the twin of the assignment of members to formation slots |
//! | [`formation_slots`] | groups to form, and the properties that their slots must have |
//! | [`passages`] | the twin of passages: stretches of narrow ground |
//! | [`route`] | checks that a route is legal, and sums up its cost |
//! | [`alloc`] | proves that a hot path allocates no memory |
//! | [`golden`] | values that must not change unnoticed |
//! | [`worlds`] | worlds to test in |
//! | [`data`] | real maps kept outside the repository |
//!
//! *Invariant:* the twins share no logic with the engine. They read plain `&[u8]` costs (255 is blocked, row by row) and
//! have their own [`Rule`](rule::Rule) and step costs. In the engine's own unit tests the engine is compiled twice,
//! so its types differ from the types that this crate takes. Pass [`Rule`](rule::Rule) values and `(x, y)` pairs there, or
//! write an integration test in the engine's `tests` folder, where `StepRule` and `CellPos` work too.

pub use waymarch_counting as alloc;
pub mod assignment;
pub mod connectivity;
pub mod data;
pub mod dijkstra;
pub mod expansion_order;
pub mod flow_threshold;
pub mod formation_slots;
pub mod golden;
pub mod grids;
pub mod lazy_field;
pub mod levels;
pub mod line_of_sight;
pub mod passages;
pub mod picture;
pub mod route;
pub mod rule;
pub mod splitmix;
pub mod tile_walks;
pub mod turn_costs;
pub mod whole_field;
pub mod wide_units;
pub mod worlds;

/// Compiles and runs the README's example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
