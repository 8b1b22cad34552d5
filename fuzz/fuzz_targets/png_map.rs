//! See `waymarch_fuzz::parser_checks::png_map`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("png_map", bytes));
