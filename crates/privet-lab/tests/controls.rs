//! The auditor refutes every wrong mechanism and none of the right ones.
//!
//! `PRIVET_LAB_DRAWS=1e9 cargo test --release -p privet-lab -- --nocapture` is the long mode.
#![forbid(unsafe_code)]

use std::time::Instant;

use privet_lab::audit::draws_or;
use privet_lab::controls::{Control, all};

/// Draws on each input; twice as many in all.
const USUAL: u64 = 5_000_000;

fn verdicts(controls: &[Control]) -> Vec<String> {
    let draws = draws_or(USUAL);
    let mut surprises = Vec::new();
    for control in controls {
        let start = Instant::now();
        match control.audit(draws) {
            Ok(report) => {
                println!(
                    "{:<48} {:5.1} s  {report}",
                    control.name,
                    start.elapsed().as_secs_f64()
                );
                if report.is_refuted() == control.sound {
                    surprises.push(format!("{}: {}; {report}", control.name, control.why));
                }
            }
            Err(error) => surprises.push(format!("{}: {error}", control.name)),
        }
    }
    surprises
}

#[test]
fn every_wrong_mechanism_is_refuted() {
    let wrong: Vec<Control> = all().into_iter().filter(|control| !control.sound).collect();
    assert!(wrong.len() >= 20);
    assert_eq!(verdicts(&wrong), Vec::<String>::new());
}

#[test]
fn no_right_mechanism_is_refuted() {
    let right: Vec<Control> = all().into_iter().filter(|control| control.sound).collect();
    assert!(right.len() >= 6);
    assert_eq!(verdicts(&right), Vec::<String>::new());
}

#[test]
fn controls_have_different_names() {
    let mut names: Vec<&str> = all().iter().map(|control| control.name).collect();
    let before = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), before);
}
