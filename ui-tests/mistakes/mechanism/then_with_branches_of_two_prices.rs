include!("../patients.rs");

fn look_closer() -> Mechanism<Patients, (i64, i64), Eps<2, 4>> {
    everyone().then(|&n| {
        if n > 100 {
            rows::<Patient>().count().laplace::<Eps<1, 4>>()
        } else {
            rows::<Patient>().count().laplace::<Eps<1, 8>>()
        }
    })
}

fn main() {}
