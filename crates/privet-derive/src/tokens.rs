//! Building token streams and errors.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// An error at a token.
pub(crate) struct Error {
    span: Span,
    message: String,
}

impl Error {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Error {
            span,
            message: message.into(),
        }
    }

    /// `compile_error!("…")`, at the token.
    pub(crate) fn into_tokens(self) -> TokenStream {
        let at = |token: TokenTree| {
            let mut token = token;
            token.set_span(self.span);
            token
        };
        let message = TokenTree::Literal(Literal::string(&self.message));
        let group = Group::new(Delimiter::Brace, TokenStream::from(at(message)));
        [
            at(Punct::new(':', Spacing::Joint).into()),
            at(Punct::new(':', Spacing::Alone).into()),
            at(Ident::new("core", self.span).into()),
            at(Punct::new(':', Spacing::Joint).into()),
            at(Punct::new(':', Spacing::Alone).into()),
            at(Ident::new("compile_error", self.span).into()),
            at(Punct::new('!', Spacing::Alone).into()),
            at(group.into()),
        ]
        .into_iter()
        .collect()
    }
}

/// Generated code: text in which each `$` is a hole for the user's tokens.
pub(crate) fn code(text: &str, holes: &[TokenStream]) -> TokenStream {
    filled(text.parse().expect("generated code is well formed"), holes)
}

/// The same, as if the user had written it at `span`.
pub(crate) fn code_at(span: Span, text: &str, holes: &[TokenStream]) -> TokenStream {
    let parsed = text.parse().expect("generated code is well formed");
    filled(at(parsed, span), holes)
}

fn filled(parsed: TokenStream, holes: &[TokenStream]) -> TokenStream {
    let mut holes = holes.iter();
    let filled = fill(parsed, &mut holes);
    debug_assert!(holes.next().is_none());
    filled
}

fn fill<'a>(tokens: TokenStream, holes: &mut impl Iterator<Item = &'a TokenStream>) -> TokenStream {
    let mut out = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Punct(p) if p.as_char() == '$' => {
                out.extend(holes.next().expect("a hole for each dollar sign").clone());
            }
            TokenTree::Group(group) => {
                let mut filled = Group::new(group.delimiter(), fill(group.stream(), holes));
                filled.set_span(group.span());
                out.extend([TokenTree::Group(filled)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// The same tokens, resolved as the derive's own but shown at `span`.
pub(crate) fn located(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => {
                let mut moved = Group::new(group.delimiter(), located(group.stream(), span));
                moved.set_span(group.span().located_at(span));
                TokenTree::Group(moved)
            }
            mut other => {
                other.set_span(other.span().located_at(span));
                other
            }
        })
        .collect()
}

/// The same tokens as if they were written at `span`.
fn at(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => {
                let mut moved = Group::new(group.delimiter(), at(group.stream(), span));
                moved.set_span(span);
                TokenTree::Group(moved)
            }
            mut other => {
                other.set_span(span);
                other
            }
        })
        .collect()
}

pub(crate) fn one(token: impl Into<TokenTree>) -> TokenStream {
    TokenStream::from(token.into())
}

/// An identifier's name as people read it: without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

pub(crate) fn string(text: &str) -> TokenStream {
    one(Literal::string(text))
}
