include!("../patients.rs");

fn many_children(n: i32) -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(move |p| p.children.gt(n))
        .count()
        .laplace()
}

fn main() {}
