//! See `waymarch_fuzz::commands::commands_json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("commands_json", bytes));
