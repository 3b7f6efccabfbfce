//! Any bytes behind the first line: the reader refuses them, or finds a torn last line.
#![no_main]

mod common;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut file = common::HEADER.as_bytes().to_vec();
    file.extend_from_slice(bytes);
    common::check(&file);
});
