//! The report of a command. It has two forms, for people and as JSON; printing chooses one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

use serde::Serialize;
use waymarch::base::StateHash;
use waymarch::world::TickPhase;

use crate::interrupt;

/// The form in which a report is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Text for people.
    Text,
    /// A JSON document for programs.
    Json,
}

/// The result of a command that did not fail.
#[derive(Debug)]
pub(crate) struct Report {
    text: String,
    json: String,
    verdict: Verdict,
}

/// Whether the checks of a command passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// They passed: exit code 0.
    Good,
    /// One failed: exit code 1.
    Bad,
    /// The command was interrupted and reports what it did before: exit code 130.
    Interrupted,
}

impl Report {
    /// A report with both forms and the verdict `Good`.
    pub(crate) fn new(text: impl Into<String>, document: &impl Serialize) -> Self {
        Self { text: text.into(), json: json_text(document), verdict: Verdict::Good }
    }

    /// Replaces the verdict.
    pub(crate) fn verdict(mut self, verdict: Verdict) -> Self {
        self.verdict = verdict;
        self
    }

    /// Prints the report to standard output and gives the exit code.
    pub(crate) fn print(&self, form: Form) -> ExitCode {
        let written = write_out(match form {
            Form::Text => &self.text,
            Form::Json => &self.json,
        });
        let code = match self.verdict {
            Verdict::Good => 0,
            Verdict::Bad => 1,
            Verdict::Interrupted => interrupt::EXIT_CODE,
        };
        exit_code(code, &written)
    }
}

/// Writes to standard output.
pub(crate) fn write_out(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// The exit code of a command that would end with `code`, after its report was written. A report that could not be written is a
/// failure; a reader that has closed its pipe (`| head`) is not.
pub(crate) fn exit_code(code: u8, written: &io::Result<()>) -> ExitCode {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            // Standard error may be full too. The exit code still reports the failure.
            let _ = writeln!(io::stderr(), "Error: standard output could not be written: {error}");
            ExitCode::from(code.max(1))
        }
        _ => ExitCode::from(code),
    }
}

/// A document as JSON text. Serialising plain data does not fail.
pub(crate) fn json_text(document: &impl Serialize) -> String {
    serde_json::to_string_pretty(document)
        .unwrap_or_else(|error| format!("{{\"error\":{{\"message\":\"{error}\"}}}}"))
}

/// Lines of names and values, aligned.
#[derive(Default, Debug)]
pub(crate) struct Lines(Vec<(&'static str, String)>);

impl Lines {
    pub(crate) fn add(&mut self, name: &'static str, value: impl Into<String>) -> &mut Self {
        self.0.push((name, value.into()));
        self
    }

    pub(crate) fn render(&self) -> String {
        let width = self.0.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let mut out = String::new();
        for (name, value) in &self.0 {
            // Writing to a `String` cannot fail.
            let _ = writeln!(out, "  {name:width$}  {value}");
        }
        out
    }
}

/// A number with commas between the thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `part` of `whole` in percent, to two decimals; 0 if `whole` is 0.
pub(crate) fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { rounded(part as f64 * 100.0 / whole as f64, 2) }
}

/// The hash of each subsystem, in sixteen hexadecimal digits.
pub(crate) fn subhashes(hash: &StateHash) -> BTreeMap<&'static str, String> {
    hash.parts().iter().map(|&(name, part)| (name, format!("{part:016x}"))).collect()
}

/// The name of a phase of the tick in JSON documents. It does not change when the engine renames a phase.
pub(crate) fn phase_name(phase: TickPhase) -> &'static str {
    match phase {
        TickPhase::Review => "review",
        TickPhase::Orders => "orders",
        TickPhase::Paths => "paths",
        TickPhase::Guidance => "lead",
        TickPhase::Avoid => "avoid",
        TickPhase::Stuck => "stuck",
        _ => "other",
    }
}

/// `value` rounded to `decimals` digits after the point.
pub(crate) fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (value * scale).round() / scale
}

/// A number of bytes in B, KiB or MiB.
pub(crate) fn bytes(count: u64) -> String {
    match count {
        0..=9_999 => format!("{count} B"),
        10_000..=9_999_999 => format!("{:.0} KiB", count as f64 / 1024.0),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}

/// A count and its noun: `one` after 1, else `many`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number as u64), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(2 << 20), "2048 KiB");
        assert_eq!(percent(1, 3).to_string(), "33.33");
        assert_eq!(percent(1, 0).to_string(), "0");
        assert_eq!(count(1, "cell", "cells"), "1 cell");
    }
}
