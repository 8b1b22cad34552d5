//! See `waymarch_fuzz::saved::navigator_state`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("navigator_state", bytes));
