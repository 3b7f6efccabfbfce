//! What passes. What must not compile stands in the documentation of `report`.

use privet::prelude::*;

#[test]
fn a_report_spends_the_budget_exactly() -> privet::Result<()> {
    let (line, vault) = NAME::report(NAME::vault())?;
    assert!(line.contains("visits"));
    assert_eq!(vault.remaining(), Eps::<0, 1>::price());
    Ok(())
}

#[test]
fn noise_is_small_beside_a_thousand_visits() -> privet::Result<()> {
    let (count, _vault) = NAME::vault().release(NAME::visits())?;
    // At ε = 1/4 an error of 200 has a probability below 10^-20.
    assert!((800..=1_200).contains(&count));
    Ok(())
}
