//! privet and its peers, side by side: prints Markdown. See the README for the commands.

mod data;
mod noise;
mod report;

fn main() {
    match std::env::args().nth(1).as_deref() {
        None => {
            noise::run();
            println!();
            data::run();
        }
        Some("noise") => noise::run(),
        Some("data") => data::run(),
        Some("opendp") => noise::opendp_alone(),
        Some(other) => eprintln!("{other}: not one of `noise`, `data`; without it, both"),
    }
}
