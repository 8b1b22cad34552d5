//! Every folder of the engine has a `mod.rs` that says what the folder answers and which data it owns.

use super::lexer::Style;
use super::source::{Source, is_test_file};
use super::{ENGINE, Violation};

const RULE: &str = "room";

/// Lines of `//!` that a `mod.rs` has at least: 5.
pub(crate) const MIN_LINES: usize = 5;

/// One of these words says what the folder owns.
const OWNERSHIP: [&str; 4] = ["World", "Derived", "Scratch", "owns nothing"];

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
        let text = lines.join(" ");
        if !OWNERSHIP.iter().any(|word| text.contains(word)) {
            let message = "does not say what it owns: World, Derived, Scratch or \"owns nothing\"";
            found.push(Violation::new(&path, 1, RULE, message));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str =
        "//! What does a cell cost?\n//!\n//! Owns the layers (Derived).\n//! a\n//! b\n//! c\nmod a;";

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> =
            files.iter().map(|(path, text)| Source::new(&format!("{ENGINE}{path}"), text)).collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_folder_without_a_described_mod_rs_is_caught() {
        assert_eq!(messages(&[("cost/map.rs", "")]).len(), 1);
        assert_eq!(messages(&[("cost/mod.rs", "//! Costs.")]).len(), 2);
        assert_eq!(messages(&[("cost/mod.rs", &GOOD.replace("//! c\n", ""))]).len(), 1);
        assert_eq!(messages(&[("cost/mod.rs", &GOOD.replace("Derived", "made"))]).len(), 1);
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
