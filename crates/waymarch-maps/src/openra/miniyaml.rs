//! Parses MiniYaml, OpenRA's tab-indented `Key: Value` text.

use crate::error::{FileError, FileResult};

/// Nesting deeper than 32 levels is refused; real files have about 8.
pub const MAX_DEPTH: usize = 32;

/// Four spaces count as one tab.
const SPACES_PER_LEVEL: usize = 4;

/// A `Key: Value` line with the lines that are indented under it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// The key, with its `@suffix` if any.
    pub key: String,
    /// The value without surrounding spaces; empty if there is none.
    pub value: String,
    /// The nodes indented under it, in order.
    pub children: Vec<Self>,
    /// Its line in the file, from 1.
    pub line: usize,
}

impl Node {
    /// The key without its `@suffix`.
    #[must_use]
    pub fn base_key(&self) -> &str {
        self.key.split('@').next().unwrap_or("")
    }

    /// The first child with exactly this key.
    #[must_use]
    pub fn child(&self, key: &str) -> Option<&Self> {
        self.children.iter().find(|node| node.key == key)
    }

    /// The value of the first child with exactly this key, if it is not empty.
    #[must_use]
    pub fn child_value(&self, key: &str) -> Option<&str> {
        self.child(key).map(|node| node.value.as_str()).filter(|value| !value.is_empty())
    }
}

/// Parses MiniYaml from bytes of unknown origin.
///
/// # Errors
/// [`FileError`] for text that is not UTF-8, an indentation that skips a level, or nesting deeper than [`MAX_DEPTH`].
pub fn parse_bytes(name: &str, bytes: &[u8]) -> FileResult<Vec<Node>> {
    parse(name, crate::file_bytes::utf8(name, bytes)?)
}

/// Parses MiniYaml. A `#` starts a comment unless it is written `\#`; blank lines are ignored.
///
/// # Errors
/// [`FileError`] with line and column for an indentation that skips a level, or nesting deeper than [`MAX_DEPTH`].
pub fn parse(name: &str, text: &str) -> FileResult<Vec<Node>> {
    // The chain of open nodes, outermost first; `open[0]` is the file itself.
    let mut open = vec![Node::default()];
    let mut offset = 0;
    for (row, raw) in text.split_inclusive('\n').enumerate() {
        let line = strip_comment(raw.trim_end_matches(['\n', '\r']));
        let body = line.trim_start_matches([' ', '\t']);
        if !body.trim().is_empty() {
            let indent = line.len() - body.len();
            let level = level_of(&line[..indent]);
            let error = |problem: String| {
                FileError::new(name, problem).at_span(text, offset + indent, body.trim_end().len())
            };
            if level >= MAX_DEPTH {
                return Err(error(format!("nested {level} levels deep: the limit is {MAX_DEPTH}")));
            }
            if level + 1 > open.len() {
                return Err(error(format!(
                    "indented {level} levels, but the line before allows at most {}",
                    open.len() - 1
                )));
            }
            close_to(&mut open, level + 1);
            open.push(node_of(body, row + 1));
        }
        offset += raw.len();
    }
    close_to(&mut open, 1);
    Ok(open.pop().unwrap_or_default().children)
}

/// Moves the innermost open nodes to their parents until `depth` are open.
fn close_to(open: &mut Vec<Node>, depth: usize) {
    while open.len() > depth {
        let Some(done) = open.pop() else { return };
        if let Some(parent) = open.last_mut() {
            parent.children.push(done);
        }
    }
}

fn level_of(indent: &str) -> usize {
    let tabs = indent.bytes().filter(|&byte| byte == b'\t').count();
    tabs + (indent.len() - tabs) / SPACES_PER_LEVEL
}

fn strip_comment(line: &str) -> &str {
    let bytes = line.as_bytes();
    let hash = (0..bytes.len()).find(|&at| bytes[at] == b'#' && (at == 0 || bytes[at - 1] != b'\\'));
    &line[..hash.unwrap_or(line.len())]
}

fn node_of(body: &str, line: usize) -> Node {
    let (key, value) = body.split_once(':').unwrap_or((body, ""));
    Node { key: key.trim().to_owned(), value: value.trim().replace("\\#", "#"), children: Vec::new(), line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Place;

    #[test]
    fn tabs_and_four_spaces_indent_alike() {
        let nodes = parse("x", "A: 1\n\tB@two: 2 # why\n        C: a\\#b\n\n# gone\nD\n").unwrap();
        assert_eq!(nodes.len(), 2);
        let b = nodes[0].child("B@two").unwrap();
        assert_eq!((b.base_key(), b.value.as_str(), b.line), ("B", "2", 2));
        assert_eq!(b.child_value("C"), Some("a#b"));
        assert_eq!((nodes[1].key.as_str(), nodes[1].line), ("D", 6));
    }

    #[test]
    fn a_skipped_level_names_line_and_column() {
        let error = parse("m.yaml", "A:\n\t\tB: 1\n").unwrap_err();
        assert!(matches!(error.place, Place::Text { line: 2, column: 3, .. }), "{error}");
    }

    #[test]
    fn endless_nesting_is_refused() {
        let text: String = (0..10_000).map(|depth| format!("{}k:\n", "\t".repeat(depth.min(200)))).collect();
        let error = parse("deep", &text).unwrap_err();
        assert!(error.problem.contains("deep"), "{error}");
    }

    #[test]
    fn text_that_is_not_utf8_names_the_byte() {
        assert_eq!(parse_bytes("x", b"A: \xff").unwrap_err().place, Place::Byte(3));
    }
}
