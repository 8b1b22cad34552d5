//! The table of settings: each key with its meaning, its legal values, how it is read and how it is shown.

use waymarch::base::Fixed;
use waymarch::config::{
    AvoidanceModel, Config, FormationType, GroupSpeed, InfluenceAvoidance, PathSmoothing, PushMechanics,
    RepathFrequency,
};
use waymarch::cost::{CornerRule, Neighbours};

use super::fields::Reader;
use super::quote::scalar;
use super::tree::Node;
use crate::FileResult;

type Set = fn(&mut Config, &Reader<'_>, &Node<'_>) -> FileResult<()>;

/// One setting of the file.
pub(super) struct Setting {
    /// The heading it stands under.
    pub(super) section: &'static str,
    /// Its name in the file.
    pub(super) key: &'static str,
    /// What it does.
    pub(super) meaning: &'static str,
    /// What it may be.
    pub(super) legal: String,
    /// Its value as the file writes it.
    pub(super) show: fn(&Config) -> String,
    /// Reads it.
    pub(super) set: Set,
}

const NEIGHBOURS: [(&str, Neighbours); 2] = [("eight", Neighbours::Eight), ("four", Neighbours::Four)];

const CORNERS: [(&str, CornerRule); 3] =
    [("forbid", CornerRule::Forbid), ("allow-one", CornerRule::AllowOne), ("allow", CornerRule::Allow)];

fn name_of<T: PartialEq>(value: &T, names: &[(&str, T)]) -> String {
    names.iter().find(|(_, known)| known == value).map_or_else(String::new, |(name, _)| (*name).to_string())
}

fn legal<T>(names: &[(&str, T)]) -> String {
    names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" | ")
}

/// A size list as the file writes it.
fn list(sizes: &[u8]) -> String {
    let sizes: Vec<String> = sizes.iter().map(u8::to_string).collect();
    format!("[{}]", sizes.join(", "))
}

/// One row of the table; the word before the key says how its value is written.
macro_rules! setting {
    ($section:literal, whole $key:ident in $low:literal..=$high:literal, $meaning:literal) => {
        Setting {
            section: $section,
            key: stringify!($key),
            meaning: $meaning,
            legal: concat!(stringify!($low), "..=", stringify!($high)).to_string(),
            show: |config| config.$key.to_string(),
            set: |config, reader, node| {
                config.$key = reader.whole(node, stringify!($key), $low..=$high)?;
                Ok(())
            },
        }
    };
    ($section:literal, fixed $key:ident in $low:literal..=$high:literal, $meaning:literal) => {
        Setting {
            section: $section,
            key: stringify!($key),
            meaning: $meaning,
            legal: concat!(stringify!($low), "..=", stringify!($high), ", where 1024 is one").to_string(),
            show: |config| config.$key.raw().to_string(),
            set: |config, reader, node| {
                config.$key = Fixed::from_raw(reader.whole(node, stringify!($key), $low..=$high)?);
                Ok(())
            },
        }
    };
    ($section:literal, flag $key:ident, $meaning:literal) => {
        Setting {
            section: $section,
            key: stringify!($key),
            meaning: $meaning,
            legal: "true | false".to_string(),
            show: |config| config.$key.to_string(),
            set: |config, reader, node| {
                config.$key = reader.boolean(node, stringify!($key))?;
                Ok(())
            },
        }
    };
    ($section:literal, text $key:ident, $meaning:literal) => {
        Setting {
            section: $section,
            key: stringify!($key),
            meaning: $meaning,
            legal: "a text".to_string(),
            show: |config| scalar(&config.$key),
            set: |config, reader, node| {
                config.$key = reader.text(node, stringify!($key))?.to_string();
                Ok(())
            },
        }
    };
    ($section:literal, word $key:ident of $names:expr, $meaning:literal) => {
        Setting {
            section: $section,
            key: stringify!($key),
            meaning: $meaning,
            legal: legal(&$names),
            show: |config| name_of(&config.$key, &$names),
            set: |config, reader, node| {
                config.$key = reader.choice(node, stringify!($key), &$names)?;
                Ok(())
            },
        }
    };
    ($section:literal, choice $key:ident of $type:ident, $meaning:literal) => {
        setting!($section, word $key of $type::ALL.iter().map(|&value| (value.name(), value)).collect::<Vec<_>>(),
            $meaning)
    };
}

/// Every setting, in the order of the file.
pub(super) fn settings() -> Vec<Setting> {
    let mut all = vec![
        setting!("", text name, "the name players see"),
        setting!("", text description, "a line about it"),
    ];
    all.extend(grid());
    all.extend(routes());
    all.extend(movement());
    all.extend(upkeep());
    all
}

fn grid() -> [Setting; 4] {
    [
        setting!("Layer 1: steps and sizes", word neighbours of NEIGHBOURS,
            "which neighbours a step may go to"),
        setting!("Layer 1: steps and sizes", word corner_rule of CORNERS,
            "when a diagonal step past blocked cells is legal"),
        Setting {
            section: "Layer 1: steps and sizes",
            key: "size_classes",
            meaning: "the unit sizes in use, sides in cells",
            legal: "ascending from 1, each 1..=16".to_string(),
            show: |config| list(&config.size_classes),
            set: |config, reader, node| {
                let items = reader.list(node, "size_classes")?.iter();
                config.size_classes = items
                    .map(|item| reader.whole(item, "size_classes", 1..=16))
                    .collect::<FileResult<_>>()?;
                Ok(())
            },
        },
        setting!("Layer 2: hierarchical sectors", whole sector_size in 8..=128,
            "cells per sector edge, a power of two"),
    ]
}

fn routes() -> [Setting; 7] {
    [
        setting!("Layer 3: algorithm selection", whole flowfield_group_threshold in 1..=100000,
            "units sharing a destination before a flow field is made"),
        setting!("Layer 3: algorithm selection", flag jps_precomputed,
            "keep precomputed jump tables (faster, more memory)"),
        setting!("Layer 3: algorithm selection", whole short_path_threshold in 0..=8192,
            "routes shorter than this many cells skip the hierarchy"),
        setting!("Layer 3: algorithm selection", whole path_cache_size in 0..=100000,
            "routes remembered; saves work, changes no answer"),
        setting!("Layer 3: algorithm selection", whole merge_bias in 0..=20,
            "per cent by which ways over doors look cheaper where others go already"),
        setting!("Layer 3: algorithm selection", flag async_temp_paths,
            "give an approximate route while the exact one is computed"),
        setting!("Layer 3: algorithm selection", whole route_per_mille in 1000..=10000,
            "how dear a route may be, in thousandths of the cheapest (1000: exact)"),
    ]
}

fn movement() -> [Setting; 16] {
    [
        setting!("Layer 4: local avoidance", whole ticks_per_second in 1..=240,
            "ticks in a second of the game"),
        setting!("Layer 4: local avoidance", choice avoidance_model of AvoidanceModel,
            "how units keep from bumping into each other"),
        setting!("Layer 4: local avoidance", whole avoidance_neighbours in 1..=12,
            "how many of the nearest others are looked at"),
        setting!("Layer 4: local avoidance", whole avoidance_horizon in 1..=1000,
            "ticks ahead to look for collisions (orca-lite, vo-sampling)"),
        setting!("Layer 4: local avoidance", fixed avoidance_strength in 0..=65536,
            "force multiplier (orca-lite)"),
        setting!("Layer 4: local avoidance", fixed comfort_margin in 0..=65536,
            "extra clearance between units, in cells (orca-lite, vo-sampling)"),
        setting!("Layer 4: local avoidance", whole commitment_ticks in 0..=255,
            "ticks to stay with an avoidance side (orca-lite)"),
        setting!("Layer 4: local avoidance", choice push_mechanics of PushMechanics, "how hard units shove"),
        setting!("Layer 5: group coordination", flag formation_movement, "whether groups keep formation"),
        setting!("Layer 5: group coordination", choice formation_type of FormationType, "which formation"),
        setting!("Layer 5: group coordination", choice group_speed of GroupSpeed,
            "how fast the units of a group are on the way"),
        setting!("Layer 5: group coordination", flag synchronized_arrival,
            "whether a group stops together (with group_speed: slowest)"),
        setting!("Layer 5: group coordination", flag chokepoint_compression,
            "whether formations narrow at chokepoints"),
        setting!("Layer 5: group coordination", flag congestion,
            "whether the rear of a group takes another way when the gate before it is crowded"),
        setting!("Layer 5: group coordination", whole congestion_gain in 1..=600,
            "how many seconds earlier the last of a group has to be there for that"),
        setting!("Layer 5: group coordination", whole group_cohesion in 1..=1000,
            "how many cells further from its group's middle than the formation needs a member counts as near"),
    ]
}

fn upkeep() -> [Setting; 17] {
    [
        setting!("Path post-processing", choice path_smoothing of PathSmoothing,
            "what is done to a route of cells"),
        setting!("Path post-processing", whole spline_samples in 1..=16, "straight pieces per rounded turn's curve"),
        setting!("Path post-processing", fixed spline_tension in 0..=1024, "how flat those curves are, from full to straight"),
        setting!("Repathing", choice repath_frequency of RepathFrequency,
            "how often a unit looks again: every 8, 4 or 2 ticks, or as things change"),
        setting!("Repathing", flag repath_on_block, "look for a new route at once when blocked"),
        setting!("Repathing", whole stuck_threshold in 1..=100000, "ticks without progress before a new route"),
        setting!("Repathing", whole repath_cooldown in 0..=100000, "ticks between two attempts"),
        setting!("Repathing", flag repath_escalation,
            "on repeated failure ignore movers, then go to the nearest reachable place"),
        setting!("Threat avoidance", choice influence_avoidance of InfluenceAvoidance,
            "who keeps away from threat"),
        setting!("Threat avoidance", whole threat_update_frequency in 1..=1000,
            "ticks between two refreshes of the threat map"),
        setting!("Threat avoidance", whole threat_max_cost in 0..=254, "the most that threat adds to a cell's cost"),
        setting!("Flow field cache", whole flowfield_cache_max_tiles in 1..=1000000, "tiles kept at most beside those in use"),
        setting!("Flow field cache", whole flowfield_tile_ttl in 1..=1000000, "ticks before an unused tile goes"),
        setting!("Performance budgets", whole max_paths_per_tick in 1..=1000000, "routes computed per tick at most"),
        setting!("Performance budgets", whole max_flowfield_gens_per_tick in 1..=1000000,
            "flow tiles built per tick at most"),
        setting!("Performance budgets", whole max_path_nodes_per_tick in 64..=100000000,
            "nodes expanded per tick for routes, about; longer searches go on in the next tick"),
        setting!("Performance budgets", whole path_lanes in 1..=64,
            "requests worked on side by side, at most as many threads and paused searches"),
    ]
}
