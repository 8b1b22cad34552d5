//! Waymarch's own YAML files: maps, rules, settings and scenarios. `docs/map-format.md` and `docs/scenarios.md` describe the formats.
//!
//! Every reader is a pure function of a name (for errors) and bytes. Numbers are parsed from their digits, never through
//! a float. A file that is too long, nested too deeply or uses anchors is refused early, with the place.
//!
//! - `tree.rs`: text to a tree with positions; `fields.rs`: values from the tree; `text_block.rs`: rows of letters
//! - `map_read.rs`, `map_write.rs`, with `legend.rs`, `glyphs.rs` and `stamps.rs`: map files
//! - `levels_read.rs`, `levels_write.rs`: decks and links of map files
//! - `rules_read.rs`, `rules_write.rs`, `terrain_speeds.rs`: rules; `config.rs`, `settings_table.rs`: settings
//! - `scenario/`: scenario files; `quote.rs`: texts as YAML scalars

mod config;
mod fields;
mod glyphs;
mod legend;
mod levels_read;
mod levels_write;
mod map_read;
mod map_write;
mod quote;
mod rules_read;
mod rules_write;
mod scenario;
mod settings_table;
mod stamps;
mod terrain_speeds;
mod text_block;
mod tree;

#[cfg(test)]
mod tests;

pub use config::{ConfigKey, config_keys, read_config, with_setting, write_config, write_default_config};
pub use levels_read::read_level_map;
pub use levels_write::write_level_map;
pub use map_read::read_map;
pub use map_write::write_map;
pub use rules_read::{builtin_rules, read_rules};
pub use rules_write::write_rules;
pub use scenario::{read_scenario, write_scenario};
