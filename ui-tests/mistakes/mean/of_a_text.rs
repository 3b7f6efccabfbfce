include!("../patients.rs");

fn wrong() -> Mechanism<Table<Patient, Replace>, f64, Eps<1, 4>> {
    rows::<Table<Patient, Replace>>().mean(|p| p.town).laplace()
}

fn main() {}
