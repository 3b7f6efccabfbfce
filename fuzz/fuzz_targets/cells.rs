//! Any bytes as what an executor answers: refused, or the one spelling of cells, which add up or do not.
#![no_main]

use privet::engine::Cells;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(cells) = Cells::decode(bytes) {
        assert_eq!(cells.encode(), bytes);
        let mut twice = cells.clone();
        if twice.merge(&cells).is_ok() {
            assert_eq!(twice.encode().len(), bytes.len());
        }
    }
});
