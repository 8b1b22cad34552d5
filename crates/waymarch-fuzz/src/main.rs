//! `cargo xtask fuzz`: spoils inputs for every parser and reports what breaks. Options: see [`HELP`].
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
use waymarch_fuzz::seeds::{fuzz_dir, seeds_of};
use waymarch_fuzz::targets::{TARGETS, Target, find};
use waymarch_testkit::alloc::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const HELP: &str = "\
cargo xtask fuzz [--target NAME]… [--cases N] [--seed S] [--trace]
    Tries N (1000000) spoilt inputs with every parser, or with those named, and fails if one panics, takes
    longer than a second, holds too much memory, refuses without a place, or reads something that does not
    hold. The same seed gives the same cases. --trace writes every input to fuzz/artifacts/NAME-current
    before it is tried, for a crash that ends the program itself.
cargo xtask fuzz --list
    The parsers.
cargo xtask fuzz --corpus
    Writes the seeds to fuzz/corpus/NAME, where cargo-fuzz looks for them.
cargo xtask fuzz --target NAME --input FILE
    Tries one file, such as a finding (files ending in .hex are unpacked first).
";

/// A case that is still running after so long is reported from outside, and ends the program.
const HANGS_AFTER: Duration = Duration::from_secs(20);

/// The number of cases begun, for the watcher.
static BEGUN: AtomicU64 = AtomicU64::new(0);

struct Options {
    targets: Vec<&'static Target>,
    cases: u64,
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
            Ok(())
        }
        (Task::Corpus, _) => write_corpus().map_err(|error| error.to_string()),
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
        cases: 1_000_000,
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
                options.targets.push(find(name).ok_or_else(|| format!("no target `{name}`: see --list"))?);
            }
            "--cases" => options.cases = number(value()?)?,
            "--seed" => options.seed = number(value()?)?,
            "--input" => options.input = Some(value()?.into()),
            "--trace" => options.trace = true,
            "--list" => options.task = Task::List,
            "--corpus" => options.task = Task::Corpus,
            "--help" | "-h" => options.task = Task::Help,
            other => return Err(format!("`{other}` is not known\n\n{HELP}")),
        }
    }
    if options.targets.is_empty() {
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
    match broken {
        0 => Ok(()),
        _ => Err(format!("{broken} findings")),
    }
}

fn campaign(options: &Options, target: &'static Target) -> io::Result<Report> {
    let trace = artifact(&format!("{}-current", target.name))?;
    watch_from_outside(target, options.seed);
    Campaign { target, seed: options.seed, cases: options.cases }.run(|case, input| {
        BEGUN.fetch_add(1, Ordering::Relaxed);
        if options.trace
            && let Err(error) = std::fs::write(&trace, input)
        {
            eprintln!("case {case} cannot be traced: {error}");
        }
    })
}

#[allow(clippy::disallowed_methods, reason = "only another thread can see that this one hangs")]
fn watch_from_outside(target: &'static Target, seed: u64) {
    static STARTED: std::sync::Once = std::sync::Once::new();
    STARTED.call_once(|| {
        std::thread::spawn(move || {
            let mut seen = BEGUN.load(Ordering::Relaxed);
            loop {
                std::thread::sleep(HANGS_AFTER);
                let now = BEGUN.load(Ordering::Relaxed);
                if now == seen && now != 0 {
                    let first = target.name;
                    eprintln!(
                        "fuzz: case {now} since {first} (seed {seed}) hangs: run it again with --trace"
                    );
                    std::process::exit(1);
                }
                seen = now;
            }
        });
    });
}

fn line_of(target: &Target, report: &Report, time: Duration) -> String {
    let Report { cases, accepted, answers, slowest, peak_bytes, findings } = report;
    format!(
        "{:16} {cases:>9} cases {accepted:>8} accepted {answers:>4} answers, slowest {:>4} ms, peak {:>6} KiB, {:>4} s: {}",
        target.name,
        slowest.as_millis(),
        peak_bytes / 1024,
        time.as_secs(),
        if findings.is_empty() { "clean" } else { "BROKEN" }
    )
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
