//! See `waymarch_fuzz::parser_checks::goal`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("goal", bytes));
