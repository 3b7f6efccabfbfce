//! Algorithms made of the crate's public parts. No cost is minted here: each algorithm is the
//! composition of what it calls, and its signature says what it may cost.

mod kmeans;

pub use kmeans::{Clusters, KMeans, kmeans};
