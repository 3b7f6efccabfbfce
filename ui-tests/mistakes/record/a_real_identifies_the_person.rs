include!("../patients.rs");

#[derive(Record)]
struct Trip {
    #[privet(person)]
    rider: f64,
}

fn main() {}
