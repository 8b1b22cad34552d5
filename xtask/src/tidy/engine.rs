//! What the engine may not contain: floats, clocks, random hashing, threads, `unsafe`, `usize` in World data, syntax newer than Rust 1.85.

use super::lexer::Kind;
use super::source::{Source, closing};
use super::{ENGINE, Violation};

/// The one file that may start threads.
pub(crate) const EXECUTOR: &str = "crates/waymarch/src/world/threads.rs";

/// The one file that may have floats: conversions for renderers, which the engine does not call.
pub(crate) const FLOATS: &str = "crates/waymarch/src/base/floats.rs";

/// Checks one file of the engine, its tests included. Tests may use threads.
pub(crate) fn check(source: &Source) -> Vec<Violation> {
    if !source.path.starts_with(ENGINE) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for at in 0..source.tokens.len() {
        let token = &source.tokens[at];
        let named = |text: &str, next: &str| {
            token.is_ident(text)
                && source.get(at + 1).is_some_and(|token| token.is("::"))
                && source.get(at + 2).is_some_and(|token| token.is_ident(next))
        };
        let floats = source.path == FLOATS;
        let threads = || !source.in_test[at] && source.path != EXECUTOR;
        let (rule, message) = match token.kind {
            Kind::Float if !floats => {
                ("float", format!("float literal `{}`: the engine is integer-only", token.text))
            }
            Kind::Int if !floats && calls_root(source, at) => {
                ("float", format!("`{}.sqrt()` is a float: use `isqrt`", token.text))
            }
            Kind::Ident => match token.text.as_str() {
                "f16" | "f32" | "f64" | "f128" if !floats => {
                    ("float", format!("float type `{}`: use `base::Fixed`", token.text))
                }
                "Instant" | "SystemTime" => {
                    ("clock", format!("`{}`: budgets count work, time is a tick", token.text))
                }
                "std" if named("std", "time") => ("clock", "`std::time`: clocks differ between peers".into()),
                "HashMap" | "HashSet" | "RandomState" => (
                    "hash-order",
                    format!("`{}` iterates in a random order: use an ordered container", token.text),
                ),
                "rayon" if threads() => ("thread", format!("`rayon`: only {EXECUTOR} runs threads")),
                "std" if named("std", "thread") && threads() => {
                    ("thread", format!("`std::thread`: only {EXECUTOR} runs threads"))
                }
                "let" if is_let_chain(source, at) => {
                    ("rust-1.85", "a chain of `let` and `&&` needs Rust 1.88: nest the conditions".into())
                }
                "unsafe" => ("unsafe", "the engine has no `unsafe`".into()),
                _ => continue,
            },
            _ => continue,
        };
        found.push(Violation::new(&source.path, token.line, rule, message));
    }
    found.extend(world_fields(source));
    found
}

/// Whether the condition with the `let` at `at` has an `&&` outside brackets.
fn is_let_chain(source: &Source, at: usize) -> bool {
    let is_and = |at: usize| [at, at + 1].iter().all(|&at| source.get(at).is_some_and(|token| token.is("&")));
    let before = |back: usize| at.checked_sub(back).map(|before| &source.tokens[before]);
    if before(2).is_some_and(|token| token.is("&")) && before(1).is_some_and(|token| token.is("&")) {
        return true;
    }
    if !before(1).is_some_and(|token| token.is_ident("if") || token.is_ident("while")) {
        return false;
    }
    let mut next = at + 1;
    while let Some(token) = source.get(next) {
        match token {
            _ if token.is("{") => return false,
            _ if is_and(next) => return true,
            _ if token.is("(") || token.is("[") => next = closing(&source.tokens, next) + 1,
            _ => next += 1,
        }
    }
    false
}

/// Whether `.sqrt` follows the number at `at`.
fn calls_root(source: &Source, at: usize) -> bool {
    source.get(at + 1).is_some_and(|token| token.is("."))
        && source.get(at + 2).is_some_and(|token| token.is_ident("sqrt"))
        && !(at > 0 && source.tokens[at - 1].is("."))
}

/// `usize` in the fields of structs whose first documentation line starts with "World": its width differs by machine.
fn world_fields(source: &Source) -> Vec<Violation> {
    let mut found = Vec::new();
    for (at, token) in source.code() {
        let first_doc = token.kind == Kind::Doc && !(at > 0 && source.tokens[at - 1].kind == Kind::Doc);
        if !first_doc || !token.text.starts_with("World") {
            continue;
        }
        // Skip further documentation, attributes and visibility to the documented item.
        let mut item = at;
        while let Some(next) = source.get(item) {
            item = match next {
                _ if next.kind == Kind::Doc || next.is_ident("pub") => item + 1,
                _ if next.is("#") => closing(&source.tokens, item + 1) + 1,
                _ if next.is("(") => closing(&source.tokens, item) + 1,
                _ => break,
            };
        }
        if !source.get(item).is_some_and(|next| next.is_ident("struct")) {
            continue;
        }
        let body = (item..source.tokens.len()).find(|&place| {
            let token = &source.tokens[place];
            token.is("{") || token.is("(") || token.is(";")
        });
        let Some(open) = body.filter(|&place| !source.tokens[place].is(";")) else { continue };
        for field in &source.tokens[open..closing(&source.tokens, open)] {
            if field.is_ident("usize") || field.is_ident("isize") {
                let message = format!("`{}` in World data: its width differs by machine", field.text);
                found.push(Violation::new(&source.path, field.line, "world-width", message));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Vec<&'static str> {
        rules_in("crates/waymarch/src/cost/map.rs", text)
    }

    fn rules_in(path: &str, text: &str) -> Vec<&'static str> {
        check(&Source::new(path, text)).into_iter().map(|violation| violation.rule).collect()
    }

    #[test]
    fn floats_are_caught_in_code_and_tests() {
        assert_eq!(rules("fn f(x: f32) {}"), ["float"]);
        assert_eq!(rules("const X: u8 = (2.0_f64).sqrt() as u8;"), ["float"]);
        assert_eq!(rules("let x = 1e3;"), ["float"]);
        assert_eq!(rules("let x = 4.sqrt();"), ["float"]);
        assert_eq!(rules("#[cfg(test)] mod tests { const X: f64 = 1.0; }"), ["float", "float"]);
    }

    #[test]
    fn floats_are_for_renderers_only() {
        assert_eq!(rules_in(FLOATS, "fn f(x: f32) -> f32 { x * 2.0 }"), Vec::<&str>::new());
        assert_eq!(rules_in(FLOATS, "use std::time::Instant;"), ["clock", "clock"]);
        assert_eq!(rules_in("crates/waymarch/src/world/floats.rs", "fn f(x: f32) {}"), ["float"]);
    }

    #[test]
    fn integers_that_look_like_floats_pass() {
        let text =
            "/// f32 1.0\nfn f() { x.0.1; 0..2; 1..=5; 1.max(2); \"f64\"; x.0.sqrt(); 4_u32.isqrt(); }";
        assert_eq!(rules(text), Vec::<&str>::new());
    }

    #[test]
    fn clocks_hashing_and_unsafe_are_caught() {
        assert_eq!(rules("use std::time::Instant;"), ["clock", "clock"]);
        assert_eq!(rules("let t = SystemTime::now();"), ["clock"]);
        assert_eq!(rules("use std::collections::{HashMap, HashSet};"), ["hash-order", "hash-order"]);
        assert_eq!(rules("unsafe { f() }"), ["unsafe"]);
        assert_eq!(rules("use alloc::collections::BTreeMap; let instant = 1;"), Vec::<&str>::new());
    }

    #[test]
    fn chains_of_let_are_too_new() {
        assert_eq!(rules("if let Some(x) = y && x > 1 { f() }"), ["rust-1.85"]);
        assert_eq!(rules("if a && let Some(x) = y { f() }"), ["rust-1.85"]);
        assert_eq!(rules("while let Some(x) = f(a && b)[1] { if x && y { g() } }"), Vec::<&str>::new());
        assert_eq!(rules("let x = a && b; if let Some(&x) = &y { x && z; }"), Vec::<&str>::new());
    }

    #[test]
    fn threads_are_for_the_executor_only() {
        assert_eq!(rules("std::thread::spawn(f); use rayon::prelude;"), ["thread", "thread"]);
        assert_eq!(rules("#[cfg(test)] mod tests { fn f() { std::thread::spawn(g); } }"), Vec::<&str>::new());
        assert_eq!(rules_in(EXECUTOR, "use rayon::prelude; std::thread::scope(f);"), Vec::<&str>::new());
        assert_eq!(rules_in(EXECUTOR, "use std::time::Instant;"), ["clock", "clock"]);
    }

    #[test]
    fn world_structs_have_no_usize() {
        let world = "/// World: units.\n/// More.\n#[derive(Clone)]\npub(crate) struct Units<T> { n: usize }";
        assert_eq!(rules(world), ["world-width"]);
        assert_eq!(rules("/// World data\nstruct Id(Vec<usize>);"), ["world-width"]);
        assert_eq!(rules("/// Scratch: heap.\nstruct Heap { n: usize }"), Vec::<&str>::new());
        assert_eq!(
            rules("/// World: units.\nstruct Units { n: u32 } struct Other { n: usize }"),
            Vec::<&str>::new()
        );
        assert_eq!(rules("/// World positions.\nfn f(n: usize) {}"), Vec::<&str>::new());
    }

    #[test]
    fn other_crates_may_do_as_they_like() {
        assert!(rules_in("crates/waymarch-cli/src/main.rs", "let x: f64 = 1.0; unsafe {}").is_empty());
    }
}
