//! Golden values: results that must not change unnoticed.
//!
//! `golden("routes/valley", hash)` compares with the line `valley = …` of `routes.txt` in the goldens
//! folder. With `WAYMARCH_MINT_GOLDENS=1` it writes the line instead. `cargo xtask goldens` does this and shows the
//! changes. The name of such a test must contain `golden`, so that the task finds it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Compares `value` with the golden value called `name`, which has the form `file/key`.
///
/// # Panics
/// If the value differs or is missing (the message says how to mint it), or the name or the file is not well formed.
#[track_caller]
pub fn golden(name: &str, value: impl Display) {
    let mint = std::env::var_os("WAYMARCH_MINT_GOLDENS").is_some_and(|setting| setting == "1");
    let mode = if mint { Mode::Mint } else { Mode::Compare };
    if let Err(message) = golden_in(&folder(), name, &value.to_string(), mode) {
        panic!("{message}");
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Compare,
    Mint,
}

/// The goldens folder: `WAYMARCH_GOLDENS_DIR`, or `testdata/goldens` of this repository.
fn folder() -> PathBuf {
    let ours = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/goldens");
    std::env::var_os("WAYMARCH_GOLDENS_DIR").map_or_else(ours, PathBuf::from)
}

/// Tests run in parallel; only one reads or writes at a time.
static FILES: Mutex<()> = Mutex::new(());

fn golden_in(folder: &Path, name: &str, value: &str, mode: Mode) -> Result<(), String> {
    let plain = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    let (file, key) =
        name.split_once('/').filter(|(file, key)| plain(file) && plain(key)).ok_or_else(|| {
            format!("a golden is named file/key in letters, digits, '-', '_' and '.', not '{name}'")
        })?;
    // One line per value keeps diffs readable.
    let value = value.escape_default().to_string();
    let path = folder.join(format!("{file}.txt"));
    let _one_at_a_time = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut lines = read(&path)?;
    if mode == Mode::Mint {
        lines.insert(key.to_string(), value);
        return write(&path, &lines);
    }
    let hint =
        "if the change is meant, `cargo xtask goldens` shows it and `cargo xtask goldens --yes` keeps it";
    match lines.get(key) {
        Some(golden) if *golden == value => Ok(()),
        Some(golden) => {
            Err(format!("golden value '{name}' changed\n  golden: {golden}\n     now: {value}\n{hint}"))
        }
        None => Err(format!("there is no golden value '{name}' in {}; now: {value}\n{hint}", path.display())),
    }
}

fn read(path: &Path) -> Result<BTreeMap<String, String>, String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    let mut lines = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let (key, value) = line
            .split_once(" = ")
            .ok_or_else(|| format!("{}:{}: expected `key = value`", path.display(), number + 1))?;
        lines.insert(key.to_string(), value.to_string());
    }
    Ok(lines)
}

fn write(path: &Path, lines: &BTreeMap<String, String>) -> Result<(), String> {
    let text: String = lines.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder for one test, removed afterwards.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let path = std::env::temp_dir().join(format!("waymarch-goldens-{}-{test}", std::process::id()));
            let _ = std::fs::remove_dir_all(&path);
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_minted_value_is_compared_with() {
        let folder = Folder::new("mint");
        golden_in(&folder.0, "routes/b", "12", Mode::Mint).unwrap();
        golden_in(&folder.0, "routes/a", "two\nlines", Mode::Mint).unwrap();
        golden_in(&folder.0, "routes/b", "13", Mode::Mint).unwrap();
        let text = std::fs::read_to_string(folder.0.join("routes.txt")).unwrap();
        assert_eq!(text, "a = two\\nlines\nb = 13\n");
        golden_in(&folder.0, "routes/a", "two\nlines", Mode::Compare).unwrap();
        let changed = golden_in(&folder.0, "routes/b", "12", Mode::Compare).unwrap_err();
        assert!(changed.contains("golden: 13\n     now: 12\n"), "{changed}");
    }

    #[test]
    fn a_missing_value_fails_and_says_how_to_mint_it() {
        let folder = Folder::new("missing");
        let missing = golden_in(&folder.0, "routes/none", "1", Mode::Compare).unwrap_err();
        assert!(missing.contains("no golden value 'routes/none'") && missing.contains("cargo xtask goldens"));
    }

    #[test]
    fn names_and_files_must_be_well_formed() {
        let folder = Folder::new("names");
        for name in ["", "routes", "routes/", "/a", "../a/b", "routes/a b", "routes/a=b"] {
            assert!(golden_in(&folder.0, name, "1", Mode::Mint).is_err(), "{name}");
        }
        std::fs::create_dir_all(&folder.0).unwrap();
        std::fs::write(folder.0.join("bad.txt"), "a = 1\nnonsense\n").unwrap();
        let error = golden_in(&folder.0, "bad/a", "1", Mode::Compare).unwrap_err();
        assert!(error.ends_with("bad.txt:2: expected `key = value`"), "{error}");
    }

    /// A first golden value, which tests the path from file to test.
    #[test]
    fn golden_splitmix_of_this_repository() {
        golden("testkit/splitmix-seed-7", crate::splitmix::SplitMix::new(7).next_u64());
    }
}
