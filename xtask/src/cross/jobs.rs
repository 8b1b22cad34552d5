//! The builds and runs, as many at a time as there are processors.
#![allow(
    clippy::disallowed_methods,
    reason = "tasks are outside the simulation; each thread waits for another program"
)]

use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use super::platforms::{Kind, Platform, Profile};
use super::{Amount, Cache, browser, build, emulate};

/// What all jobs share.
pub(crate) struct Context<'a> {
    pub(crate) cache: &'a Cache,
    /// The file with recordings of the scenarios.
    pub(crate) recordings: &'a Path,
    pub(crate) amount: Amount,
}

/// How the check is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Run {
    Plain,
    /// In a browser instead of Node.
    Browser,
    /// On 3 threads.
    Threads,
    /// With a fault of this name. The number tells runs of one build apart.
    Fault(&'static str, u8),
}

/// A run of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Job {
    pub(crate) platform: &'static Platform,
    pub(crate) profile: Profile,
    pub(crate) run: Run,
}

impl Job {
    /// The runs of all builds. Runs of one build are next to each other.
    pub(crate) fn list(platforms: &[&'static Platform]) -> Vec<Self> {
        let mut jobs = Vec::new();
        for (&platform, profile) in platforms.iter().flat_map(|p| Profile::ALL.map(|profile| (p, profile))) {
            // A feature of plain data needs no second profile.
            if platform.kind == Kind::Serde && profile == Profile::Debug {
                continue;
            }
            let mut add = |run| jobs.push(Self { platform, profile, run });
            add(Run::Plain);
            if platform.kind == Kind::Wasm {
                add(Run::Browser);
            }
            if profile == Profile::Debug {
                continue;
            }
            match (platform.kind, platform.fault) {
                (Kind::Host, Some(own)) => {
                    add(Run::Threads);
                    // This machine's lines with every fault that another platform is compared with.
                    let mut faults: Vec<&str> =
                        platforms.iter().filter_map(|platform| platform.fault).collect();
                    faults.sort_unstable();
                    faults.dedup();
                    faults.into_iter().for_each(|fault| add(Run::Fault(fault, 0)));
                    add(Run::Fault(own, 1));
                }
                (_, Some(fault)) => add(Run::Fault(fault, 0)),
                (_, None) => {}
            }
        }
        jobs
    }

    /// The file for the output.
    pub(crate) fn file_name(&self) -> String {
        let run = match self.run {
            Run::Plain => String::new(),
            Run::Browser => "-browser".to_string(),
            Run::Threads => "-threads".to_string(),
            Run::Fault(fault, number) => format!("-{fault}-{number}"),
        };
        format!("{}-{}{run}", self.platform.name, self.profile.name())
    }
}

/// What a run gave.
pub(crate) struct Done {
    pub(crate) job: Job,
    /// The output, or why there is none. `Ok(None)`: there is no browser.
    pub(crate) outcome: Result<Option<String>, String>,
    pub(crate) seconds: f64,
}

impl Done {
    pub(crate) fn output(&self) -> Option<&str> {
        self.outcome.as_ref().ok().and_then(Option::as_deref)
    }
}

/// Runs all jobs. The results are in the order of `jobs`.
pub(crate) fn run_all(context: &Context<'_>, jobs: &[Job]) -> Vec<Done> {
    // A thread takes a build, makes it, and does all of its runs one after the other. Then it takes the next build.
    let mut builds: Vec<(&'static Platform, Profile)> =
        jobs.iter().map(|job| (job.platform, job.profile)).collect();
    builds.dedup();
    let queue = Mutex::new(builds.into_iter());
    let done = Mutex::new(Vec::new());
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    let work = || {
        while let Some((platform, profile)) = next() {
            let begun = Instant::now();
            let program = build::build(context.cache, platform, profile);
            let seconds = begun.elapsed().as_secs_f64();
            let ended = if program.is_ok() { "built in" } else { "NOT built, after" };
            println!("cross: {} {} {ended} {seconds:.0} s", platform.name, profile.name());
            if let Err(error) = &program {
                println!("{error}");
            }
            for &job in jobs.iter().filter(|job| job.platform == platform && job.profile == profile) {
                let begun = Instant::now();
                let outcome = program.clone().and_then(|program| run(context, job, &program));
                let seconds = begun.elapsed().as_secs_f64();
                let ended = if outcome.is_ok() { "ran in" } else { "FAILED after" };
                println!("cross: {} {ended} {seconds:.0} s", job.file_name());
                done.lock()
                    .iter_mut()
                    .for_each(|done| done.push(Done { job, outcome: outcome.clone(), seconds }));
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|done| jobs.iter().position(|job| *job == done.job));
    done
}

fn run(context: &Context<'_>, job: Job, program: &Path) -> Result<Option<String>, String> {
    let mut arguments = Vec::new();
    if context.amount == Amount::Quick {
        arguments.push("--quick");
    }
    match job.run {
        Run::Plain => {}
        Run::Browser => return browser::run(context, program, &arguments).transpose(),
        Run::Threads => arguments.extend(["--threads", "3"]),
        Run::Fault(fault, _) => arguments.extend(["control", "--fault", fault]),
    }
    emulate::run(context, job.platform, program, &arguments).map(Some)
}
