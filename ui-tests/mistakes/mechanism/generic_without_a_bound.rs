include!("../patients.rs");

fn everyone_at<E>() -> Mechanism<Patients, i64, E> {
    rows::<Patient>().count().laplace::<E>()
}

fn main() {}
