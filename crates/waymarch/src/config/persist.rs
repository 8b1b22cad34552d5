//! Settings as bytes.

use alloc::string::String;
use alloc::vec::Vec;

use super::{
    AvoidanceModel, Config, FormationType, GroupSpeed, InfluenceAvoidance, PathSmoothing, PushMechanics,
    RepathFrequency, ValidConfig,
};
use crate::base::{ByteReader, ByteWriter, Fixed, LoadError, Persist, persist_fields};
use crate::cost::{CornerRule, Neighbours};

// A setting that is missing here does not compile: loading names every field.
persist_fields! {
    Config {
        name: String,
        description: String,
        neighbours: Neighbours,
        corner_rule: CornerRule,
        size_classes: Vec<u8>,
        sector_size: u32,
        flowfield_group_threshold: u32,
        jps_precomputed: bool,
        short_path_threshold: u32,
        path_cache_size: u32,
        merge_bias: u32,
        async_temp_paths: bool,
        route_per_mille: u32,
        ticks_per_second: u32,
        avoidance_model: AvoidanceModel,
        avoidance_neighbours: u32,
        avoidance_horizon: u32,
        avoidance_strength: Fixed,
        comfort_margin: Fixed,
        commitment_ticks: u32,
        push_mechanics: PushMechanics,
        formation_movement: bool,
        formation_type: FormationType,
        group_speed: GroupSpeed,
        synchronized_arrival: bool,
        chokepoint_compression: bool,
        congestion: bool,
        congestion_gain: u32,
        group_cohesion: u32,
        path_smoothing: PathSmoothing,
        spline_samples: u32,
        spline_tension: Fixed,
        repath_frequency: RepathFrequency,
        repath_on_block: bool,
        stuck_threshold: u32,
        repath_cooldown: u32,
        repath_escalation: bool,
        influence_avoidance: InfluenceAvoidance,
        threat_update_frequency: u32,
        threat_max_cost: u8,
        flowfield_cache_max_tiles: u32,
        flowfield_tile_ttl: u32,
        max_paths_per_tick: u32,
        max_flowfield_gens_per_tick: u32,
        max_path_nodes_per_tick: u32,
        path_lanes: u32,
    }
}

/// Only settings within their ranges are read.
impl Persist for ValidConfig {
    fn save(&self, writer: &mut ByteWriter) {
        self.get().save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let config = Config::load(reader)?;
        config.validate().map_err(|_| reader.error("a setting out of its range"))
    }
}
