//! Slow, obvious twins and test generators, for the tests of waymarch only.
//!
//! | module | for |
//! |---|---|
//! | [`picture`] | maps drawn in a test, routes drawn in its failure message |
//! | [`grids`] | seeded random grids: scatter, mazes, rooms, caves, patches, city blocks |
//! | [`dijkstra`] | the twin every search is compared with |
//! | [`turning`] | the same where turns cost something |
//! | [`whole`] | the twin of whole-map fields |
//! | [`tiles`] | what following flow tiles costs from every cell |
//! | [`one_by_one`] | the order in which a best-first search takes cells up |
//! | [`lazy`] | the twin of lazy fields on a world without edges, and spec 002 taken at its word |
//! | [`sizes`] | twins of the fields for units wider than a cell |
//! | [`sight`] | twins of lines of sight and of what they cost |
//! | [`matching`] | the twin of assignments of members to slots |
//! | [`slots`] | groups to form up, and what must hold of their slots |
//! | [`route`] | whether a route is legal, and what it costs |
//! | [`alloc`] | proof that a hot path makes no memory |
//! | [`golden`] | values that may not change unnoticed |
//! | [`worlds`] | worlds to test in |
//! | [`data`] | real maps kept outside the repository |
//!
//! *Invariant:* the twins share no logic with the engine: they read plain `&[u8]` costs (255 is blocked, row by row) and
//! have their own [`Rule`](rule::Rule) and step costs. Inside the engine's own unit tests the engine is compiled twice,
//! so its types there are not the types this crate takes: pass [`Rule`](rule::Rule) values and `(x, y)` pairs, or
//! write an integration test under the engine's `tests` folder, where `StepRule` and `CellPos` fit too.

pub use waymarch_counting as alloc;
pub mod data;
pub mod dijkstra;
pub mod flood;
pub mod golden;
pub mod grids;
pub mod grouping;
pub mod lazy;
pub mod matching;
pub mod one_by_one;
pub mod picture;
pub mod route;
pub mod rule;
pub mod sight;
pub mod sizes;
pub mod slots;
pub mod splitmix;
pub mod tiles;
pub mod turning;
pub mod whole;
pub mod worlds;

/// The README's example is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
