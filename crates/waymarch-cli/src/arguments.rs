//! Arguments that several commands share, and how their words are read.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use waymarch::base::{CellPos, GridSize, cell};
use waymarch::cost::{ELEVATION_UNIT, Falloff, ThreatSource};
use waymarch_maps::LoadOptions;

/// Which map.
#[derive(Args, Clone, Debug)]
pub(crate) struct MapArgs {
    /// A map file, the name of a built-in map (see `waymarch maps`), or generate:SEED:WxH.
    #[arg(long, short, value_name = "MAP", default_value = "valley")]
    pub(crate) map: String,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
}

/// What a map file may need besides itself.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadArgs {
    /// The folder of the OpenRA mod (tilesets and rules) that an OpenRA map is made for.
    #[arg(long = "mod", value_name = "DIR")]
    pub(crate) mod_dir: Option<PathBuf>,
    /// A legend that says which colour or tile is which terrain, for PNG and Tiled maps.
    #[arg(long, value_name = "FILE")]
    pub(crate) legend: Option<PathBuf>,
    /// Other rules for the map: `standard`, `spec-000`, `movingai`, `movingai-weighted`, or a rules file.
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<String>,
    /// A grey PNG of the map's size with its heights.
    #[arg(long, value_name = "FILE.png")]
    pub(crate) heights: Option<PathBuf>,
    /// How high a white pixel of --heights is, in cell-widths.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(i16).range(1..=127))]
    pub(crate) white_height: i16,
}

impl ReadArgs {
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

/// Who moves, and under which settings.
#[derive(Args, Clone, Debug)]
pub(crate) struct AgentArgs {
    /// Who moves; the first locomotor of the map's rules unless given.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) locomotor: Option<String>,
    /// The unit's size, cells a side.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) size: u8,
    /// A settings file (see `waymarch config`); the defaults unless given.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Something dangerous, to be drawn and heeded; may be given several times.
    #[arg(long = "threat", value_name = "X,Y,RADIUS,STRENGTH", allow_hyphen_values = true, value_parser = threat)]
    pub(crate) threats: Vec<ThreatSource>,
}

/// From where to where.
#[derive(Args, Clone, Debug)]
pub(crate) struct EndArgs {
    /// Where the route starts; the first player start unless given. `path` takes several and starts at the best.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = position)]
    pub(crate) from: Vec<CellPos>,
    /// Where it ends; the last player start unless given.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = position)]
    pub(crate) to: Option<CellPos>,
}

/// Comma-separated whole numbers, exactly `N` of them.
fn numbers<const N: usize>(word: &str, form: &str) -> Result<[i64; N], String> {
    let read: Result<Vec<i64>, _> = word.split(',').map(|part| i64::from_str(part.trim())).collect();
    let wrong = || format!("write it as {form}, whole numbers with commas between them");
    read.ok().and_then(|read| <[i64; N]>::try_from(read).ok()).ok_or_else(wrong)
}

fn whole<T: TryFrom<i64>>(number: i64, what: &str) -> Result<T, String> {
    T::try_from(number).map_err(|_| format!("the {what} {number} is out of range"))
}

/// A cell as `X,Y`; whether it is on the map is found out later.
pub(crate) fn position(word: &str) -> Result<CellPos, String> {
    let [x, y] = numbers(word, "X,Y")?;
    Ok(cell(whole(x, "column")?, whole(y, "row")?))
}

/// A threat source as `X,Y,RADIUS,STRENGTH`, fading evenly.
fn threat(word: &str) -> Result<ThreatSource, String> {
    let [x, y, radius, strength] = numbers(word, "X,Y,RADIUS,STRENGTH")?;
    Ok(ThreatSource {
        at: cell(whole(x, "column")?, whole(y, "row")?),
        radius: whole(radius, "radius")?,
        strength: whole(strength, "strength")?,
        falloff: Falloff::Linear,
    })
}

/// A map size as `WxH`.
pub(crate) fn grid_size(word: &str) -> Result<GridSize, String> {
    let sides = word.split_once(['x', 'X', '×']);
    let read = sides.and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
    let (width, height) = read.ok_or("write the size as WIDTHxHEIGHT, for example 128x96")?;
    GridSize::new(width, height).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_two_numbers_even_off_the_map() {
        assert_eq!(position("3, 4"), Ok(cell(3, 4)));
        assert_eq!(position("-1,99999"), Ok(cell(-1, 99_999)));
        for word in ["3", "3,4,5", "a,b", "", "3;4"] {
            assert!(position(word).unwrap_err().contains("X,Y"), "{word}");
        }
        assert!(position("3,4000000000").unwrap_err().contains("out of range"));
    }

    #[test]
    fn sizes_and_threats_are_checked_where_they_are_read() {
        assert_eq!(grid_size("12x9").map(|size| (size.width(), size.height())), Ok((12, 9)));
        assert!(grid_size("12").is_err() && grid_size("0x4").is_err() && grid_size("99999x1").is_err());
        assert_eq!(threat("5,6,7,80").map(|source| source.strength), Ok(80));
        assert!(threat("5,6,7,300").unwrap_err().contains("strength 300"));
    }
}
