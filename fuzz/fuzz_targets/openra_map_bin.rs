//! See `waymarch_fuzz::oracle::openra_map_bin`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("openra_map_bin", bytes));
