//! `waymarch config`: prints the default settings and checks settings files.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::Value;
use waymarch::config::Config;
use waymarch_maps::yaml::{read_config, write_default_config};

use crate::diagnostics::Failure;
use crate::load::find_config;
use crate::report::{Report, count};

/// Arguments of `waymarch config`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  waymarch config default > my.yaml
  waymarch config check my.yaml")]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    command: Option<ConfigCommand>,
}

#[derive(Subcommand, Debug)]
enum ConfigCommand {
    /// Print the default settings as a file: every key with its meaning and range.
    Default,
    /// Check a settings file, and list what differs from the defaults.
    Check {
        /// The file; default: the built-in settings.
        file: Option<PathBuf>,
    },
}

pub(super) fn run(args: &ConfigArgs) -> Result<Report, Failure> {
    match &args.command {
        None | Some(ConfigCommand::Default) => Ok(print_default()),
        Some(ConfigCommand::Check { file }) => check(file.as_ref()),
    }
}

fn print_default() -> Report {
    #[derive(Serialize)]
    struct Document<'a> {
        config: &'a Config,
        yaml: &'a str,
    }
    let yaml = write_default_config();
    Report::new(&yaml, &Document { config: &Config::default(), yaml: &yaml })
}

/// A setting that differs from its default.
#[derive(Serialize)]
struct Changed {
    key: String,
    value: Value,
    default: Value,
}

fn check(file: Option<&PathBuf>) -> Result<Report, Failure> {
    #[derive(Serialize)]
    struct Document<'a> {
        file: Option<&'a PathBuf>,
        valid: bool,
        changed: &'a [Changed],
        config: &'a Config,
    }
    let config = match file {
        Some(path) => find_config(Some(path))?,
        None => read_config("the default settings", write_default_config().as_bytes())?,
    };
    let changed = changed_keys(&config);
    let name = file.map_or_else(|| "the default settings".to_owned(), |path| path.display().to_string());
    let differ = match changed.len() {
        0 => "all settings have their defaults".to_owned(),
        number => format!("{} changed", count(number, "setting", "settings")),
    };
    let mut text = format!("{name}: valid, {differ}.\n");
    for Changed { key, value, default } in &changed {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  {key}: {value} (default {default})");
    }
    Ok(Report::new(text, &Document { file, valid: true, changed: &changed, config: &config }))
}

/// The keys whose values differ from the defaults.
fn changed_keys(config: &Config) -> Vec<Changed> {
    let fields = |config: &Config| match serde_json::to_value(config) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let defaults = fields(&Config::default());
    let differs = |(key, value): (String, Value)| {
        let default = defaults.get(&key).cloned().unwrap_or(Value::Null);
        (value != default).then_some(Changed { key, value, default })
    };
    fields(config).into_iter().filter_map(differs).collect()
}
