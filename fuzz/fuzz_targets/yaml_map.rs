//! See `waymarch_fuzz::parser_checks::yaml_map`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("yaml_map", bytes));
