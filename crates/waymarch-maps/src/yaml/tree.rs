//! A YAML text as a tree in which every node knows its position.
//!
//! Scalars stay text: numbers are parsed from their digits, never through a float. Anchors, aliases, tags, directives
//! and second documents are refused, so that a small file cannot become a huge tree.

use std::borrow::Cow;
use std::ops::Range;

use serde_saphyr::granit_parser::{Event, Options, Parser, ScalarStyle, ScanError, Span};

use crate::text_source::{Source, quoted};
use crate::{FileError, FileResult, Place};

/// More than 24 levels of nesting are refused; the deepest legal file has six.
const MAX_DEPTH: usize = 24;

/// The largest file that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The most bytes.
    pub(super) bytes: usize,
    /// The most scalars, lists and maps together.
    pub(super) nodes: usize,
}

impl Limits {
    /// For settings and rules: 4 MiB and 100,000 nodes.
    pub(super) const SETTINGS: Self = Self { bytes: 4 << 20, nodes: 100_000 };
    /// For maps and scenarios: 512 MiB, enough for the largest legal map with heights, and 2,000,000 nodes.
    pub(super) const MAP: Self = Self { bytes: 512 << 20, nodes: 2_000_000 };
}

/// A value and its position.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    /// Its bytes in the text.
    pub(super) span: Range<usize>,
    pub(super) value: Value<'a>,
}

#[derive(Clone, Debug)]
pub(super) enum Value<'a> {
    Scalar(Cow<'a, str>, ScalarStyle),
    List(Vec<Node<'a>>),
    Map(Vec<(Key<'a>, Node<'a>)>),
}

/// A key of a map and its position.
#[derive(Clone, Debug)]
pub(super) struct Key<'a> {
    pub(super) span: Range<usize>,
    pub(super) name: Cow<'a, str>,
}

impl Node<'_> {
    /// Whether the value is empty, `~` or `null`.
    pub(super) fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(text, ScalarStyle::Plain) if matches!(&**text, "" | "~" | "null"))
    }

    /// A description of the value for error messages.
    pub(super) fn kind(&self) -> String {
        match &self.value {
            _ if self.is_null() => "nothing".to_string(),
            Value::Scalar(text, _) => quoted(text),
            Value::List(_) => "a list".to_string(),
            Value::Map(_) => "a map".to_string(),
        }
    }
}

/// A list or map that is still being read.
enum Open<'a> {
    List(usize, Vec<Node<'a>>),
    Map(usize, Vec<(Key<'a>, Node<'a>)>, Option<Key<'a>>),
}

/// Reads a text of one document; `None` when it holds nothing but comments.
pub(super) fn parse<'a>(source: &Source<'a>, limits: Limits) -> FileResult<Option<Node<'a>>> {
    let mut options = Options::default();
    options.emit_comments = false;
    options.disallow_directives = true;
    options.flow_nesting_limit = MAX_DEPTH;
    options.block_nesting_limit = MAX_DEPTH;
    let mut builder = Builder { source, open: Vec::new(), root: None, nodes: limits.nodes };
    for event in Parser::new_from_str_with_options(source.text, options) {
        let (event, span) = event.map_err(|error| syntax_error(source, &error))?;
        builder.take(event, &span)?;
    }
    Ok(builder.root)
}

struct Builder<'s, 'a> {
    source: &'s Source<'a>,
    open: Vec<Open<'a>>,
    root: Option<Node<'a>>,
    /// How many more nodes are allowed.
    nodes: usize,
}

impl<'a> Builder<'_, 'a> {
    fn take(&mut self, event: Event<'a>, span: &Span) -> FileResult<()> {
        let range = range_of(self.source.text, span);
        let refuse = |what: &str| Err(self.source.error(range.start, range.len(), what));
        if event.anchor_id().is_some() || event.is_alias() {
            return refuse("anchors (&) and aliases (*) are not allowed here: write the value out");
        }
        if event.tag().is_some() {
            return refuse("tags (!) are not allowed here");
        }
        if event.is_node() {
            if self.root.is_some() {
                return refuse("a second document in one file is not allowed");
            }
            if self.nodes == 0 {
                return refuse("the file has too many entries");
            }
            self.nodes -= 1;
        }
        match event {
            Event::Scalar(text, style, ..) => {
                self.close(Node { span: range, value: Value::Scalar(text, style) })
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if self.open.len() >= MAX_DEPTH => {
                refuse("the nesting is too deep")
            }
            Event::SequenceStart(..) => {
                self.open.push(Open::List(range.start, Vec::new()));
                Ok(())
            }
            Event::MappingStart(..) => {
                self.open.push(Open::Map(range.start, Vec::new(), None));
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let end = range.end;
                let node = match self.open.pop() {
                    Some(Open::List(start, items)) => (start, Value::List(items)),
                    Some(Open::Map(start, entries, _)) => {
                        self.check_duplicates(&entries)?;
                        (start, Value::Map(entries))
                    }
                    None => return refuse("a list or map ends that never began"),
                };
                self.close(Node { span: node.0..end.max(node.0), value: node.1 })
            }
            _ => Ok(()),
        }
    }

    /// Adds a finished node to the list or map that contains it.
    fn close(&mut self, node: Node<'a>) -> FileResult<()> {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Map(_, entries, key)) => match key.take() {
                Some(key) => entries.push((key, node)),
                None => match node.value {
                    Value::Scalar(name, _) => *key = Some(Key { span: node.span, name }),
                    _ => {
                        let problem = "a key must be a word, not a list or a map";
                        return Err(self.source.error(node.span.start, 1, problem));
                    }
                },
            },
        }
        Ok(())
    }

    fn check_duplicates(&self, entries: &[(Key<'a>, Node<'a>)]) -> FileResult<()> {
        let mut keys: Vec<&Key<'_>> = entries.iter().map(|(key, _)| key).collect();
        keys.sort_by(|a, b| (&a.name, a.span.start).cmp(&(&b.name, b.span.start)));
        match keys.windows(2).find(|pair| pair[0].name == pair[1].name) {
            None => Ok(()),
            Some(pair) => {
                let problem = format!("the key {} is given twice", quoted(&pair[1].name));
                Err(self.source.error(pair[1].span.start, pair[1].span.len(), problem))
            }
        }
    }
}

/// The bytes of a span, clipped to the text and to character boundaries.
fn range_of(text: &str, span: &Span) -> Range<usize> {
    let clamp = |offset: Option<usize>| {
        let offset = offset.unwrap_or(0).min(text.len());
        (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
    };
    let start = clamp(span.start.byte_offset());
    start..clamp(span.end.byte_offset()).max(start)
}

fn syntax_error(source: &Source<'_>, error: &ScanError) -> FileError {
    let mark = error.marker();
    let problem = format!("this is not YAML: {}", error.kind());
    let error = match mark.byte_offset() {
        Some(offset) => source.error(offset, 0, problem),
        None => FileError::new(source.name, problem).at(Place::Text {
            line: mark.line(),
            column: mark.col() + 1,
            span: None,
        }),
    };
    let Place::Text { line, .. } = error.place else { return error };
    let tab = source
        .text
        .lines()
        .nth(line.saturating_sub(1))
        .is_some_and(|line| line.trim_start_matches(' ').starts_with('\t'));
    if tab { error.help("the line is indented with a tab: use spaces") } else { error }
}
