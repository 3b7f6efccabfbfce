include!("../patients.rs");

fn count_smokers() -> Mechanism<Patients, i64, Eps<1, 4>> {
    let mut n = 0;
    rows::<Patient>()
        .filter(|p| {
            if p.age.gt(40) {
                n += 1;
            }
            p.smoker
        })
        .count()
        .laplace()
}

fn main() {}
