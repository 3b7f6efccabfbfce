//! Mechanisms that are known to be wrong, and some that are known to be right.
//!
//! An auditor is only as good as what it catches. Every mistake here has been made in a paper, a
//! library or a draft of this one. An audit must refute each wrong one and none of the right ones.

mod choice;
mod compose;
mod data;
mod noise;
mod response;
mod sound;
mod sparse;

use crate::{Audit, Claim, Coins, Error, Report};

pub use noise::naive_laplace;

/// A mechanism whose verdict is known.
#[derive(Clone, Debug)]
pub struct Control {
    /// What it is called.
    pub name: &'static str,
    /// What is wrong with it, or why it is right.
    pub why: &'static str,
    /// What it claims to spend.
    pub claim: Claim,
    /// Whether the claim is true.
    pub sound: bool,
    run: fn(&Audit) -> Result<Report, Error>,
}

impl Control {
    /// Audits it with that many draws on each of two neighbouring inputs.
    ///
    /// # Errors
    ///
    /// The same as for [`Audit::run`].
    pub fn audit(&self, draws: u64) -> Result<Report, Error> {
        let audit = Audit::new(self.claim).draws(draws).named(self.name);
        (self.run)(&audit)
    }
}

/// Every control: the wrong ones by theme, then the right ones.
#[must_use]
pub fn all() -> Vec<Control> {
    [
        noise::controls(),
        compose::controls(),
        data::controls(),
        choice::controls(),
        sparse::controls(),
        response::controls(),
        sound::controls(),
    ]
    .concat()
}

fn wrong(
    name: &'static str,
    why: &'static str,
    claim: Claim,
    run: fn(&Audit) -> Result<Report, Error>,
) -> Control {
    Control {
        name,
        why,
        claim,
        sound: false,
        run,
    }
}

fn right(
    name: &'static str,
    why: &'static str,
    claim: Claim,
    run: fn(&Audit) -> Result<Report, Error>,
) -> Control {
    Control {
        name,
        why,
        claim,
        sound: true,
        run,
    }
}

/// One mechanism on two inputs.
fn on<I: Sync, O: crate::audit::Outcome>(
    audit: &Audit,
    left: I,
    right: I,
    mechanism: impl Fn(&I, &mut Coins) -> O + Sync,
) -> Result<Report, Error> {
    audit.run(
        |coins| mechanism(&left, coins),
        |coins| mechanism(&right, coins),
    )
}
