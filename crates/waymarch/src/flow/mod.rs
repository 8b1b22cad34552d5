//! Flow fields: which direction leads to the goal, from every cell? Many units share one field.
//!
//! Three kinds of field answer that question:
//!
//! - [`tiles`]: flow tiles along the sectors that a group's routes pass. The path service uses them for groups.
//! - [`whole`]: one field for the whole map, for tools and for goals that very many units share.
//! - [`lazy`]: a field on a map without edges, computed only as far as units ask.
//!
//! Owns: the progress of tile flows and the ground of lazy fields (World), the fields (Derived), and the memory of searches (Scratch).
//! Reads: the cost layer, and routes over doors. May change: nothing outside itself. `dijkstra/` is the search that tiles and whole-map
//! fields share.

mod dijkstra;
pub mod lazy;
pub mod tiles;
pub mod whole;
