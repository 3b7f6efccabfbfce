include!("../patients.rs");

fn many() -> Mechanism<Patients, i64, Eps<1, 1>> {
    let mut total = everyone();
    for _ in 0..3 {
        total = total.and(everyone()).map(|(a, b)| a + b);
    }
    total.at_most()
}

fn main() {}
