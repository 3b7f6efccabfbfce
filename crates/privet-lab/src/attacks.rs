//! Attacks that succeed on naive implementations and fail on exact ones.
