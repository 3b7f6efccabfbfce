//! The long reads.
//!
//! | you want to | read |
//! |---|---|
//! | get from a CSV file to a report | [`from_csv`] |
//! | choose a mechanism | [`mechanisms`] |
//! | know what a price promises | [`notions`] |
//! | get more answers for the same budget | [`what_a_budget_buys`] |
//! | write code for any record, column and price | [`write_a_library`] |
//! | understand a compile error | [`compile_errors`] |
//! | know what is checked, and by whom | [`verified`] |
//! | see the laws that the code relies on | [`theory`], and for each law its [proof](proofs) |
//! | check the soundness theorem | [`proof`] |
//! | keep the data in files or elsewhere | [`engines`] |
//! | find your way in the code | [`design`] |
//! | see whole programs | the [gallery](crate::gallery) |

#[doc = include_str!("docs/compile_errors.md")]
pub mod compile_errors {}
#[doc = include_str!("../DESIGN.md")]
pub mod design {}
#[doc = include_str!("docs/engines.md")]
pub mod engines {}
#[doc = include_str!("docs/from_csv.md")]
pub mod from_csv {}
#[doc = include_str!("docs/mechanisms.md")]
pub mod mechanisms {}
#[doc = include_str!("docs/notions.md")]
pub mod notions {}
#[doc = include_str!("docs/proof.md")]
pub mod proof {}
pub mod proofs;
#[doc = include_str!("docs/theory.md")]
pub mod theory {}
#[doc = include_str!("docs/verified.md")]
pub mod verified {}
#[doc = include_str!("docs/what_a_budget_buys.md")]
#[doc = include_str!("docs/what_a_budget_buys.svg")]
pub mod what_a_budget_buys {}
#[doc = include_str!("docs/write_a_library.md")]
pub mod write_a_library {}
