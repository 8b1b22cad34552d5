//! `.scen` files: path queries with their optimal lengths.

use std::fmt;

use waymarch::base::{CellPos, cell};

use super::grid::whole_number;
use crate::FileResult;
use crate::text_source::{Source, quoted};

/// A list of queries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scenario {
    /// The queries in file order.
    pub queries: Vec<Query>,
}

/// One path query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// The bucket: queries of similar length share one.
    pub bucket: u32,
    /// The map's file name as written.
    pub map: String,
    /// The map's width according to the file.
    pub width: u32,
    /// The map's height according to the file.
    pub height: u32,
    /// The start.
    pub start: CellPos,
    /// The goal.
    pub goal: CellPos,
    /// The optimal length.
    pub optimum: Optimum,
}

/// An optimal length with eight decimals, and how many decimals the file had.
///
/// Files with two decimals have rounded lengths; [`Optimum::tolerance`] says by how much.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Optimum {
    /// The length in 1/100,000,000 cell; further decimals are rounded.
    pub scaled: u64,
    /// How many decimals the file has.
    pub decimals: u8,
}

impl Optimum {
    /// One cell in the units of `scaled`: 100,000,000.
    pub const ONE: u64 = 100_000_000;

    /// The largest rounding error, in the units of `scaled`: half a unit of the last decimal, rounded up.
    ///
    /// A length without decimals was written with six significant digits, without trailing zeros; its tolerance follows from that.
    #[must_use]
    pub fn tolerance(self) -> u64 {
        let whole_digits = (self.scaled / Self::ONE).checked_ilog10().unwrap_or(0).min(5) as u8 + 1;
        let decimals = if self.decimals == 0 { 6 - whole_digits } else { self.decimals.min(8) };
        (10_u64.pow(8 - u32::from(decimals))).div_ceil(2)
    }

    fn parse(word: &str) -> Result<Self, String> {
        let wrong = || format!("must be a decimal number such as 12.41421356, not {}", quoted(word));
        let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) {
            return Err(wrong());
        }
        let too_large = || format!("is too large: {}", quoted(word));
        let whole: u64 = whole.parse().map_err(|_| too_large())?;
        let mut scaled = whole.checked_mul(Self::ONE).ok_or_else(too_large)?;
        let mut unit = Self::ONE;
        for digit in fraction.bytes().take(8).map(|byte| u64::from(byte - b'0')) {
            unit /= 10;
            scaled = scaled.checked_add(digit * unit).ok_or_else(too_large)?;
        }
        let round_up = fraction.as_bytes().get(8).is_some_and(|&byte| byte >= b'5');
        let scaled = scaled.checked_add(u64::from(round_up)).ok_or_else(too_large)?;
        let decimals = u8::try_from(fraction.len()).map_err(|_| wrong())?;
        Ok(Self { scaled, decimals })
    }
}

impl fmt::Display for Optimum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = usize::from(self.decimals.min(8));
        write!(f, "{}", self.scaled / Self::ONE)?;
        match decimals {
            0 => Ok(()),
            _ => {
                let fraction = self.scaled % Self::ONE / 10_u64.pow(8 - decimals as u32);
                write!(f, ".{fraction:0decimals$}")
            }
        }
    }
}

/// Reads a `.scen` file of any dialect: tabs or spaces, `version 1` or `1.0`, any number of decimals.
///
/// # Errors
/// [`FileError`](crate::FileError) with line and column of the first problem.
pub fn read_scen(name: &str, bytes: &[u8]) -> FileResult<Scenario> {
    let source = Source::open(name, bytes, usize::MAX)?;
    let mut lines = source.lines().filter(|(_, line)| !line.trim().is_empty());
    let Some((offset, first)) = lines.next() else {
        return Err(source.error_at_end("the file is empty: the first line must be `version 1`"));
    };
    let version = first.trim().strip_prefix("version").map(str::trim);
    let is_one = |text: &str| text.strip_prefix('1').is_some_and(|rest| matches!(rest, "" | ".0" | ".00"));
    if !version.is_some_and(is_one) {
        let problem = format!("the first line must be `version 1`, not {}", quoted(first));
        return Err(source.error(offset, first.len(), problem));
    }
    let mut scenario = Scenario::default();
    for (offset, line) in lines {
        scenario.queries.push(read_query(&source, offset, line)?);
    }
    Ok(scenario)
}

/// The words of a line. In a line with tabs a word may contain spaces.
fn words(line: &str) -> Vec<&str> {
    if line.contains('\t') {
        line.trim_end_matches([' ', '\t']).split('\t').map(str::trim).collect()
    } else {
        line.split_ascii_whitespace().collect()
    }
}

fn read_query(source: &Source<'_>, offset: usize, line: &str) -> FileResult<Query> {
    let words = words(line);
    let at_of = |word: &str| offset + (word.as_ptr().addr() - line.as_ptr().addr());
    let [bucket, map, width, height, start_x, start_y, goal_x, goal_y, optimum] = words[..] else {
        let problem = format!("a query has 9 fields, but this line has {}", words.len());
        let help = "bucket, map, width, height, start x, start y, goal x, goal y, optimal length";
        return Err(source.error(offset, line.len(), problem).help(help));
    };
    let fail = |word: &str, problem: String| source.error(at_of(word), word.len(), problem);
    let number = |what: &str, word: &str| {
        let found = whole_number(word).map_err(|why| fail(word, format!("the {what} {why}")))?;
        u32::try_from(found).map_err(|_| fail(word, format!("the {what} is too large: {}", quoted(word))))
    };
    let (columns, rows) = (number("width", width)?, number("height", height)?);
    let on_map = |what: &str, word: &str, side: u32| {
        let found = number(what, word)?;
        let problem = || format!("the {what} {found} is outside the map (the map is {columns}×{rows})");
        let signed = i32::try_from(found).map_err(|_| fail(word, problem()))?;
        if found < side { Ok(signed) } else { Err(fail(word, problem())) }
    };
    Ok(Query {
        bucket: number("bucket", bucket)?,
        map: map.to_string(),
        width: columns,
        height: rows,
        start: cell(on_map("start x", start_x, columns)?, on_map("start y", start_y, rows)?),
        goal: cell(on_map("goal x", goal_x, columns)?, on_map("goal y", goal_y, rows)?),
        optimum: Optimum::parse(optimum).map_err(|why| fail(optimum, format!("the optimal length {why}")))?,
    })
}
