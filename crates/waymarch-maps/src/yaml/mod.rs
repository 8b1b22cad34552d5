//! Waymarch's own YAML: maps, rules and settings. The format is described in `docs/map-format.md`.
//!
//! Every reader is a pure function of a name (for errors) and bytes. Numbers are read from their digits, never through
//! a float. A file is refused, quickly and with its place, when it is too long, too deep or uses anchors.

mod block;
mod config;
mod fields;
mod glyphs;
mod map_read;
mod map_write;
mod quote;
mod rules_read;
mod rules_write;
mod scenario;
mod settings;
mod speeds;
mod stamps;
mod tree;

#[cfg(test)]
mod tests;

pub use config::{ConfigKey, config_keys, read_config, with_setting, write_config, write_default_config};
pub use map_read::read_map;
pub use map_write::write_map;
pub use rules_read::{builtin_rules, read_rules};
pub use rules_write::write_rules;
pub use scenario::read_scenario;
