//! Rows of letters in a YAML block (`rows: |`), with the position of each letter in the file.

use std::ops::Range;

use serde_saphyr::granit_parser::ScalarStyle;

use super::fields::Reader;
use super::tree::{Node, Value};
use crate::{FileError, FileResult};

/// The rows of a literal block.
pub(super) struct Block<'n, 'a> {
    reader: Reader<'a>,
    node: &'n Node<'a>,
    pub(super) rows: Vec<&'n str>,
}

impl<'n, 'a> Block<'n, 'a> {
    /// The rows of `node`, which must be a literal block. Blank rows at the end are dropped.
    pub(super) fn new(reader: Reader<'a>, node: &'n Node<'a>, what: &str) -> FileResult<Self> {
        match &node.value {
            Value::Scalar(text, ScalarStyle::Literal) => {
                let mut rows: Vec<&str> =
                    text.lines().map(|row| row.strip_suffix('\r').unwrap_or(row)).collect();
                while rows.last().is_some_and(|row| row.trim().is_empty()) {
                    rows.pop();
                }
                Ok(Self { reader, node, rows })
            }
            _ => {
                let example = format!("`{what}: |` and then one line per row");
                Err(reader.wrong(node, what, format_args!("a block of rows: {example}")))
            }
        }
    }

    /// An error about the bytes `part` of row `row`. The row after the last means the end of the block.
    pub(super) fn error(&self, row: usize, part: Range<usize>, problem: impl Into<String>) -> FileError {
        let (start, len) = self.place(row, part);
        self.reader.source.error(start, len, problem)
    }

    /// The position of `part` of row `row` in the file. The rows of a literal block are lines of the file without their indentation.
    fn place(&self, row: usize, part: Range<usize>) -> (usize, usize) {
        let text = self.reader.source.text;
        let start = self.node.span.start;
        // The parser gives either the `|` or the first row as the beginning of the span.
        let from_header = text[start..].starts_with(['|', '>']);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let mut lines = text[line_start..].split_inclusive('\n').skip(usize::from(from_header));
        let mut offset = line_start;
        if from_header {
            offset += text[line_start..].split_inclusive('\n').next().map_or(0, str::len);
        }
        for _ in 0..row {
            offset += lines.next().map_or(0, str::len);
        }
        let Some(content) = self.rows.get(row) else { return (offset.min(text.len()), 0) };
        let line = lines.next().unwrap_or("").trim_end_matches(['\r', '\n']);
        let indent = line.len().saturating_sub(content.len());
        (offset + indent + part.start, part.len())
    }
}
