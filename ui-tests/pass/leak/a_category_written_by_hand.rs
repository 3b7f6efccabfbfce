
#![allow(unsafe_code)]
use privet::prelude::*;

struct Mine(u32);

impl privet::derive::Derived for Mine {
    type As = privet::derive::Categorical<Mine>;
}

unsafe impl Category for Mine {
    const NAMES: &'static [&'static str] = &["0"];
    fn ordinal(&self) -> u32 {
        println!("{}", self.0);
        0
    }
}

fn main() {}
