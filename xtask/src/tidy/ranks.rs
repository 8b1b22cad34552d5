//! The engine's modules have ranks; a module imports only strictly smaller ones.

use super::source::{Source, closing};
use super::{ENGINE, Violation};

const RULE: &str = "rank";

/// Every module of the engine, lowest first: the data flow (ARCHITECTURE.md).
pub(crate) const RANKS: [(&str, u8); 18] = [
    ("base", 0),
    ("query", 1),
    ("cost", 1),
    ("config", 2),
    ("levels", 2),
    ("sectors", 2),
    ("passages", 2),
    ("mapf", 3),
    ("search", 3),
    ("flow", 3),
    ("plan", 4),
    ("planners", 5),
    ("avoid", 5),
    ("groups", 6),
    ("nav", 6),
    ("service", 7),
    ("world", 8),
    ("prelude", 9),
];

fn rank(module: &str) -> Option<u8> {
    RANKS.iter().find(|(name, _)| *name == module).map(|(_, rank)| *rank)
}

/// Checks one file of the engine.
pub(crate) fn check(source: &Source) -> Vec<Violation> {
    let Some(inside) = source.path.strip_prefix(ENGINE).map(|path| path.trim_start_matches('/')) else {
        return Vec::new();
    };
    let parts: Vec<&str> = inside.trim_end_matches(".rs").split('/').filter(|part| *part != "mod").collect();
    let own = parts[0];
    if own == "lib" || own == "tests" {
        return Vec::new();
    }
    let Some(own_rank) = rank(own) else {
        let message = format!("module `{own}` has no rank: give it one in {}", file!());
        return vec![Violation::new(&source.path, 1, RULE, message)];
    };
    let mut found = Vec::new();
    for (at, token) in source.code() {
        let first = if token.is_ident("crate") {
            at + 1
        } else if token.is_ident("super") && !(at >= 2 && source.tokens[at - 2].is_ident("super")) {
            match after_supers(source, at, parts.len()) {
                Some(after) => after,
                None => continue,
            }
        } else {
            continue;
        };
        for (module, line) in roots(source, first) {
            if module == own {
                continue;
            }
            let message = match rank(&module) {
                Some(other) if other < own_rank => continue,
                Some(other) => format!(
                    "`{own}` (rank {own_rank}) uses `{module}` (rank {other}): only smaller ranks may be used"
                ),
                None => format!("`crate::{module}` is not a ranked module: name the module it lives in"),
            };
            found.push(Violation::new(&source.path, line, RULE, message));
        }
    }
    found
}

/// The index of the last `::` in a chain of `super::` that reaches the crate's root from a module of depth `depth`.
fn after_supers(source: &Source, at: usize, depth: usize) -> Option<usize> {
    let mut supers = 1;
    let mut place = at + 1;
    while source.get(place)?.is("::") && source.get(place + 1)?.is_ident("super") {
        supers += 1;
        place += 2;
    }
    (supers >= depth).then_some(place)
}

/// The modules named after `crate` when a `::` stands at `at`: one module, or the modules in braces.
fn roots(source: &Source, at: usize) -> Vec<(String, usize)> {
    let (Some(colons), Some(next)) = (source.get(at), source.get(at + 1)) else {
        return Vec::new();
    };
    if !colons.is("::") {
        return Vec::new();
    }
    if !next.is("{") {
        return vec![(next.text.clone(), next.line)];
    }
    let close = closing(&source.tokens, at + 1);
    let mut found = Vec::new();
    let mut place = at + 2;
    while place < close {
        let token = &source.tokens[place];
        if token.is("{") {
            place = closing(&source.tokens, place);
        } else if source.tokens[place - 1].is("{") || source.tokens[place - 1].is(",") {
            found.push((token.text.clone(), token.line));
        }
        place += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        check(&Source::new(path, text)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_module_may_use_smaller_ranks_and_itself() {
        let path = "crates/waymarch/src/search/astar.rs";
        let text = "use crate::base::Dir8; use crate::cost::{Map, StepRule}; use crate::search::Route; use super::Open;
            pub(crate) fn f(x: crate::config::Config) {} // crate::world::World
            #[cfg(test)] mod tests { use crate::world::World; }";
        assert_eq!(messages(path, text), Vec::<String>::new());
    }

    #[test]
    fn using_a_greater_or_equal_rank_is_caught() {
        let path = "crates/waymarch/src/search/astar.rs";
        assert_eq!(
            messages(path, "\nuse crate::flow::Tile;"),
            ["crates/waymarch/src/search/astar.rs:2: rank: `search` (rank 3) uses `flow` (rank 3): \
              only smaller ranks may be used"]
        );
        assert_eq!(messages(path, "fn f() { crate::world::go(); }").len(), 1);
        assert_eq!(messages(path, "use crate::{base::{Dir8, Fixed}, plan, world::World};").len(), 2);
        assert_eq!(messages(path, "use super::super::plan::Planner;").len(), 1);
        assert_eq!(messages("crates/waymarch/src/base/mod.rs", "use super::cost::Map;").len(), 1);
    }

    #[test]
    fn reexports_of_the_root_do_not_hide_a_rank() {
        assert_eq!(messages("crates/waymarch/src/base/cell.rs", "use crate::Navigator;").len(), 1);
    }

    #[test]
    fn a_module_without_a_rank_is_caught() {
        let found = messages("crates/waymarch/src/telepathy/mod.rs", "");
        assert!(found[0].contains("module `telepathy` has no rank"), "{found:?}");
    }

    #[test]
    fn the_root_and_other_crates_are_exempt() {
        assert!(messages("crates/waymarch/src/lib.rs", "use crate::world::World;").is_empty());
        assert!(messages("crates/waymarch-cli/src/main.rs", "use crate::anything::X;").is_empty());
    }
}
