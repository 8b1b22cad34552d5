//! See `waymarch_fuzz::parser_checks::movingai_map`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("movingai_map", bytes));
