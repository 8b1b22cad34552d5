//! The check as a WebAssembly module: it exports `run` and imports `get` and `put`, which take and give single bytes.
#![allow(unsafe_code, reason = "names for the host are unsafe attributes; no pointer is passed")]

use waymarch::world::Serial;

use crate::Options;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// The next byte of the input; -1 at its end.
    safe fn get() -> i32;
    /// A byte of the output.
    safe fn put(byte: u32);
}

/// Runs the check. The input is a line of arguments, then the recordings.
#[unsafe(no_mangle)]
pub extern "C" fn run() {
    let mut print = |line: &str| line.bytes().chain([b'\n']).for_each(|byte| put(byte.into()));
    std::panic::set_hook(Box::new(|info| {
        format!("PANIC {info}\n").bytes().for_each(|byte| put(byte.into()));
    }));
    let mut input = core::iter::from_fn(|| u8::try_from(get()).ok());
    let words: Vec<u8> = input.by_ref().take_while(|&byte| byte != b'\n').collect();
    let recordings: Vec<u8> = input.collect();
    match Options::read(String::from_utf8_lossy(&words).split_whitespace()) {
        Ok(options) => crate::run(&Serial, &options, &recordings, &mut print),
        Err(message) => print(&message),
    }
}
