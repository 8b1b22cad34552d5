//! Builds the check for a platform.

use std::path::PathBuf;
use std::process::Command;

use super::platforms::{Kind, Platform, Profile};
use super::{Cache, sources, toolchain};
use crate::{cargo, run, shown};

/// Builds the check; returns the program, or the module for WebAssembly.
pub(crate) fn build(cache: &Cache, platform: &Platform, profile: Profile) -> Result<PathBuf, String> {
    let target = cache.target(platform);
    // One job: the other processors build other platforms.
    let mut command = match platform.kind {
        Kind::Wasm => cargo(&["rustc", "--lib", "--crate-type", "cdylib"]),
        _ => cargo(&["build", "--bin", "waymarch-xcheck"]),
    };
    command
        .args(["--quiet", "--locked", "--jobs", "1", "--package", "waymarch-xcheck", "--target-dir"])
        .arg(&target);
    command.arg("--manifest-path").arg(sources::folder(cache).join("Cargo.toml"));
    if profile == Profile::Release {
        command.arg("--release");
    }
    for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_TARGET_DIR"] {
        command.env_remove(variable);
    }
    // Builds are faster without link-time optimization and debug information. Neither may change a result.
    command.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    command.env("CARGO_PROFILE_DEV_DEBUG", "false");
    match platform.kind {
        Kind::Host => drop(command.args(["--features", "parallel"])),
        Kind::Serde => drop(command.args(["--features", "serde"])),
        Kind::Debian { gnu, .. } => use_debian(&mut command, cache, platform, &format!("{gnu}-gcc")),
        Kind::Wasm => {
            use_debian(&mut command, cache, platform, &rust_lld()?);
            build_std(&mut command);
        }
        Kind::Windows => {
            make_startup_objects(cache, platform)?;
            use_debian(&mut command, cache, platform, "x86_64-w64-mingw32-gcc");
            build_std(&mut command);
        }
    }
    let name = shown(&command);
    let output = command.output().map_err(|error| format!("`{name}` could not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{name}` failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let triple = if platform.kind.is_native() { "" } else { platform.triple };
    let file = match platform.kind {
        Kind::Wasm => "waymarch_xcheck.wasm",
        Kind::Windows => "waymarch-xcheck.exe",
        Kind::Host | Kind::Serde | Kind::Debian { .. } => "waymarch-xcheck",
    };
    Ok(target.join(triple).join(profile.name()).join(file))
}

/// Builds with Debian's compiler for a platform and with this linker.
fn use_debian(command: &mut Command, cache: &Cache, platform: &Platform, linker: &str) {
    let root = toolchain::root(cache);
    let variable = format!("CARGO_TARGET_{}_LINKER", platform.triple.replace('-', "_").to_uppercase());
    command
        .args(["--target", platform.triple])
        .env("RUSTC", root.join("usr/bin/rustc"))
        .env("LD_LIBRARY_PATH", root.join("usr/lib/x86_64-linux-gnu"))
        .env(variable, linker);
}

/// Builds the standard library too: Debian has none for this platform.
fn build_std(command: &mut Command) {
    command.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1");
}

/// Makes the two objects that every program for Windows is linked with. Debian has only their sources, and `-Zbuild-std` does not build them.
fn make_startup_objects(cache: &Cache, platform: &Platform) -> Result<(), String> {
    let root = toolchain::root(cache);
    let folder = cache.folder(&format!("rust/usr/lib/rustlib/{}/lib", platform.triple))?;
    for name in ["rsbegin", "rsend"] {
        let object = folder.join(format!("{name}.o"));
        if object.is_file() {
            continue;
        }
        let source = root.join(format!("usr/src/rustc-1.85.0/library/rtstartup/{name}.rs"));
        let mut rustc = Command::new(root.join("usr/bin/rustc"));
        rustc.args(["--target", platform.triple, "--emit=obj", "-o"]).arg(&object).arg(&source);
        rustc.env("RUSTC_BOOTSTRAP", "1").env("LD_LIBRARY_PATH", root.join("usr/lib/x86_64-linux-gnu"));
        run(&mut rustc)?;
    }
    Ok(())
}

/// The linker for WebAssembly that comes with this machine's Rust.
fn rust_lld() -> Result<String, String> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    let output = output.map_err(|error| format!("`rustc --print sysroot`: {error}"))?;
    let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_string();
    Ok(format!("{sysroot}/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld"))
}
