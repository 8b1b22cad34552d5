//! Files and built-in scenarios: reading, playing, and routes on real maps.

mod deprecated_names;
mod found_by_fuzzing;
mod movingai_routes;
mod saved_stores;
mod scenarios;
mod terrain_speeds;
mod tile_routes;
