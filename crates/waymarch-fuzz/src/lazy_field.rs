//! Lazy fields: bytes are a history of edits and queries; every answer is compared with the slow twin.

use waymarch::base::{CellPos, Tick, cell};
use waymarch::flow::lazy::{LazyAnswer, LazyFlow, LazySettings, LazySteps, SparseGround};
use waymarch_maps::{FileError, FileResult, Place};
use waymarch_testkit::lazy_field::{Answer, Twin, TwinField};
use waymarch_testkit::rule::Rule;

/// At most 64 operations: more would take longer than a case may.
const MAX_OPERATIONS: usize = 64;

/// Bytes with a read position.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, problem: &str) -> FileError {
        FileError::new("history", problem).at(Place::Byte(self.at as u64))
    }

    fn next(&mut self) -> FileResult<u8> {
        let byte = self.bytes.get(self.at).copied().ok_or_else(|| self.wrong("ends too early"))?;
        self.at += 1;
        Ok(byte)
    }

    /// A cell near `corner`.
    fn cell(&mut self, corner: CellPos) -> FileResult<CellPos> {
        let (x, y) = (self.next()? % 24, self.next()? % 24);
        Ok(corner.offset(i32::from(x), i32::from(y)))
    }
}

/// Where a history takes place: in the middle of the world and at its ends.
const CORNERS: [CellPos; 4] = [
    cell(-12, -12),
    cell(i32::MIN, i32::MIN),
    cell(i32::MAX - 20, i32::MAX - 20),
    cell(i32::MIN, i32::MAX - 23),
];

/// [`LazyFlow`]. First come steps (0 or 1), corner (0..=3), cost of all other cells, explore limit, pocket limit and number of fields; then
/// operations: `s` x y cost, `q` start goal, `t` ticks.
///
/// # Errors
/// A history that ends early or has an unknown operation.
///
/// # Panics
/// If an answer differs from the twin's.
pub fn lazy_flow(bytes: &[u8]) -> FileResult<()> {
    let mut read = Reader { bytes, at: 0 };
    let (steps, rule) = match read.next()? {
        0 => (LazySteps::FourUniform, Rule::Four),
        1 => (LazySteps::EightWeighted, Rule::Forbid),
        _ => return Err(read.wrong("no such steps")),
    };
    let corner = usize::from(read.next()?);
    let corner = *CORNERS.get(corner).ok_or_else(|| read.wrong("no such corner"))?;
    let rest = read.next()?.max(1);
    let settings = LazySettings {
        steps,
        explore_limit: 1 + u32::from(read.next()? % 128),
        pocket_limit: u32::from(read.next()? % 32),
        max_fields: u32::from(read.next()?),
        expansion_buffer: 10,
    };
    let valid = settings.validate().map_err(|error| read.wrong(&error.to_string()))?;
    let mut flow = LazyFlow::new(SparseGround::new(rest), valid);
    let mut twin = Twin::new(rest, rule, settings.explore_limit as usize, settings.pocket_limit as usize);
    let mut fields: Vec<(CellPos, TwinField)> = Vec::new();
    let mut tick = Tick::ZERO;
    for _ in 0..MAX_OPERATIONS {
        if read.at == bytes.len() {
            return Ok(());
        }
        match read.next()? {
            b's' => {
                let (at, cost) = (read.cell(corner)?, read.next()?.max(1));
                flow.set_cost(at, cost);
                twin.set(at, cost);
                fields.clear();
            }
            b'q' => {
                let (start, goal) = (read.cell(corner)?, read.cell(corner)?);
                let found = flow.get_direction(start, goal);
                let place = fields.iter().position(|(of, _)| *of == goal).unwrap_or_else(|| {
                    fields.push((goal, twin.field(goal)));
                    fields.len() - 1
                });
                let expected = twin.answer(&fields[place].1, start);
                let found = match found {
                    LazyAnswer::Go(dir) => Answer::Go(dir.index()),
                    LazyAnswer::Arrived => Answer::Arrived,
                    LazyAnswer::Unreachable => Answer::Unreachable,
                    LazyAnswer::Unknown => Answer::Unknown,
                };
                assert_eq!(found, expected, "{start} to {goal}");
            }
            b't' => {
                tick += u32::from(read.next()?);
                flow.advance(tick);
            }
            _ => return Err(read.wrong("no such operation")),
        }
    }
    if read.at == bytes.len() { Ok(()) } else { Err(read.wrong("too many operations")) }
}

/// Short histories as seeds: queries, walls across the route, and the queries again.
pub(crate) fn histories() -> Vec<Vec<u8>> {
    let mut histories = Vec::new();
    for steps in [0, 1] {
        for corner in 0..4 {
            for rest in [1, 255] {
                let mut bytes = vec![steps, corner, rest, 90, 9, 2];
                if rest == 255 {
                    (3..20).for_each(|x| bytes.extend([b's', x, 5, 1 + x % 3]));
                }
                bytes.extend(b"q\x03\x05\x12\x05t\x01q\x08\x05\x12\x05q\x03\x05\x09\x07");
                (4..7).for_each(|y| bytes.extend([b's', 10, y, 255]));
                bytes.extend(b"q\x03\x05\x12\x05q\x09\x05\x12\x05s\x0a\x05\x02q\x03\x05\x12\x05");
                histories.push(bytes);
            }
        }
    }
    histories
}
