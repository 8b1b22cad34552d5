//! Legends: which colour of an image is which terrain.
//!
//! ```text
//! normal: 1            # optional: the cost of ordinary ground
//! legend:
//!   '#6a9a4a': Clear
//!   '#445533': Swamp, cost 9
//!   '#302c28': Cliff, impassable
//! ```
//!
//! A name with commas or quotes is quoted as in YAML (`'it''s'`).

use std::fmt::Write as _;

use waymarch::cost::{IMPASSABLE, MAX_CELL_COST, Map, Rules, TerrainId};

use crate::error::{FileError, FileResult};
use crate::rules_by_name::{NamedTerrain, rules_for};

/// The standard colours of the seven standard terrains.
const STANDARD: [([u8; 3], &str); 7] = [
    ([0x6a, 0x9a, 0x4a], "Clear"),
    ([0xb0, 0xa0, 0x80], "Road"),
    ([0x8a, 0x7a, 0x3a], "Rough"),
    ([0x5a, 0x9a, 0xd0], "River"),
    ([0x24, 0x50, 0x9a], "Water"),
    ([0xc8, 0x8a, 0x50], "Bridge"),
    ([0x30, 0x2c, 0x28], "Wall"),
];

/// A legend has at most 4096 lines; a terrain may have several colours.
const MAX_ENTRIES: usize = 4096;

/// One colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegendEntry {
    /// Red, green, blue.
    pub colour: [u8; 3],
    /// The terrain's name.
    pub terrain: String,
    /// Its cost for all locomotors (255: impassable). With `None` it has the standard cost of its name, or else the normal cost.
    pub cost: Option<u8>,
}

/// Which colour is which terrain. Terrains are numbered in the order of their first mention.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Legend {
    /// The cost of ordinary ground.
    pub normal: u8,
    /// The colours.
    pub entries: Vec<LegendEntry>,
}

impl Default for Legend {
    /// The standard colours.
    fn default() -> Self {
        let entry =
            |(colour, terrain): ([u8; 3], &str)| LegendEntry { colour, terrain: terrain.into(), cost: None };
        Self { normal: 1, entries: STANDARD.map(entry).into() }
    }
}

impl Legend {
    /// Reads a legend file.
    ///
    /// # Errors
    /// [`FileError`] with line and column for a line that is not a colour and a terrain, or a colour that is given twice.
    pub fn parse(name: &str, text: &str) -> FileResult<Self> {
        let mut legend = Self { normal: 1, entries: Vec::new() };
        let mut offset = 0;
        for raw in text.split_inclusive('\n') {
            let wrong = |problem: String| {
                let indent = raw.len() - raw.trim_start().len();
                FileError::new(name, problem).at_span(text, offset + indent, raw.trim().len()).help(
                    "a legend line is '#rrggbb': Name, optionally followed by `, cost 9` or `, impassable`",
                )
            };
            let line = raw.trim();
            if let Some(normal) = line.strip_prefix("normal:") {
                let normal = without_comment(normal).parse().ok();
                legend.normal = normal
                    .filter(|normal| (1..=MAX_CELL_COST).contains(normal))
                    .ok_or_else(|| wrong("`normal` must be 1..=254".into()))?;
            } else if !line.is_empty() && !line.starts_with('#') && without_comment(line) != "legend:" {
                let entry = entry_of(line).map_err(wrong)?;
                if legend.entries.iter().any(|known| known.colour == entry.colour) {
                    return Err(wrong(format!("the colour {} is given twice", hex(entry.colour))));
                }
                legend.entries.push(entry);
                if legend.entries.len() > MAX_ENTRIES {
                    return Err(wrong(format!("there are more than {MAX_ENTRIES} colours")));
                }
            }
            offset += raw.len();
        }
        let wrong = |problem: String| Err(FileError::new(name, problem).at_span(text, text.len(), 0));
        match legend.terrains().len() {
            0 => wrong("the legend names no colour".into()),
            count if count > 256 => {
                wrong(format!("the legend has {count} terrains: at most 256 are possible"))
            }
            _ => Ok(legend),
        }
    }

    /// The legend as text that [`Legend::parse`] reads back unchanged.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("normal: {}\nlegend:\n", self.normal);
        for LegendEntry { colour, terrain, cost } in &self.entries {
            let cost = match cost {
                None => String::new(),
                Some(IMPASSABLE) => ", impassable".into(),
                Some(cost) => format!(", cost {cost}"),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  '{}': {}{cost}", hex(*colour), quoted(terrain));
        }
        text
    }

    /// The terrain names in the order of their numbers.
    #[must_use]
    pub fn terrains(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for entry in &self.entries {
            if !names.contains(&entry.terrain.as_str()) {
                names.push(&entry.terrain);
            }
        }
        names
    }

    /// The rules of an image with this legend: the standard locomotors, and standard costs where the legend has none.
    #[must_use]
    pub fn rules(&self) -> Rules {
        let named = |name| {
            let entry = self.entries.iter().find(|entry| entry.terrain == name);
            NamedTerrain {
                name,
                cost: entry.and_then(|entry| entry.cost),
                colour: entry.map(|entry| entry.colour),
            }
        };
        rules_for(self.normal, self.terrains().into_iter().map(named))
    }

    /// The terrain numbers sorted by colour, to look up pixels.
    pub(super) fn lookup(&self) -> Vec<([u8; 3], TerrainId)> {
        let names = self.terrains();
        let number = |entry: &LegendEntry| names.iter().position(|&name| name == entry.terrain).unwrap_or(0);
        let mut lookup: Vec<_> =
            self.entries.iter().map(|entry| (entry.colour, TerrainId(number(entry) as u8))).collect();
        lookup.sort_unstable();
        lookup
    }

    /// The entry with the most similar colour; of equals, the first.
    pub(super) fn nearest(&self, colour: [u8; 3]) -> Option<&LegendEntry> {
        let apart = |entry: &&LegendEntry| {
            let axis = |at: usize| u32::from(entry.colour[at].abs_diff(colour[at])).pow(2);
            axis(0) + axis(1) + axis(2)
        };
        self.entries.iter().min_by_key(apart)
    }
}

/// The legend with which [`write_map`](super::write_map) draws `map`: one distinct colour per terrain. A terrain's
/// own colour is preferred, then the standard colour of its name, then the next free shade.
///
/// Costs are those of the first locomotor, for terrains without a standard cost. An image cannot hold more.
#[must_use]
pub fn legend_for(map: &Map) -> Legend {
    let standard = Rules::standard();
    let rules = map.rules.validate().ok();
    let mut entries: Vec<LegendEntry> = Vec::new();
    let mut taken: Vec<[u8; 3]> = Vec::new();
    for (number, def) in map.rules.terrains.iter().enumerate() {
        let by_name = STANDARD.iter().find(|(_, name)| *name == def.name).map(|&(colour, _)| colour);
        // 97 and 57 have no common factor with 256, so neighbouring numbers get very different shades.
        let by_number = [(number * 97) as u8, (number * 57) as u8, 128 + (number % 128) as u8];
        let mut colour = def.colour.or(by_name).unwrap_or(by_number);
        while taken.contains(&colour) {
            let next = (u32::from_be_bytes([0, colour[0], colour[1], colour[2]]) + 1).to_be_bytes();
            colour = [next[1], next[2], next[3]];
        }
        taken.push(colour);
        let is_standard = standard.terrains.iter().any(|known| known.name == def.name);
        let cost = || {
            let number = TerrainId(u8::try_from(number).ok()?);
            rules.as_ref().map(|rules| rules.cost(number, waymarch::base::LocomotorId(0)))
        };
        let cost = if is_standard { None } else { cost() };
        entries.push(LegendEntry { colour, terrain: def.name.clone(), cost });
    }
    Legend { normal: map.rules.normal, entries }
}

/// `#rrggbb`.
pub(super) fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn without_comment(value: &str) -> &str {
    value.split(" #").next().unwrap_or("").trim()
}

fn entry_of(line: &str) -> Result<LegendEntry, String> {
    let quote = line.chars().next().filter(|mark| matches!(mark, '\'' | '"'));
    let quoted = quote.and_then(|mark| line[1..].split_once(mark));
    let (key, rest) = quoted.ok_or("a legend line starts with a quoted colour")?;
    let colour = key
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .ok_or_else(|| format!("'{key}' is not a colour such as '#6a9a4a'"))?
        .to_be_bytes();
    let value = rest.trim_start().strip_prefix(':').unwrap_or("").trim();
    let (terrain, rest) = name_of(value);
    let cost = match without_comment(&format!(" {rest}")).trim_start_matches(',').trim() {
        "" => None,
        "impassable" => Some(IMPASSABLE),
        other => {
            let number = other.strip_prefix("cost").and_then(|number| number.trim().parse().ok());
            let number = number.filter(|number| (1..=MAX_CELL_COST).contains(number));
            Some(number.ok_or_else(|| format!("'{other}' is not `cost 1..=254` or `impassable`"))?)
        }
    };
    if terrain.is_empty() {
        return Err(format!("the colour '{key}' has no terrain"));
    }
    Ok(LegendEntry { colour: [colour[1], colour[2], colour[3]], terrain, cost })
}

/// A terrain's name as YAML writes it, in quotes if needed.
fn quoted(name: &str) -> String {
    let plain = |mark: char| mark.is_alphanumeric() || matches!(mark, ' ' | '-' | '_' | '.');
    if name.chars().all(plain) && name.trim() == name {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "''"))
    }
}

/// Splits a plain or quoted name from the front of `value`.
fn name_of(value: &str) -> (String, &str) {
    let Some(body) = value.strip_prefix('\'') else {
        let end = value.find(',').into_iter().chain(value.find(" #")).min().unwrap_or(value.len());
        return (value[..end].trim().to_owned(), &value[end..]);
    };
    let mut name = String::new();
    let mut rest = body;
    while let Some((part, after)) = rest.split_once('\'') {
        name += part;
        match after.strip_prefix('\'') {
            Some(more) => {
                name.push('\'');
                rest = more;
            }
            None => return (name, after),
        }
    }
    (name + rest, "")
}
