//! expect: privacy budget exceeded
#![forbid(unsafe_code)]
use privet::algorithms::{Clusters, kmeans};
use privet::prelude::*;

#[derive(Record)]
struct Shop { place: [f64; 2] }

fn centres<E: Split<5, Part: Split<2>>>() -> Mechanism<Table<Shop>, Clusters<3, 2>, E> {
    kmeans::<3, 5>().of(rows::<Shop>(), |s| s.place)
}

fn main() -> privet::Result<()> {
    let vault: Vault<Table<Shop>, Eps<1, 2>> = Vault::open(vec![Shop { place: [0.5, 0.5] }]);
    let (_, _vault) = vault.release(centres::<Eps<2, 2>>())?;
    Ok(())
}
