include!("../patients.rs");

fn twice() -> Mechanism<Patients, (i64, i64), Eps<2, 4>> {
    let one = everyone();
    one.and(one)
}

fn main() {}
