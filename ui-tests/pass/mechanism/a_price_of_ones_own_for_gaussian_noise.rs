#![forbid(unsafe_code)]

struct Cheap;
impl Clone for Cheap { fn clone(&self) -> Self { Cheap } }

fn main() {
    let _ = Cheap;
}
