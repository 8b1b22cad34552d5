//! `cargo xtask hooks`: installs the git hooks of this repository.

use std::process::Command;

use crate::{root, run};

/// The folder of the hooks, from the root.
const FOLDER: &str = "hooks";

/// Tells git to run the hooks in [`FOLDER`] for this clone.
pub(crate) fn command(args: &[String]) -> Result<(), String> {
    if !args.is_empty() {
        return Err("`hooks` takes no arguments".to_string());
    }
    run(Command::new("git").args(["config", "core.hooksPath", FOLDER]).current_dir(root()))?;
    println!(
        "hooks: git runs the scripts in `{FOLDER}` from now on; `git config --unset core.hooksPath` undoes it"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Output};

    use super::*;

    /// Runs the hook on a message. The name keeps files of parallel tests apart.
    fn commit_msg(name: &str, message: &str) -> Output {
        let file = std::env::temp_dir().join(format!("waymarch-commit-msg-{}-{name}", std::process::id()));
        std::fs::write(&file, message).expect("the temporary folder can be written");
        let output = Command::new("sh").arg(root().join("hooks/commit-msg")).arg(&file).output();
        let _ = std::fs::remove_file(&file);
        output.expect("there is a shell")
    }

    #[test]
    #[cfg(unix)]
    fn subjects_in_the_imperative_pass() {
        for message in [
            "Add a hook for subjects",
            "\n# a comment\nRename `byway` to `detour`\n\nThe reason, in as many words as it takes, may be much longer.\n",
            "Pass the seed on",
            "Merge branch 'x'",
            "Revert \"The old subject, which was much longer than seventy-two characters are, all in all\"",
            "Write ärmel, größe and übel: sixty-four characters of which many are two",
        ] {
            let output = commit_msg("good", message);
            assert!(output.status.success(), "{message}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }

    #[test]
    #[cfg(unix)]
    fn other_subjects_are_refused_with_a_reason() {
        let long = format!("Add {}", "x".repeat(69));
        for (message, reason) in [
            ("", "no subject"),
            ("# only a comment\n", "no subject"),
            (long.as_str(), "73 characters, more than 72"),
            ("add a hook", "capital"),
            ("Add a hook.", "full stop"),
            ("Added a hook", "no imperative"),
            ("Adds a hook", "no imperative"),
            ("Adding a hook", "no imperative"),
            ("The notes say what was tried", "no verb"),
            ("Whoever is in the middle has one sector around it", "no verb"),
        ] {
            let output = commit_msg("bad", message);
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success() && told.contains(reason), "{message}: {told}");
        }
    }

    #[test]
    fn arguments_are_refused() {
        assert!(command(&["now".to_string()]).is_err());
    }
}
