//! See `waymarch_fuzz::saved_state::yaml_scenario`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("yaml_scenario", bytes));
