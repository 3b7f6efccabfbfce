include!("../patients.rs");

#[derive(Record)]
struct Trip {
    #[privet(person)]
    rider: i64,
    #[privet(person)]
    driver: i64,
}

fn main() {}
