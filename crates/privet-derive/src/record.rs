//! `#[derive(Record)]`.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::parse::{Member, fields, item, ungrouped, visibility};
use crate::tokens::{Error, code, located, one, plain, string};

struct Field {
    visibility: TokenStream,
    name: Ident,
    kind: TokenStream,
    kind_span: Span,
    person: bool,
}

const NO_PARAMETERS: &str = "a record has no type parameters or lifetimes: \
    its fields are values of their own, such as `i64`, `f64` or `String`";

pub(crate) fn derive(input: TokenStream) -> Result<TokenStream, Error> {
    let item = item(input, NO_PARAMETERS)?;
    let body = match (item.keyword.to_string().as_str(), item.body) {
        ("struct", Some(body)) if body.delimiter() == Delimiter::Brace => body,
        ("struct", Some(body)) => {
            return Err(Error::new(
                body.span(),
                "a record needs named fields: they name its columns",
            ));
        }
        ("struct", None) => return Err(Error::new(item.name.span(), "a record needs fields")),
        ("enum", _) => {
            let message = "a record is a struct; for an enum of keys, use `#[derive(Category)]`";
            return Err(Error::new(item.keyword.span(), message));
        }
        _ => {
            return Err(Error::new(
                item.keyword.span(),
                "a record is a struct with named fields",
            ));
        }
    };
    let fields = fields(&body)
        .into_iter()
        .map(field)
        .collect::<Result<Vec<_>, _>>()?;
    if fields.is_empty() {
        return Err(Error::new(
            item.name.span(),
            "a record needs at least one field",
        ));
    }
    if fields.len() > 100 {
        return Err(Error::new(
            item.name.span(),
            "a record has at most 100 fields",
        ));
    }
    Ok(generate(&item.visibility, &item.name, &fields))
}

fn field(member: Member) -> Result<Field, Error> {
    let mut person = false;
    for attribute in &member.attributes {
        person |= is_person(attribute)?;
    }
    let mut tokens = member.tokens.into_iter().peekable();
    let visibility = visibility(&mut tokens);
    let Some(TokenTree::Ident(name)) = tokens.next() else {
        return Err(Error::new(Span::call_site(), "expected a field's name"));
    };
    tokens.next(); // the colon
    let kind: Vec<TokenTree> = tokens.collect();
    refuse(&ungrouped(kind.iter().cloned().collect()))?;
    let kind_span = kind.first().map_or(name.span(), TokenTree::span);
    Ok(Field {
        visibility,
        name,
        kind: kind.into_iter().collect(),
        kind_span,
        person,
    })
}

fn is_person(attribute: &Group) -> Result<bool, Error> {
    let mut tokens = ungrouped(attribute.stream()).into_iter();
    match tokens.next() {
        Some(TokenTree::Ident(name)) if name.to_string() == "privet" => {}
        _ => return Ok(false),
    }
    match tokens.next() {
        Some(TokenTree::Group(args)) if args.stream().to_string() == "person" => Ok(true),
        _ => Err(Error::new(
            attribute.span(),
            "the only option of a field is `#[privet(person)]`",
        )),
    }
}

/// Reports field types that can only be a mistake. The error is on the token and says what to do.
fn refuse(kind: &[TokenTree]) -> Result<(), Error> {
    let Some(first) = kind.first() else {
        return Ok(());
    };
    let say = |message: &str| Err(Error::new(first.span(), message));
    match first {
        TokenTree::Punct(p) if p.as_char() == '&' => say(
            "a record owns its fields: use `String` for text, or a value instead of a reference",
        ),
        TokenTree::Punct(p) if p.as_char() == '*' => say("a record has no pointers: use a value"),
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            say("a record's fields are single values: give each part of the tuple its own field")
        }
        TokenTree::Ident(word) if kind.len() == 1 || is_sign(&kind[1], '<') => {
            match word.to_string().as_str() {
                "f32" => say("use `f64`: reals are stored with 64 bits"),
                "i128" | "u128" => say("use `i64`: integers have up to 64 bits"),
                "char" | "str" => say("use `String` for text"),
                "Vec" => say("a record has columns of fixed size: use `[f64; D]`, or one row each"),
                "Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Mutex" | "RwLock" => {
                    say("a record's fields are plain values: use the value itself")
                }
                "dyn" | "impl" | "fn" => say("a record's fields are plain values, not code"),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == sign)
}

/// The visibility of an item in an inner module that makes it visible where the record is.
fn within(visibility: &TokenStream) -> TokenStream {
    let mut tokens = visibility.clone().into_iter();
    let (word, scope) = (tokens.next(), tokens.next());
    let scope = match (word, scope) {
        (None, _) => "super".to_owned(),
        (Some(_), None) => return visibility.clone(),
        (Some(_), Some(scope)) => match scope {
            TokenTree::Group(scope) => scope.stream().to_string(),
            _ => return visibility.clone(),
        },
    };
    let path = scope.strip_prefix("in ").unwrap_or(&scope);
    if path.starts_with("crate") || visibility.is_empty() {
        code(&format!("pub(in {path})"), &[])
    } else {
        let path = path
            .strip_prefix("self")
            .map_or_else(|| format!("::{path}"), str::to_owned);
        code(&format!("pub(in super{path})"), &[])
    }
}

fn generate(visibility: &TokenStream, record: &Ident, fields: &[Field]) -> TokenStream {
    let inner = within(visibility);
    let record_name = plain(record);
    let module = Ident::new(
        &format!("{}_columns", record_name.to_lowercase()),
        Span::call_site(),
    );
    let columns = Ident::new(&format!("{record_name}Columns"), Span::call_site());

    let mut markers = TokenStream::new();
    let mut impls = TokenStream::new();
    let mut declarations = TokenStream::new();
    let mut constructors = TokenStream::new();
    let mut names = TokenStream::new();
    let mut patterns = TokenStream::new();
    let mut person = TokenStream::new();
    let mut index = code("::privet::derive::First", &[]);
    // `privet::Record` bounds the types of fields. Repeating the bound here puts the error for a
    // wrong type on the field's own type, and makes it the only error.
    let mut bounds = TokenStream::new();
    for field in fields {
        let bound = code(
            "$: ::privet::derive::FieldValue,",
            std::slice::from_ref(&field.kind),
        );
        bounds.extend(located(bound, field.kind_span));
    }
    for field in fields {
        let path = code("$::$", &[one(module.clone()), one(field.name.clone())]);
        markers.extend(code(
            "$ enum $ {}",
            &[inner.clone(), one(field.name.clone())],
        ));
        impls.extend(code(
            "#[automatically_derived]
            #[allow(trivial_bounds)]
            unsafe impl ::privet::derive::Field for $ where $ {
                type Row = $;
                type Index = $;
                const NAME: &'static str = $;
            }",
            &[
                path.clone(),
                bounds.clone(),
                one(record.clone()),
                index.clone(),
                string(&plain(&field.name)),
            ],
        ));
        declarations.extend(code(
            "$ $: ::privet::derive::Col<$>,",
            &[
                field.visibility.clone(),
                one(field.name.clone()),
                path.clone(),
            ],
        ));
        constructors.extend(code(
            "$: ::privet::derive::Col::new(),",
            &[one(field.name.clone())],
        ));
        names.extend(code("$,", &[string(&plain(&field.name))]));
        patterns.extend(code("$,", &[one(field.name.clone())]));
        if field.person {
            person.extend(code(
                "#[automatically_derived]
                #[allow(trivial_bounds)]
                unsafe impl ::privet::derive::HasPerson for $ where $ { type Person = $; }",
                &[one(record.clone()), bounds.clone(), path],
            ));
        }
        index = code("::privet::derive::Next<$>", &[index]);
    }

    // The list `(A, (B, ()))` of types and of values.
    let mut types = code("()", &[]);
    let mut values = code("()", &[]);
    for field in fields.iter().rev() {
        types = code("($, $)", &[field.kind.clone(), types]);
        values = code("($, $)", &[one(field.name.clone()), values]);
    }

    // A record with `Drop` cannot be taken apart: let the error point at its name.
    let taken = located(code("self", &[]), record.span());
    let without_drop = located(
        code(
            "impl ::privet::derive::RecordWithoutDrop for $ {}",
            &[one(record.clone())],
        ),
        record.span(),
    );

    code(
        "const _: () = {
            #[allow(non_camel_case_types, missing_docs, dead_code)]
            mod $ { $ }
            $
            #[allow(missing_docs, dead_code, non_snake_case)]
            #[derive(::core::clone::Clone, ::core::marker::Copy)]
            $ struct $ { $ }
            #[automatically_derived]
            impl ::privet::derive::Derived for $ {
                type As = Self;
            }
            #[automatically_derived]
            impl ::privet::derive::NamesData for $ {
                type Data = ::privet::derive::NoData;
            }
            #[automatically_derived]
            #[allow(trivial_bounds, non_snake_case)]
            unsafe impl ::privet::derive::Record for $ where $ {
                type Fields = $;
                type Columns = $;
                const NAME: &'static str = $;
                const NAMES: &'static [&'static str] = &[$];
                fn take(self) -> Self::Fields {
                    let Self { $ } = $;
                    $
                }
                fn columns() -> Self::Columns { $ { $ } }
            }
            $
            $
        };",
        &[
            one(module),
            markers,
            impls,
            visibility.clone(),
            one(columns.clone()),
            declarations,
            one(record.clone()),
            one(record.clone()),
            one(record.clone()),
            bounds,
            types,
            one(columns.clone()),
            string(&record_name),
            names,
            patterns,
            taken,
            values,
            one(columns),
            constructors,
            without_drop,
            person,
        ],
    )
}
