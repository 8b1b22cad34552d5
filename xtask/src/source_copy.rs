//! Copies of some crates with profiles of their own, for builds that must not share a target folder with the clone.
//!
//! A file of a copy changes only when its text does, so nothing is built again without a reason.

use std::path::Path;

use crate::root;

/// Makes `to` a workspace with these crates of the repository, the root manifest, and the given profiles.
pub(crate) fn copy_crates(to: &Path, crates: &[&str], profiles: &str) -> Result<(), String> {
    let from = root();
    for name in crates {
        let path = Path::new("crates").join(name);
        mirror(&from.join(&path), &to.join(&path)).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let manifest =
        std::fs::read_to_string(from.join("Cargo.toml")).map_err(|error| format!("Cargo.toml: {error}"))?;
    let copied = write_if_changed(&to.join("Cargo.toml"), manifest_of_copy(&manifest, profiles).as_bytes());
    copied.map_err(|error| format!("{}: {error}", to.display()))
}

/// The root manifest with the copied crates as members and the given profiles.
fn manifest_of_copy(manifest: &str, profiles: &str) -> String {
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
    text + profiles
}

/// Makes `to` a copy of a folder. Files whose bytes are equal keep their times.
pub(crate) fn mirror(from: &Path, to: &Path) -> std::io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_has_its_own_members_and_profiles() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let copy = manifest_of_copy(&manifest, "[profile.dev]\n[profile.release]\n");
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
