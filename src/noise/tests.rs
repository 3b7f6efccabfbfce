//! Audits of every sampler against exact probabilities, outcome by outcome.

mod audit;
mod failure;
mod many_values;
mod one_value;
mod reference;
mod thresholds;
