//! Every folder of the engine has a `mod.rs` that says which question the folder answers, which data it owns, and what it may change.

use super::lexer::Style;
use super::source::{Source, is_test_file};
use super::{ENGINE, Violation};

const RULE: &str = "room";

/// Lines of `//!` that a `mod.rs` has at least: 5.
pub(crate) const MIN_LINES: usize = 5;

/// The kinds of data that a folder can own.
const KINDS: [&str; 3] = ["World", "Derived", "Scratch"];

/// Phrases, in small letters, that begin what a folder may change.
const CHANGES: [&str; 6] =
    ["may change", "changes:", "changes only", "changes nothing", "it may ", "it may:"];

/// Checks all folders of the engine.
pub(crate) fn check(sources: &[Source]) -> Vec<Violation> {
    let mut folders: Vec<&str> = sources
        .iter()
        .filter(|source| source.path.starts_with(ENGINE) && !is_test_file(&source.path))
        .filter_map(|source| source.path.rsplit_once('/'))
        .map(|(folder, _)| folder)
        .filter(|folder| folder.len() >= ENGINE.len())
        .collect();
    folders.sort_unstable();
    folders.dedup();
    let mut found = Vec::new();
    for folder in folders {
        let path = format!("{folder}/mod.rs");
        let Some(source) = sources.iter().find(|source| source.path == path) else {
            found.push(Violation::new(
                &path,
                1,
                RULE,
                "is not there: every folder has a `mod.rs` that describes it",
            ));
            continue;
        };
        let lines: Vec<&str> = source
            .comments
            .iter()
            .filter(|comment| comment.style == Style::Inner && !comment.text.trim().is_empty())
            .map(|comment| comment.text.trim())
            .collect();
        if lines.len() < MIN_LINES {
            let message = format!("{} lines of `//!`, fewer than {MIN_LINES}", lines.len());
            found.push(Violation::new(&path, 1, RULE, message));
        }
        for message in faults(&lines.join(" ")) {
            found.push(Violation::new(&path, 1, RULE, message));
        }
    }
    found
}

/// What the text of a `mod.rs` leaves out.
fn faults(text: &str) -> Vec<&'static str> {
    let small = text.to_lowercase();
    let says = |phrase: &str| small.contains(phrase);
    let nothing = says("owns nothing") || says("owns: nothing");
    let owns = says("own") && KINDS.iter().any(|kind| text.contains(kind));
    let mut found = Vec::new();
    if !text.contains('?') {
        found.push("does not name the question that it answers");
    }
    if !nothing && !owns {
        found.push("does not say what it owns, with World, Derived or Scratch; or \"owns nothing\"");
    }
    if !CHANGES.iter().any(|phrase| says(phrase)) {
        found.push("does not say what it may change: \"May change: …\" or \"It changes only …\"");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "//! What does a cell cost?\n//!\n//! Owns the layers (Derived).\n//! May change: them.\n//! b\n//! c\nmod a;";

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> =
            files.iter().map(|(path, text)| Source::new(&format!("{ENGINE}{path}"), text)).collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_folder_without_a_described_mod_rs_is_caught() {
        assert_eq!(messages(&[("cost/map.rs", "")]).len(), 1);
        assert_eq!(messages(&[("cost/mod.rs", "//! Costs.")]).len(), 4);
        assert_eq!(messages(&[("cost/mod.rs", &GOOD.replace("//! c\n", ""))]).len(), 1);
        assert_eq!(messages(&[("cost/mod.rs", &GOOD.replace("Derived", "made"))]).len(), 1);
        assert_eq!(messages(&[("cost/mod.rs", &GOOD.replace("Owns", "Has"))]).len(), 1);
        assert_eq!(messages(&[("cost/mod.rs", &GOOD.replace('?', "."))]).len(), 1);
        assert_eq!(messages(&[("cost/mod.rs", &GOOD.replace("May change", "Reads"))]).len(), 1);
        assert_eq!(messages(&[("cost/mod.rs", GOOD), ("cost/deep/a.rs", "")]).len(), 1);
    }

    #[test]
    fn described_folders_and_folders_of_tests_pass() {
        let nothing = GOOD.replace("Owns the layers (Derived)", "It owns nothing");
        let files =
            [("lib.rs", ""), ("cost/mod.rs", GOOD), ("base/mod.rs", &nothing), ("base/cell/tests.rs", "")];
        assert_eq!(messages(&files), Vec::<String>::new());
    }
}
