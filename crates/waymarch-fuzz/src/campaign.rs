//! Runs many mutated inputs against one target, and measures time and memory.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use waymarch_maps::{FileError, FileResult};
use waymarch_testkit::alloc::peak_in;

use crate::mutate::Mutator;
use crate::panics;
use crate::progress::cpu_time;
use crate::seeds;
use crate::targets::{Form, Target};

/// A case that takes longer than 1 second is a finding.
pub const MAX_TIME: Duration = Duration::from_secs(1);

/// A slow case is timed 3 more times; the shortest time counts.
const RETRIES: u32 = 3;

/// Besides the seeds, up to 64 accepted inputs are kept and mutated further.
const MAX_ACCEPTED: usize = 64;

/// Up to 256 refused inputs are kept and mutated further, each with another error text.
const MAX_REFUSED: usize = 256;

/// A campaign ends after 5 different findings.
const MAX_FINDINGS: usize = 5;

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The target.
    pub target: &'static Target,
    /// The seed of all mutations.
    pub seed: u64,
    /// The number of cases.
    pub cases: u64,
}

/// A check that failed, and the input.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The case's number, from 0.
    pub case: u64,
    /// What happened.
    pub what: String,
    /// The input.
    pub input: Vec<u8>,
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many cases ran.
    pub cases: u64,
    /// How many inputs were accepted. The others were refused with an error that has a position.
    pub accepted: u64,
    /// How many different answers there were.
    pub answers: usize,
    /// The slowest case.
    pub slowest: Duration,
    /// The most memory that one case held at once.
    pub peak_bytes: u64,
    /// The checks that failed.
    pub findings: Vec<Finding>,
}

impl Campaign {
    /// Runs the campaign. `watch` is called with every input before it is tried, and with the report so far.
    ///
    /// Inputs that are refused with a new error text are kept and mutated further, and so are some accepted ones. This replaces
    /// coverage feedback.
    ///
    /// # Errors
    /// If seeds or dictionaries cannot be read.
    pub fn run(&self, mut watch: impl FnMut(u64, &[u8], &Report)) -> std::io::Result<Report> {
        let mut good: Vec<Vec<u8>> =
            seeds::seeds_of(self.target)?.into_iter().map(|(_, bytes)| bytes).collect();
        let (seeds, mut bad) = (good.len(), Vec::new());
        let tokens = seeds::dictionary_of(self.target)?;
        let mut mutator = Mutator::new(self.seed, &tokens);
        let mut heard = BTreeSet::new();
        let mut report = Report::default();
        while report.cases < self.cases && report.findings.len() < MAX_FINDINGS {
            let from_bad = mutator.below(4) == 0 && !bad.is_empty();
            let pool = if from_bad { &bad } else { &good };
            let mut input = match self.target.form {
                Form::Text => mutator.mutant(pool),
                Form::Bytes => mutator.byte_mutant(pool),
            };
            match self.target.repair {
                // One in eight inputs keeps its wrong checksums, which must be refused too.
                Some(repair) if mutator.below(8) != 0 => repair(&mut input),
                _ => {}
            }
            watch(report.cases, &input, &report);
            let accepted = report.accepted;
            let is_new = heard.insert(self.try_case(&input, &mut report));
            if report.accepted == accepted {
                if is_new && bad.len() < MAX_REFUSED {
                    bad.push(input);
                }
            } else if good.len() < seeds + MAX_ACCEPTED {
                good.push(input);
            } else if mutator.below(16) == 0 {
                let at = seeds + mutator.below(MAX_ACCEPTED);
                good[at] = input;
            }
            report.cases += 1;
        }
        report.answers = heard.len();
        Ok(report)
    }

    fn measure(&self, input: &[u8]) -> (Duration, u64, Result<FileResult<()>, String>) {
        let start = Instant::now();
        let (peak, answer) = peak_in(|| panics::caught(|| (self.target.check)(input)));
        (start.elapsed(), peak, answer)
    }

    /// Tries one input, records time and memory, and returns the shape of the answer.
    fn try_case(&self, input: &[u8], report: &mut Report) -> String {
        let (mut time, peak, answer) = self.measure(input);
        // Try a slow case again: a slow parser is slow every time, a busy machine is not. Processor time does not count the wait for a
        // processor that runs something else.
        for _ in 0..RETRIES {
            if time > MAX_TIME {
                let before = cpu_time();
                let clock = self.measure(input).0;
                let processor = before.zip(cpu_time()).map_or(clock, |(from, to)| to.saturating_sub(from));
                time = time.min(clock).min(processor);
            }
        }
        report.slowest = report.slowest.max(time);
        report.peak_bytes = report.peak_bytes.max(peak);
        let mut wrong = Vec::new();
        let gist = match answer {
            Ok(Ok(())) => {
                report.accepted += 1;
                String::from("accepted")
            }
            Ok(Err(error)) => gist(&error),
            Err(panic) => {
                wrong.push(panic);
                String::from("panic")
            }
        };
        if time > MAX_TIME {
            wrong.push(format!("took {} ms", time.as_millis()));
        }
        let allowed = self.target.allowed_bytes(input);
        if peak > allowed {
            wrong.push(format!("held {peak} bytes for an input of {}, more than {allowed}", input.len()));
        }
        for what in wrong {
            let alike = |known: &Finding| outline(&known.what) == outline(&what);
            if !report.findings.iter().any(alike) {
                report.findings.push(Finding { case: report.cases, what, input: input.to_vec() });
            }
        }
        gist
    }
}

/// The beginning of a finding without digits. Findings with equal beginnings are probably one bug.
fn outline(what: &str) -> String {
    what.chars().filter(|letter| !letter.is_ascii_digit()).take(110).collect()
}

/// An error's text without the quotations and numbers in it.
fn gist(error: &FileError) -> String {
    let special = |letter: char| letter.is_ascii_digit() || matches!(letter, '`' | '\'' | '"');
    let problem = &error.problem;
    let first = problem.find(special).unwrap_or(problem.len());
    let last = problem.rfind(special).map_or(problem.len(), |at| at + 1);
    format!("{}…{}", &problem[..first], &problem[last..])
}
