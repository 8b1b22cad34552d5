//! Settings as bytes.

use alloc::string::String;
use alloc::vec::Vec;

use super::{
    AvoidanceModel, Config, Eviction, FormationMarch, FormationType, GroupSpeed, InfluenceAvoidance,
    PathSmoothing, PushMechanics, RepathFrequency, ValidConfig,
};
use crate::base::{ByteReader, ByteWriter, Fixed, LoadError, Persist};
use crate::cost::{CornerRule, Neighbours};

/// The value of the setting `chokepoint_compression`, which was removed in 0.2.0 because nothing read it.
///
/// Saves and hashes keep its place, so that saves and hashes of earlier versions stay valid. Its default was `true`.
pub(super) const REMOVED_FLAG: bool = true;

/// Implements [`Persist`] for the settings in the order given, with the place of the removed flag between the first two lists.
/// Settings that the saved form has only since a later version come last, and have the default of their type in older data.
macro_rules! persist_settings {
    ($($before:ident: $before_kind:ty,)* [removed flag] $($after:ident: $after_kind:ty,)*
        $([since $since:literal] $added:ident: $added_kind:ty,)*) => {
        impl Persist for Config {
            fn save(&self, writer: &mut ByteWriter) {
                $(self.$before.save(writer);)*
                REMOVED_FLAG.save(writer);
                $(self.$after.save(writer);)*
                $(self.$added.save(writer);)*
            }

            fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
                $(let $before = <$before_kind>::load(reader)?;)*
                bool::load(reader)?;
                $(let $after = <$after_kind>::load(reader)?;)*
                $(let $added = reader.added::<$added_kind>($since, Default::default)?;)*
                // A setting that is missing above does not compile: this names every field.
                let mut config = Self { $($before,)* $($after,)* $($added,)* };
                if reader.version() < 11 {
                    config.forget_unused_avoidance();
                }
                Ok(config)
            }
        }
    };
}

persist_settings! {
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
        [removed flag]
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
        formation_march: FormationMarch,
        [since 11] eviction: Eviction,
}

/// Loading refuses settings outside their ranges.
impl Persist for ValidConfig {
    fn save(&self, writer: &mut ByteWriter) {
        self.get().save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let config = Config::load(reader)?;
        config.validate().map_err(|_| reader.error("a setting is outside its range"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saves_keep_the_place_of_the_removed_flag_and_ignore_its_value() {
        let config = Config::default();
        let mut writer = ByteWriter::new();
        config.save(&mut writer);
        let bytes = writer.into_bytes();
        let loads_alike =
            |bytes: &[u8]| Config::load(&mut ByteReader::new(bytes)).ok() == Some(config.clone());
        let ignored = |at: usize| {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            loads_alike(&changed)
        };
        assert!(loads_alike(&bytes));
        assert_eq!((0..bytes.len()).filter(|&at| ignored(at)).count(), 1);
    }
}
