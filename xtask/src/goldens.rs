//! `cargo xtask goldens`: computes the golden values again and shows or stores the changes.

use std::path::Path;
use std::process::Command;

use crate::{cargo, root, run};

const GOLDENS: &str = "testdata/goldens";
const PREVIEW: &str = "target/goldens-preview";

/// Computes golden values into a copy and shows the difference; with `--yes` into the repository.
pub(crate) fn command(args: &[String]) -> Result<(), String> {
    let apply = match args {
        [] => false,
        [yes] if yes == "--yes" => true,
        _ => return Err("`goldens` takes `--yes` or nothing".to_string()),
    };
    let (real, preview) = (root().join(GOLDENS), root().join(PREVIEW));
    let target = if apply { &real } else { &preview };
    if !apply {
        copy(&real, &preview).map_err(|error| format!("could not copy {GOLDENS} to {PREVIEW}: {error}"))?;
    }
    // Tests that compare with goldens have `golden` in their names.
    let mut tests = cargo(&["test", "--workspace", "--all-features", "--quiet", "--", "golden"]);
    run(tests.env("WAYMARCH_MINT_GOLDENS", "1").env("WAYMARCH_GOLDENS_DIR", target))?;
    if apply {
        let _ = Command::new("git").args(["add", "--intent-to-add", GOLDENS]).current_dir(root()).status();
        return run(Command::new("git").args(["--no-pager", "diff", "--", GOLDENS]).current_dir(root()));
    }
    let diff = Command::new("git")
        .args(["--no-pager", "diff", "--no-index", GOLDENS, PREVIEW])
        .current_dir(root())
        .status()
        .map_err(|error| format!("git could not start: {error}"))?;
    match diff.code() {
        Some(0) => println!("goldens: nothing would change"),
        _ => println!("goldens: the changes are shown above; `cargo xtask goldens --yes` makes them"),
    }
    Ok(())
}

/// Copies the files of `from` to `to`. Creates either folder if it does not exist.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if to.exists() {
        std::fs::remove_dir_all(to)?;
    }
    std::fs::create_dir_all(from)?;
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        std::fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
