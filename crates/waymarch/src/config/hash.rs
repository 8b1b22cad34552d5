//! The settings in the state hash: every setting that can change a result.

use super::persist::REMOVED_FLAG;
use super::{Config, GroupSpeed, PathSmoothing, ValidConfig};
use crate::base::{HashState, StateHasher};
use crate::query::MergeBias;

impl HashState for ValidConfig {
    /// Hashes every setting that can change a result. The name, the description and the size of the path cache cannot.
    fn hash_state(&self, hasher: &mut StateHasher) {
        // Destructured by name, so that a new setting does not compile until it is hashed or left out here.
        let Config {
            name: _,
            description: _,
            neighbours,
            corner_rule,
            size_classes,
            sector_size,
            flowfield_group_threshold,
            jps_precomputed,
            short_path_threshold,
            // The size of a cache changes no answer.
            path_cache_size: _,
            merge_bias,
            async_temp_paths,
            route_per_mille,
            ticks_per_second,
            avoidance_model,
            avoidance_neighbours,
            avoidance_horizon,
            avoidance_strength,
            comfort_margin,
            commitment_ticks,
            push_mechanics,
            formation_movement,
            formation_type,
            formation_march,
            eviction,
            group_speed,
            synchronized_arrival,
            congestion,
            congestion_gain,
            group_cohesion,
            path_smoothing,
            spline_samples,
            spline_tension,
            repath_frequency,
            repath_on_block,
            stuck_threshold,
            repath_cooldown,
            repath_escalation,
            influence_avoidance,
            threat_update_frequency,
            threat_max_cost,
            flowfield_cache_max_tiles,
            flowfield_tile_ttl,
            max_paths_per_tick,
            max_flowfield_gens_per_tick,
            max_path_nodes_per_tick,
            path_lanes,
        } = &self.0;
        hasher.write_bytes(size_classes);
        hasher.write_bytes(&[
            *neighbours as u8,
            *corner_rule as u8,
            *avoidance_model as u8,
            *push_mechanics as u8,
            *formation_type as u8,
            *path_smoothing as u8,
            *repath_frequency as u8,
            *influence_avoidance as u8,
            *threat_max_cost,
        ]);
        for flag in [
            *jps_precomputed,
            *async_temp_paths,
            *formation_movement,
            *synchronized_arrival,
            REMOVED_FLAG,
            *repath_on_block,
            *repath_escalation,
        ] {
            hasher.write_bool(flag);
        }
        for number in [
            *sector_size,
            *flowfield_group_threshold,
            *short_path_threshold,
            *route_per_mille,
            *ticks_per_second,
            *avoidance_neighbours,
            *avoidance_horizon,
            *commitment_ticks,
            *stuck_threshold,
            *repath_cooldown,
            *threat_update_frequency,
            *flowfield_cache_max_tiles,
            *flowfield_tile_ttl,
            *max_paths_per_tick,
            *max_flowfield_gens_per_tick,
            *max_path_nodes_per_tick,
            *path_lanes,
        ] {
            hasher.write_u32(number);
        }
        // These two settings have an effect on splines only.
        if *path_smoothing == PathSmoothing::Spline {
            hasher.write_u32(*spline_samples);
            hasher.write_i32(spline_tension.raw());
        }
        for fraction in [*avoidance_strength, *comfort_margin] {
            hasher.write_i32(fraction.raw());
        }
        // The settings below were added later. At their defaults they add nothing, so the hash is the same as before they existed. Each has
        // a number of its own, so that two settings cannot be confused.
        if *group_speed != GroupSpeed::default() {
            hasher.write_u8(1);
            hasher.write_u8(*group_speed as u8);
        }
        if *merge_bias != MergeBias::default().percent() {
            hasher.write_u8(2);
            hasher.write_u32(*merge_bias);
        }
        let usual = Config::default();
        if (*congestion, *congestion_gain) != (usual.congestion, usual.congestion_gain) {
            hasher.write_u8(3);
            hasher.write_bool(*congestion);
            hasher.write_u32(*congestion_gain);
        }
        if *group_cohesion != usual.group_cohesion {
            hasher.write_u8(4);
            hasher.write_u32(*group_cohesion);
        }
        if *formation_march != usual.formation_march {
            hasher.write_u8(5);
            hasher.write_u8(*formation_march as u8);
        }
        if *eviction != usual.eviction {
            hasher.write_u8(6);
            hasher.write_u8(*eviction as u8);
        }
    }
}
