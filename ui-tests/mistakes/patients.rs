// What the programs below share: two records and a mechanism.
use privet::prelude::*;

#[derive(Category)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    smoker: bool,
    ward: Ward,
    town: String,
    weight: Option<f64>,
    children: Option<i64>,
    insured: Option<bool>,
    place: [f64; 2],
}

#[derive(Record)]
struct Visit {
    cost: i64,
}

type Patients = Table<Patient>;

fn everyone() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().count().laplace()
}
