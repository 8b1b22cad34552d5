//! Compares the output of runs, and prints the table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Amount;
use super::jobs::{Done, Run};
use super::platforms::{Kind, Profile};
use crate::root;

/// Whether a row is as it must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Good,
    Bad,
    Skipped,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) platform: String,
    pub(crate) profile: &'static str,
    /// The number of compared lines.
    pub(crate) lines: usize,
    pub(crate) result: String,
    pub(crate) verdict: Verdict,
    /// What differs, for the end of the output.
    pub(crate) details: String,
    pub(crate) seconds: f64,
}

/// Compares all runs with the release build of this machine.
pub(crate) fn rows(results: &[Done], amount: Amount) -> Result<Vec<Row>, String> {
    let own = |run: Run| {
        results.iter().find(|done| {
            let job = done.job;
            job.platform.kind == Kind::Host && job.profile == Profile::Release && job.run == run
        })
    };
    let reference = own(Run::Plain).ok_or("this machine was not run")?;
    let reference = match &reference.outcome {
        Ok(output) => output.as_deref().unwrap_or_default(),
        Err(error) => return Err(format!("the reference is missing: {error}")),
    };
    let file = root().join("testdata/goldens/scenarios.txt");
    let goldens = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut rows = vec![golden_row(reference, &goldens, amount)];
    for done in results {
        let (compared, must_differ) = match done.job.run {
            Run::Fault(fault, 0) if done.job.platform.kind != Kind::Host => (own(Run::Fault(fault, 0)), true),
            Run::Fault(_, 0) => continue,
            Run::Fault(fault, _) => (own(Run::Fault(fault, 0)), true),
            _ => (own(Run::Plain), false),
        };
        let compared = compared.and_then(Done::output).ok_or("a run of this machine is missing")?;
        rows.push(if must_differ { control_row(done, compared) } else { plain_row(done, compared, amount) });
    }
    Ok(rows)
}

/// A row for a run, with the name of the platform and of the run.
fn row(done: &Done, result: &str, verdict: Verdict) -> Row {
    let name = done.job.platform.name;
    let platform = match done.job.run {
        Run::Plain if done.job.platform.kind == Kind::Wasm => format!("{name}, Node"),
        Run::Plain => name.to_string(),
        Run::Browser => format!("{name}, browser"),
        Run::Threads => format!("{name}, 3 threads"),
        Run::Fault(fault, _) => format!("{name}, fault {fault}"),
    };
    let (profile, result) = (done.job.profile.name(), result.to_string());
    Row { platform, profile, lines: 0, result, verdict, details: String::new(), seconds: done.seconds }
}

fn plain_row(done: &Done, reference: &str, amount: Amount) -> Row {
    let output = match &done.outcome {
        Ok(Some(output)) => output,
        Ok(None) if amount == Amount::Quick => return row(done, "skipped: no browser", Verdict::Skipped),
        Ok(None) => {
            let details =
                "there is no browser: install chromium, or name one in WAYMARCH_CHROMIUM".to_string();
            return Row { details, ..row(done, "NO BROWSER", Verdict::Bad) };
        }
        Err(error) => return Row { details: error.clone(), ..row(done, "FAILED", Verdict::Bad) },
    };
    match first_difference(reference, output) {
        None => Row { lines: reference.lines().count(), ..row(done, "identical", Verdict::Good) },
        Some((number, ours, theirs)) => Row {
            lines: number,
            details: format!("line {number}\n  x86_64: {ours}\n    here: {theirs}"),
            ..row(done, "DIFFERS", Verdict::Bad)
        },
    }
}

/// A run with a fault must end, print as many lines, and differ in one of them.
fn control_row(done: &Done, other: &str) -> Row {
    match &done.outcome {
        Err(error) => Row { details: error.clone(), ..row(done, "FAILED", Verdict::Bad) },
        Ok(output) => {
            let output = output.as_deref().unwrap_or_default();
            let lines = output.lines().count();
            let whole = lines == other.lines().count() && output.ends_with("end\n");
            if whole && first_difference(other, output).is_some() {
                Row { lines, ..row(done, "caught", Verdict::Good) }
            } else {
                let details = "the fault shows in no line: the comparison is broken".to_string();
                Row { lines, details, ..row(done, "NOT CAUGHT", Verdict::Bad) }
            }
        }
    }
}

/// Compares the scenarios of this machine with the golden values of the repository.
fn golden_row(reference: &str, goldens: &str, amount: Amount) -> Row {
    let lines = |text: &str, prefix: &str| -> BTreeMap<String, String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(prefix)?.split_once(" = "));
        lines.map(|(key, value)| (key.to_string(), value.to_string())).collect()
    };
    let (found, expected) = (lines(reference, "golden "), lines(goldens, ""));
    let differs = |(key, value): &(&String, &String)| match found.get(*key) {
        Some(found) => found != *value,
        // `--quick` replays a part of the scenarios.
        None => amount == Amount::Full,
    };
    let bad: Vec<&str> = expected.iter().filter(differs).map(|(key, _)| key.as_str()).collect();
    let unknown = found.keys().filter(|key| !expected.contains_key(*key)).map(String::as_str);
    let bad: Vec<&str> = bad.into_iter().chain(unknown).collect();
    let verdict = if bad.is_empty() && !found.is_empty() { Verdict::Good } else { Verdict::Bad };
    Row {
        platform: "golden scenarios".to_string(),
        profile: "release",
        lines: found.len(),
        result: if verdict == Verdict::Good { "identical" } else { "DIFFERS" }.to_string(),
        verdict,
        details: format!("testdata/goldens/scenarios.txt differs in: {}", bad.join(", ")),
        seconds: 0.0,
    }
}

/// The number of the first line that differs, and both lines.
fn first_difference<'a>(one: &'a str, other: &'a str) -> Option<(usize, &'a str, &'a str)> {
    let (mut ones, mut others) = (one.lines(), other.lines());
    for number in 1.. {
        match (ones.next(), others.next()) {
            (None, None) => break,
            (one, other) if one == other => {}
            (one, other) => return Some((number, one.unwrap_or("(no line)"), other.unwrap_or("(no line)"))),
        }
    }
    None
}

/// The table as text.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let width = rows.iter().map(|row| row.platform.len()).max().unwrap_or(0).max("platform".len());
    let _ = writeln!(text, "{:width$}  profile  lines  {:20}seconds", "platform", "result");
    for Row { platform, profile, lines, result, seconds, .. } in rows {
        let _ = writeln!(text, "{platform:width$}  {profile:7}  {lines:5}  {result:20}{seconds:7.1}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::jobs::Job;
    use crate::cross::platforms::PLATFORMS;

    const LINES: &str = "golden door = 1\ngolden door-events = 2\ncontrol 3\nend\n";
    const CONTROL: &str = "control 3\nend\n";

    fn results(change: impl Fn(Job) -> Result<Option<String>, String>) -> Vec<Done> {
        let platforms: Vec<_> = PLATFORMS.iter().collect();
        let done = |job| Done { job, outcome: change(job), seconds: 1.0 };
        Job::list(&platforms).into_iter().map(done).collect()
    }

    /// Lines as they must be: equal, and with a fault different on the platforms where it shows.
    fn right(job: Job) -> Result<Option<String>, String> {
        Ok(Some(match job.run {
            Run::Fault(_, number) if job.platform.kind == Kind::Host => format!("control {number}\nend\n"),
            Run::Fault(..) => CONTROL.to_string(),
            _ => LINES.to_string(),
        }))
    }

    fn bad_rows(results: &[Done]) -> Vec<String> {
        let rows = rows(results, Amount::Full).unwrap().into_iter().skip(1);
        rows.filter(|row| row.verdict == Verdict::Bad)
            .map(|row| format!("{} {}", row.platform, row.result))
            .collect()
    }

    #[test]
    fn equal_lines_and_caught_faults_pass() {
        let rows = rows(&results(right), Amount::Full).unwrap();
        // Seven platforms in two profiles, the browser in two, `serde`, threads, five faults, the golden values.
        assert_eq!(rows.len(), 14 + 2 + 1 + 1 + 5 + 1);
        assert_eq!(bad_rows(&results(right)), Vec::<String>::new());
        assert!(table(&rows).contains("s390x, fault native-endian  release      2  caught"));
    }

    #[test]
    fn another_line_a_missing_line_and_a_failed_run_are_found() {
        let changed = |text: &'static str| {
            results(move |job| match job.platform.name {
                "armv7" if job.run == Run::Plain && job.profile == Profile::Debug => {
                    Ok(Some(text.to_string()))
                }
                _ => right(job),
            })
        };
        assert_eq!(
            bad_rows(&changed("golden door = 1\ngolden door-events = 2\ncontrol 4\nend\n")),
            ["armv7 DIFFERS"]
        );
        assert_eq!(bad_rows(&changed("golden door = 1\n")), ["armv7 DIFFERS"]);
        assert_eq!(bad_rows(&changed("")), ["armv7 DIFFERS"]);
        let failed = results(|job| if job.platform.name == "windows" { Err("x".into()) } else { right(job) });
        assert_eq!(bad_rows(&failed), ["windows FAILED", "windows FAILED"]);
    }

    #[test]
    fn a_full_run_without_a_browser_fails_and_a_quick_one_skips_its_rows() {
        let results = results(|job| if job.run == Run::Browser { Ok(None) } else { right(job) });
        assert_eq!(bad_rows(&results), ["wasm32, browser NO BROWSER", "wasm32, browser NO BROWSER"]);
        let rows = rows(&results, Amount::Quick).unwrap();
        assert_eq!(rows.iter().filter(|row| row.verdict == Verdict::Skipped).count(), 2);
        // The first row compares golden values, which these lines do not have.
        assert!(rows.iter().skip(1).all(|row| row.verdict != Verdict::Bad));
    }

    #[test]
    fn a_fault_that_is_not_caught_fails() {
        let same = results(|job| match job.run {
            Run::Fault("usize", 0) => Ok(Some(CONTROL.to_string())),
            _ => right(job),
        });
        let not_caught = [
            "armv7, fault usize NOT CAUGHT",
            "wasm32, fault usize NOT CAUGHT",
            "i686, fault usize NOT CAUGHT",
        ];
        assert_eq!(bad_rows(&same), not_caught);
        // A run that stops early differs for another reason.
        let cut = results(|job| match (job.run, job.platform.name) {
            (Run::Fault(..), "s390x") => Ok(Some("control 5\n".to_string())),
            _ => right(job),
        });
        assert_eq!(bad_rows(&cut), ["s390x, fault native-endian NOT CAUGHT"]);
    }

    #[test]
    fn changed_and_missing_golden_values_are_found() {
        let verdict = |goldens: &str, amount| golden_row(LINES, goldens, amount).verdict;
        assert_eq!(verdict("door = 1\ndoor-events = 2\n", Amount::Full), Verdict::Good);
        assert_eq!(verdict("door = 1\ndoor-events = 3\n", Amount::Full), Verdict::Bad);
        assert_eq!(verdict("door = 1\n", Amount::Full), Verdict::Bad);
        assert_eq!(verdict("door = 1\ndoor-events = 2\nmaze = 5\n", Amount::Full), Verdict::Bad);
        assert_eq!(verdict("door = 1\ndoor-events = 2\nmaze = 5\n", Amount::Quick), Verdict::Good);
        assert_eq!(golden_row("end\n", "door = 1\n", Amount::Quick).verdict, Verdict::Bad);
    }
}
