//! Every path that the documentation names exists.
//!
//! A document announces a path that does not exist yet with `<!-- planned: some/path -->`. Once the path exists, the
//! announcement is a violation.

use super::{ENGINE, Violation};

const RULE: &str = "dead-link";

/// The files of the repository, as paths from the root.
pub(crate) struct Paths<'a> {
    files: &'a [&'a str],
}

impl<'a> Paths<'a> {
    /// The given files, and the folders they are in.
    pub(crate) fn new(files: &'a [&'a str]) -> Self {
        Self { files }
    }

    fn exists(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let in_folder = |file: &&str| file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        path.is_empty() || self.files.contains(&path) || self.files.iter().any(in_folder)
    }

    /// Whether a file in any folder is called `name`.
    fn has_name(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.rsplit('/').next() == Some(name))
    }

    fn is_top_folder(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.split_once('/').is_some_and(|(top, _)| top == name))
    }
}

/// Checks one markdown document.
pub(crate) fn check(document: &str, text: &str, paths: &Paths<'_>) -> Vec<Violation> {
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = Vec::new();
    let planned: Vec<(usize, &str)> =
        numbered(text).filter_map(|(at, line)| Some((at, planned(line)?))).collect();
    for &(line, path) in &planned {
        if paths.exists(path) {
            let message = format!("`{path}` exists now: remove its `planned` mark");
            found.push(Violation::new(document, line, RULE, message));
        }
    }
    let is_planned = |path: &str| planned.iter().any(|(_, planned)| *planned == path);
    let mut fenced = false;
    for (at, line) in numbered(text) {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        for target in link_targets(line) {
            let path = target.split(['#', '?']).next().unwrap_or_default();
            let Some(resolved) = resolve(folder, path) else {
                let message = format!("link `{target}` leaves the repository");
                found.push(Violation::new(document, at, RULE, message));
                continue;
            };
            if !paths.exists(&resolved) && !is_planned(&resolved) {
                found.push(Violation::new(
                    document,
                    at,
                    RULE,
                    format!("link to `{resolved}`, which is not there"),
                ));
            }
        }
        for code in code_spans(line).filter(|code| looks_like_path(code, paths)) {
            let beside = resolve(folder, code).is_some_and(|path| paths.exists(&path));
            let named = !code.contains('/') && paths.has_name(code);
            // Documents name files of the engine from its source folder: `world/tick.rs`.
            let in_engine = code.contains('/') && paths.exists(&format!("{ENGINE}{code}"));
            if !(paths.exists(code) || beside || named || in_engine || is_planned(code)) {
                found.push(Violation::new(document, at, RULE, format!("`{code}` is not there")));
            }
        }
    }
    found
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line))
}

fn planned(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("<!-- planned:")?;
    Some(rest.split_once("-->")?.0.trim())
}

/// The relative targets of `[..](target)` and `![..](target)`.
fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', ' ']).next()?;
        let elsewhere = target.is_empty() || target.starts_with('#') || target.contains("://");
        (!elsewhere && !target.starts_with("mailto:")).then_some(target)
    })
}

/// The texts in backticks on the line.
fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    let pieces: Vec<&str> = line.split('`').collect();
    let closed = pieces.len() - 1;
    pieces.into_iter().enumerate().filter(move |(at, _)| at % 2 == 1 && *at < closed).map(|(_, code)| code)
}

fn looks_like_path(code: &str, paths: &Paths<'_>) -> bool {
    let plain = code.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
    if !plain || code.starts_with(['/', '.']) && !code.starts_with(".ci/") {
        return false;
    }
    let in_top = code.split_once('/').is_some_and(|(top, _)| paths.is_top_folder(top));
    let ending =
        [".rs", ".md", ".toml"].iter().any(|ending| code.len() > ending.len() && code.ends_with(ending));
    in_top || ending
}

/// A path relative to `folder`, as a path from the repository's root. `None` if it leaves the repository.
fn resolve(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 6] = [
        "README.md",
        "docs/spec-notes.md",
        "crates/waymarch/src/lib.rs",
        "crates/waymarch/src/world/tick.rs",
        "clippy.toml",
        ".ci/run",
    ];

    fn messages(document: &str, text: &str) -> Vec<String> {
        check(document, text, &Paths::new(&FILES)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn living_paths_pass() {
        for text in [
            "[notes](docs/spec-notes.md#top) and [web](https://example.org/x.md) and [here](#part)",
            "`crates/waymarch/src` and `crates/waymarch/` and `clippy.toml` and `lib.rs` and `.ci/run`",
            "`search/` and `a.b()` and `and/or` and `crates/*/src` and `1024/1448`",
            "`world/tick.rs` and `world/`",
            "```\ncrates/none.rs `crates/none`\n```",
        ] {
            assert_eq!(messages("README.md", text), Vec::<String>::new());
        }
        assert_eq!(
            messages("docs/spec-notes.md", "[up](../README.md) `spec-notes.md`"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn dead_paths_are_caught() {
        assert_eq!(
            messages("README.md", "\n![picture](docs/none.png)"),
            ["README.md:2: dead-link: link to `docs/none.png`, which is not there"]
        );
        for text in [
            "`crates/none`",
            "`none.rs`",
            "`NONE.md`",
            "[x](none)",
            "[x](../../outside)",
            "`docs/none.txt`",
            "`world/none.rs`",
        ] {
            assert_eq!(messages("docs/spec-notes.md", text).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_path_to_come_is_announced_until_it_exists() {
        let text = "<!-- planned: docs/none.png -->\n![picture](docs/none.png)";
        assert_eq!(messages("README.md", text), Vec::<String>::new());
        let found = messages("README.md", "<!-- planned: clippy.toml -->");
        assert!(found[0].contains("exists now"), "{found:?}");
    }
}
