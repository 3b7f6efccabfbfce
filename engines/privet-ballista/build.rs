//! What the sources are that read rows and compute cells: an executor of another build refuses orders.

use std::fs;
use std::path::Path;

const SOURCES: [&str; 10] = [
    "src",
    "../privet-datafusion/src",
    "../../src",
    "../../crates/privet-derive/src",
    // Features and profiles.
    "Cargo.toml",
    "../privet-datafusion/Cargo.toml",
    "../Cargo.toml",
    "../../Cargo.toml",
    "../../crates/privet-derive/Cargo.toml",
    "../Cargo.lock",
];

/// FNV-1a over names and contents. Ends of lines differ between machines.
fn add(path: &Path, hash: &mut u64) {
    let mut bytes = |bytes: &[u8]| {
        for byte in bytes.iter().filter(|byte| **byte != b'\r') {
            *hash = (*hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    bytes(name.as_bytes());
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a directory of the sources");
        let mut entries: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
        entries.sort();
        entries.iter().for_each(|path| add(path, hash));
    } else {
        let text = fs::read(path).expect("a file of the sources");
        bytes(&text);
        bytes(&[0]);
    }
}

fn main() {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        add(Path::new(source), &mut hash);
    }
    let version = env!("CARGO_PKG_VERSION");
    println!("cargo:rustc-env=PRIVET_BUILD={version}-{hash:016x}");
}
