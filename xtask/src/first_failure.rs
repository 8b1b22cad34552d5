//! Runs a test program up to its first failed test: `cargo xtask mutants` needs no more than that.

use std::io::{BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};

/// The name of the task, which cargo calls as the runner of test programs.
pub(crate) const TASK: &str = "until-first-failure";

/// Runs the program that the arguments name, and ends it when a test has failed.
pub(crate) fn command(args: &[String]) -> ExitCode {
    match args.split_first().map(|(program, args)| run(program, args)) {
        Some(Ok(true)) => ExitCode::SUCCESS,
        Some(Ok(false)) => ExitCode::FAILURE,
        Some(Err(error)) => {
            eprintln!("xtask: {TASK}: {error}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("xtask: {TASK} needs a program");
            ExitCode::FAILURE
        }
    }
}

/// Whether all tests passed.
fn run(program: &str, args: &[String]) -> std::io::Result<bool> {
    let mut child = Command::new(program).args(args).stdout(Stdio::piped()).spawn()?;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines() {
            let line = line?;
            println!("{line}");
            if is_failure(&line) {
                child.kill()?;
                child.wait()?;
                return Ok(false);
            }
        }
    }
    Ok(child.wait()?.success())
}

/// Whether a line says that a test has failed.
fn is_failure(line: &str) -> bool {
    line.starts_with("test ") && line.ends_with("FAILED")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_failed_test_is_known() {
        assert!(is_failure("test cost::tests::a_wall_is_closed ... FAILED"));
        assert!(!is_failure("test cost::tests::a_wall_is_closed ... ok"));
        assert!(!is_failure("failures:") && !is_failure("a test FAILED"));
    }

    #[test]
    fn a_program_ends_at_its_first_failed_test() {
        let script = |text: &str| run("sh", &["-c".to_string(), text.to_string()]).unwrap();
        assert!(!script("echo 'test one ... FAILED'; sleep 60"));
        assert!(script("echo 'test one ... ok'"));
        assert!(!script("exit 101"));
    }
}
