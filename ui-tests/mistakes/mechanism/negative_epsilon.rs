include!("../patients.rs");

fn wrong() -> Mechanism<Patients, i64, Eps<-1, 4>> {
    rows::<Patient>().count().laplace()
}

fn main() {}
