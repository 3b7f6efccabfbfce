include!("../patients.rs");

fn places() -> Mechanism<Patients, [f64; 2], Eps<1, 4>> {
    rows::<Patient>()
        .vector_sum(|p| p.place.clip_l2::<1>())
        .laplace()
}

fn main() {}
