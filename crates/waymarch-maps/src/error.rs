//! The error of all file readers and writers: file, place, problem and hint.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use waymarch::base::CellPos;

/// Texts longer than 16 MiB are not kept with their errors: a snippet is not worth a copy of a huge map.
const MAX_KEPT_TEXT: usize = 16 << 20;

/// Where in a file the problem is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Place {
    /// The file as a whole.
    #[default]
    Whole,
    /// A position in a text by line and column, both from 1; `span` is the byte range if known.
    Text {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// Byte offset and length in the text, to show a snippet.
        span: Option<(usize, usize)>,
    },
    /// A byte offset in a binary file.
    Byte(u64),
    /// A cell of the map.
    Cell(CellPos),
    /// A key or entry by its path: `locomotors.foot.surfaces`, a ZIP member, an XML element.
    Key(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Text { line, column, .. } => write!(f, ":{line}:{column}"),
            Self::Byte(offset) => write!(f, ": byte {offset}"),
            Self::Cell(cell) => write!(f, ": cell {cell}"),
            Self::Key(key) => write!(f, ": {key}"),
        }
    }
}

/// A problem with a file: what, where, and a hint. Displays as `file:line:column: problem (hint)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    /// The file's path or name as the caller passed it.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// The problem in one sentence.
    pub problem: String,
    /// A hint ("did you mean …").
    pub help: Option<Box<str>>,
    /// The text of the file, to show a snippet; `None` for binary files and texts over 16 MiB.
    pub text: Option<Arc<str>>,
}

impl FileError {
    /// An error about `file` as a whole.
    #[must_use]
    pub fn new(file: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { file: file.into(), place: Place::Whole, problem: problem.into(), help: None, text: None }
    }

    /// An error of the file system.
    #[must_use]
    pub fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::new(path.display().to_string(), error.to_string())
    }

    /// The same error at `place`.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// The same error at a byte range of `text`; line and column are counted from it. The range is clipped to the text and
    /// extended to whole characters.
    #[must_use]
    pub fn at_span(mut self, text: &str, offset: usize, len: usize) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let mut end = offset.saturating_add(len).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        self.place = Place::Text { line, column, span: Some((offset, end - offset)) };
        self.text = (text.len() <= MAX_KEPT_TEXT).then(|| text.into());
        self
    }

    /// The same error with a hint.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into().into_boxed_str());
        self
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}: {}", self.file, self.place, self.problem)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FileError {}

/// The result of reading or writing a file.
pub type FileResult<T> = Result<T, FileError>;
