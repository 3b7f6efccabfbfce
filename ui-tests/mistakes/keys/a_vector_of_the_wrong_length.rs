include!("../patients.rs");

fn places() -> Mechanism<Patients, [f64; 3], Eps<1, 4>> {
    rows::<Patient>()
        .vector_sum(|p| p.place.clip_l1::<1>())
        .laplace()
}

fn main() {}
