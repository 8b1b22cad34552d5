//! Every field of `Config` has a reader: a setting that nothing reads does not exist.
//!
//! A field is read if the engine outside `config/` says `config.field`, `config().field` or `get().field`, or if it calls a method of
//! `config/` that reads the field.

use std::collections::BTreeSet;

use super::lexer::Kind;
use super::source::{Source, closing};
use super::{ENGINE, Violation};

const RULE: &str = "setting";

/// The folder of the settings, in the engine.
const FOLDER: &str = "config/";

/// Fields that the engine only stores: programs show these texts to players.
const TEXTS: [&str; 2] = ["name", "description"];

/// Checks all fields of `Config`.
pub(crate) fn check(sources: &[Source]) -> Vec<Violation> {
    let is_settings = |source: &&Source| source.path.starts_with(&format!("{ENGINE}{FOLDER}"));
    let Some((source, fields)) =
        sources.iter().filter(is_settings).find_map(|source| Some((source, fields(source)?)))
    else {
        return Vec::new();
    };
    let mut read = BTreeSet::new();
    let mut called = BTreeSet::new();
    for other in sources.iter().filter(|source| source.path.starts_with(ENGINE) && !is_settings(source)) {
        for (at, _) in other.code().filter(|&(at, _)| is_config(other, at)) {
            let Some(name) = other.get(at + 2).filter(|name| name.kind == Kind::Ident) else { continue };
            match other.get(at + 3) {
                Some(next) if next.is("(") => called.insert(name.text.as_str()),
                _ if is_assigned(other, at + 2) => false,
                _ => read.insert(name.text.as_str()),
            };
        }
    }
    for settings in sources.iter().filter(is_settings) {
        read.extend(fields_of_methods(settings, &called));
    }
    let unread = fields.iter().filter(|(name, _)| !TEXTS.contains(name) && !read.contains(name));
    unread
        .map(|(name, line)| {
            let message = format!("nothing in the engine reads the setting `{name}`: remove it, or use it");
            Violation::new(&source.path, *line, RULE, message)
        })
        .collect()
}

/// The fields of `struct Config` and their lines, if the file has it.
fn fields(source: &Source) -> Option<Vec<(&str, usize)>> {
    let tokens = &source.tokens;
    let open = (2..tokens.len()).find(|&at| {
        tokens[at - 2].is_ident("struct") && tokens[at - 1].is_ident("Config") && tokens[at].is("{")
    })?;
    let body = &tokens[open..closing(tokens, open)];
    let field = |three: &[super::lexer::Token]| {
        three[0].is_ident("pub") && three[1].kind == Kind::Ident && three[2].is(":")
    };
    Some(
        body.windows(3)
            .filter(|three| field(three))
            .map(|three| (three[1].text.as_str(), three[1].line))
            .collect(),
    )
}

/// Whether the expression that ends at `at`, before a dot, is a config: `config`, `config()` or `get()`.
fn is_config(source: &Source, at: usize) -> bool {
    if !source.get(at + 1).is_some_and(|next| next.is(".")) {
        return false;
    }
    let tokens = &source.tokens;
    let calls =
        |name: &str| at >= 2 && tokens[at].is(")") && tokens[at - 1].is("(") && tokens[at - 2].is_ident(name);
    tokens[at].is_ident("config") || calls("config") || calls("get")
}

/// Whether the field at `at` is written: one `=` follows, not two.
fn is_assigned(source: &Source, at: usize) -> bool {
    let equals = |at: usize| source.get(at).is_some_and(|token| token.is("="));
    equals(at + 1) && !equals(at + 2)
}

/// The fields that the methods named in `called` read.
fn fields_of_methods<'a>(source: &'a Source, called: &BTreeSet<&str>) -> Vec<&'a str> {
    let tokens = &source.tokens;
    let mut found = Vec::new();
    for (at, token) in source.code() {
        let named = source.get(at + 1).is_some_and(|name| called.contains(name.text.as_str()));
        if !token.is_ident("fn") || !named {
            continue;
        }
        let Some(open) = (at..tokens.len()).find(|&place| tokens[place].is("{")) else { continue };
        let body = &tokens[open..closing(tokens, open)];
        let fields = body.windows(2).filter(|two| two[0].is(".") && two[1].kind == Kind::Ident);
        found.extend(fields.map(|two| two[1].text.as_str()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "pub struct Config { pub name: String, /// Cells.\n pub side: u32, pub rule: Rule }
        impl ValidConfig { pub fn step_rule(&self) -> Rule { Rule { rule: self.0.rule } } }";

    fn unread(reader: &str) -> Vec<usize> {
        let sources = [
            Source::new(&format!("{ENGINE}config/mod.rs"), CONFIG),
            Source::new(&format!("{ENGINE}world/a.rs"), reader),
            Source::new("crates/other/src/a.rs", "fn f() { config.side + config.step_rule() }"),
        ];
        check(&sources).iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn a_setting_that_nothing_reads_is_caught() {
        assert_eq!(unread(""), [2, 2]);
        assert_eq!(unread("fn f() { config.step_rule() }"), [2]);
        assert_eq!(unread("fn f() { config.step_rule(); config.side = 3; other.side }"), [2]);
        assert_eq!(unread("#[cfg(test)] mod tests { fn f() { config.side + config.rule } }"), [2, 2]);
    }

    #[test]
    fn settings_that_are_read_pass() {
        for good in [
            "fn f() { config.side; config.rule }",
            "fn f() { self.config().step_rule(); self.nav.config().get()\n.side == 3 }",
            "fn f() { world.config.side == 3 && world.config.step_rule() }",
        ] {
            assert_eq!(unread(good), Vec::<usize>::new(), "{good}");
        }
        assert!(check(&[Source::new("crates/other/src/a.rs", CONFIG)]).is_empty());
    }
}
