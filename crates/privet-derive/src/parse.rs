//! Reading a struct or an enum, as far as the derives need.

use core::iter::Peekable;

use proc_macro::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};

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

/// The tokens without the invisible groups that a macro puts around `$v:vis`, `$m:meta` or `$t:ty`.
///
/// Only for reading where precedence does not matter: what is in braces, brackets or
/// parentheses is left as it is.
pub(crate) fn ungrouped(tokens: TokenStream) -> Vec<TokenTree> {
    let mut out = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                out.extend(ungrouped(group.stream()));
            }
            other => out.push(other),
        }
    }
    out
}

/// Reads an item; generics are refused with `generics` as the message.
pub(crate) fn item(input: TokenStream, generics: &str) -> Result<Item, Error> {
    let mut tokens = ungrouped(input).into_iter().peekable();
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

/// Reads `pub`, `pub(..)` or nothing, even in the invisible group of a `$v:vis`.
pub(crate) fn visibility(tokens: &mut Peekable<impl Iterator<Item = TokenTree>>) -> TokenStream {
    let mut visibility = TokenStream::new();
    if let Some(TokenTree::Group(group)) = tokens.peek()
        && group.delimiter() == Delimiter::None
    {
        visibility.extend(ungrouped(group.stream()));
        tokens.next();
    } else if matches!(tokens.peek(), Some(TokenTree::Ident(word)) if word.to_string() == "pub") {
        visibility.extend(tokens.next());
        if let Some(TokenTree::Group(_)) = tokens.peek() {
            visibility.extend(tokens.next());
        }
    }
    visibility
}

/// The fields of a struct: between commas, where `<` and `>` nest.
pub(crate) fn fields(body: &Group) -> Vec<Member> {
    split(body.stream()).into_iter().map(member).collect()
}

/// The variants of an enum: between commas. A discriminant is an expression, in which `<` and `>`
/// nest only where they enclose types.
pub(crate) fn variants(body: &Group) -> Vec<Member> {
    let mut parts = Vec::new();
    let mut current: Vec<TokenTree> = Vec::new();
    let mut discriminant = Expression::default();
    for token in body.stream() {
        let inside = discriminant.see(&token);
        if !inside && is(Some(&token), ',') {
            parts.push(std::mem::take(&mut current));
            discriminant = Expression::default();
        } else {
            current.push(token);
        }
    }
    if !current.is_empty() {
        parts.push(current);
    }
    parts.into_iter().map(member).collect()
}

/// Reads an expression token by token, far enough to tell a `<` that opens a list of types from one
/// that compares or shifts.
#[derive(Default)]
struct Expression {
    /// How many lists of types are open.
    depth: u32,
    /// An operand has just ended, so that `<` is an operator.
    operand: bool,
    /// After `as`: a type is being read, whose `<` opens a list.
    kind: bool,
    /// The first sign of `<<`, `->` or `::` was just read.
    before: Option<char>,
}

impl Expression {
    /// Whether the token is inside a list of types.
    fn see(&mut self, token: &TokenTree) -> bool {
        let inside = self.depth > 0;
        let before = self.before.take();
        match token {
            TokenTree::Punct(p) => {
                let sign = p.as_char();
                self.before = (p.spacing() == Spacing::Joint).then_some(sign);
                match sign {
                    '<' if inside => self.depth += 1,
                    '>' if inside && before != Some('-') => {
                        self.depth -= 1;
                        self.operand = self.depth == 0;
                    }
                    // The second half of a shift.
                    '<' if before == Some('<') => self.before = None,
                    '<' if self.kind || !self.operand => {
                        self.depth = 1;
                        self.before = None;
                    }
                    _ => self.operand = false,
                }
                self.kind &= sign == ':';
            }
            TokenTree::Ident(word) => {
                let word = word.to_string();
                self.kind |= word == "as";
                self.operand =
                    !["as", "else", "if", "in", "match", "return"].contains(&word.as_str());
            }
            TokenTree::Group(_) | TokenTree::Literal(_) => {
                self.operand = true;
                self.kind = false;
            }
        }
        inside
    }
}

/// What is between commas, where `<` and `>` nest.
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
