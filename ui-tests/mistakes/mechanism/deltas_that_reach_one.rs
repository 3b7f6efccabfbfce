include!("../patients.rs");

fn twice() -> Mechanism<Patients, (i64, i64), Approx<Eps<1, 1>, Delta<9, 1>>> {
    let one = || {
        rows::<Patient>()
            .count()
            .gaussian_approx::<Approx<Eps<1, 2>, Delta<5, 1>>>()
    };
    one().and(one()).at_most()
}

fn main() {}
