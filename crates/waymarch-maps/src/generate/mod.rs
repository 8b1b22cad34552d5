//! Built-in maps: a seeded generator of RTS-like terrain, integers only.
