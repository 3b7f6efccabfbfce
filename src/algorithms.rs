//! Algorithms made of the crate's public parts: no cost is minted here, each is the composition of
//! what it calls, and what it may cost is its signature.

mod kmeans;

pub use kmeans::{Clusters, KMeans, kmeans};
