//! See `waymarch_fuzz::oracle::legend`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("legend", bytes));
