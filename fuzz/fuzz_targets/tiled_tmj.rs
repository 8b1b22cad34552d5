//! See `waymarch_fuzz::parser_checks::tiled_tmj`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("tiled_tmj", bytes));
