//! Tidy: the house rules that the compiler and clippy do not check.
//!
//! Each check takes text and returns violations, and is tested on snippets. [`run`] applies all checks to the repository.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;

mod constants;
mod engine;
mod files;
mod imports;
mod lexer;
mod links;
mod methods;
mod parameters;
mod prose;
mod ranks;
mod rooms;
mod script;
mod settings;
mod source;

use source::Source;

/// The folder of the engine's source.
pub(crate) const ENGINE: &str = "crates/waymarch/src/";

/// The folder of the playground's page.
const PAGE: &str = "crates/waymarch-play/page/";

/// A broken rule, with its path and line.
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

/// The result of a run.
pub(crate) struct Report {
    /// The number of files read.
    pub(crate) files: usize,
    /// The violations, by path and line.
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
    let mut found = Vec::new();
    let mut sources = Vec::new();
    for file in &files {
        found.extend(files::check_file(file));
        if file.path.ends_with(".rs") {
            sources.push(Source::new(&file.path, &std::fs::read_to_string(root.join(&file.path))?));
        }
        if file.path.ends_with(".js") && file.path.starts_with(PAGE) {
            let text = std::fs::read_to_string(root.join(&file.path))?;
            found.extend(prose::check_script(&file.path, &text));
        }
        if file.path.ends_with(".md") {
            let text = std::fs::read_to_string(root.join(&file.path))?;
            found.extend(prose::check_document(&file.path, &text));
            if names_living_paths(&file.path) {
                found.extend(links::check(&file.path, &text, &paths));
            }
        }
    }
    for source in &sources {
        found.extend(ranks::check(source));
        found.extend(engine::check(source));
        found.extend(parameters::check(source));
        found.extend(constants::check(source));
        found.extend(prose::check_source(source));
        found.extend(files::check_length(source));
        found.extend(files::check_reasons(source));
    }
    found.extend(imports::check(&sources));
    found.extend(rooms::check(&sources));
    found.extend(settings::check(&sources));
    found.sort();
    Ok(Report { files: files.len(), violations: found })
}

/// Markdown at the root and under `docs/`. The changelog may name files of the past.
fn names_living_paths(path: &str) -> bool {
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
        // A deleted file may still be in git's index.
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
