//! Messages from pages to the playground: each line of the input is a message to a small game.

use waymarch_maps::{FileError, FileResult};
use waymarch_play::HeadlessPlayground;

/// At most 12 messages of an input are sent.
const MOST: usize = 12;

/// After the messages the game runs for 100 ticks.
const TICKS: u32 = 100;

/// A loaded cell may take 256 bytes: 64 for the new game, as much for the old game and a snapshot, and as much for tables of searches.
const CELL_BYTES: u64 = 256;

/// A loaded cell may take 1280 bytes if an input changes settings: costs of 16 sizes for every locomotor, and a snapshot.
const SETTINGS_CELL_BYTES: u64 = 1280;

/// The memory that the messages of an input ask for: that of the maps that they load.
#[must_use]
pub fn asked_bytes(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let cell_bytes = if text.contains("config") { SETTINGS_CELL_BYTES } else { CELL_BYTES };
    text.lines().take(MOST).map(|line| cell_bytes * HeadlessPlayground::asked_cells(line)).sum()
}

/// The lines of the seeds that are accepted alone. A mutant of one line is often no message, which is refused without a game.
pub(crate) fn single_messages(seeds: &[(String, Vec<u8>)]) -> Vec<Vec<u8>> {
    let lines = seeds.iter().flat_map(|(_, bytes)| bytes.split(|&byte| byte == b'\n'));
    let mut lines: Vec<Vec<u8>> =
        lines.filter(|line| !line.is_empty() && page_message(line).is_ok()).map(<[u8]>::to_vec).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Every message is answered or ignored, the game continues, and errors have a text.
///
/// # Errors
/// What the game said about the last message that it refused.
///
/// # Panics
/// If the game stops, or an error has no text.
pub fn page_message(bytes: &[u8]) -> FileResult<()> {
    let text = String::from_utf8_lossy(bytes);
    let read =
        |line: &str| HeadlessPlayground::understands(line).map_err(|what| FileError::new("page", what));
    // A game costs much more than a text that is no message.
    if let Some(Err(first)) = text.lines().take(MOST).map(read).reduce(|first, next| first.or(next)) {
        assert!(!first.problem.is_empty(), "an error without a text");
        return Err(first);
    }
    let mut game = HeadlessPlayground::new(24, 16).expect("a legal size");
    let (mut refused, mut accepted) = (None, false);
    for line in text.lines().take(MOST) {
        let mut is_refused = false;
        for answer in game.say(line) {
            let start = answer.find(r#""what":""#).filter(|_| answer.contains(r#""is":"error""#));
            if let Some(start) = start {
                let what = &answer[start + 8..];
                assert!(!what.starts_with('"'), "an error without a text: {answer}");
                refused = Some(String::from(what));
                is_refused = true;
            }
        }
        accepted |= !is_refused;
    }
    // A game that accepted no message is still the game that it was.
    if accepted {
        (0..TICKS).for_each(|_| game.tick());
    }
    let alive = game.say(r#"{"id": 1, "do": "yaml"}"#);
    assert!(alive.iter().any(|answer| answer.contains(r#""is":"yaml""#)), "the game continues: {alive:?}");
    assert_eq!(&game.frame()[..4], b"WMF1");
    refused.map_or(Ok(()), |what| Err(FileError::new("page", what)))
}
