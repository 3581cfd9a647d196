#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = patience_ggp::Message::read(&String::from_utf8_lossy(bytes));
});
