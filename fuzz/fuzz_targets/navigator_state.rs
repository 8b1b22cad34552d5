//! See `waymarch_fuzz::saved_state::navigator_state`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("navigator_state", bytes));
