//! Draws settings from the table of settings, so that a new setting is drawn without a change here.

use waymarch::config::Config;
use waymarch_maps::yaml::{ConfigKey, config_keys, with_setting};
use waymarch_testkit::splitmix::SplitMix;

/// A key and a value as in a settings file.
pub(super) type Change = (String, String);

/// Settings for the start of a game: the defaults, some changes, or every setting drawn.
pub(super) fn draw_config(rng: &mut SplitMix) -> Config {
    let mut config = Config::default();
    let changes = match rng.below(10) {
        0..3 => 0,
        3..9 => 1 + rng.below(8),
        _ => 60,
    };
    for _ in 0..changes {
        let (key, value) = draw_change(rng, &config);
        if let Ok(changed) = with_setting(&config, &key, &value) {
            config = changed;
        }
    }
    config
}

/// A legal value for one setting.
pub(super) fn draw_change(rng: &mut SplitMix, config: &Config) -> Change {
    let mut keys = config_keys(config);
    // Settings that the model of avoidance does not use are refused.
    keys.retain(|row| config.avoidance_model.uses(row.key));
    let row = &keys[rng.below(keys.len() as u32) as usize];
    let value = match row.key {
        "sector_size" => (8_u32 << rng.below(5)).to_string(),
        "size_classes" => draw_sizes(rng),
        _ => draw_value(rng, row),
    };
    (row.key.to_string(), value)
}

/// A value from the text that lists the legal ones: `1..=240`, `a | b`, or a text.
fn draw_value(rng: &mut SplitMix, row: &ConfigKey) -> String {
    let words: Vec<&str> = row.range.split(" | ").collect();
    if words.len() > 1 {
        return rng.pick(&words).to_string();
    }
    let ends = row.range.split(',').next().and_then(|range| range.split_once("..="));
    let number = |text: &str| text.trim().parse::<u64>().ok();
    match ends.and_then(|(low, high)| Some((number(low)?, number(high)?))) {
        Some((low, high)) => draw_number(rng, low, high, number(&row.value)).to_string(),
        None => format!("text-{}", rng.below(100)),
    }
}

/// The ends of the range often, values near the present one often, and everything between.
fn draw_number(rng: &mut SplitMix, low: u64, high: u64, now: Option<u64>) -> u64 {
    let drawn = match rng.below(10) {
        0..3 => low,
        3 => high,
        4..7 => now.unwrap_or(low) * u64::from(1 + rng.below(40)) / 20,
        // Every power of two is equally likely.
        _ => low + (rng.next_u64() >> (64 - rng.below(32).max(1))),
    };
    drawn.clamp(low, high)
}

/// An ascending list from 1.
fn draw_sizes(rng: &mut SplitMix) -> String {
    let share = rng.pick(&[60, 200, 600, 1000]);
    let sizes = (2..=16).filter(|_| rng.chance(share)).map(|side: u32| side.to_string());
    let sizes: Vec<String> = std::iter::once(String::from("1")).chain(sizes).collect();
    format!("[{}]", sizes.join(", "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use waymarch::config::AvoidanceModel;

    use super::*;

    #[test]
    fn every_setting_is_drawn_with_its_lowest_and_highest_value() {
        let mut rng = SplitMix::new(1);
        let mut drawn: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let usual = Config::default();
        // This model uses every setting.
        let lite = Config { avoidance_model: AvoidanceModel::OrcaLite, ..usual.clone() };
        for number in 0..40_000 {
            let config = if number % 2 == 0 { &usual } else { &lite };
            let (key, value) = draw_change(&mut rng, config);
            with_setting(config, &key, &value).unwrap_or_else(|error| panic!("{key}: {value}: {error}"));
            drawn.entry(key).or_default().push(value);
        }
        for row in config_keys(&usual) {
            let values = &drawn[row.key];
            assert!(values.iter().any(|value| *value != row.value), "{} is never changed", row.key);
            let ends = row.range.split(',').next().and_then(|range| range.split_once("..="));
            for end in ends.into_iter().flat_map(|(low, high)| [low, high]) {
                assert!(values.iter().any(|value| value == end), "{} is never {end}", row.key);
            }
        }
    }
}
