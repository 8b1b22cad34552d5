//! Tidy: the rules of the house that the compiler and clippy do not check.
//!
//! Each check takes text and gives violations, so each is tested on snippets; [`run`] feeds them the repository.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;

mod engine;
mod files;
mod lexer;
mod links;
mod ranks;
mod source;

use source::Source;

/// Where the engine's source is.
pub(crate) const ENGINE: &str = "crates/waymarch/src/";

/// A broken rule, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    path: String,
    line: usize,
    rule: &'static str,
    message: String,
}

impl Violation {
    fn new(path: &str, line: usize, rule: &'static str, message: impl Into<String>) -> Self {
        Self { path: path.to_string(), line, rule, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.path, self.line, self.rule, self.message)
    }
}

/// A file of the repository: its path from the root, with `/`, and its size.
pub(crate) struct RepoFile {
    path: String,
    bytes: u64,
}

/// What a run looked at and found.
pub(crate) struct Report {
    /// How many files were looked at.
    pub(crate) files: usize,
    /// What is wrong, by path and line.
    pub(crate) violations: Vec<Violation>,
}

/// Checks the repository at `root`.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn run(root: &Path) -> io::Result<Report> {
    let files = list(root)?;
    let names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let paths = links::Paths::new(&names);
    let mut violations = Vec::new();
    for file in &files {
        violations.extend(files::check_file(file));
        if file.path.ends_with(".rs") {
            let source = Source::new(&file.path, &std::fs::read_to_string(root.join(&file.path))?);
            violations.extend(ranks::check(&source));
            violations.extend(engine::check(&source));
            violations.extend(files::check_length(&source));
            violations.extend(files::check_reasons(&source));
        }
        if is_checked_document(&file.path) {
            let text = std::fs::read_to_string(root.join(&file.path))?;
            violations.extend(links::check(&file.path, &text, &paths));
        }
    }
    violations.sort();
    Ok(Report { files: files.len(), violations })
}

/// Markdown at the root (except the changelog, which speaks of the past) and under `docs/`.
fn is_checked_document(path: &str) -> bool {
    let place = path.starts_with("docs/") || !path.contains('/');
    path.ends_with(".md") && place && path != "CHANGELOG.md"
}

/// Every file that is or may be committed; without git, every file outside build folders.
fn list(root: &Path) -> io::Result<Vec<RepoFile>> {
    let git = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output();
    let mut paths: Vec<String> = match git {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            String::from_utf8_lossy(&output.stdout).split('\0').map(str::to_string).collect()
        }
        _ => {
            let mut found = Vec::new();
            walk(root, "", &mut found)?;
            found
        }
    };
    paths.sort();
    paths.dedup();
    let mut files = Vec::new();
    for path in paths {
        // Deleted but still in git's index: not there.
        if let Ok(metadata) = std::fs::metadata(root.join(&path))
            && metadata.is_file()
        {
            files.push(RepoFile { path, bytes: metadata.len() });
        }
    }
    Ok(files)
}

fn walk(root: &Path, folder: &str, found: &mut Vec<String>) -> io::Result<()> {
    for entry in std::fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if !entry.file_type()?.is_dir() {
            found.push(path);
        } else if name != "target" && name != ".git" {
            walk(root, &path, found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let report = run(&crate::root()).unwrap();
        let text: Vec<String> = report.violations.iter().map(ToString::to_string).collect();
        assert!(text.is_empty(), "\n{}", text.join("\n"));
        assert!(report.files > 30, "only {} files were found", report.files);
    }

    #[test]
    fn a_walk_without_git_finds_the_same_source() {
        let mut walked = Vec::new();
        walk(&crate::root(), "", &mut walked).unwrap();
        assert!(walked.iter().any(|path| path == "crates/waymarch/src/lib.rs"));
        assert!(!walked.iter().any(|path| path.starts_with("target/") || path.starts_with(".git/")));
    }
}
