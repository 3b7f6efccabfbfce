//! Any records, numbered and chained as the documentation says, so that the rules behind the hashes are
//! reached: each line of the input is a record without its number and time. A last line that ends with
//! a backslash is torn there.
#![no_main]

mod common;

use sha2::{Digest, Sha256};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut file = common::HEADER.as_bytes().to_vec();
    let mut link = Sha256::digest(common::HEADER);
    for (number, text) in bytes.split(|&b| b == b'\n').enumerate() {
        let torn = text.strip_suffix(b"\\");
        let mut body = format!("{number} {} ", 1_795_000_000_000_u64 + number as u64).into_bytes();
        body.extend_from_slice(torn.unwrap_or(text));
        link = Sha256::new().chain_update(link).chain_update(&body).finalize();
        let hex: String = link.iter().map(|byte| format!("{byte:02x}")).collect();
        file.extend_from_slice(format!("{:08x} ", body.len()).as_bytes());
        file.extend_from_slice(&body);
        if torn.is_some() {
            break;
        }
        file.extend_from_slice(format!(" {hex}\n").as_bytes());
    }
    common::check(&file);
});
