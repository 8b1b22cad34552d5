//! What went wrong, for people (a snippet of the file with the place marked) and for programs (JSON).

use std::fmt;
use std::process::ExitCode;

use miette::{Diagnostic, LabeledSpan, MietteError, MietteHandlerOpts, MietteSpanContents};
use miette::{ReportHandler, SourceCode, SourceSpan, SpanContents};
use serde::Serialize;
use waymarch_maps::suggest::closest;
use waymarch_maps::{FileError, Place};

use crate::report::{Form, json_text, write_out};

/// Lines longer than this are cut around the place shown.
const MAX_LINE: usize = 110;
/// How much of a cut line stays before the place shown.
const LEAD: usize = 50;

/// The kind of a failure: stable words for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// The words on the command line.
    Usage,
    /// A file: missing, unreadable, or wrong inside.
    File,
    /// A name that is not in its list.
    UnknownName,
    /// A map, its rules or settings that contradict themselves.
    Invalid,
    /// A question that has no route for an answer.
    NoRoute,
}

/// Where in a file, as far as is known.
#[derive(Clone, Default, Debug, Serialize)]
struct FilePlace {
    file: String,
    line: Option<usize>,
    column: Option<usize>,
    byte: Option<u64>,
    cell: Option<[i32; 2]>,
    key: Option<String>,
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    message: String,
    help: Option<String>,
    place: Option<Box<FilePlace>>,
    snippet: Option<Box<Snippet>>,
}

impl Failure {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), help: None, place: None, snippet: None }
    }

    /// The same with a hint.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A misused command line.
    pub(crate) fn usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        Self::new(Kind::Usage, text.trim().trim_start_matches("error: "))
    }

    /// A name that is not among `known`: says the nearest and lists all.
    pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> Self {
        let list = format!("known: {}", known.join(", "));
        let help = match closest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? ({list})"),
            None => list,
        };
        Self::new(Kind::UnknownName, format!("there is no {what} called `{name}`")).help(help)
    }

    /// Tells the user, on standard error or as a JSON document, and gives the exit code.
    pub(crate) fn print(&self, form: Form) -> ExitCode {
        if form == Form::Json {
            #[derive(Serialize)]
            struct Document<'a> {
                error: Body<'a>,
            }
            #[derive(Serialize)]
            struct Body<'a> {
                kind: Kind,
                message: &'a str,
                help: Option<&'a str>,
                place: Option<&'a FilePlace>,
            }
            let (help, place) = (self.help.as_deref(), self.place.as_deref());
            let error = Body { kind: self.kind, message: &self.message, help, place };
            write_out(&json_text(&Document { error }));
        } else {
            eprint!("{}", Shown(self));
        }
        ExitCode::from(if self.kind == Kind::Usage { 2 } else { 1 })
    }
}

/// A failure drawn for a terminal.
struct Shown<'a>(&'a Failure);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        MietteHandlerOpts::new().wrap_lines(false).context_lines(1).build().debug(self.0, f)?;
        writeln!(f)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        let mut place = FilePlace { file: error.file.clone(), ..FilePlace::default() };
        let mut snippet = None;
        match &error.place {
            Place::Whole => {}
            Place::Text { line, column, span } => {
                (place.line, place.column) = (Some(*line), Some(*column));
                if let (Some((offset, len)), Some(text)) = (span, &error.text) {
                    snippet = Snippet::cut(&error.file, text, *offset, *len).map(Box::new);
                }
            }
            Place::Byte(offset) => place.byte = Some(*offset),
            Place::Cell(at) => place.cell = Some([at.x, at.y]),
            Place::Key(key) => place.key = Some(key.clone()),
        }
        let message = format!("{}{}: {}", error.file, error.place, error.problem);
        let help = error.help.map(String::from);
        Self { kind: Kind::File, message, help, place: Some(Box::new(place)), snippet }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl Diagnostic for Failure {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.snippet.as_deref().map(|snippet| snippet as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = |snippet: &Snippet| LabeledSpan::new_with_span(Some("here".into()), snippet.span);
        self.snippet.as_deref().map(|snippet| Box::new(std::iter::once(label(snippet))) as Box<_>)
    }
}

/// The line that is wrong and those beside it, cut to a readable width: rows of maps run to thousands of letters.
#[derive(Debug)]
struct Snippet {
    name: String,
    text: String,
    span: SourceSpan,
    /// Lines of the file before the text, and characters of each line before it.
    skipped: (usize, usize),
}

impl Snippet {
    fn cut(name: &str, text: &str, offset: usize, len: usize) -> Option<Self> {
        let before = text.get(..offset)?;
        let line = before.matches('\n').count();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = text[line_start..offset].chars().count();
        let first = line.saturating_sub(1);
        let whole: Vec<&str> = text.lines().skip(first).take(line - first + 2).collect();
        let is_long = whole.iter().any(|line| line.chars().count() > MAX_LINE);
        let left = if is_long { column.saturating_sub(LEAD) } else { 0 };
        let shorten = |line: &str| line.chars().skip(left).take(MAX_LINE).collect::<String>();
        let shortened: Vec<String> = whole.iter().map(|line| shorten(line)).collect();
        let above: usize = shortened.iter().take(line - first).map(|line| line.len() + 1).sum();
        let own = shortened.get(line - first).map_or("", String::as_str);
        let inside: usize = own.chars().take(column - left).map(char::len_utf8).sum();
        let len = len.min(own.len() - inside);
        let text = shortened.join("\n") + "\n";
        Some(Self { name: name.into(), text, span: (above + inside, len).into(), skipped: (first, left) })
    }
}

impl SourceCode for Snippet {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let read = self.text.read_span(span, lines_before, lines_after)?;
        let (line, column) = (read.line() + self.skipped.0, read.column() + self.skipped.1);
        let (name, data, span) = (self.name.clone(), read.data(), *read.span());
        Ok(Box::new(MietteSpanContents::new_named(name, data, span, line, column, read.line_count())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, offset: usize, len: usize) -> String {
        let error = FileError::new("some.map", "a bad letter").at_span(text, offset, len).help("use a dot");
        Shown(&Failure::from(error)).to_string()
    }

    #[test]
    fn a_place_is_shown_in_its_file_with_line_and_column() {
        let text = "one\ntwo\nthrXe\nfour\n";
        let shown = shown(text, 11, 1);
        assert!(shown.contains("some.map:3:4"), "{shown}");
        assert!(shown.contains("thrXe") && shown.contains("two") && shown.contains("use a dot"), "{shown}");
        assert!(!shown.contains("one"), "{shown}");
    }

    #[test]
    fn long_rows_are_cut_around_the_place() {
        let row = format!("{}X{}", "a".repeat(900), "b".repeat(900));
        let text = format!("{}\n{row}\n", "-".repeat(1801));
        let shown = shown(&text, 1802 + 900, 1);
        assert!(shown.contains("some.map:2:901"), "{shown}");
        assert!(shown.contains("aXb"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() < 160), "{shown}");
    }

    #[test]
    fn places_at_the_end_or_beyond_do_not_fail() {
        for (text, offset) in [("", 0), ("a", 1), ("a\n", 2), ("é\nü", 5)] {
            assert!(shown(text, offset, 3).contains("a bad letter"));
        }
    }
}
