//! Rules for every file: length, name, reasons for allowed lints, size, no data of other licences.

use super::source::{Source, closing, is_test_file};
use super::{RepoFile, Violation};

/// A file has at most 450 lines of code: about 400 is one idea.
pub(crate) const MAX_CODE_LINES: usize = 450;
/// A file of tests has at most 900 lines.
pub(crate) const MAX_TEST_LINES: usize = 900;
/// A committed file has at most 512 KiB.
pub(crate) const MAX_BYTES: u64 = 512 * 1024;
/// ARCHITECTURE.md has at most 15 KiB: a newcomer reads all of it.
pub(crate) const MAX_ARCHITECTURE_BYTES: u64 = 15 * 1024;
/// Names that say nothing about what is inside.
const NAMELESS: [&str; 5] = ["utils", "util", "common", "helpers", "misc"];
/// Endings of files in the shared data, which has its own licences.
const BORROWED: [&str; 2] = ["scen", "oramap"];

/// Checks the length of a file.
pub(crate) fn check_length(source: &Source) -> Option<Violation> {
    let in_src = source.path.starts_with("xtask/src/")
        || (source.path.starts_with("crates/") && source.path.contains("/src/"));
    let (lines, limit, what) = if is_test_file(&source.path) {
        (source.lines, MAX_TEST_LINES, "lines of tests")
    } else if in_src {
        (source.code_lines(), MAX_CODE_LINES, "lines outside tests")
    } else {
        return None;
    };
    let message = format!("{lines} {what}, more than {limit}: a file is one idea, split it");
    (lines > limit).then(|| Violation::new(&source.path, limit, "length", message))
}

/// Checks that every allowed or expected lint has a reason.
pub(crate) fn check_reasons(source: &Source) -> Vec<Violation> {
    let mut found = Vec::new();
    for at in 0..source.tokens.len() {
        let open = match (source.get(at + 1), source.get(at + 2)) {
            _ if !source.tokens[at].is("#") => continue,
            (Some(next), _) if next.is("[") => at + 1,
            (Some(bang), Some(next)) if bang.is("!") && next.is("[") => at + 2,
            _ => continue,
        };
        let close = closing(&source.tokens, open);
        for place in open..close {
            let token = &source.tokens[place];
            let lint = token.is_ident("allow") || token.is_ident("expect");
            if !lint || !source.get(place + 1).is_some_and(|next| next.is("(")) {
                continue;
            }
            let end = closing(&source.tokens, place + 1);
            let reason = (place..end)
                .any(|inner| source.tokens[inner].is_ident("reason") && source.tokens[inner + 1].is("="));
            if !reason {
                let message = format!("`{}` without a reason: add `reason = \"…\"`", token.text);
                found.push(Violation::new(&source.path, token.line, "reason", message));
            }
        }
    }
    found
}

/// Checks a file's name, size and kind.
pub(crate) fn check_file(file: &RepoFile) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut add = |rule, message| found.push(Violation::new(&file.path, 1, rule, message));
    if file.path.ends_with(".rs") {
        for part in file.path.trim_end_matches(".rs").split('/') {
            if NAMELESS.contains(&part) {
                add("name", format!("`{part}` says nothing: name the module after its idea"));
            }
        }
    }
    if file.bytes > MAX_BYTES {
        add("size", format!("{} KiB, more than {} KiB", file.bytes / 1024, MAX_BYTES / 1024));
    }
    if file.path == "ARCHITECTURE.md" && file.bytes > MAX_ARCHITECTURE_BYTES {
        let message = format!(
            "{} bytes, more than {MAX_ARCHITECTURE_BYTES}: rules of a room belong to its `mod.rs`",
            file.bytes
        );
        add("size", message);
    }
    let extension = file.path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let ours = file.path.split('/').any(|part| part == "testdata");
    if BORROWED.contains(&extension) && !ours {
        add("borrowed", "shared data is not committed: small cases of our own go to testdata/".to_string());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source::new(path, text)
    }

    #[test]
    fn long_files_are_caught() {
        let long = "fn f() {}\n".repeat(MAX_CODE_LINES + 1);
        assert!(check_length(&source("crates/a/src/b.rs", &long)).is_some());
        assert!(check_length(&source("crates/a/src/tests.rs", &long)).is_none());
        assert!(check_length(&source("crates/a/tests/b.rs", &long.repeat(2))).is_some());
        assert!(check_length(&source("crates/a/src/b.rs", &long[10..])).is_none());
    }

    #[test]
    fn tests_in_a_file_do_not_count_as_its_length() {
        let tests = "fn f() {}\n".repeat(MAX_CODE_LINES);
        let text = format!("fn f() {{}}\n#[cfg(test)]\nmod tests {{\n{tests}}}\n");
        assert!(check_length(&source("crates/a/src/b.rs", &text)).is_none());
    }

    #[test]
    fn allow_without_a_reason_is_caught() {
        for bad in [
            "#[allow(dead_code)] fn f() {}",
            "#![allow(dead_code)]",
            "#[cfg_attr(test, expect(unused))] mod a;",
        ] {
            assert_eq!(check_reasons(&source("a.rs", bad)).len(), 1, "{bad}");
        }
    }

    #[test]
    fn allow_with_a_reason_passes() {
        for good in [
            "#[allow(dead_code, reason = \"why\")] fn f() {}",
            "x.expect(\"y\")",
            "// #[allow(dead_code)]",
            "let s = \"#[allow(x)]\";",
            "fn allow(x: u8) {}",
        ] {
            assert_eq!(check_reasons(&source("a.rs", good)).len(), 0, "{good}");
        }
    }

    #[test]
    fn nameless_modules_big_files_and_borrowed_data_are_caught() {
        let rules = |path: &str, bytes| -> Vec<_> {
            check_file(&RepoFile { path: path.into(), bytes }).iter().map(|found| found.rule).collect()
        };
        assert_eq!(rules("crates/a/src/utils.rs", 1), ["name"]);
        assert_eq!(rules("crates/a/src/common/mod.rs", 1), ["name"]);
        assert_eq!(rules("docs/big.png", MAX_BYTES + 1), ["size"]);
        assert_eq!(rules("ARCHITECTURE.md", MAX_ARCHITECTURE_BYTES + 1), ["size"]);
        assert!(rules("ARCHITECTURE.md", MAX_ARCHITECTURE_BYTES).is_empty());
        assert!(rules("README.md", MAX_ARCHITECTURE_BYTES + 1).is_empty());
        assert_eq!(rules("arena.map.scen", 1), ["borrowed"]);
        assert_eq!(rules("maps/a.oramap", 1), ["borrowed"]);
        assert!(rules("testdata/tiny.scen", 1).is_empty());
        assert!(rules("crates/a/testdata/tiny.oramap", MAX_BYTES).is_empty());
        assert!(rules("crates/a/src/commonplace.rs", 1).is_empty());
    }
}
