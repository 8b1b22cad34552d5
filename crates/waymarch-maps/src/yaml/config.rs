//! Settings files: the `ic_pathfinder:` block.

use std::fmt::Write;

use waymarch::config::Config;

use super::fields::Reader;
use super::settings_table::settings;
use super::tree::{Limits, Node};
use crate::FileResult;

/// The key of the block.
const ROOT: &str = "ic_pathfinder";

/// Reads a settings file. Missing keys keep their defaults; every value is checked against its range.
///
/// # Errors
/// [`FileError`](crate::FileError) with line, column and key of the first problem, and the legal values.
pub fn read_config(name: &str, bytes: &[u8]) -> FileResult<Config> {
    let (reader, root) = Reader::open(name, bytes, Limits::SETTINGS, "ic_pathfinder:")?;
    let top = reader.fields(&root, "a settings file", &[ROOT])?;
    let mut config = Config::default();
    let Some(body) = top.get(ROOT) else { return Ok(config) };
    set_config(&reader, body, "`ic_pathfinder`", &mut config)?;
    Ok(config)
}

/// A setting that was removed. A file may still have it with the value that matches what the engine always does.
struct Removed {
    key: &'static str,
    /// The value that matches the engine.
    acts_as: bool,
    /// What the engine always does.
    always: &'static str,
}

const REMOVED: [Removed; 1] = [Removed {
    key: "chokepoint_compression",
    acts_as: true,
    always: "groups always narrow at gates that are narrower than they are",
}];

/// Accepts a removed setting whose value is what the engine does; refuses every other value.
fn check_removed<'a>(reader: &Reader<'a>, body: &Node<'a>, what: &str) -> FileResult<()> {
    for (key, value) in reader.entries(body, what)? {
        let Some(removed) = REMOVED.iter().find(|removed| removed.key == key.name) else { continue };
        if reader.boolean(value, removed.key)? != removed.acts_as {
            let problem = format!("`{}` was removed in 0.2.0: {}", removed.key, removed.always);
            return Err(reader.key_error(key, problem).help("delete this line"));
        }
    }
    Ok(())
}

/// Sets the keys of `body`, then checks all settings.
pub(super) fn set_config<'a>(
    reader: &Reader<'a>,
    body: &Node<'a>,
    what: &str,
    config: &mut Config,
) -> FileResult<()> {
    let settings = settings();
    check_removed(reader, body, what)?;
    let keys = settings.iter().map(|setting| setting.key).chain(REMOVED.iter().map(|removed| removed.key));
    let keys: Vec<&str> = keys.collect();
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

/// One setting, for programs that show or change settings one by one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigKey {
    /// Its name in a settings file.
    pub key: &'static str,
    /// The heading above it in the file.
    pub section: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Its legal values.
    pub range: String,
    /// Its value as written in a file.
    pub value: String,
}

/// Every setting of `config`, in the order of the file.
#[must_use]
pub fn config_keys(config: &Config) -> Vec<ConfigKey> {
    let key = |setting: super::settings_table::Setting| ConfigKey {
        key: setting.key,
        section: setting.section,
        about: setting.meaning,
        value: (setting.show)(config),
        range: setting.legal,
    };
    settings().into_iter().map(key).collect()
}

/// `config` with one setting changed. `value` is written as in a settings file.
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
/// [`FileError`](crate::FileError) for an unknown key or an illegal value.
pub fn with_setting(config: &Config, key: &str, value: &str) -> FileResult<Config> {
    let known = settings().iter().any(|setting| setting.key == key);
    // A value must be one line, so that it cannot contain other keys.
    if !known || value.contains(['\n', '\r']) {
        let problem = if known { "the value must be one line" } else { "there is no setting with this name" };
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

/// Settings as a file, every key with its meaning and legal values. [`read_config`] reads it back.
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
