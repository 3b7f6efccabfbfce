#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use privet::load::Csv;

fn main() -> privet::Result<()> {
    let (vault, report) = Vault::<Table<Patient>, Eps<1, 1>>::load_with_report(Csv::<Patient>::file("x").skip_malformed())?;
    let _ = (vault.remaining(), report.skipped());
    Ok(())
}
