//! Recipes of generated maps as text: `SEED:WxH`, and sizes as `WxH`.

use std::fmt::Display;
use std::str::FromStr;

use waymarch::base::{GridSize, MAX_SIDE};

/// Reads seed and size of a generated map, as `SEED:WxH`.
///
/// ```
/// let (seed, size) = waymarch_maps::generate::read_recipe("7:128x96")?;
/// assert_eq!((seed, size.width(), size.height()), (7, 128, 96));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// A sentence that names the part that is wrong.
pub fn read_recipe(text: &str) -> Result<(u64, GridSize), String> {
    let (seed, size) = text.split_once(':').ok_or("a seed and a size are needed, as SEED:WxH")?;
    Ok((whole("seed", seed, u64::MAX)?, read_size(size)?))
}

/// Reads the size of a map, as `WxH`.
///
/// # Errors
/// A sentence that names the part that is wrong.
pub fn read_size(text: &str) -> Result<GridSize, String> {
    let (width, height) = text
        .split_once(['x', 'X', '×'])
        .filter(|(width, height)| is_number(width) && is_number(height))
        .ok_or("write the size as WIDTHxHEIGHT, for example 128x96")?;
    let side = |name: &str, text: &str| whole(name, text.trim(), MAX_SIDE);
    GridSize::new(side("width", width)?, side("height", height)?).map_err(|error| error.to_string())
}

fn is_number(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A whole number up to `most`.
fn whole<T: FromStr + Display + PartialOrd + Copy>(name: &str, text: &str, most: T) -> Result<T, String> {
    if !is_number(text) {
        return Err(format!("the {name} `{text}` is not a whole number from 0 to {most}"));
    }
    let number = text.parse().ok().filter(|number| *number <= most);
    number.ok_or_else(|| format!("the {name} `{text}` is too large: the largest is {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_two_sides_and_an_error_names_the_side() {
        let sides = |text| read_size(text).map(|size| (size.width(), size.height()));
        assert_eq!(sides("12x9"), Ok((12, 9)));
        assert_eq!(sides(" 12 × 9 "), Ok((12, 9)));
        for (text, why) in [
            ("12", "WIDTHxHEIGHT"),
            ("12x", "WIDTHxHEIGHT"),
            ("-1x4", "WIDTHxHEIGHT"),
            ("99999x1", "the width `99999` is too large"),
            ("1x99999999999", "the height `99999999999` is too large"),
        ] {
            assert!(read_size(text).is_err_and(|what| what.contains(why)), "{text}");
        }
        assert!(read_size("0x4").is_err());
    }

    #[test]
    fn a_seed_that_is_too_large_is_called_so_and_not_a_wrong_number() {
        assert!(read_recipe(&format!("{}:8x8", u64::MAX)).is_ok());
        for (text, why) in [
            ("99999999999999999999:32x32", "the seed `99999999999999999999` is too large"),
            ("-3:32x32", "the seed `-3` is not a whole number"),
            (":32x32", "the seed `` is not a whole number"),
            ("7", "SEED:WxH"),
            ("7:32", "WIDTHxHEIGHT"),
        ] {
            assert!(read_recipe(text).is_err_and(|what| what.contains(why)), "{text}");
        }
    }
}
