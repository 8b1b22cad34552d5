//! The input of the builds: a copy of the engine and the check, and recordings of the scenarios.
//!
//! The copy has always the same path, and a file changes only when its text does. So clones at different paths share target folders,
//! and nothing is built again without a reason.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Cache;
use crate::{cargo, root, run};

/// The crates that are copied: the check, the engine, and what the engine's manifest names.
const CRATES: [&str; 4] = ["waymarch", "waymarch-counting", "waymarch-testkit", "waymarch-xcheck"];

/// The profiles of the check. Tuned so that building and running together take little time: the emulators run what is built once.
const PROFILES: &str = r#"
[profile.dev]
opt-level = 1
debug = false
incremental = false
debug-assertions = true
overflow-checks = true

[profile.release]
opt-level = 2
debug = false
codegen-units = 16
"#;

/// The folder of the copy.
pub(crate) fn folder(cache: &Cache) -> PathBuf {
    cache.path("source")
}

/// Copies the sources.
pub(crate) fn copy(cache: &Cache) -> Result<(), String> {
    let (from, to) = (root(), folder(cache));
    for name in CRATES {
        let path = Path::new("crates").join(name);
        mirror(&from.join(&path), &to.join(&path)).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let manifest =
        std::fs::read_to_string(from.join("Cargo.toml")).map_err(|error| format!("Cargo.toml: {error}"))?;
    let copied = write_if_changed(&to.join("Cargo.toml"), manifest_of_copy(&manifest).as_bytes());
    copied.map_err(|error| format!("{}: {error}", to.display()))?;
    // Cargo removes packages that the copy does not need from the lock file, and keeps the versions of the others.
    std::fs::copy(from.join("Cargo.lock"), to.join("Cargo.lock"))
        .map_err(|error| format!("Cargo.lock: {error}"))?;
    let mut fetch = cargo(&["fetch", "--quiet", "--manifest-path"]);
    run(fetch.arg(to.join("Cargo.toml")))
}

/// The root manifest with the copied crates as members and the profiles of the check.
fn manifest_of_copy(manifest: &str) -> String {
    let mut text = String::new();
    let mut in_profile = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_profile = line.starts_with("[profile");
        }
        let selects = ["default-members", "exclude"].iter().any(|key| line.starts_with(key));
        if in_profile || selects {
            continue;
        }
        text.push_str(if line.starts_with("members") { "members = [\"crates/*\"]" } else { line });
        text.push('\n');
    }
    text + PROFILES
}

/// Makes `to` a copy of a folder. Files whose bytes are equal keep their times.
fn mirror(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(to)? {
        let entry = entry?;
        if !from.join(entry.file_name()).exists() {
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                std::fs::remove_dir_all(path)?
            } else {
                std::fs::remove_file(path)?
            }
        }
    }
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            mirror(&entry.path(), &target)?;
        } else {
            write_if_changed(&target, &std::fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

fn write_if_changed(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) { Ok(()) } else { std::fs::write(path, bytes) }
}

/// Records the scenarios on this machine, with the program that the tests build; returns the file.
pub(crate) fn record_scenarios(cache: &Cache) -> Result<PathBuf, String> {
    // The same packages and features as `cargo xtask test`, so that its builds are used.
    run(&mut cargo(&["build", "--quiet", "--workspace", "--all-features", "--example", "record_scenarios"]))?;
    let own = std::env::current_exe().map_err(|error| format!("the folder of programs: {error}"))?;
    let program = own.with_file_name("examples").join("record_scenarios");
    let file = cache.path("scenarios.bin");
    run(Command::new(program).arg(&file))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_has_its_own_members_and_profiles() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let copy = manifest_of_copy(&manifest);
        assert!(copy.contains("members = [\"crates/*\"]\n") && !copy.contains("xtask"));
        assert!(copy.contains("[workspace.lints.rust]") && copy.contains("xxhash-rust = "));
        assert_eq!(copy.matches("[profile.").count(), 2);
    }

    #[test]
    fn a_mirrored_folder_follows_and_keeps_times() {
        let folder = std::env::temp_dir().join(format!("waymarch-mirror-{}", std::process::id()));
        let (from, to) = (folder.join("from"), folder.join("to"));
        std::fs::create_dir_all(from.join("src/old")).unwrap();
        std::fs::write(from.join("src/same.rs"), "same").unwrap();
        std::fs::write(from.join("src/old/gone.rs"), "gone").unwrap();
        mirror(&from, &to).unwrap();
        let time = || to.join("src/same.rs").metadata().unwrap().modified().unwrap();
        let before = time();
        std::fs::remove_dir_all(from.join("src/old")).unwrap();
        std::fs::write(from.join("src/new.rs"), "new").unwrap();
        mirror(&from, &to).unwrap();
        assert_eq!(time(), before);
        assert!(!to.join("src/old").exists() && to.join("src/new.rs").is_file());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
