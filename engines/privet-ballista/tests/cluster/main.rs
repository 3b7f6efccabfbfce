//! A real cluster on loopback: a scheduler and executors as processes, killed, stopped and started again; and
//! every other engine beside it.

mod blocks;
mod differential;
mod faults;
mod harness;
mod leaks;
mod neighbours;
#[path = "../../../tests-common/questions.rs"]
mod questions;
#[path = "../../../tests-common/visits.rs"]
mod visits;
