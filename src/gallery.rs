#![doc = include_str!("docs/gallery.md")]

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
#[doc = include_str!("docs/gallery/local_model.md")]
pub mod local_model {}
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
