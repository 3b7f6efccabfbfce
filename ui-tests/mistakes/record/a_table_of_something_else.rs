include!("../patients.rs");

struct Plain {
    age: i64,
}
fn open(rows: Vec<Plain>) -> Vault<Table<Plain>, Eps<1, 1>> {
    Vault::open(rows)
}

fn main() {}
