include!("../patients.rs");

#[derive(Record)]
struct Person {
    age: i64,
}
impl Drop for Person {
    fn drop(&mut self) {
        println!("{}", self.age);
    }
}

fn main() {}
