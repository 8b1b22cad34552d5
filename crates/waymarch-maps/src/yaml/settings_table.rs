//! The table of settings: key, meaning, legal values, how to read it and how to write it.

use waymarch::base::Fixed;
use waymarch::config::{
    AvoidanceModel, Config, Eviction, FormationMarch, FormationType, GroupSpeed, InfluenceAvoidance,
    PathSmoothing, PushMechanics, RepathFrequency,
};
use waymarch::cost::{CornerRule, Neighbours};

use super::fields::Reader;
use super::quote::scalar;
use super::tree::Node;
use crate::FileResult;

type Set = fn(&mut Config, &Reader<'_>, &Node<'_>) -> FileResult<()>;

/// One setting of the file.
pub(super) struct Setting {
    /// The heading above it.
    pub(super) section: &'static str,
    /// Its name in the file.
    pub(super) key: &'static str,
    /// What it does.
    pub(super) meaning: &'static str,
    /// The legal values.
    pub(super) legal: String,
    /// Its value as written in a file.
    pub(super) show: fn(&Config) -> String,
    /// Reads it from a file.
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

/// A list of sizes as written in a file.
fn list(sizes: &[u8]) -> String {
    let sizes: Vec<String> = sizes.iter().map(u8::to_string).collect();
    format!("[{}]", sizes.join(", "))
}

/// One row of the table. The word before the key says how its value is written.
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
        setting!("", text description, "one line of description"),
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
            "the neighbour cells that a step may go to"),
        setting!("Layer 1: steps and sizes", word corner_rule of CORNERS,
            "whether a diagonal step past blocked cells is legal"),
        Setting {
            section: "Layer 1: steps and sizes",
            key: "size_classes",
            meaning: "the unit sizes in use: side lengths in cells",
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
            "number of units with one destination from which a flow field replaces single routes"),
        setting!("Layer 3: algorithm selection", flag jps_precomputed,
            "keep precomputed jump tables: faster, but more memory"),
        setting!("Layer 3: algorithm selection", whole short_path_threshold in 0..=8192,
            "routes shorter than this many cells skip the hierarchy"),
        setting!("Layer 3: algorithm selection", whole path_cache_size in 0..=100000,
            "number of cached routes; saves work and never changes a route"),
        setting!("Layer 3: algorithm selection", whole merge_bias in 0..=20,
            "discount in per cent on doors that other routes already use"),
        setting!("Layer 3: algorithm selection", flag async_temp_paths,
            "give a temporary route while the complete one is computed"),
        setting!("Layer 3: algorithm selection", whole route_per_mille in 1000..=10000,
            "highest cost of a route, in thousandths of the cheapest one (1000: exact)"),
    ]
}

fn movement() -> [Setting; 16] {
    [
        setting!("Layer 4: local avoidance", whole ticks_per_second in 1..=240,
            "ticks per second of game time"),
        setting!("Layer 4: local avoidance", choice avoidance_model of AvoidanceModel,
            "how units avoid each other"),
        setting!("Layer 4: local avoidance", whole avoidance_neighbours in 1..=12,
            "number of nearest units that a unit avoids"),
        setting!("Layer 4: local avoidance", whole avoidance_horizon in 1..=1000,
            "ticks ahead to look for collisions (orca-lite, vo-sampling)"),
        setting!("Layer 4: local avoidance", fixed avoidance_strength in 0..=65536,
            "force multiplier (orca-lite)"),
        setting!("Layer 4: local avoidance", fixed comfort_margin in 0..=65536,
            "extra clearance between units, in cells (orca-lite)"),
        setting!("Layer 4: local avoidance", whole commitment_ticks in 0..=255,
            "ticks for which a unit keeps the side on which it passes (orca-lite)"),
        setting!("Layer 4: local avoidance", choice push_mechanics of PushMechanics, "how hard units push each other aside"),
        setting!("Layer 5: group coordination", flag formation_movement, "whether groups move in formation"),
        setting!("Layer 5: group coordination", choice formation_type of FormationType, "the default formation"),
        setting!("Layer 5: group coordination", choice formation_march of FormationMarch,
            "whether groups whose order names a formation hold it on the way"),
        setting!("Layer 5: group coordination", choice group_speed of GroupSpeed,
            "the speed of a group's units on the route"),
        setting!("Layer 5: group coordination", flag synchronized_arrival,
            "whether a group's units arrive together: the faster ones slow down"),
        setting!("Layer 5: group coordination", flag congestion,
            "whether the rear of a group takes a detour around a congested gate"),
        setting!("Layer 5: group coordination", whole congestion_gain in 1..=600,
            "seconds that a detour must save the last unit of a group"),
        setting!("Layer 5: group coordination", whole group_cohesion in 1..=1000,
            "cells beyond the formation's own size within which a member counts as near its group"),
    ]
}

fn upkeep() -> [Setting; 18] {
    [
        setting!("Path post-processing", choice path_smoothing of PathSmoothing,
            "how a route of cells is smoothed"),
        setting!("Path post-processing", whole spline_samples in 1..=16, "straight pieces per rounded turn"),
        setting!("Path post-processing", fixed spline_tension in 0..=1024, "tension of rounded turns: 0 is round, 1 is straight"),
        setting!("Repathing", choice repath_frequency of RepathFrequency,
            "how often a unit checks its route: every 8, 4 or 2 ticks, or when something changes"),
        setting!("Repathing", flag repath_on_block, "request a new route at once when blocked"),
        setting!("Repathing", whole stuck_threshold in 1..=100000, "ticks without progress before a unit requests a new route"),
        setting!("Repathing", whole repath_cooldown in 0..=100000, "ticks between two such requests"),
        setting!("Repathing", flag repath_escalation,
            "after repeated failures, first request a route around standing units only, then a route to the nearest reachable place"),
        setting!("Repathing", choice eviction of Eviction,
            "what happens to units on ground that an edit has closed"),
        setting!("Threat avoidance", choice influence_avoidance of InfluenceAvoidance,
            "which units avoid threat"),
        setting!("Threat avoidance", whole threat_update_frequency in 1..=1000,
            "ticks between two updates of the threat map"),
        setting!("Threat avoidance", whole threat_max_cost in 0..=254, "largest cost that threat adds to a cell"),
        setting!("Flow field cache", whole flowfield_cache_max_tiles in 1..=1000000, "most unused tiles that are kept"),
        setting!("Flow field cache", whole flowfield_tile_ttl in 1..=1000000, "ticks after which an unused tile is dropped"),
        setting!("Performance budgets", whole max_paths_per_tick in 1..=1000000, "most routes computed per tick"),
        setting!("Performance budgets", whole max_flowfield_gens_per_tick in 1..=1000000,
            "most flow tiles computed per tick"),
        setting!("Performance budgets", whole max_path_nodes_per_tick in 64..=100000000,
            "node budget: about this many nodes are expanded per tick for routes; longer searches continue in the next tick"),
        setting!("Performance budgets", whole path_lanes in 1..=64,
            "requests that are worked on at once; also the most threads and paused searches"),
    ]
}
