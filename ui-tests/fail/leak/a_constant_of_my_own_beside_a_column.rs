//! expect: Operand
//! errors: 2
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

struct Mine;

impl privet::expr::Operand<Patient> for Mine { type Expr = privet::expr::Lit<Patient, privet::expr::Int>; fn expr(self) -> Self::Expr { todo!() } }

fn main() {
    let _ = Mine;
}
