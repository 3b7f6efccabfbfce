include!("../patients.rs");

fn half<E: Epsilon>() -> Mechanism<Patients, i64, E> {
    rows::<Patient>().count().laplace::<E::Part>().at_most()
}

fn main() {}
