//! Arguments that several commands share, and the parsers of their values.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use waymarch::base::{CellPos, cell};
use waymarch::cost::{ELEVATION_UNIT, Falloff, ThreatSource};
use waymarch_maps::LoadOptions;

/// The map, and how to read it.
#[derive(Args, Clone, Debug)]
pub(crate) struct MapArgs {
    /// A map file, the name of a built-in map (see `waymarch maps`), or generate:SEED:WxH.
    #[arg(long, short, value_name = "MAP", default_value = "valley")]
    pub(crate) map: String,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
}

/// What a map file needs besides itself.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadArgs {
    /// For OpenRA maps: the folder of the mod with its tilesets and rules.
    #[arg(long = "mod", value_name = "DIR")]
    pub(crate) mod_dir: Option<PathBuf>,
    /// For PNG and Tiled maps: a legend file that gives the terrain of each colour or tile.
    #[arg(long, value_name = "FILE")]
    pub(crate) legend: Option<PathBuf>,
    /// Terrain rules to use instead of the map's: `standard`, `spec-000`, `movingai`, `movingai-weighted`, or a rules file.
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<String>,
    /// Heights from a grey PNG of the map's size; black is 0.
    #[arg(long, value_name = "FILE.png")]
    pub(crate) heights: Option<PathBuf>,
    /// The height of a white pixel of --heights, in cells.
    #[arg(long, value_name = "N", default_value_t = 8, requires = "heights", value_parser = clap::value_parser!(i16).range(1..=127))]
    pub(crate) white_height: i16,
}

impl ReadArgs {
    /// Whether one of --legend, --rules and --heights is given.
    pub(crate) fn names_more_than_a_mod(&self) -> bool {
        self.legend.is_some() || self.rules.is_some() || self.heights.is_some()
    }

    pub(crate) fn options(&self) -> LoadOptions {
        LoadOptions {
            mod_dir: self.mod_dir.clone(),
            legend: self.legend.clone(),
            rules: self.rules.clone(),
            heights: self.heights.clone(),
            white_height: self.white_height * ELEVATION_UNIT,
            ..LoadOptions::default()
        }
    }
}

/// The agent that moves, and the settings.
#[derive(Args, Clone, Debug)]
pub(crate) struct AgentArgs {
    /// The locomotor of the unit; default: the first of the map's rules.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) locomotor: Option<String>,
    /// The side of the unit, in cells.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) size: u8,
    /// A settings file (see `waymarch config`); default: the built-in settings.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// A threat source (repeatable). Routes pay for it only with --heed-threat or --controller ai.
    #[arg(long = "threat", value_name = "X,Y,RADIUS,STRENGTH", allow_hyphen_values = true, value_parser = threat)]
    pub(crate) threats: Vec<ThreatSource>,
}

/// Start and goal cells.
#[derive(Args, Clone, Debug)]
pub(crate) struct EndArgs {
    /// The start cell; default: the first player start. `path` accepts several and starts at the best one.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = position)]
    pub(crate) from: Vec<CellPos>,
    /// The goal cell; default: the last player start.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = position)]
    pub(crate) to: Option<CellPos>,
}

/// Exactly `N` whole numbers, separated by commas.
fn numbers<const N: usize>(word: &str, form: &str) -> Result<[i64; N], String> {
    let read: Result<Vec<i64>, _> = word.split(',').map(|part| i64::from_str(part.trim())).collect();
    let wrong = || format!("write it as {form}: whole numbers separated by commas");
    read.ok().and_then(|read| <[i64; N]>::try_from(read).ok()).ok_or_else(wrong)
}

fn whole<T: TryFrom<i64>>(number: i64, what: &str) -> Result<T, String> {
    T::try_from(number).map_err(|_| format!("the {what} {number} is out of range"))
}

/// A cell as `X,Y`. It may lie off the map: that is checked when the map is known.
pub(crate) fn position(word: &str) -> Result<CellPos, String> {
    let [x, y] = numbers(word, "X,Y")?;
    Ok(cell(whole(x, "column")?, whole(y, "row")?))
}

/// A threat source as `X,Y,RADIUS,STRENGTH`, with linear falloff.
fn threat(word: &str) -> Result<ThreatSource, String> {
    let [x, y, radius, strength] = numbers(word, "X,Y,RADIUS,STRENGTH")?;
    Ok(ThreatSource {
        at: cell(whole(x, "column")?, whole(y, "row")?),
        radius: whole(radius, "radius")?,
        strength: whole(strength, "strength")?,
        falloff: Falloff::Linear,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_two_numbers_and_may_lie_off_the_map() {
        assert_eq!(position("3, 4"), Ok(cell(3, 4)));
        assert_eq!(position("-1,99999"), Ok(cell(-1, 99_999)));
        for word in ["3", "3,4,5", "a,b", "", "3;4"] {
            assert!(position(word).unwrap_err().contains("X,Y"), "{word}");
        }
        assert!(position("3,4000000000").unwrap_err().contains("out of range"));
    }

    #[test]
    fn sizes_and_threats_out_of_range_are_refused() {
        assert_eq!(threat("5,6,7,80").map(|source| source.strength), Ok(80));
        assert!(threat("5,6,7,300").unwrap_err().contains("strength 300"));
    }
}
