//! See `waymarch_fuzz::lazy_field::lazy_flow`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("lazy_flow", bytes));
