#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod accuracy;
pub mod algorithms;
mod budget;
mod compose;
mod cost;
mod domain;
mod error;
mod explain;
pub mod expr;
pub mod load;
pub mod local;
mod mechanism;
mod meter;
pub mod noise;
mod number;
mod pair;
pub mod prelude;
pub mod query;
mod record;
mod run;
mod scale;
mod simulate;
mod table;
pub mod testing;
mod vault;

pub use accuracy::{Accuracy, Advisory, Answer};
pub use compose::Bundle;
pub use cost::{
    Approx, Approximate, AtMost, Budget, Concentrated, Cost, Dearer, Delta, Eps, Epsilon,
    ForGroups, Notion, Overspent, PaidFrom, ParsePriceError, Plus, Positive, Price, Pure, Purse,
    Rho, Split, Times, Zcdp,
};
pub use domain::{AddRemove, Domain, Groups, Relation, Replace, Table};
pub use error::{Error, Result};
pub use explain::Explanation;
pub use mechanism::{EpsilonDelta, Mechanism, MovesByOne, SmallEpsilon};
pub use meter::{Chargeable, Meter, Quoted};
pub use num_rational::Ratio;
pub use pair::{Disjoint, MayShare, Pair, Sharing};
pub use privet_derive::{Category, Record};
pub use query::{Query, rows};
pub use record::{Category, Col, HasPerson, Record};
pub use simulate::Simulation;
pub use table::TableData;
pub use vault::Vault;

/// What the derives write against. Not for people.
#[doc(hidden)]
pub mod derive {
    pub use crate::record::{
        Category, Col, Field, FieldValue, First, HasPerson, Next, Record, RecordWithoutDrop,
    };
}

/// The long reads.
pub mod guide {
    #[doc = include_str!("docs/compile_errors.md")]
    pub mod compile_errors {}
    #[doc = include_str!("docs/mechanisms.md")]
    pub mod mechanisms {}
    #[doc = include_str!("docs/verified.md")]
    pub mod verified {}
}

#[doc = include_str!("docs/gallery.md")]
pub mod gallery {
    #[doc = include_str!("docs/gallery/attacks.md")]
    pub mod attacks {}
    #[doc = include_str!("docs/gallery/bernoulli_mean.md")]
    pub mod bernoulli_mean {}
    #[doc = include_str!("docs/gallery/cdf.md")]
    pub mod cdf {}
    #[doc = include_str!("docs/gallery/coin_flip_count.md")]
    pub mod coin_flip_count {}
    #[doc = include_str!("docs/gallery/exam_survey.md")]
    pub mod exam_survey {}
    #[doc = include_str!("docs/gallery/follow_up.md")]
    pub mod follow_up {}
    #[doc = include_str!("docs/gallery/groups.md")]
    pub mod groups {}
    #[doc = include_str!("docs/gallery/hospital.md")]
    pub mod hospital {}
    #[doc = include_str!("docs/gallery/laplace_accuracy.md")]
    pub mod laplace_accuracy {}
    #[doc = include_str!("docs/gallery/logistic_regression.md")]
    pub mod logistic_regression {}
    #[doc = include_str!("docs/gallery/mwem.md")]
    pub mod mwem {}
    #[doc = include_str!("docs/gallery/naive_bayes.md")]
    pub mod naive_bayes {}
    #[doc = include_str!("docs/gallery/name_and_shame.md")]
    pub mod name_and_shame {}
    #[doc = include_str!("docs/gallery/popular_words.md")]
    pub mod popular_words {}
    #[doc = include_str!("docs/gallery/posterior.md")]
    pub mod posterior {}
    #[doc = include_str!("docs/gallery/prefix_sums.md")]
    pub mod prefix_sums {}
    #[doc = include_str!("docs/gallery/private_lloyd.md")]
    pub mod private_lloyd {}
    #[doc = include_str!("docs/gallery/replicability.md")]
    pub mod replicability {}
    #[doc = include_str!("docs/gallery/salaries.md")]
    pub mod salaries {}
    #[doc = include_str!("docs/gallery/two_hospitals.md")]
    pub mod two_hospitals {}
}
