//! `#[derive(Category)]`.

use proc_macro::{TokenStream, TokenTree};

use crate::parse::{item, variants, visibility};
use crate::tokens::{Error, code, one, plain, string};

pub(crate) fn derive(input: TokenStream) -> Result<TokenStream, Error> {
    let item = item(
        input,
        "a category has no parameters: its keys are a closed, public list",
    )?;
    if item.keyword.to_string() != "enum" {
        let message = "a category is an enum of unit variants; for a row, use `#[derive(Record)]`";
        return Err(Error::new(item.keyword.span(), message));
    }
    let variants = item.body.as_ref().map(variants).unwrap_or_default();
    if variants.is_empty() {
        return Err(Error::new(
            item.name.span(),
            "a category has at least one key: add a variant",
        ));
    }
    let mut names = TokenStream::new();
    let mut arms = TokenStream::new();
    for (ordinal, variant) in variants.into_iter().enumerate() {
        let mut tokens = variant.tokens.into_iter().peekable();
        // A macro may leave the empty group of a `$v:vis` before the name.
        visibility(&mut tokens);
        let Some(TokenTree::Ident(name)) = tokens.next() else {
            return Err(Error::new(item.name.span(), "expected a variant's name"));
        };
        if let Some(TokenTree::Group(fields)) = tokens.next() {
            let message = "a category's variants hold nothing: its keys are a closed, public list";
            return Err(Error::new(fields.span(), message));
        }
        names.extend(code("$,", &[string(&plain(&name))]));
        arms.extend(code(&format!("Self::$ => {ordinal}u32,"), &[one(name)]));
    }
    Ok(code(
        "const _: () = {
            #[automatically_derived]
            impl ::privet::derive::Derived for $ {
                type As = ::privet::derive::Categorical<Self>;
            }
            #[automatically_derived]
            unsafe impl ::privet::derive::Category for $ {
                const NAMES: &'static [&'static str] = &[$];
                fn ordinal(&self) -> u32 { match *self { $ } }
            }
        };",
        &[one(item.name.clone()), one(item.name), names, arms],
    ))
}
