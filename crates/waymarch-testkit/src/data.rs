//! Real maps, which are kept outside the repository.

use std::ffi::OsString;
use std::path::PathBuf;

/// The folder in `WAYMARCH_DATA`, or `None` if it is not set. Tests that need it then print so and pass.
///
/// # Panics
/// If it is set but is not a folder: a test run that should use the data must not pass without it.
#[must_use]
pub fn data_dir() -> Option<PathBuf> {
    match folder(std::env::var_os("WAYMARCH_DATA")) {
        Ok(found) => found,
        Err(message) => panic!("{message}"),
    }
}

fn folder(setting: Option<OsString>) -> Result<Option<PathBuf>, String> {
    let Some(path) = setting.filter(|setting| !setting.is_empty()).map(PathBuf::from) else {
        return Ok(None);
    };
    if path.is_dir() {
        Ok(Some(path))
    } else {
        Err(format!("WAYMARCH_DATA is {}, which is not a folder: correct it or unset it", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_or_empty_is_no_data() {
        assert_eq!(folder(None), Ok(None));
        assert_eq!(folder(Some(OsString::new())), Ok(None));
    }

    #[test]
    fn a_folder_is_found_and_a_missing_one_is_an_error() {
        let here = env!("CARGO_MANIFEST_DIR");
        assert_eq!(folder(Some(here.into())), Ok(Some(here.into())));
        let missing = folder(Some(format!("{here}/none").into())).unwrap_err();
        assert!(missing.contains("none, which is not a folder"), "{missing}");
    }
}
