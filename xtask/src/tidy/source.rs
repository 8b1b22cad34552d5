//! One Rust file as the checks see it: its tokens, and which of them are tests.

use super::lexer::{Comment, Kind, Token, lex};

/// A Rust file.
pub(crate) struct Source {
    /// Its path from the repository's root, with `/`.
    pub(crate) path: String,
    /// The number of lines.
    pub(crate) lines: usize,
    /// Its tokens.
    pub(crate) tokens: Vec<Token>,
    /// Its line comments, documentation included.
    pub(crate) comments: Vec<Comment>,
    /// For each token, whether it is in an item under `#[cfg(test)]`, or in a file of tests.
    pub(crate) in_test: Vec<bool>,
}

impl Source {
    /// The file at `path` with the given text.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let (tokens, comments) = lex(text);
        let mut in_test = vec![is_test_file(path); tokens.len()];
        let mut at = 0;
        while at < tokens.len() {
            match test_item_end(&tokens, at) {
                Some(end) => {
                    in_test[at..end].fill(true);
                    at = end;
                }
                None => at += 1,
            }
        }
        Self { path: path.to_string(), lines: text.lines().count(), tokens, comments, in_test }
    }

    /// The tokens outside tests, with their indices.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &Token)> {
        self.tokens.iter().enumerate().filter(|&(at, _)| !self.in_test[at])
    }

    /// The token at `at`, if there is one.
    pub(crate) fn get(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    /// The number of lines that are not in tests.
    pub(crate) fn code_lines(&self) -> usize {
        let mut lines = self.lines;
        let mut at = 0;
        while at < self.tokens.len() {
            if !self.in_test[at] {
                at += 1;
                continue;
            }
            let first = self.tokens[at].line;
            while at < self.tokens.len() && self.in_test[at] {
                at += 1;
            }
            lines -= self.tokens[at - 1].line + 1 - first;
        }
        lines
    }
}

/// Whether every line of the file is a test.
pub(crate) fn is_test_file(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    name == "tests.rs" || name.ends_with("_tests.rs") || parts.contains(&"tests")
}

/// The index of the bracket that closes the one at `open`.
pub(crate) fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.is("(") || token.is("[") || token.is("{") {
            depth += 1;
        } else if token.is(")") || token.is("]") || token.is("}") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at;
            }
        }
    }
    tokens.len().saturating_sub(1)
}

/// The index of the first token of the item whose keyword is at `at`: its documentation, attributes and visibility come before the keyword.
pub(crate) fn before_item(source: &Source, at: usize) -> usize {
    let mut place = at;
    while let Some(before) = place.checked_sub(1) {
        let token = &source.tokens[before];
        if token.kind == Kind::Doc || token.is_ident("pub") || token.is_ident("const") {
            place = before;
        } else if token.is(")") || token.is("]") {
            // Visibility or an attribute: back to its opening bracket.
            let open = (0..before).rev().find(|&open| {
                (source.tokens[open].is("(") || source.tokens[open].is("["))
                    && closing(&source.tokens, open) == before
            });
            match open {
                Some(open) if open > 0 && source.tokens[open - 1].is("#") => place = open - 1,
                Some(open) if open > 0 && source.tokens[open - 1].is_ident("pub") => place = open - 1,
                _ => break,
            }
        } else {
            break;
        }
    }
    place
}

/// If an item under `#[cfg(test)]` or `#[test]` starts at `at`, the index after it.
fn test_item_end(tokens: &[Token], at: usize) -> Option<usize> {
    if !(tokens[at].is("#") && tokens.get(at + 1)?.is("[")) {
        return None;
    }
    let close = closing(tokens, at + 1);
    let attribute = &tokens[at + 2..close];
    let first = attribute.first()?;
    let names_test = attribute.iter().enumerate().any(|(place, token)| {
        token.is_ident("test") && !(place >= 2 && attribute[place - 2].is_ident("not"))
    });
    if !((first.is_ident("cfg") || first.is_ident("test")) && names_test) {
        return None;
    }
    // The item ends with its body or its semicolon, whichever comes first outside brackets.
    let mut end = close + 1;
    while let Some(token) = tokens.get(end) {
        if token.is(";") {
            return Some(end + 1);
        }
        if token.is("{") {
            return Some(closing(tokens, end) + 1);
        }
        end = if token.is("(") || token.is("[") { closing(tokens, end) + 1 } else { end + 1 };
    }
    Some(tokens.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<String> {
        let source = Source::new("crates/a/src/b.rs", text);
        source.code().map(|(_, token)| token.text.clone()).filter(|text| text.len() > 1).collect()
    }

    #[test]
    fn test_modules_and_functions_are_not_code() {
        assert_eq!(
            code("mod aa; #[cfg(test)] mod tests { fn bb() { cc } } fn dd() {}"),
            ["mod", "aa", "fn", "dd"]
        );
        assert_eq!(code("#[cfg(test)] mod tests; fn dd() {}"), ["fn", "dd"]);
        assert_eq!(
            code("#[test] #[ignore] fn aa([x; 3]: u8) { bb } const DD: u8 = 1;"),
            ["const", "DD", "u8"]
        );
        assert_eq!(code("#[cfg(all(test, unix))] use aa::bb; fn dd() {}"), ["fn", "dd"]);
    }

    #[test]
    fn code_that_is_absent_from_tests_is_code() {
        assert_eq!(code("#[cfg(not(test))] fn dd() {}"), ["cfg", "not", "test", "fn", "dd"]);
    }

    #[test]
    fn lines_of_tests_are_not_counted() {
        let source =
            Source::new("crates/a/src/b.rs", "fn a() {}\n\n#[cfg(test)]\nmod tests {\n  fn b() {}\n}\n");
        assert_eq!((source.lines, source.code_lines()), (6, 2));
        let source = Source::new("crates/a/src/tests.rs", "fn a() {}\nfn b() {}\n");
        assert_eq!(source.code_lines(), 0);
    }

    #[test]
    fn files_of_tests_are_known_by_name() {
        assert!(is_test_file("crates/a/tests/b.rs") && is_test_file("crates/a/src/cost/tests.rs"));
        assert!(!is_test_file("crates/a/src/contests.rs"));
    }
}
