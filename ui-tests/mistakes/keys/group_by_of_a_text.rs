include!("../patients.rs");

fn by_town() -> Mechanism<Patients, Vec<i64>, Eps<1, 4>> {
    rows::<Patient>()
        .group_by(|p| p.town)
        .each(|_| rows::<Patient>().count().laplace())
}

fn main() {}
