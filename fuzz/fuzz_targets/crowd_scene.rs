//! See `waymarch_fuzz::parser_checks::crowd_scene`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("crowd_scene", bytes));
