//! Runs the check of a platform: directly, in an emulator, in Node or under Wine.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use super::jobs::Context;
use super::platforms::{Kind, Platform};
use crate::{root, shown};

/// Runs a built check with arguments; returns its output.
pub(crate) fn run(
    context: &Context<'_>,
    platform: &Platform,
    program: &Path,
    arguments: &[&str],
) -> Result<String, String> {
    let input = File::open(context.recordings).map_err(|error| format!("the recordings: {error}"))?;
    let mut command = match platform.kind {
        Kind::Host | Kind::Serde => Command::new(program),
        Kind::Debian { gnu, emulator: Some(emulator), .. } => {
            let mut command = Command::new(emulator);
            command.args(["-L", &format!("/usr/{gnu}")]).arg(program);
            command
        }
        Kind::Debian { gnu, emulator: None, .. } => {
            let libraries = format!("/usr/{gnu}/lib");
            let mut command = Command::new(format!("{libraries}/ld-linux.so.2"));
            command.args(["--library-path", &libraries]).arg(program);
            command
        }
        Kind::Wasm => {
            let mut command = Command::new("node");
            command.arg(root().join("crates/waymarch-xcheck/web/node.mjs")).arg(program);
            command
        }
        Kind::Windows => {
            provide_random_numbers(program)?;
            let mut command = Command::new("wine");
            command.arg(program).env("WINEDEBUG", "-all").env("WINEPREFIX", context.cache.path("wine"));
            command
        }
    };
    command.args(arguments).stdin(Stdio::from(input)).env_remove("LD_LIBRARY_PATH");
    let name = shown(&command);
    let output = command.output().map_err(|error| format!("`{name}` could not start: {error}"))?;
    if !output.status.success() {
        let (errors, status) = (String::from_utf8_lossy(&output.stderr), output.status);
        return Err(format!("`{name}` failed ({status}): {}", errors.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).replace('\r', ""))
}

/// Puts a library for random numbers beside a program for Windows: std imports it, and Wine 8 has none. Its numbers are not random; no result
/// may depend on them.
fn provide_random_numbers(program: &Path) -> Result<(), String> {
    let (library, source) =
        (program.with_file_name("bcryptprimitives.dll"), program.with_file_name("bcryptprimitives.c"));
    if library.is_file() {
        return Ok(());
    }
    let text = "#include <stddef.h>\n__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, size_t count) {\n  \
                for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(i * 73 + 41);\n  return 1;\n}\n";
    std::fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
    crate::run(Command::new("x86_64-w64-mingw32-gcc").arg("-shared").arg(&source).arg("-o").arg(&library))
}
