//! `cargo xtask fuzz`: mutates inputs for every parser and reports failed checks. Options: see [`HELP`].
#![allow(
    clippy::disallowed_types,
    reason = "fuzzing is outside the simulation: cases are timed with a clock"
)]

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use waymarch_fuzz::campaign::{Campaign, Finding, Report};
use waymarch_fuzz::games::{
    Checker, Failure, GameCampaign, GameReport, Thoroughness, game_seed, shrink, written,
};
use waymarch_fuzz::progress::{Progress, cpu_seconds, cpu_time};
use waymarch_fuzz::seeds::{fuzz_dir, seeds_of};
use waymarch_fuzz::targets::{TARGETS, Target, find};
use waymarch_maps::scenario::{Scenario, load_scenario};
use waymarch_testkit::alloc::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const HELP: &str = "\
cargo xtask fuzz [--target NAME]… [--cases N] [--seed S] [--trace]
    Tries N (1000000) mutated inputs with every parser, or with the named ones. Fails if one panics, takes
    longer than a second, holds too much memory, has an error without a position, or accepts something invalid.
    The same seed gives the same cases. --trace writes every input to fuzz/artifacts/NAME-current
    before it is tried, for crashes that end the program.
cargo xtask fuzz --target games [--seconds N] [--cases N] [--seed S]
    Plays random games for N seconds (60), at most as many as --cases says. Each game forks into branches: loaded,
    restored, copied, with more threads, with poisoned scratch. Fails if a branch differs. A failing game is made smaller
    and written to fuzz/artifacts/games-S-NUMBER.yaml, which `waymarch sim` plays.
cargo xtask fuzz --target games --input FILE.yaml
    Plays one scenario file with branches of every kind. If it fails, a smaller one is written to fuzz/artifacts.
cargo xtask fuzz --list
    Lists the parsers.
cargo xtask fuzz --corpus
    Writes the seeds to fuzz/corpus/NAME, where cargo-fuzz reads them.
cargo xtask fuzz --target NAME --input FILE
    Tries one file, such as a finding (.hex files are decoded first).
";

/// A case that takes 20 seconds of processor time is reported by another thread, which ends the program.
const HANGS_AFTER: Duration = Duration::from_secs(20);

/// A case that takes 10 minutes by the clock is reported as well: it waits for something that does not come.
const WAITS_AFTER: Duration = Duration::from_secs(600);

/// The number of cases begun, for that thread.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// The name of the target that plays random games.
const GAMES: &str = "games";

struct Options {
    targets: Vec<&'static Target>,
    games: bool,
    seconds: Option<u64>,
    cases: Option<u64>,
    seed: u64,
    trace: bool,
    input: Option<PathBuf>,
    task: Task,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Fuzz,
    List,
    Corpus,
    Help,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = options(&args).and_then(|options| match (options.task, &options.input) {
        (Task::Help, _) => {
            print!("{HELP}");
            Ok(())
        }
        (Task::List, _) => {
            TARGETS.iter().for_each(|target| println!("{}", target.name));
            println!("{GAMES}");
            Ok(())
        }
        (Task::Corpus, _) => write_corpus().map_err(|error| error.to_string()),
        (Task::Fuzz, Some(path)) if options.games => play_file(path),
        (Task::Fuzz, Some(path)) => try_file(&options, path),
        (Task::Fuzz, None) => fuzz(&options),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("fuzz: {message}");
            ExitCode::FAILURE
        }
    }
}

fn options(args: &[String]) -> Result<Options, String> {
    let mut options = Options {
        targets: Vec::new(),
        games: false,
        seconds: None,
        cases: None,
        seed: 1,
        trace: false,
        input: None,
        task: Task::Fuzz,
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("`{arg}` needs a value\n\n{HELP}"));
        let number =
            |text: &String| text.parse().map_err(|_| format!("`{arg}` needs a number, not `{text}`"));
        match arg.as_str() {
            "--target" => {
                let name = value()?;
                if name == GAMES {
                    options.games = true;
                    continue;
                }
                options
                    .targets
                    .push(find(name).ok_or_else(|| format!("there is no target `{name}`: see --list"))?);
            }
            "--cases" => options.cases = Some(number(value()?)?),
            "--seconds" => options.seconds = Some(number(value()?)?),
            "--seed" => options.seed = number(value()?)?,
            "--input" => options.input = Some(value()?.into()),
            "--trace" => options.trace = true,
            "--list" => options.task = Task::List,
            "--corpus" => options.task = Task::Corpus,
            "--help" | "-h" => options.task = Task::Help,
            other => return Err(format!("unknown option `{other}`\n\n{HELP}")),
        }
    }
    if options.seconds.is_some() && !options.games {
        return Err(format!("`--seconds` is for `--target {GAMES}`\n\n{HELP}"));
    }
    if options.targets.is_empty() && !options.games {
        options.targets = TARGETS.iter().collect();
    }
    Ok(options)
}

fn fuzz(options: &Options) -> Result<(), String> {
    let mut broken = 0;
    for &target in &options.targets {
        let start = Instant::now();
        let report = campaign(options, target).map_err(|error| format!("{}: {error}", target.name))?;
        println!("{}", line_of(target, &report, start.elapsed()));
        for finding in &report.findings {
            let path = save(target, options.seed, finding).map_err(|error| error.to_string())?;
            println!("  case {} (seed {}): {}", finding.case, options.seed, finding.what);
            println!("  input: {}", path.display());
        }
        broken += report.findings.len();
    }
    if options.games {
        broken += play_games(options).map_err(|error| error.to_string())?;
    }
    match broken {
        0 => Ok(()),
        _ => Err(format!("{broken} findings")),
    }
}

fn campaign(options: &Options, target: &'static Target) -> io::Result<Report> {
    let trace = artifact(&format!("{}-current", target.name))?;
    watch_from_outside(target.name, options.seed);
    let (cases, mut progress) = (options.cases.unwrap_or(1_000_000), Progress::new());
    Campaign { target, seed: options.seed, cases }.run(|case, input, report| {
        BEGUN.fetch_add(1, Ordering::Relaxed);
        let findings = report.findings.len();
        progress.print(|| {
            format!(
                "{} {case} of {cases} cases, {} accepted, {findings} findings",
                target.name, report.accepted
            )
        });
        if options.trace
            && let Err(error) = std::fs::write(&trace, input)
        {
            eprintln!("cannot write the input of case {case}: {error}");
        }
    })
}

/// The case that runs now, and when it was first seen. A busy machine gives a program little processor time, so the clock alone
/// would report cases that are only slow.
struct WatchedCase {
    case: u64,
    since: Instant,
    processor: Option<Duration>,
}

impl WatchedCase {
    fn now() -> Self {
        Self { case: BEGUN.load(Ordering::Relaxed), since: Instant::now(), processor: cpu_time() }
    }

    fn hangs(&self) -> bool {
        let clock = self.since.elapsed();
        let used = cpu_time().zip(self.processor).map_or(clock, |(now, before)| now.saturating_sub(before));
        used >= HANGS_AFTER || clock >= WAITS_AFTER
    }
}

#[allow(clippy::disallowed_methods, reason = "only another thread can see that this one hangs")]
fn watch_from_outside(first: &'static str, seed: u64) {
    static STARTED: std::sync::Once = std::sync::Once::new();
    STARTED.call_once(|| {
        std::thread::spawn(move || {
            let mut watched = WatchedCase::now();
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let now = BEGUN.load(Ordering::Relaxed);
                if now != watched.case || now == 0 {
                    watched = WatchedCase::now();
                } else if watched.hangs() {
                    eprintln!(
                        "fuzz: case {now} since {first} (seed {seed}) hangs: run it again with --trace to get its input"
                    );
                    std::process::exit(1);
                }
            }
        });
    });
}

fn line_of(target: &Target, report: &Report, time: Duration) -> String {
    let Report { cases, accepted, answers, slowest, peak_bytes, findings } = report;
    format!(
        "{:16} {cases:>9} cases {accepted:>8} accepted {answers:>4} answers, slowest {:>4} ms, peak {:>6} KiB, {:>4} s{}: {}",
        target.name,
        slowest.as_millis(),
        peak_bytes / 1024,
        time.as_secs(),
        cpu_text(),
        if findings.is_empty() { "clean" } else { "BROKEN" }
    )
}

/// The processor time of the program so far, as a part of a line.
fn cpu_text() -> String {
    cpu_seconds().map_or(String::new(), |seconds| format!(" ({seconds} s of processor time so far)"))
}

/// Plays random games and returns the number of findings.
fn play_games(options: &Options) -> io::Result<usize> {
    watch_from_outside(GAMES, options.seed);
    let start = Instant::now();
    let (time, games) = (options.seconds.unwrap_or(60), options.cases.unwrap_or(u64::MAX));
    let campaign = GameCampaign { seed: options.seed, time: Duration::from_secs(time), games };
    let mut progress = Progress::new();
    let report = campaign.run(&mut |number| {
        BEGUN.fetch_add(1, Ordering::Relaxed);
        progress.print(|| format!("{GAMES} {number} played, seed {}", options.seed));
    });
    let GameReport { games, failed, stats, findings } = &report;
    println!(
        "{GAMES:16} {games:>9} games {:>9} ticks {:>8} branches {:>9} branch ticks {:>8} commands ({} refused) {:>7} probes, \
         {:>4} s{}, seed {}: {}",
        stats.ticks,
        stats.branches,
        stats.branch_ticks,
        stats.commands,
        stats.refused,
        stats.probes,
        start.elapsed().as_secs(),
        cpu_text(),
        options.seed,
        if findings.is_empty() { String::from("clean") } else { format!("BROKEN, {failed} games failed") }
    );
    for finding in findings {
        let (number, seed) = (finding.number, options.seed);
        println!(
            "  game {number} (seed {seed}), drawn from {}: {}",
            game_seed(seed, number),
            finding.failure
        );
        println!("  smallest: {}", finding.smallest_failure);
        let file = format!("{GAMES}-{seed}-{number}.yaml");
        let written = write_smallest(&file, &finding.smallest, &finding.smallest_failure);
        println!("  {}", written.unwrap_or_else(|error| error));
    }
    Ok(findings.len())
}

/// Plays one scenario file with all branches.
fn play_file(path: &Path) -> Result<(), String> {
    let scenario = load_scenario(path).map_err(|error| error.to_string())?;
    let checker = Checker::new();
    match checker.check(&scenario, Thoroughness::Every, &mut || {}) {
        Ok(stats) => {
            println!("{}: {} ticks, {} branches agree", path.display(), stats.ticks, stats.branches);
            Ok(())
        }
        Err(failure) => {
            let (smallest, last) = shrink(&checker, &scenario, &failure, &mut || true);
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let written = write_smallest(&format!("{name}-small.yaml"), &smallest, &last);
            Err(format!("{}\nsmallest: {}\n{}", failure, last, written.unwrap_or_else(|error| error)))
        }
    }
}

/// Writes a scenario with its failure as a comment, and says where.
fn write_smallest(file: &str, smallest: &Scenario, failure: &Failure) -> Result<String, String> {
    let text =
        written(smallest, failure).map_err(|error| format!("no scenario file: {error}\n{smallest:?}"))?;
    let path = artifact(file).map_err(|error| error.to_string())?;
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    Ok(format!("scenario: {}", path.display()))
}

fn artifact(name: &str) -> io::Result<PathBuf> {
    let folder = fuzz_dir().join("artifacts");
    std::fs::create_dir_all(&folder)?;
    Ok(folder.join(name))
}

fn save(target: &Target, seed: u64, finding: &Finding) -> io::Result<PathBuf> {
    let path = artifact(&format!("{}-{seed}-{}.hex", target.name, finding.case))?;
    let mut hex = String::new();
    for byte in &finding.input {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    std::fs::write(&path, hex)?;
    Ok(path)
}

fn try_file(options: &Options, path: &Path) -> Result<(), String> {
    let mut bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if path.extension().is_some_and(|extension| extension == "hex") {
        let digits = bytes.trim_ascii().chunks(2).map(|two| std::str::from_utf8(two).unwrap_or(""));
        bytes = digits
            .map(|two| u8::from_str_radix(two, 16))
            .collect::<Result<_, _>>()
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!("{}", bytes.escape_ascii());
    for target in &options.targets {
        match (target.check)(&bytes) {
            Ok(()) => println!("{}: accepted", target.name),
            Err(error) => println!("{}: refused: {error}", target.name),
        }
    }
    Ok(())
}

fn write_corpus() -> io::Result<()> {
    for target in &TARGETS {
        let folder = fuzz_dir().join("corpus").join(target.name);
        std::fs::create_dir_all(&folder)?;
        for (name, bytes) in seeds_of(target)? {
            std::fs::write(folder.join(name), bytes)?;
        }
    }
    writeln!(io::stdout(), "seeds of {} targets written to fuzz/corpus", TARGETS.len())
}
