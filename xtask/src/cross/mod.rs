//! `cargo xtask cross`: the same lines on every platform.
//!
//! The check (`crates/waymarch-xcheck`) plays games, searches and the golden scenarios, and prints hashes. This task builds it for every
//! platform, as debug and as release, runs all of them and compares the output with that of this machine. Faults that are built into the
//! check on purpose must be found, or the task fails.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

mod browser;
mod build;
mod compare;
mod emulate;
mod jobs;
mod platforms;
mod sources;
mod toolchain;

use compare::{Row, Verdict};
use jobs::Job;
use platforms::{Kind, PLATFORMS, Platform};

/// How much of the check runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Amount {
    #[default]
    Full,
    /// A part of every section.
    Quick,
}

/// What the arguments ask for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Chosen {
    only: Vec<String>,
    amount: Amount,
    if_warm: bool,
}

impl Chosen {
    fn new(args: &[String]) -> Result<Self, String> {
        let mut chosen = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--quick" => chosen.amount = Amount::Quick,
                "--if-warm" => chosen.if_warm = true,
                "--only" => {
                    let name = args.next().ok_or("`--only` needs the name of a platform")?;
                    if !PLATFORMS.iter().any(|platform| platform.name == name) {
                        let names: Vec<&str> = PLATFORMS.iter().map(|platform| platform.name).collect();
                        return Err(format!("there is no platform `{name}`: {}", names.join(", ")));
                    }
                    chosen.only.push(name.clone());
                }
                other => {
                    return Err(format!("`cross` takes --only NAME, --quick and --if-warm, not `{other}`"));
                }
            }
        }
        Ok(chosen)
    }

    /// The platforms to compare. This machine is always one of them: the others are compared with it.
    fn platforms(&self) -> Vec<&'static Platform> {
        let wanted = |platform: &&Platform| {
            self.only.is_empty()
                || platform.kind == Kind::Host
                || self.only.iter().any(|name| name == platform.name)
        };
        PLATFORMS.iter().filter(wanted).collect()
    }
}

/// The folder with compilers, sources, target folders and output. It is outside the clone, so that every clone shares it.
struct Cache(PathBuf);

impl Cache {
    fn new() -> Result<Self, String> {
        if let Some(named) = std::env::var_os("WAYMARCH_CROSS_CACHE") {
            return Ok(Self(PathBuf::from(named)));
        }
        let home = std::env::var_os("HOME").ok_or("neither WAYMARCH_CROSS_CACHE nor HOME is set")?;
        Ok(Self(Path::new(&home).join(".cache/waymarch-cross")))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A folder in the cache; it is made if it does not exist.
    fn folder(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.path(name);
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// The target folder of a platform. Platforms have different compilers, which must not share one.
    fn target(&self, platform: &Platform) -> PathBuf {
        self.path("target").join(platform.name)
    }

    /// Whether the compilers and target folders of `platforms` exist.
    fn is_warm(&self, platforms: &[&Platform]) -> bool {
        platforms.iter().all(|platform| self.target(platform).is_dir() && toolchain::is_ready(self, platform))
    }
}

/// Builds, runs and compares; prints a table.
pub(crate) fn command(args: &[String]) -> Result<(), String> {
    let chosen = Chosen::new(args)?;
    let platforms = chosen.platforms();
    let cache = Cache::new()?;
    if chosen.if_warm && !cache.is_warm(&platforms) {
        println!(
            "cross: SKIPPED, {} has no compilers and builds: `cargo xtask cross` makes them",
            cache.0.display()
        );
        return Ok(());
    }
    let begun = Instant::now();
    let output = cache.folder("output")?;
    // Two runs at a time would build into the same folders.
    let lock = File::create(cache.path("lock")).map_err(|error| format!("the lock of the cache: {error}"))?;
    lock.lock().map_err(|error| format!("the lock of the cache: {error}"))?;
    toolchain::prepare(&cache, &platforms)?;
    sources::copy(&cache)?;
    let recordings = sources::record_scenarios(&cache)?;
    println!("cross: prepared in {:.0} s; building and running", begun.elapsed().as_secs_f64());
    let context = jobs::Context { cache: &cache, recordings: &recordings, amount: chosen.amount };
    let results = jobs::run_all(&context, &Job::list(&platforms));
    for result in &results {
        let file = output.join(format!("{}.txt", result.job.file_name()));
        let text = result.output().unwrap_or_default();
        std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let rows = compare::rows(&results, chosen.amount)?;
    print!("{}", compare::table(&rows));
    println!("cross: {:.0} s in all; the output is in {}", begun.elapsed().as_secs_f64(), output.display());
    let bad: Vec<&Row> = rows.iter().filter(|row| row.verdict == Verdict::Bad).collect();
    bad.iter().for_each(|row| eprintln!("cross: {} {}: {}", row.platform, row.profile, row.details));
    if bad.is_empty() { Ok(()) } else { Err(format!("cross: {} of {} rows failed", bad.len(), rows.len())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(args: &[&str]) -> Result<Chosen, String> {
        Chosen::new(&args.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_choose_platforms() {
        let names = |args: &[&str]| -> Vec<&str> {
            chosen(args).unwrap().platforms().iter().map(|platform| platform.name).collect()
        };
        assert_eq!(names(&[]).len(), 8);
        assert_eq!(names(&["--only", "x86_64-serde"]), ["x86_64-serde", "x86_64"]);
        assert_eq!(names(&["--only", "s390x", "--only", "i686", "--quick"]), ["s390x", "i686", "x86_64"]);
        assert_eq!(chosen(&["--quick"]).unwrap().amount, Amount::Quick);
        assert!(chosen(&["--if-warm"]).unwrap().if_warm);
    }

    #[test]
    fn unknown_platforms_and_options_are_refused() {
        assert!(chosen(&["--only", "vax"]).unwrap_err().contains("s390x, "));
        assert!(chosen(&["--only"]).is_err() && chosen(&["--all"]).is_err());
    }

    #[test]
    fn an_empty_cache_is_not_warm() {
        let cache = Cache(std::env::temp_dir().join(format!("waymarch-no-cache-{}", std::process::id())));
        assert!(!cache.is_warm(&PLATFORMS.iter().collect::<Vec<_>>()));
    }
}
