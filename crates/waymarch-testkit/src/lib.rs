//! Slow, obvious twins and test generators.
