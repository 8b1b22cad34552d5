//! Settings files: spec 000's `ic_pathfinder:` block.

use std::fmt::Write;

use waymarch::config::Config;

use super::fields::Reader;
use super::settings::settings;
use super::tree::{Limits, Node};
use crate::FileResult;

/// The key that settings stand under.
const ROOT: &str = "ic_pathfinder";

/// Reads a settings file; keys that are left out keep their defaults, and every range is checked.
///
/// # Errors
/// [`FileError`](crate::FileError) with the line, column and key of the first thing that is wrong, and the legal values.
pub fn read_config(name: &str, bytes: &[u8]) -> FileResult<Config> {
    let (reader, root) = Reader::open(name, bytes, Limits::SETTINGS, "ic_pathfinder:")?;
    let top = reader.fields(&root, "a settings file", &[ROOT])?;
    let mut config = Config::default();
    let Some(body) = top.get(ROOT) else { return Ok(config) };
    set_config(&reader, body, "`ic_pathfinder`", &mut config)?;
    Ok(config)
}

/// Changes the settings that `body` names, and checks them all.
pub(super) fn set_config<'a>(
    reader: &Reader<'a>,
    body: &Node<'a>,
    what: &str,
    config: &mut Config,
) -> FileResult<()> {
    let settings = settings();
    let keys: Vec<&str> = settings.iter().map(|setting| setting.key).collect();
    let fields = reader.fields(body, what, &keys)?;
    for (key, value) in fields.entries() {
        if let Some(setting) = settings.iter().find(|setting| setting.key == key.name) {
            (setting.set)(config, reader, value)?;
        }
    }
    if let Err(error) = config.clone().validate() {
        let value = fields.get(error.key).unwrap_or(body);
        return Err(reader.error(value, error.to_string()));
    }
    Ok(())
}

/// The default settings as a file, every key with its meaning and legal values.
#[must_use]
pub fn write_default_config() -> String {
    write_config(&Config::default())
}

/// A setting, for those who show or change settings one by one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigKey {
    /// Its name in a settings file.
    pub key: &'static str,
    /// The heading it stands under there.
    pub section: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What it may be.
    pub range: String,
    /// Its value, as a file writes it.
    pub value: String,
}

/// Every setting of `config`, in the order of the file.
#[must_use]
pub fn config_keys(config: &Config) -> Vec<ConfigKey> {
    let key = |setting: super::settings::Setting| ConfigKey {
        key: setting.key,
        section: setting.section,
        about: setting.meaning,
        value: (setting.show)(config),
        range: setting.legal,
    };
    settings().into_iter().map(key).collect()
}

/// `config` with one setting changed to `value`, as a settings file would write it.
///
/// ```
/// use waymarch::config::Config;
/// let config = waymarch_maps::yaml::with_setting(&Config::default(), "stuck_threshold", "12")?;
/// assert_eq!(config.stuck_threshold, 12);
/// assert!(waymarch_maps::yaml::with_setting(&config, "stuck_threshold", "0").is_err());
/// # Ok::<(), waymarch_maps::FileError>(())
/// ```
///
/// # Errors
/// [`FileError`](crate::FileError) for a key that there is none of, or a value out of its range.
pub fn with_setting(config: &Config, key: &str, value: &str) -> FileResult<Config> {
    let known = settings().iter().any(|setting| setting.key == key);
    // One line: a value cannot bring other keys with it.
    if !known || value.contains(['\n', '\r']) {
        let problem = if known { "the value has more than one line" } else { "there is no such setting" };
        return Err(crate::FileError::new(key.to_string(), problem));
    }
    let text = format!("{ROOT}:\n  {key}: {value}\n");
    let (reader, root) = Reader::open(key, text.as_bytes(), Limits::SETTINGS, "ic_pathfinder:")?;
    let top = reader.fields(&root, "a settings file", &[ROOT])?;
    let mut changed = config.clone();
    if let Some(body) = top.get(ROOT) {
        set_config(&reader, body, "`ic_pathfinder`", &mut changed)?;
    }
    Ok(changed)
}

/// Settings as a file, every key with its meaning and legal values; [`read_config`] reads it back.
#[must_use]
pub fn write_config(config: &Config) -> String {
    let mut out = String::from(
        "# Waymarch settings. Keys that are left out keep the values shown here.\nic_pathfinder:\n",
    );
    let mut section = "";
    for setting in settings() {
        // Writing to a `String` cannot fail.
        if setting.section != section {
            section = setting.section;
            let _ = writeln!(out, "\n  # {section}");
        }
        let value = format!("{}: {}", setting.key, (setting.show)(config));
        let _ = writeln!(out, "  {value:<36} # {} ({})", setting.meaning, setting.legal);
    }
    out
}
