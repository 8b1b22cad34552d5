//! See `waymarch_fuzz::parser_checks::openra_parts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("openra_parts", bytes));
