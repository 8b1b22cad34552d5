//! See `waymarch_fuzz::page_messages::page_message`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| waymarch_fuzz::targets::run("page_message", bytes));
