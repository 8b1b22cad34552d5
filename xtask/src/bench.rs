//! `cargo xtask bench`: the criterion benchmarks and `waymarch bench`.

use crate::{cargo, run};

/// Runs the benchmarks.
pub(crate) fn command(args: &[String]) -> Result<(), String> {
    let (base, rest): (&[&str], _) = match args.split_first() {
        Some((first, rest)) if first == "program" => {
            (&["run", "--release", "--package", "waymarch-cli", "--", "bench"], rest)
        }
        _ => (&["bench", "--workspace", "--benches"], args),
    };
    run(cargo(base).args(rest))
}
