//! Compilers, emulators and libraries: installed packages of Debian, and Debian's Rust 1.85 unpacked into the cache.
//!
//! Debian has the standard library for every processor that it runs on, and the sources to build it for WebAssembly and Windows.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Cache;
use super::platforms::{Kind, PLATFORMS, Platform};
use crate::run;
use crate::stages::installed_browser;

/// The release of Debian whose Rust is used. Its versions no longer change.
const SUITE: &str = "bookworm";

/// Debian's packages with the compiler, its libraries and the sources of the standard library.
const COMPILER: [&str; 5] =
    ["rustc-web", "libstd-rust-web-1.85", "libllvm19", "libstd-rust-web-dev:amd64", "rust-web-src"];

/// Whether everything that a platform needs is installed.
pub(crate) fn is_ready(cache: &Cache, platform: &Platform) -> bool {
    let has_compiler = platform.kind.is_native() || complete(cache).is_file();
    has_compiler && packages(platform).iter().all(|package| is_installed(package))
}

/// Installs what is missing.
pub(crate) fn prepare(cache: &Cache, platforms: &[&Platform]) -> Result<(), String> {
    let mut missing: Vec<String> = platforms.iter().flat_map(|platform| packages(platform)).collect();
    missing.sort();
    missing.dedup();
    missing.retain(|package| !is_installed(package));
    if !missing.is_empty() {
        println!("cross: installs {}", missing.join(" "));
        install(&missing)
            .map_err(|error| format!("{error}; install these packages: {}", missing.join(" ")))?;
    }
    if platforms.iter().any(|platform| !platform.kind.is_native()) && !complete(cache).is_file() {
        println!("cross: unpacks Debian's Rust 1.85 into {}", cache.0.display());
        unpack(cache)?;
    }
    Ok(())
}

/// The packages that a platform needs.
fn packages(platform: &Platform) -> Vec<String> {
    match platform.kind {
        Kind::Host | Kind::Serde => Vec::new(),
        Kind::Debian { arch, gnu, emulator } => {
            let mut names = vec![format!("gcc-{gnu}"), format!("libc6-dev-{arch}-cross")];
            names.extend(emulator.map(|_| "qemu-user-static".to_string()));
            names
        }
        Kind::Wasm => web_packages(program("node").as_deref(), installed_browser().as_deref()),
        Kind::Windows => ["gcc-mingw-w64-x86-64", "wine64", "wine"].map(String::from).to_vec(),
    }
}

/// The packages with Node and with a browser, unless this machine has them from elsewhere.
fn web_packages(node: Option<&Path>, browser: Option<&str>) -> Vec<String> {
    let mut names = Vec::new();
    if node.is_none() {
        names.push("nodejs".to_string());
    }
    if browser.is_none() {
        names.push("chromium".to_string());
    }
    names
}

/// Where a program is on `PATH`.
fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn is_installed(package: &str) -> bool {
    let query =
        Command::new("dpkg-query").args(["-W", "-f", "${Status}", package]).stderr(Stdio::null()).output();
    query.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).ends_with("ok installed"))
}

fn install(packages: &[String]) -> Result<(), String> {
    run(Command::new("apt-get").args(["update", "-qq"]))?;
    let arguments = ["install", "--yes", "-qq", "--no-install-recommends"];
    let mut apt = Command::new("apt-get");
    apt.args(arguments).args(packages).env("DEBIAN_FRONTEND", "noninteractive");
    run(apt.stdin(Stdio::null()).stdout(Stdio::null()))
}

/// The folder that Debian's packages are unpacked into.
pub(crate) fn root(cache: &Cache) -> PathBuf {
    cache.path("rust")
}

/// A file that exists when all packages are unpacked.
fn complete(cache: &Cache) -> PathBuf {
    root(cache).join("complete")
}

/// Downloads and unpacks the packages. Apt gets its own state, so that the machine gets no foreign architectures.
fn unpack(cache: &Cache) -> Result<(), String> {
    let (apt, rust) = (cache.folder("apt")?, root(cache));
    for folder in ["apt/lists/partial", "apt/cache/archives/partial", "apt/packages", "rust"] {
        cache.folder(folder)?;
    }
    let mut architectures = vec!["amd64"];
    architectures.extend(PLATFORMS.iter().filter_map(|platform| match platform.kind {
        Kind::Debian { arch, .. } => Some(arch),
        _ => None,
    }));
    let config = apt.join("apt.conf");
    write(&config, &apt_config(&apt, &architectures))?;
    let key = "/usr/share/keyrings/debian-archive-keyring.gpg";
    write(&apt.join("sources.list"), &format!("deb [signed-by={key}] {} {SUITE} main\n", mirror()))?;
    let apt_get = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("APT_CONFIG", &config).current_dir(apt.join("packages"));
        run(&mut command)
    };
    apt_get(&["update", "-qq"])?;
    let foreign: Vec<String> =
        architectures[1..].iter().map(|arch| format!("libstd-rust-web-dev:{arch}")).collect();
    let mut download = vec!["download", "-qq"];
    download.extend(COMPILER);
    download.extend(foreign.iter().map(String::as_str));
    apt_get(&download)?;
    let packages = std::fs::read_dir(apt.join("packages")).map_err(|error| format!("packages: {error}"))?;
    for package in packages {
        let package = package.map_err(|error| format!("packages: {error}"))?.path();
        run(Command::new("dpkg").arg("-x").arg(&package).arg(&rust))?;
    }
    std::fs::remove_dir_all(&apt).map_err(|error| format!("{}: {error}", apt.display()))?;
    write(&complete(cache), "")
}

fn apt_config(apt: &Path, architectures: &[&str]) -> String {
    let (apt, names) = (apt.display(), architectures.join("\"; \""));
    format!(
        "APT::Architectures {{ \"{names}\"; }};\nDir::State::Lists \"{apt}/lists\";\nDir::Cache \"{apt}/cache\";\n\
         Dir::Etc::sourceparts \"-\";\nDir::Etc::sourcelist \"{apt}/sources.list\";\nAcquire::Languages \"none\";\n\
         APT::Sandbox::User \"root\";\n"
    )
}

/// The mirror of Debian that this machine uses.
fn mirror() -> String {
    let sources = std::fs::read_to_string("/etc/apt/sources.list.d/debian.sources").unwrap_or_default();
    let first = sources.lines().find_map(|line| line.strip_prefix("URIs:"));
    first.map_or("http://deb.debian.org/debian", str::trim).to_string()
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webassembly_needs_node_and_a_browser() {
        let node = Path::new("/usr/bin/node");
        assert_eq!(web_packages(None, None), ["nodejs", "chromium"]);
        assert_eq!(web_packages(Some(node), None), ["chromium"]);
        assert_eq!(web_packages(None, Some("/opt/chromium")), ["nodejs"]);
        assert!(web_packages(Some(node), Some("/opt/chromium")).is_empty());
    }

    #[test]
    fn only_builds_with_the_compiler_of_this_machine_need_no_packages() {
        for platform in PLATFORMS.iter().filter(|platform| platform.kind != Kind::Wasm) {
            assert_eq!(packages(platform).is_empty(), platform.kind.is_native(), "{}", platform.name);
        }
    }
}
