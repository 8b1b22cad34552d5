//! Failures: for people with a snippet of the file and the place marked, for programs as JSON.

use std::fmt;
use std::io::Write as _;
use std::process::ExitCode;

use miette::{Diagnostic, LabeledSpan, MietteError, MietteHandlerOpts, MietteSpanContents};
use miette::{ReportHandler, SourceCode, SourceSpan, SpanContents};
use serde::Serialize;
use waymarch::query::PlanError;
use waymarch_maps::suggest::closest;
use waymarch_maps::{FileError, Place};

use crate::report::{Form, exit_code, json_text, write_out};

/// Lines longer than 110 characters are cut around the marked place.
const MAX_LINE: usize = 110;
/// A cut line starts 50 characters before the marked place.
const LEAD: usize = 50;

/// The kind of a failure. Its name in JSON does not change between versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// A wrong command line.
    Usage,
    /// A file that is missing, unreadable or malformed.
    File,
    /// An unknown name.
    UnknownName,
    /// A map, rules or settings that contradict themselves.
    Invalid,
    /// A query without a route.
    NoRoute,
}

/// The place in a file; parts that are not known are `None`.
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

    /// An input that contradicts itself, with the reason.
    pub(crate) fn invalid(reason: impl fmt::Display) -> Self {
        Self::new(Kind::Invalid, reason.to_string())
    }

    /// Adds a hint.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A wrong command line, from the argument parser.
    pub(crate) fn usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        Self::new(Kind::Usage, text.trim().trim_start_matches("error: "))
    }

    /// A name that is not in `known`. The hint has the most similar name and the whole list.
    pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> Self {
        let list = if known.is_empty() {
            "there are none here".to_owned()
        } else {
            format!("known: {}", known.join(", "))
        };
        let help = match closest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? ({list})"),
            None => list,
        };
        Self::new(Kind::UnknownName, format!("there is no {what} called `{name}`")).help(help)
    }

    /// Puts the name of an option before the message.
    pub(crate) fn option(mut self, option: &str) -> Self {
        self.message = format!("{option}: {}", self.message);
        self
    }

    /// Prints to standard error, or as a JSON document to standard output, and gives the exit code: 2 for a wrong command line, else 1.
    pub(crate) fn print(&self, form: Form) -> ExitCode {
        let code = if self.kind == Kind::Usage { 2 } else { 1 };
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
            return exit_code(code, &write_out(&json_text(&Document { error })));
        }
        // Standard error may be closed or full. The exit code still reports the failure.
        let _ = write!(std::io::stderr(), "{}", Shown(self));
        ExitCode::from(code)
    }
}

/// Formats a failure for a terminal.
struct Shown<'a>(&'a Failure);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        MietteHandlerOpts::new().wrap_lines(false).context_lines(1).build().debug(self.0, f)?;
        writeln!(f)
    }
}

impl From<PlanError> for Failure {
    /// Says why there is no route, with a hint where one helps.
    fn from(error: PlanError) -> Self {
        let failure = Failure::new(Kind::NoRoute, error.to_string());
        match &error {
            PlanError::OffMap { size, .. } => {
                let (x, y) = (size.width() - 1, size.height() - 1);
                failure.help(format!("cells go from 0,0 in the north-west corner to {x},{y}"))
            }
            PlanError::StartBlocked { .. } | PlanError::GoalBlocked { .. } => {
                failure.help("`waymarch render --layer passability` shows the closed cells")
            }
            PlanError::GoalClosed | PlanError::GoalUnreachable { .. } => {
                failure.help("`waymarch path --nearest` goes to the reachable cell nearest to the goal")
            }
            _ => failure,
        }
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

/// The wrong line with its neighbours, cut to a readable width: rows of maps have up to thousands of characters.
#[derive(Debug)]
struct Snippet {
    name: String,
    text: String,
    span: SourceSpan,
    /// The lines of the file before `text`, and the characters cut from the start of each line.
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
    fn a_place_is_shown_with_file_line_and_column() {
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
    fn places_at_the_end_of_the_file_do_not_panic() {
        for (text, offset) in [("", 0), ("a", 1), ("a\n", 2), ("é\nü", 5)] {
            assert!(shown(text, offset, 3).contains("a bad letter"));
        }
    }
}
