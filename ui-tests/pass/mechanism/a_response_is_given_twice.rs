#![forbid(unsafe_code)]
use privet::local::{Person, person};
use privet::prelude::*;

fn report(device: Vault<Person<bool>, Eps<2, 1>>) -> privet::Result<()> {
    let (_, rest) = device.release(person::<bool>().respond::<Eps<1, 1>>())?;
    let (_, _device) = rest.release(person::<bool>().respond::<Eps<1, 1>>())?;
    Ok(())
}

fn main() {}
