include!("../patients.rs");

fn mean_bill() -> Mechanism<Table<Patient, Replace>, f64, Eps<1, 4>> {
    rows::<Table<Patient, Replace>>()
        .average(|p| p.bill.clamp::<0, 100>())
        .laplace()
}

fn main() {}
