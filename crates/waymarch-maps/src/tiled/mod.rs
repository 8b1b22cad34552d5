//! Tiled maps.
