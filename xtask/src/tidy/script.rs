//! The comments of a JavaScript file. Strings and templates are skipped; regular expressions are not recognized.

/// One line of a comment.
pub(crate) struct CommentLine {
    /// The text, without the marks of the comment.
    pub(crate) text: String,
    /// Its line, from 1.
    pub(crate) line: usize,
    /// Whether a comment on the next line belongs to the same text.
    pub(crate) goes_on: bool,
}

/// All comments of `text`, line by line.
pub(crate) fn comments(text: &str) -> Vec<CommentLine> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            let len = rest.find('\n').unwrap_or(rest.len());
            found.push(CommentLine { text: rest[2..len].trim().to_string(), line, goes_on: true });
            len
        } else if let Some(inside) = rest.strip_prefix("/*") {
            let body = inside.find("*/").map_or(inside, |end| &inside[..end]);
            let len = rest.len().min(body.len() + 4);
            let last = body.lines().count();
            for (at, text) in body.lines().enumerate() {
                let text = text.trim().trim_start_matches('*').trim().to_string();
                found.push(CommentLine { text, line: line + at, goes_on: at + 1 < last });
            }
            len
        } else if matches!(c, '"' | '\'' | '`') {
            string_length(rest, c)
        } else {
            c.len_utf8()
        };
        line += rest[..len].matches('\n').count();
        rest = &rest[len..];
    }
    found
}

/// The length of the string at the start of `text`. Only a template may have several lines.
fn string_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '\n' && quote != '`' {
            return at;
        }
        if !escaped && c == quote {
            return at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::comments;

    fn found(text: &str) -> Vec<(usize, String)> {
        comments(text).into_iter().map(|comment| (comment.line, comment.text)).collect()
    }

    #[test]
    fn comments_are_found_with_their_lines() {
        let text = "a(); // one\n/* two */ b();\n/**\n * three\n */\n";
        let lines = [(1, "one"), (2, "two"), (3, ""), (4, "three"), (5, "")];
        assert_eq!(found(text), lines.map(|(line, text)| (line, text.to_string())));
    }

    #[test]
    fn strings_and_templates_hide_what_is_in_them() {
        assert_eq!(found("a = \"// \\\" //\"; b = '/*'; c = `//\n//`; // d"), [(2, "d".to_string())]);
        assert_eq!(found("a = /'/;\n// b"), [(2, "b".to_string())]);
    }

    #[test]
    fn a_comment_without_an_end_is_read_to_the_end() {
        assert_eq!(found("/* a"), [(1, "a".to_string())]);
        assert_eq!(found("// a"), [(1, "a".to_string())]);
        assert!(found("'").is_empty());
    }
}
