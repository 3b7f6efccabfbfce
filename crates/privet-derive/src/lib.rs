//! The derives of the `privet` crate, and its attribute `audited`.
//!
//! They write `unsafe impl`s, because the traits are promises about how private rows are taken apart,
//! and only this crate makes them. The generated code moves fields and names types; every obligation
//! is a bound on `privet`'s own traits.

mod audited;
mod category;
mod chain;
mod parse;
mod price;
mod record;
mod tokens;

use proc_macro::TokenStream;

/// Makes a struct the type of a private row. See `privet::Record`.
///
/// The `#[privet(person)]` field identifies the person whose row it is.
#[proc_macro_derive(Record, attributes(privet))]
pub fn record(input: TokenStream) -> TokenStream {
    record::derive(input).unwrap_or_else(|error| error.into_tokens())
}

/// Makes an enum of unit variants a closed set of public keys. See `privet::Category`.
#[proc_macro_derive(Category)]
pub fn category(input: TokenStream) -> TokenStream {
    category::derive(input).unwrap_or_else(|error| error.into_tokens())
}

/// Puts a function on the list of `cargo privet audit`. See `privet::audited`.
#[proc_macro_attribute]
pub fn audited(options: TokenStream, item: TokenStream) -> TokenStream {
    audited::expand(options, item.clone()).unwrap_or_else(|error| {
        // The function is kept, so that its callers do not cause further errors.
        let mut tokens = error.into_tokens();
        tokens.extend(item);
        tokens
    })
}
