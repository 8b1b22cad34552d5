//! See `waymarch_fuzz::saved_state::recording`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("recording", bytes));
