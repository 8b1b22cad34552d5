//! See `waymarch_fuzz::parser_checks::yaml_config`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("yaml_config", bytes));
