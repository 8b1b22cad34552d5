//! A small Rust tokenizer. It separates code from comments and strings, and floats from integers.

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword; raw names without their `r#`.
    Ident,
    /// `'a`.
    Lifetime,
    /// A string or character of any sort; its text is not kept.
    Text,
    /// An integer, or a tuple index.
    Int,
    /// A number with a fraction, an exponent or a float suffix.
    Float,
    /// Punctuation: one character, except `::`, `..`, `..=` and `...`.
    Punct,
    /// A documentation comment (`///` or `//!`), without its slashes. Other comments are no tokens.
    Doc,
}

/// How a line comment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `//!`
    Inner,
    /// `///`
    Outer,
    /// `//`
    Plain,
}

/// A line comment, and the line it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// How it is written.
    pub(crate) style: Style,
    /// The comment without its slashes.
    pub(crate) text: String,
    /// Its line, from 1.
    pub(crate) line: usize,
    /// Whether code stands before it on the same line.
    pub(crate) trails: bool,
}

/// A token and the line it starts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: Kind,
    /// How it is written (empty for [`Kind::Text`]).
    pub(crate) text: String,
    /// Its line, from 1.
    pub(crate) line: usize,
}

impl Token {
    /// Whether it is the name or keyword `name`.
    pub(crate) fn is_ident(&self, name: &str) -> bool {
        self.kind == Kind::Ident && self.text == name
    }

    /// Whether it is the punctuation `text`.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.kind == Kind::Punct && self.text == text
    }
}

/// The tokens and line comments of `source`. Never fails: unknown characters become punctuation.
pub(crate) fn lex(source: &str) -> (Vec<Token>, Vec<Comment>) {
    let mut lexer =
        Lexer { chars: source.chars().collect(), at: 0, line: 1, out: Vec::new(), comments: Vec::new() };
    while lexer.at < lexer.chars.len() {
        lexer.next();
    }
    (lexer.out, lexer.comments)
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
    out: Vec<Token>,
    comments: Vec<Comment>,
}

fn starts_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn in_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

impl Lexer {
    /// The character `ahead` characters further on; NUL past the end.
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn bump(&mut self) -> char {
        let c = self.peek(0);
        if c == '\n' {
            self.line += 1;
        }
        self.at += 1;
        c
    }

    fn push(&mut self, kind: Kind, text: impl Into<String>, line: usize) {
        self.out.push(Token { kind, text: text.into(), line });
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut text = String::new();
        while self.at < self.chars.len() && wanted(self.peek(0)) {
            text.push(self.bump());
        }
        text
    }

    fn next(&mut self) {
        let (c, line) = (self.peek(0), self.line);
        match c {
            _ if c.is_whitespace() => {
                self.bump();
            }
            '/' if self.peek(1) == '/' => self.line_comment(),
            '/' if self.peek(1) == '*' => self.block_comment(),
            '"' => self.string(),
            '\'' => self.quote(),
            _ if self.prefixed_text() => {}
            _ if c.is_ascii_digit() => self.number(),
            _ if starts_name(c) => {
                if c == 'r' && self.peek(1) == '#' && starts_name(self.peek(2)) {
                    self.at += 2;
                }
                let name = self.take_while(in_name);
                self.push(Kind::Ident, name, line);
            }
            _ => {
                let long = ["..=", "...", "..", "::"]
                    .into_iter()
                    .find(|long| long.chars().enumerate().all(|(ahead, wanted)| self.peek(ahead) == wanted));
                let text = long.map_or_else(|| c.to_string(), str::to_string);
                self.at += text.chars().count();
                self.push(Kind::Punct, text, line);
            }
        }
    }

    fn line_comment(&mut self) {
        let line = self.line;
        let text = self.take_while(|c| c != '\n');
        let (style, body) = if text.starts_with("////") {
            (Style::Plain, text.trim_start_matches('/'))
        } else if let Some(body) = text.strip_prefix("//!") {
            (Style::Inner, body)
        } else if let Some(body) = text.strip_prefix("///") {
            (Style::Outer, body)
        } else {
            (Style::Plain, &text[2..])
        };
        let trails = self.out.last().is_some_and(|last| last.line == line);
        self.comments.push(Comment { style, text: body.to_string(), line, trails });
        if style != Style::Plain {
            self.push(Kind::Doc, body.trim(), line);
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => {
                    depth += 1;
                    self.at += 2;
                }
                ('*', '/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// A string with escapes, from its opening quote.
    fn string(&mut self) {
        let line = self.line;
        self.bump();
        while self.at < self.chars.len() {
            match self.bump() {
                '\\' => {
                    self.bump();
                }
                '"' => break,
                _ => {}
            }
        }
        self.push(Kind::Text, "", line);
    }

    /// A lifetime or a character, from the `'`.
    fn quote(&mut self) {
        let line = self.line;
        if self.peek(1) != '\\' && self.peek(2) != '\'' && starts_name(self.peek(1)) {
            self.bump();
            let name = self.take_while(in_name);
            return self.push(Kind::Lifetime, name, line);
        }
        self.bump();
        while self.at < self.chars.len() {
            match self.bump() {
                '\\' => {
                    self.bump();
                }
                '\'' => break,
                _ => {}
            }
        }
        self.push(Kind::Text, "", line);
    }

    /// `b".."`, `c".."`, `r".."`, `r#".."#`, `br".."`, `cr".."`, `b'.'`: whether there was one.
    fn prefixed_text(&mut self) -> bool {
        let (prefix, raw) = match (self.peek(0), self.peek(1)) {
            ('r', '"' | '#') => (1, true),
            ('b' | 'c', 'r') if matches!(self.peek(2), '"' | '#') => (2, true),
            ('b' | 'c', '"') => (1, false),
            ('b', '\'') => {
                self.at += 1;
                self.quote();
                return true;
            }
            _ => return false,
        };
        if !raw {
            self.at += prefix;
            self.string();
            return true;
        }
        let mut hashes = 0;
        while self.peek(prefix + hashes) == '#' {
            hashes += 1;
        }
        if self.peek(prefix + hashes) != '"' {
            return false; // A raw name.
        }
        let line = self.line;
        self.at += prefix + hashes + 1;
        while self.at < self.chars.len() {
            if self.bump() == '"' && (0..hashes).all(|ahead| self.peek(ahead) == '#') {
                self.at += hashes;
                break;
            }
        }
        self.push(Kind::Text, "", line);
        true
    }

    fn number(&mut self) {
        let line = self.line;
        if self.out.last().is_some_and(|last| last.is(".")) {
            let index = self.take_while(|c| c.is_ascii_digit());
            return self.push(Kind::Int, index, line);
        }
        if self.peek(0) == '0' && matches!(self.peek(1), 'x' | 'o' | 'b') {
            let text = self.take_while(in_name);
            return self.push(Kind::Int, text, line);
        }
        let digits = |c: char| c.is_ascii_digit() || c == '_';
        let mut text = self.take_while(digits);
        let mut kind = Kind::Int;
        if self.peek(0) == '.' && self.peek(1) != '.' && !starts_name(self.peek(1)) {
            kind = Kind::Float;
            text.push(self.bump());
            text += &self.take_while(digits);
        }
        let sign = usize::from(matches!(self.peek(1), '+' | '-'));
        if matches!(self.peek(0), 'e' | 'E') && self.peek(1 + sign).is_ascii_digit() {
            kind = Kind::Float;
            (0..=sign).for_each(|_| text.push(self.bump()));
            text += &self.take_while(digits);
        }
        let suffix = self.take_while(in_name);
        if suffix.trim_start_matches('_').starts_with('f') {
            kind = Kind::Float;
        }
        // The underscore of `1_f32` belongs to the digits, so the suffix starts with `f` in any case.
        text += &suffix;
        self.push(kind, text, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str) -> Vec<Token> {
        lex(source).0
    }

    fn floats(source: &str) -> Vec<String> {
        tokens(source).into_iter().filter(|t| t.kind == Kind::Float).map(|t| t.text).collect()
    }

    fn names(source: &str) -> Vec<String> {
        tokens(source).into_iter().filter(|t| t.kind == Kind::Ident).map(|t| t.text).collect()
    }

    #[test]
    fn floats_are_floats() {
        for source in ["1.0", "2e3", "2E-3", "1f32", "1_f64", "1_000.5", "1.", "3.0_f64", "f(1.)", "0..1.0"] {
            assert_eq!(floats(source).len(), 1, "{source}");
        }
    }

    #[test]
    fn what_only_looks_like_a_float_is_not() {
        for source in [
            "x.0.1",
            "0..2",
            "1..=5",
            "1.max(2)",
            "0x1e3",
            "0b1",
            "0xf3f",
            "1u32",
            "1_000",
            "x.0 .1",
            "self.0.0.max(1)",
            "\"1.0\"",
            "r#\"1.0 \" 2.0\"#",
            "b\"1.0\"",
            "'1'",
            "// 1.0\n",
            "/// 1.0\n",
            "/* 1.0 /* 2.0 */ 3.0 */",
        ] {
            assert_eq!(floats(source), Vec::<String>::new(), "{source}");
        }
    }

    #[test]
    fn lifetimes_and_characters_are_told_apart() {
        assert_eq!(names("fn f<'a>(x: &'a str) { 'x' }"), ["fn", "f", "x", "str"]);
        assert_eq!(names(r"a '\'' b '\u{1F600}' c b'\'' d '_' e"), ["a", "b", "c", "d", "e"]);
        assert_eq!(names("'outer: loop { break 'outer; }"), ["loop", "break"]);
    }

    #[test]
    fn strings_hide_what_is_in_them() {
        assert_eq!(names(r#"a "b \" c" d"#), ["a", "d"]);
        assert_eq!(names("a r\"b\\\" c br#\"d \" e\"# f c\"g\" h"), ["a", "c", "f", "h"]);
        assert_eq!(names("r#type rest bright"), ["type", "rest", "bright"]);
    }

    #[test]
    fn lines_are_counted_through_comments_and_strings() {
        let found = tokens("/* \n */ \"\n\"\n x");
        assert_eq!(found.last().map(|token| token.line), Some(4));
    }

    #[test]
    fn documentation_is_kept_and_comments_are_not() {
        let found = tokens("/// World data\n// note\n//// ruler\nstruct A;");
        assert_eq!(found[0].text, "World data");
        assert_eq!(found[1].text, "struct");
    }
    #[test]
    fn comments_are_listed_with_their_style() {
        let (_, comments) = lex("//! a\n/// b\nlet x = \"// no\"; // c\n//// d\n");
        let found: Vec<_> = comments.iter().map(|c| (c.style, c.text.trim(), c.line, c.trails)).collect();
        assert_eq!(
            found,
            [
                (Style::Inner, "a", 1, false),
                (Style::Outer, "b", 2, false),
                (Style::Plain, "c", 3, true),
                (Style::Plain, "d", 4, false)
            ]
        );
    }
}
