//! The platforms, and how each is built and run.

/// How a platform is built and run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// This machine, with this machine's compiler.
    Host,
    /// This machine, with the feature `serde`.
    Serde,
    /// Linux on another processor, with Debian's compiler and libraries.
    Debian {
        /// Debian's name of the processor.
        arch: &'static str,
        /// How the names of gcc and of the folder of libraries begin.
        gnu: &'static str,
        /// The emulator; `None` if this machine runs the programs.
        emulator: Option<&'static str>,
    },
    /// WebAssembly, in Node and in a browser.
    Wasm,
    /// Windows, under Wine.
    Windows,
}

impl Kind {
    /// Whether this machine's compiler builds it and this machine runs it.
    pub(crate) const fn is_native(self) -> bool {
        matches!(self, Self::Host | Self::Serde)
    }
}

/// A platform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Platform {
    pub(crate) name: &'static str,
    /// Rust's name.
    pub(crate) triple: &'static str,
    pub(crate) kind: Kind,
    /// The fault that must show on this platform.
    pub(crate) fault: Option<&'static str>,
}

/// All platforms, and a build with another feature, the slowest first: they start first.
pub(crate) const PLATFORMS: &[Platform] = &[
    Platform {
        name: "s390x",
        triple: "s390x-unknown-linux-gnu",
        kind: Kind::Debian { arch: "s390x", gnu: "s390x-linux-gnu", emulator: Some("qemu-s390x-static") },
        fault: Some("native-endian"),
    },
    Platform {
        name: "armv7",
        triple: "armv7-unknown-linux-gnueabihf",
        kind: Kind::Debian { arch: "armhf", gnu: "arm-linux-gnueabihf", emulator: Some("qemu-arm-static") },
        fault: Some("usize"),
    },
    Platform {
        name: "aarch64",
        triple: "aarch64-unknown-linux-gnu",
        kind: Kind::Debian { arch: "arm64", gnu: "aarch64-linux-gnu", emulator: Some("qemu-aarch64-static") },
        fault: None,
    },
    Platform { name: "wasm32", triple: "wasm32-unknown-unknown", kind: Kind::Wasm, fault: Some("usize") },
    Platform { name: "windows", triple: "x86_64-pc-windows-gnu", kind: Kind::Windows, fault: None },
    Platform {
        name: "i686",
        triple: "i686-unknown-linux-gnu",
        kind: Kind::Debian { arch: "i386", gnu: "i686-linux-gnu", emulator: None },
        fault: Some("usize"),
    },
    Platform { name: "x86_64-serde", triple: "x86_64-unknown-linux-gnu", kind: Kind::Serde, fault: None },
    Platform {
        name: "x86_64",
        triple: "x86_64-unknown-linux-gnu",
        kind: Kind::Host,
        fault: Some("map-order"),
    },
];

/// How the check is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Profile {
    /// With debug assertions and overflow checks.
    Debug,
    Release,
}

impl Profile {
    pub(crate) const ALL: [Self; 2] = [Self::Debug, Self::Release];

    /// The name of cargo's folder.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Release => "release",
        }
    }
}
