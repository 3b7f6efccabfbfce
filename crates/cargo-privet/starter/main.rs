//! Prints the report.
#![forbid(unsafe_code)]

fn main() -> privet::Result<()> {
    let (line, _vault) = NAME::report(NAME::vault())?;
    println!("{line}");
    Ok(())
}
