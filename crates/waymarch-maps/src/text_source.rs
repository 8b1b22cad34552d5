//! A text file in memory, and errors that point into it.

use crate::{FileError, FileResult, Place};

/// A message quotes at most 40 characters of a file.
const MAX_QUOTED: usize = 40;

/// A named text. Offsets are bytes into `text`, which has no byte order mark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// The file's path or name, for errors.
    pub(crate) name: &'a str,
    /// The file's text.
    pub(crate) text: &'a str,
}

impl<'a> Source<'a> {
    /// Checks that `bytes` are UTF-8 text of at most `limit` bytes without NUL. A byte order mark is skipped.
    pub(crate) fn open(name: &'a str, bytes: &'a [u8], limit: usize) -> FileResult<Self> {
        if bytes.len() > limit {
            let problem = format!("the file has {} bytes, but the limit is {limit}", bytes.len());
            return Err(FileError::new(name, problem));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            FileError::new(name, "the file is not UTF-8 text").at(Place::Byte(error.valid_up_to() as u64))
        })?;
        let source = Self { name, text: text.strip_prefix('\u{feff}').unwrap_or(text) };
        match source.text.find('\0') {
            Some(offset) => Err(source.error(offset, 1, "a text file must not contain a NUL character")),
            None => Ok(source),
        }
    }

    /// An error about `len` bytes at `offset`.
    pub(crate) fn error(&self, offset: usize, len: usize, problem: impl Into<String>) -> FileError {
        FileError::new(self.name, problem).at_span(self.text, offset, len)
    }

    /// An error about the end of the text.
    pub(crate) fn error_at_end(&self, problem: impl Into<String>) -> FileError {
        self.error(self.text.len(), 0, problem)
    }

    /// The lines with their byte offsets, without line ends (LF or CRLF).
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
        let mut offset = 0;
        self.text.split_inclusive('\n').map(move |line| {
            let start = offset;
            offset += line.len();
            let line = line.strip_suffix('\n').unwrap_or(line);
            (start, line.strip_suffix('\r').unwrap_or(line))
        })
    }
}

/// A quotation from a file for a message: in backquotes, shortened if long.
pub(crate) fn quoted(words: &str) -> String {
    match words.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("`{}…`", words[..end].escape_debug()),
        None => format!("`{}`", words.escape_debug()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        assert_eq!(Source::open("f", b"\xEF\xBB\xBFab", 10).unwrap().text, "ab");
    }

    #[test]
    fn what_is_not_text_is_refused_with_its_place() {
        let bad = Source::open("f", b"ab\xFFcd", 10).unwrap_err();
        assert_eq!(bad.place, Place::Byte(2));
        let nul = Source::open("f", b"a\nb\0", 10).unwrap_err();
        assert_eq!(nul.to_string(), "f:2:2: a text file must not contain a NUL character");
        assert!(Source::open("f", b"abc", 2).unwrap_err().problem.contains("3 bytes"));
    }

    #[test]
    fn lines_end_in_lf_or_crlf() {
        let source = Source { name: "f", text: "a\r\nbc\n\nd" };
        assert_eq!(source.lines().collect::<Vec<_>>(), [(0, "a"), (3, "bc"), (6, ""), (7, "d")]);
    }

    #[test]
    fn long_words_are_cut_in_messages() {
        assert_eq!(quoted("a\tb"), "`a\\tb`");
        assert!(quoted(&"x".repeat(1000)).len() < 60);
    }
}
