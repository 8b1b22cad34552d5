//! Reads values from a YAML tree. Errors say which key, what was found and what is legal.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use waymarch::base::{CellPos, Fixed, cell};

use super::tree::{Key, Limits, Node, Value, parse};
use crate::suggest::hint;
use crate::text_source::{Source, quoted};
use crate::{FileError, FileResult};

/// The entries of a YAML map.
pub(super) type Entries<'n, 'a> = &'n [(Key<'a>, Node<'a>)];

/// Reads the values of one file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    pub(super) source: Source<'a>,
}

/// The values of a YAML map whose keys are all known.
pub(super) struct Fields<'n, 'a> {
    entries: Entries<'n, 'a>,
}

impl<'n, 'a> Fields<'n, 'a> {
    /// The value of `key`; a key without a value counts as absent.
    pub(super) fn get(&self, key: &str) -> Option<&'n Node<'a>> {
        self.entries.iter().find(|(known, node)| known.name == key && !node.is_null()).map(|(_, node)| node)
    }

    /// The entries in file order.
    pub(super) fn entries(&self) -> Entries<'n, 'a> {
        self.entries
    }
}

impl<'a> Reader<'a> {
    /// Parses a file to a tree; `wanted` is shown in the error for an empty file.
    pub(super) fn open(
        name: &'a str,
        bytes: &'a [u8],
        limits: Limits,
        wanted: &str,
    ) -> FileResult<(Self, Node<'a>)> {
        let source = Source::open(name, bytes, limits.bytes)?;
        match parse(&source, limits)? {
            Some(root) if !root.is_null() => Ok((Self { source }, root)),
            _ => Err(source.error(0, 0, format!("the file is empty: expected `{wanted}`"))),
        }
    }

    /// An error about a value.
    pub(super) fn error(&self, node: &Node<'_>, problem: impl Into<String>) -> FileError {
        self.source.error(node.span.start, node.span.len(), problem)
    }

    /// An error about a key.
    pub(super) fn key_error(&self, key: &Key<'_>, problem: impl Into<String>) -> FileError {
        self.source.error(key.span.start, key.span.len(), problem)
    }

    /// The error for a value of the wrong kind or outside the legal values.
    pub(super) fn wrong(&self, node: &Node<'_>, what: &str, expected: impl Display) -> FileError {
        self.error(node, format!("`{what}` is {}: it must be {expected}", node.kind()))
    }

    /// The entries of a map with any keys; an empty value is an empty map.
    pub(super) fn entries<'n>(&self, node: &'n Node<'a>, what: &str) -> FileResult<Entries<'n, 'a>> {
        match &node.value {
            Value::Map(entries) => Ok(entries),
            _ if node.is_null() => Ok(&[]),
            _ => Err(self.wrong(node, what, "a map of `key: value`")),
        }
    }

    /// The entries of a map whose keys must be among `known`.
    pub(super) fn fields<'n>(
        &self,
        node: &'n Node<'a>,
        what: &str,
        known: &[&str],
    ) -> FileResult<Fields<'n, 'a>> {
        let entries = self.entries(node, what)?;
        match entries.iter().find(|(key, _)| !known.contains(&&*key.name)) {
            None => Ok(Fields { entries }),
            Some((key, _)) => {
                let problem = format!("unknown key {} in {what}", quoted(&key.name));
                Err(self.unknown(self.key_error(key, problem), &key.name, known.iter().copied()))
            }
        }
    }

    /// Adds a "did you mean" hint to an error.
    pub(super) fn unknown<'c>(
        &self,
        error: FileError,
        word: &str,
        known: impl IntoIterator<Item = &'c str> + Clone,
    ) -> FileError {
        match hint(word, known) {
            Some(help) => error.help(help),
            None => error,
        }
    }

    /// The items of a list.
    pub(super) fn list<'n>(&self, node: &'n Node<'a>, what: &str) -> FileResult<&'n [Node<'a>]> {
        match &node.value {
            Value::List(items) => Ok(items),
            _ if node.is_null() => Ok(&[]),
            _ => Err(self.wrong(node, what, "a list")),
        }
    }

    /// A text.
    pub(super) fn text<'n>(&self, node: &'n Node<'a>, what: &str) -> FileResult<&'n str> {
        match &node.value {
            Value::Scalar(text, _) => Ok(text),
            _ => Err(self.wrong(node, what, "a text")),
        }
    }

    /// A whole number in a range.
    pub(super) fn whole<T: FromStr + PartialOrd + Display>(
        &self,
        node: &Node<'a>,
        what: &str,
        range: RangeInclusive<T>,
    ) -> FileResult<T> {
        let expected = || format!("a whole number, {}..={}", range.start(), range.end());
        let number =
            self.text(node, what).ok().filter(|text| is_integer(text)).and_then(|text| text.parse().ok());
        let is_whole = self.text(node, what).is_ok_and(is_integer);
        match number {
            Some(number) if range.contains(&number) => Ok(number),
            // It is a whole number, but of more digits than the largest one.
            None if is_whole => {
                let (start, end) = (range.start(), range.end());
                let problem = format!("`{what}` is {}: it is out of range, {start}..={end}", node.kind());
                Err(self.error(node, problem))
            }
            _ => Err(self.wrong(node, what, expected())),
        }
    }

    /// A decimal number, read exactly.
    pub(super) fn fixed(&self, node: &Node<'a>, what: &str) -> FileResult<Fixed> {
        let text = self.text(node, what)?;
        Fixed::from_str(text).map_err(|why| self.error(node, format!("`{what}` is {}: {why}", node.kind())))
    }

    /// `true` or `false`.
    pub(super) fn boolean(&self, node: &Node<'a>, what: &str) -> FileResult<bool> {
        match self.text(node, what) {
            Ok("true") => Ok(true),
            Ok("false") => Ok(false),
            _ => Err(self.wrong(node, what, "true or false")),
        }
    }

    /// One of the given words.
    pub(super) fn choice<T: Copy>(&self, node: &Node<'a>, what: &str, legal: &[(&str, T)]) -> FileResult<T> {
        let names = legal.iter().map(|(name, _)| *name);
        let text = self.text(node, what).unwrap_or_default();
        match legal.iter().find(|(name, _)| *name == text) {
            Some((_, value)) => Ok(*value),
            None => {
                let list: Vec<&str> = names.clone().collect();
                let error = self.wrong(node, what, format_args!("one of {}", list.join(" | ")));
                Err(match crate::suggest::closest(text, names) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error,
                })
            }
        }
    }

    /// `[x, y]`.
    pub(super) fn cell(&self, node: &Node<'a>, what: &str) -> FileResult<CellPos> {
        match &node.value {
            Value::List(items) if items.len() == 2 => Ok(cell(
                self.whole(&items[0], what, 0..=i32::MAX)?,
                self.whole(&items[1], what, 0..=i32::MAX)?,
            )),
            _ => Err(self.wrong(node, what, "a cell [x, y]")),
        }
    }
}

/// Digits with an optional minus: no plus, no spaces, no exponent.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
