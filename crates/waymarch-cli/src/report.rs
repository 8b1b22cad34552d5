//! What a command has to say: for people or as JSON, decided when it is printed.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

/// Which of its two forms an answer is printed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// The answer of a command that did its work.
#[derive(Debug)]
pub(crate) struct Report {
    text: String,
    json: String,
    verdict: Verdict,
}

/// Whether what was looked at is as it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It is.
    Good,
    /// It is not: the exit code says so.
    Bad,
}

impl Report {
    /// A good report with both of its forms.
    pub(crate) fn new(text: impl Into<String>, document: &impl Serialize) -> Self {
        Self { text: text.into(), json: json_text(document), verdict: Verdict::Good }
    }

    /// The same with another verdict.
    pub(crate) fn verdict(mut self, verdict: Verdict) -> Self {
        self.verdict = verdict;
        self
    }

    /// Writes it to standard output and gives the exit code.
    pub(crate) fn print(&self, form: Form) -> ExitCode {
        write_out(match form {
            Form::Text => &self.text,
            Form::Json => &self.json,
        });
        ExitCode::from(u8::from(self.verdict == Verdict::Bad))
    }
}

/// Writes to standard output; that the reader went away (`| head`) is no failure.
pub(crate) fn write_out(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = out.write_all(b"\n");
    }
    let _ = out.flush();
}

/// A document as text; plain data cannot fail to become JSON.
pub(crate) fn json_text(document: &impl Serialize) -> String {
    serde_json::to_string_pretty(document)
        .unwrap_or_else(|error| format!("{{\"error\":{{\"message\":\"{error}\"}}}}"))
}

/// Lines of a name and what is to be said of it, aligned.
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

/// A number with commas between thousands.
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

/// `part` of `whole` as a percentage with two decimals; 0 of nothing.
pub(crate) fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { rounded(part as f64 * 100.0 / whole as f64, 2) }
}

/// Rounded to so many decimals, for documents that people read too.
pub(crate) fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (value * scale).round() / scale
}

/// Bytes in a unit that fits.
pub(crate) fn bytes(count: u64) -> String {
    match count {
        0..=9_999 => format!("{count} B"),
        10_000..=9_999_999 => format!("{:.0} KiB", count as f64 / 1024.0),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}

/// `one` or `many` after its count.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number as u64), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(2 << 20), "2048 KiB");
        assert_eq!(percent(1, 3).to_string(), "33.33");
        assert_eq!(percent(1, 0).to_string(), "0");
        assert_eq!(count(1, "cell", "cells"), "1 cell");
    }
}
