//! What pages say to the playground: bytes as messages, a line each, told to a small game one after another.

use waymarch_maps::{FileError, FileResult};
use waymarch_play::Rehearsal;

/// So many messages of an input are said.
const MOST: usize = 12;

/// Every message is answered or ignored in peace: the game goes on, and what is wrong is said in words.
///
/// # Errors
/// What the game said was wrong with the last message that it did not take.
///
/// # Panics
/// When the game stops, or refuses without a word.
pub fn page_message(bytes: &[u8]) -> FileResult<()> {
    let mut game = Rehearsal::new(24, 16).expect("a legal size");
    let text = String::from_utf8_lossy(bytes);
    let mut refused = None;
    for line in text.lines().take(MOST) {
        for answer in game.say(line) {
            let start = answer.find(r#""what":""#).filter(|_| answer.contains(r#""is":"error""#));
            if let Some(start) = start {
                let what = &answer[start + 8..];
                assert!(!what.starts_with('"'), "an error without a word: {answer}");
                refused = Some(String::from(what));
            }
        }
    }
    let alive = game.say(r#"{"id": 1, "do": "yaml"}"#);
    assert!(alive.iter().any(|answer| answer.contains(r#""is":"yaml""#)), "it goes on: {alive:?}");
    assert_eq!(&game.frame()[..4], b"WMF1");
    refused.map_or(Ok(()), |what| Err(FileError::new("page", what)))
}
