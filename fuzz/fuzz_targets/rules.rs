#![no_main]

#[path = "../rules.rs"]
mod rules;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rules::one(bytes));
