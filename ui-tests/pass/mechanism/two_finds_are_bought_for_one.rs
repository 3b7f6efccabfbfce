#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

fn main() {
    let count = rows::<Patient>().count();
    let _: Mechanism<_, Vec<usize>, Eps<2, 2>> =
        Mechanism::<_, _, Eps<1, 2>>::first_few_above::<2, _>(100, [count.clone(), count]);
}
