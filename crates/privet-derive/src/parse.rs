//! Reading a struct or an enum, as far as the derives need.

use core::iter::Peekable;

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::tokens::Error;

/// What a derive is put on.
pub(crate) struct Item {
    pub(crate) visibility: TokenStream,
    pub(crate) keyword: Ident,
    pub(crate) name: Ident,
    pub(crate) body: Option<Group>,
}

/// A field or a variant: its attributes, and its tokens after them.
pub(crate) struct Member {
    pub(crate) attributes: Vec<Group>,
    pub(crate) tokens: Vec<TokenTree>,
}

pub(crate) fn is(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == sign)
}

/// Reads an item; generics are refused with `generics` as the message.
pub(crate) fn item(input: TokenStream, generics: &str) -> Result<Item, Error> {
    let mut tokens = input.into_iter().peekable();
    let mut attributes = true;
    while attributes {
        attributes = is(tokens.peek(), '#');
        if attributes {
            tokens.next();
            tokens.next();
        }
    }
    let visibility = visibility(&mut tokens);
    let mut keyword = None;
    let mut name = None;
    while name.is_none() {
        match tokens.next() {
            Some(TokenTree::Ident(word)) => match word.to_string().as_str() {
                "struct" | "enum" | "union" => keyword = Some(word),
                _ if keyword.is_some() => name = Some(word),
                _ => {}
            },
            Some(_) => {}
            None => {
                return Err(Error::new(
                    Span::call_site(),
                    "expected a struct or an enum",
                ));
            }
        }
    }
    let (Some(keyword), Some(name)) = (keyword, name) else {
        return Err(Error::new(
            Span::call_site(),
            "expected a struct or an enum",
        ));
    };
    if is(tokens.peek(), '<') {
        tokens.next();
        let first = tokens.next();
        let span = match (&first, tokens.next()) {
            // A lifetime is a sign and a name.
            (Some(TokenTree::Punct(p)), Some(second)) if p.as_char() == '\'' => second.span(),
            (Some(first), _) => first.span(),
            (None, _) => name.span(),
        };
        return Err(Error::new(span, generics));
    }
    let body = tokens.find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() != Delimiter::Bracket => Some(group),
        _ => None,
    });
    Ok(Item {
        visibility,
        keyword,
        name,
        body,
    })
}

/// Reads `pub`, `pub(..)` or nothing.
pub(crate) fn visibility(tokens: &mut Peekable<impl Iterator<Item = TokenTree>>) -> TokenStream {
    let mut visibility = TokenStream::new();
    if matches!(tokens.peek(), Some(TokenTree::Ident(word)) if word.to_string() == "pub") {
        visibility.extend(tokens.next());
        if let Some(TokenTree::Group(_)) = tokens.peek() {
            visibility.extend(tokens.next());
        }
    }
    visibility
}

/// The members between commas, where `<` and `>` nest.
pub(crate) fn members(body: &Group) -> Vec<Member> {
    split(body.stream()).into_iter().map(member).collect()
}

/// What stands between commas, where `<` and `>` nest.
pub(crate) fn split(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = Vec::new();
    let mut current = Vec::new();
    let mut depth = 0_i32;
    let mut arrow = false;
    for token in tokens {
        if let TokenTree::Punct(p) = &token {
            match p.as_char() {
                '<' => depth += 1,
                '>' if !arrow => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(std::mem::take(&mut current));
                    arrow = false;
                    continue;
                }
                _ => {}
            }
            arrow = p.as_char() == '-';
        } else {
            arrow = false;
        }
        current.push(token);
    }
    if !current.is_empty() {
        parts.push(current);
    }
    parts
}

fn member(tokens: Vec<TokenTree>) -> Member {
    let mut tokens = tokens.into_iter().peekable();
    let mut attributes = Vec::new();
    while is(tokens.peek(), '#') {
        tokens.next();
        if let Some(TokenTree::Group(attribute)) = tokens.next() {
            attributes.push(attribute);
        }
    }
    Member {
        attributes,
        tokens: tokens.collect(),
    }
}
