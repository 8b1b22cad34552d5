//! OpenRA maps.
