//! See `waymarch_fuzz::parser_checks::fixed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("fixed", bytes));
