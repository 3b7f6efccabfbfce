include!("../patients.rs");

fn adults<R: Record>() -> Mechanism<Table<R>, i64, Eps<1, 4>> {
    rows::<R>().filter(|p| p.age.gt(18)).count().laplace()
}

fn main() {}
