//! `waymarch-xcheck [SECTION[:PART]]… [--quick] [--fault NAME] [--threads N] < RECORDINGS`
//!
//! Prints one line per result. Standard input has the recordings of scenarios; it may be empty.

use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use waymarch::world::Serial;
use waymarch_xcheck::{Options, run};

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let threads = words.iter().position(|word| word == "--threads").map(|at| {
        words.remove(at);
        if at < words.len() { words.remove(at) } else { String::new() }
    });
    let done = Options::read(words.iter().map(String::as_str)).and_then(|options| {
        let mut recordings = Vec::new();
        std::io::stdin().read_to_end(&mut recordings).map_err(|error| format!("standard input: {error}"))?;
        let mut output = std::io::stdout().lock();
        let mut fault = None;
        let mut sink = |line: &str| {
            if let Err(error) = writeln!(output, "{line}").and_then(|()| output.flush()) {
                fault.get_or_insert(error);
            }
        };
        match threads {
            None => run(&Serial, &options, &recordings, &mut sink),
            Some(count) => run_on_threads(&count, &options, &recordings, &mut sink)?,
        }
        fault.map_or(Ok(()), |error| Err(format!("standard output: {error}")))
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("waymarch-xcheck: {message}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(feature = "parallel")]
fn run_on_threads(
    count: &str,
    options: &Options,
    recordings: &[u8],
    sink: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let count = count.parse().map_err(|error| format!("`--threads {count}`: {error}"))?;
    let threads = waymarch::world::Threads::new(count).map_err(|error| error.to_string())?;
    run(&threads, options, recordings, sink);
    Ok(())
}

#[cfg(not(feature = "parallel"))]
fn run_on_threads(_: &str, _: &Options, _: &[u8], _: &mut dyn FnMut(&str)) -> Result<(), String> {
    Err("`--threads` needs a build with `--features parallel`".to_string())
}
