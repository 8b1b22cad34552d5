//! Flow fields: which direction leads to the goal from each cell? Many units share one field.
//!
//! Three kinds of field answer that question:
//!
//! - [`tiles`]: flow tiles along the sectors that a group's routes pass. The path service uses them for groups.
//! - [`whole`]: one field for the whole map, for tools and for goals that very many units share.
//! - [`lazy`]: a field on a map without edges, computed only as far as units ask.
//!
//! The room owns how far tile flows have come (World), the fields (Derived) and search memory (Scratch). It reads the cost layer and
//! routes over doors. It changes nothing outside itself. `dijkstra/` is the search that tiles and whole-map fields share.

mod dijkstra;
pub mod lazy;
pub mod tiles;
pub mod whole;
