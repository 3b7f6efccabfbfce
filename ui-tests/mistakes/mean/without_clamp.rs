include!("../patients.rs");

fn mean_bill() -> Mechanism<Table<Patient, Replace>, f64, Eps<1, 4>> {
    rows::<Table<Patient, Replace>>().mean(|p| p.bill).laplace()
}

fn main() {}
