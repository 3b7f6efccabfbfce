//! privet and its peers, side by side: prints Markdown. See the README for the commands.

mod budget;
mod data;
mod noise;
mod report;

fn main() {
    match std::env::args().nth(1).as_deref() {
        None => {
            noise::run();
            println!();
            data::run();
            println!();
            budget::run();
        }
        Some("noise") => noise::run(),
        Some("data") => data::run(),
        Some("budget") => budget::run(),
        Some("opendp") => noise::opendp_alone(),
        Some(other) => eprintln!("{other}: not one of `noise`, `data`, `budget`; without it, all"),
    }
}
