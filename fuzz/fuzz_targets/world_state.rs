//! See `waymarch_fuzz::saved_state::world_state`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("world_state", bytes));
