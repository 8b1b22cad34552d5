//! The documentation of a numeric constant says its number or its unit. In the engine every numeric constant is documented.

use super::lexer::Kind;
use super::source::{Source, before_item};
use super::{ENGINE, Violation};

const RULE: &str = "constant";

/// Types whose constants are numbers. Constants of other types (texts, tables, enums, structs) are not checked.
const NUMERIC_TYPES: [&str; 20] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
    "Fixed", "Cost", "Tick", "Angle", "Duration", "Ticks",
];

/// Words that are numbers, units, or things that a number counts. A plural `s` needs no entry. Words such as "length" or "index" are missing:
/// they do not say in what a length is measured, or how great the index is.
const UNIT_WORDS: &[&str] = &[
    "agent",
    "attempt",
    "bit",
    "bucket",
    "byte",
    "candidate",
    "cell",
    "character",
    "column",
    "command",
    "connection",
    "cost",
    "degree",
    "digit",
    "door",
    "double",
    "edge",
    "eight",
    "eighth",
    "element",
    "entries",
    "entry",
    "event",
    "five",
    "four",
    "gate",
    "group",
    "half",
    "halves",
    "hundred",
    "iteration",
    "kib",
    "member",
    "mib",
    "million",
    "millisecond",
    "minute",
    "ms",
    "neighbour",
    "nine",
    "node",
    "pair",
    "percent",
    "permille",
    "pixel",
    "player",
    "portal",
    "quarter",
    "request",
    "row",
    "second",
    "sector",
    "seven",
    "six",
    "sixteen",
    "step",
    "ten",
    "third",
    "thousand",
    "thread",
    "three",
    "tick",
    "tile",
    "twelve",
    "twice",
    "two",
    "unit",
    "waypoint",
    "zero",
];

/// Checks the constants of a file outside its tests.
pub(crate) fn check(source: &Source) -> Vec<Violation> {
    let mut found = Vec::new();
    for (at, token) in source.code() {
        let (Some(name), Some(colon)) = (source.get(at + 1), source.get(at + 2)) else { continue };
        if !token.is_ident("const")
            || name.kind != Kind::Ident
            || !colon.is(":")
            || !is_numeric(source, at + 3)
        {
            continue;
        }
        let fault = match documentation(source, at) {
            Some(doc) if !says_number_or_unit(&doc) => "has neither a number nor a unit",
            None if source.path.starts_with(ENGINE) => "is missing: say its number, its unit and the reason",
            _ => continue,
        };
        let message = format!("the documentation of `{}` {fault}", name.text);
        found.push(Violation::new(&source.path, name.line, RULE, message));
    }
    found
}

/// Whether the type at `at` is a single numeric name.
fn is_numeric(source: &Source, at: usize) -> bool {
    let named = source
        .get(at)
        .is_some_and(|token| token.kind == Kind::Ident && NUMERIC_TYPES.contains(&token.text.as_str()));
    named && source.get(at + 1).is_some_and(|next| next.is("=") || next.is(";"))
}

/// The documentation above the constant at `at`, lines joined; none if there is none.
fn documentation(source: &Source, at: usize) -> Option<String> {
    let item = &source.tokens[before_item(source, at)..at];
    let lines: Vec<&str> =
        item.iter().filter(|token| token.kind == Kind::Doc).map(|token| token.text.as_str()).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

fn says_number_or_unit(doc: &str) -> bool {
    if doc.contains(|c: char| c.is_ascii_digit()) || doc.contains('%') {
        return true;
    }
    let words = doc.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.into_iter().any(|word| {
        let single = word.strip_suffix('s').unwrap_or(&word);
        [word.as_str(), single].iter().any(|word| UNIT_WORDS.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        check(&Source::new("crates/a/src/b.rs", text)).len()
    }

    #[test]
    fn a_number_without_number_or_unit_in_its_documentation_is_caught() {
        assert_eq!(found("/// How patient it is.\nconst PATIENCE: u32 = 7;"), 1);
        assert_eq!(
            found("/// How patient\n/// it is.\n#[allow(x)]\npub(crate) const PATIENCE: Fixed = A;"),
            1
        );
    }

    #[test]
    fn a_word_that_is_no_unit_does_not_help() {
        assert_eq!(found("/// The length of a line.\nconst LINE: u32 = 7;"), 1);
        assert_eq!(found("/// The index of the page.\nconst PAGE: u32 = 7;"), 1);
    }

    #[test]
    fn an_undocumented_number_is_caught_in_the_engine() {
        let found = |path: &str, text: &str| check(&Source::new(path, text)).len();
        let engine = format!("{ENGINE}cost/map.rs");
        assert_eq!(found(&engine, "const BARE: u32 = 1;"), 1);
        assert_eq!(found(&engine, "fn f() { // Seven.\n const BARE: u32 = 7; }"), 1);
        assert_eq!(found(&engine, "const NAME: &str = \"x\"; const fn f() {}"), 0);
        assert_eq!(found(&engine, "#[cfg(test)] mod tests { const BARE: u32 = 1; }"), 0);
        assert_eq!(found("crates/a/src/b.rs", "const BARE: u32 = 1;"), 0);
    }

    #[test]
    fn a_number_a_unit_or_no_numeric_type_passes() {
        for good in [
            "/// Waits 7 times.\nconst PATIENCE: u32 = 7;",
            "/// Patience in ticks.\n#[inline]\npub const PATIENCE: u64 = 7;",
            "/// Waits seven eighths.\nconst PATIENCE: u32 = 7;\nconst BARE: u32 = 1;",
            "/// Its name.\nconst NAME: &str = \"x\";",
            "/// All of them.\nconst ALL: [Kind; 2] = [A, B];",
            "/// A pure function.\nconst fn f(x: u8) {}",
            "#[cfg(test)] mod tests { /// Patience.\nconst PATIENCE: u8 = 1; }",
        ] {
            assert_eq!(found(good), 0, "{good}");
        }
    }
}
