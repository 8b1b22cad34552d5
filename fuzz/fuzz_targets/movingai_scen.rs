//! See `waymarch_fuzz::parser_checks::movingai_scen`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("movingai_scen", bytes));
