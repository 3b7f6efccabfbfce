//! expect: privacy budget exceeded: this release costs
#![forbid(unsafe_code)]
use privet::local::{Person, person};
use privet::prelude::*;

fn report(device: Vault<Person<bool>, Eps<1, 1>>) -> privet::Result<()> {
    let (_, _device) = device.release(person::<bool>().respond::<Eps<2, 1>>())?;
    Ok(())
}

fn main() {}
