//! `#[audited]`: the price of a function, for `cargo privet`.
//!
//! A normal build gets the function back as it was, with one type check where a ceiling is
//! declared. Under `cargo privet`, which sets [`AUDIT`], a test is added that prints what the
//! function's *type* says; the function is named there, never called.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::chain;
use crate::parse::{is, split};
use crate::price::ceiling;
use crate::tokens::{Error, code, code_at, located, one, plain};

/// Set by `cargo privet`, which builds in a target directory of its own. (The prefix makes it part
/// of what build caches look at.)
const AUDIT: &str = "CARGO_PRIVET_AUDIT";
/// Its value where each function gets a test of its own.
const EACH: &str = "each";
/// What `privet::audit` is called inside of the tests, whose text is long enough.
const HERE: &str = "__privet";
/// A function with more arguments has no price.
const MOST: usize = 8;

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    if let Some(block) = Block::read(item.clone()) {
        return block.expand(options);
    }
    let function = Function::read(item.clone(), None)?;
    let mut out = item;
    out.extend(function.audit(&Options::read(options)?)?);
    Ok(out)
}

/// An `impl` block whose functions carry the attribute.
struct Block {
    /// Attributes and `impl`.
    before: Vec<TokenTree>,
    /// The type, up to the body.
    of: Vec<TokenTree>,
    keyword: Span,
    body: Group,
}

impl Block {
    /// None if the item is something else.
    fn read(item: TokenStream) -> Option<Self> {
        let mut tokens: Vec<TokenTree> = item.into_iter().collect();
        let Some(TokenTree::Group(body)) = tokens.pop() else {
            return None;
        };
        let mut at = 0;
        while is(tokens.get(at), '#') {
            at += 2;
        }
        match tokens.get(at) {
            Some(TokenTree::Ident(word)) if word.to_string() == "impl" => Some(Block {
                keyword: word.span(),
                of: tokens.split_off(at + 1),
                before: tokens,
                body,
            }),
            _ => None,
        }
    }

    fn expand(self, options: TokenStream) -> Result<TokenStream, Error> {
        if let Some(option) = options.into_iter().next() {
            let message = "say this on the functions inside";
            return Err(Error::new(option.span(), message));
        }
        let of_a_trait = |t: &TokenTree| matches!(t, TokenTree::Ident(w) if w.to_string() == "for");
        if is(self.of.first(), '<') || self.of.iter().any(of_a_trait) {
            return Err(Error::new(
                self.keyword,
                "`#[audited]` is for an `impl` block of one type, without parameters and traits: \
                 audit a function that calls its methods",
            ));
        }
        let of: TokenStream = self.of.iter().cloned().collect();
        let (mut inside, mut beside) = (TokenStream::new(), TokenStream::new());
        let mut member: Vec<TokenTree> = Vec::new();
        let mut audited = None;
        let mut tokens = self.body.stream().into_iter().peekable();
        while let Some(token) = tokens.next() {
            if is(Some(&token), '#')
                && let Some(TokenTree::Group(attribute)) = tokens.peek()
                && let Some(options) = own_options(attribute)
            {
                audited = Some(options);
                tokens.next();
                continue;
            }
            let ends = matches!(&token, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace)
                || is(Some(&token), ';');
            member.push(token);
            if ends {
                let tokens: TokenStream = member.drain(..).collect();
                if let Some(options) = audited.take() {
                    let function = Function::read(tokens.clone(), Some(of.clone()))?;
                    beside.extend(function.audit(&Options::read(options)?)?);
                }
                inside.extend(tokens);
            }
        }
        inside.extend(member);
        let mut body = Group::new(Delimiter::Brace, inside);
        body.set_span(self.body.span());
        let mut out: TokenStream = self.before.into_iter().collect();
        out.extend(of);
        out.extend([TokenTree::from(body)]);
        out.extend(beside);
        Ok(out)
    }
}

/// What stands in an `audited(…)` or `privet::audited(…)`; none for other attributes.
fn own_options(attribute: &Group) -> Option<TokenStream> {
    let mut tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let mut options = TokenStream::new();
    if let Some(TokenTree::Group(group)) = tokens.last() {
        options = group.stream();
        tokens.pop();
    }
    match tokens.last() {
        Some(TokenTree::Ident(word)) if word.to_string() == "audited" => Some(options),
        _ => None,
    }
}

/// What stands in `#[audited(…)]`.
#[derive(Default)]
struct Options {
    /// The ceiling as written, as a cost type, and where.
    at_most: Option<(String, TokenStream, Span)>,
    instances: Vec<TokenStream>,
    opens: bool,
}

impl Options {
    fn read(tokens: TokenStream) -> Result<Self, Error> {
        let mut options = Options::default();
        let usage = "write `#[audited]`, or `#[audited(at_most = \"1/2\")]`, \
                     `#[audited(instances(f::<Eps<1, 2>>, …))]`, `#[audited(opens)]`";
        for option in split(tokens) {
            let span = option.first().map_or_else(Span::call_site, TokenTree::span);
            let word = option.first().map(ToString::to_string).unwrap_or_default();
            match (word.as_str(), &option[1.min(option.len())..]) {
                ("at_most", [TokenTree::Punct(sign), TokenTree::Literal(text)])
                    if sign.as_char() == '=' && options.at_most.is_none() =>
                {
                    let quoted = text.to_string();
                    let inner = quoted
                        .strip_prefix('"')
                        .and_then(|rest| rest.strip_suffix('"'))
                        .ok_or_else(|| Error::new(text.span(), usage))?;
                    let cost =
                        ceiling(inner).map_err(|message| Error::new(text.span(), message))?;
                    options.at_most = Some((inner.to_string(), cost, text.span()));
                }
                ("instances", [TokenTree::Group(list)])
                    if list.delimiter() == Delimiter::Parenthesis
                        && options.instances.is_empty() =>
                {
                    options.instances = split(list.stream())
                        .into_iter()
                        .map(|tokens| tokens.into_iter().collect())
                        .collect();
                    if options.instances.is_empty() {
                        return Err(Error::new(list.span(), "no instance is listed"));
                    }
                }
                ("opens", []) => options.opens = true,
                _ => return Err(Error::new(span, usage)),
            }
        }
        Ok(options)
    }
}

/// A function, as far as its audit needs.
struct Function {
    /// `#[cfg(…)]`s that decide whether there is a function at all.
    conditions: TokenStream,
    name: Ident,
    /// The type whose `impl` block it is in.
    of: Option<TokenStream>,
    generic: bool,
    asynchronous: bool,
    /// How many arguments it has; none where a condition on one decides.
    arguments: Option<usize>,
    body: Option<Group>,
}

impl Function {
    fn read(item: TokenStream, of: Option<TokenStream>) -> Result<Self, Error> {
        let not_a_function =
            |span| Error::new(span, "`#[audited]` is for functions and `impl` blocks");
        let mut tokens = item.into_iter().peekable();
        let mut conditions = TokenStream::new();
        while is(tokens.peek(), '#') {
            let sign = tokens.next();
            let attribute = tokens.next();
            let conditional = matches!(&attribute, Some(TokenTree::Group(group))
                if group.stream().into_iter().next().is_some_and(|t| t.to_string() == "cfg"));
            if conditional {
                conditions.extend(sign);
                conditions.extend(attribute);
            }
        }
        let mut asynchronous = false;
        // Visibility and qualifiers, up to `fn`.
        let name = loop {
            match tokens.next() {
                Some(TokenTree::Ident(word)) => match word.to_string().as_str() {
                    "fn" => match tokens.next() {
                        Some(TokenTree::Ident(name)) => break name,
                        _ => return Err(not_a_function(word.span())),
                    },
                    "async" => asynchronous = true,
                    "struct" | "enum" | "union" | "trait" | "impl" | "mod" | "const" | "static"
                    | "type" | "use" | "macro_rules"
                        if !matches!(tokens.peek(), Some(TokenTree::Ident(_)))
                            || word.to_string() != "const" =>
                    {
                        return Err(not_a_function(word.span()));
                    }
                    _ => {}
                },
                Some(_) => {}
                None => return Err(not_a_function(Span::call_site())),
            }
        };
        let mut generic = false;
        if is(tokens.peek(), '<') {
            let mut depth = 0_i32;
            let mut arrow = false;
            let mut lifetime = false;
            for token in tokens.by_ref() {
                match &token {
                    TokenTree::Punct(p) => {
                        match p.as_char() {
                            '<' => depth += 1,
                            '>' if !arrow => depth -= 1,
                            _ => {}
                        }
                        arrow = matches!(p.as_char(), '-' | '=');
                        lifetime = p.as_char() == '\'';
                        if depth == 0 {
                            break;
                        }
                    }
                    // Whatever is not a lifetime is a type or a constant.
                    _ => {
                        generic |= !lifetime;
                        (lifetime, arrow) = (false, false);
                    }
                }
            }
        }
        let arguments = match tokens.next() {
            Some(TokenTree::Group(arguments))
                if arguments.delimiter() == Delimiter::Parenthesis =>
            {
                check_arguments(&arguments, of.is_some())?
            }
            _ => return Err(not_a_function(name.span())),
        };
        let mut rest: Vec<TokenTree> = tokens.collect();
        let body = match rest.pop() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => Some(group),
            Some(other) => {
                rest.push(other);
                None
            }
            None => None,
        };
        check_answer(rest.into_iter().collect())?;
        Ok(Function {
            conditions,
            name,
            of,
            generic,
            asynchronous,
            arguments,
            body,
        })
    }

    /// The checks and the report that stand beside the function.
    fn audit(&self, options: &Options) -> Result<TokenStream, Error> {
        let named = match &options.instances[..] {
            [] if self.generic => {
                let name = &self.name;
                return Err(Error::new(
                    name.span(),
                    format!(
                        "a generic function has a price for each choice of its parameters: list \
                         those to audit, as in `#[audited(instances({name}::<Eps<1, 2>>))]`"
                    ),
                ));
            }
            [] => vec![one(self.name.clone())],
            listed => listed.to_vec(),
        };
        for instance in &options.instances {
            self.check_instance(instance)?;
        }
        let mut out = TokenStream::new();
        if let Some((_, cost, span)) = &options.at_most {
            for instance in &named {
                out.extend(self.ceiling(cost, &self.path(instance), options.opens, *span));
            }
        }
        if let Some(how) = std::env::var_os(AUDIT) {
            out.extend(self.report(options, &named, how != EACH));
        }
        Ok(out)
    }

    /// An instance as it is named from outside of its `impl` block.
    fn path(&self, instance: &TokenStream) -> TokenStream {
        match &self.of {
            Some(of) => code("<$>::$", &[of.clone(), instance.clone()]),
            None => instance.clone(),
        }
    }

    fn check_instance(&self, instance: &TokenStream) -> Result<(), Error> {
        let first = instance.clone().into_iter().next();
        if first.as_ref().map(ToString::to_string) == Some(self.name.to_string()) {
            let open = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word.to_string() == "_");
            return match instance.clone().into_iter().find(open) {
                Some(blank) => Err(Error::new(
                    blank.span(),
                    "an instance has one price: name the type in the place of `_`",
                )),
                None => Ok(()),
            };
        }
        let span = first.map_or_else(Span::call_site, |token| token.span());
        let name = &self.name;
        Err(Error::new(
            span,
            format!("an instance names this function: `{name}::<…>`"),
        ))
    }

    /// A type error where the price is above the ceiling. Never runs, and leaves nothing behind.
    fn ceiling(
        &self,
        cost: &TokenStream,
        instance: &TokenStream,
        opens: bool,
        span: Span,
    ) -> TokenStream {
        let check = if opens { "opens_at_most" } else { "at_most" };
        let call = self.call();
        let check = code(
            &format!("::privet::audit::{check}::<$, {call}, _, _, _, _>"),
            std::slice::from_ref(cost),
        );
        code(
            "$ #[allow(deprecated)] const _: fn() = || { $($); };",
            &[
                self.conditions.clone(),
                located(check, span),
                instance.clone(),
            ],
        )
    }

    /// How a caller gets the answer.
    fn call(&self) -> &'static str {
        if self.asynchronous {
            "::privet::audit::Awaited"
        } else {
            "::privet::audit::Direct"
        }
    }

    /// What reads the price off the type of a function.
    fn reader(&self, opens: bool) -> String {
        let (what, rest) = if opens {
            ("opens", "_, _, _")
        } else {
            ("spends", "_, _, _, _")
        };
        match self.arguments {
            Some(count) if count <= MOST => {
                let awaited = if self.asynchronous { "awaited_" } else { "" };
                format!("{HERE}::{awaited}{what}_{count}")
            }
            _ => format!("{HERE}::{what}::<{}, {rest}>", self.call()),
        }
    }

    /// A test that prints the price of each instance, unless another function's test does.
    fn report(&self, options: &Options, named: &[TokenStream], together: bool) -> TokenStream {
        let of = self
            .of
            .clone()
            .map_or(String::new(), |of| compact(of) + "::");
        let name = format!("{of}{}", plain(&self.name));
        let mut mentions = Vec::new();
        if let Some(body) = &self.body {
            mentioned(body.stream(), &mut mentions);
        }
        let reader = self.reader(options.opens);
        let ceiling = options.at_most.as_ref();
        let ceiling = ceiling.map_or("", |(text, ..)| text.as_str());
        let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
        let span = self.name.span();
        let mentions: Vec<String> = mentions.iter().map(|mention| json(mention)).collect();
        let site = format!(
            r#""package":{},"name":{},"file":{},"line":{},"at_most":{},"mentions":[{}]"#,
            json(&package),
            json(&name),
            json(&span.file()),
            span.line(),
            json(ceiling),
            mentions.join(","),
        );
        let entry = |instance: &TokenStream, path: &str| {
            let label = match options.instances[..] {
                [] => String::new(),
                _ => format!("{of}{}", compact(instance.clone())),
            };
            let site = format!("{site},\"instance\":{}", json(&label));
            format!("{reader}({site:?}, {path}),")
        };
        if together && self.of.is_none() {
            let text = |instance: &TokenStream| entry(instance, &instance.to_string());
            let entries: String = named.iter().map(text).collect();
            match chain::turn(&self.name, entries) {
                chain::Turn::Alone => {}
                chain::Turn::Twice => {
                    let message = "this file is two modules: the tool builds each function's test";
                    return Error::new(span, message).into_tokens();
                }
                chain::Turn::Later => return TokenStream::new(),
                chain::Turn::Last(entries) => {
                    let conditions = std::slice::from_ref(&self.conditions);
                    return code_at(span, &test(&name, &entries), conditions);
                }
            }
        }
        let entries: String = named.iter().map(|instance| entry(instance, "$")).collect();
        let mut holes = vec![self.conditions.clone()];
        holes.extend(named.iter().map(|instance| self.path(instance)));
        code_at(span, &test(&name, &entries), &holes)
    }
}

/// A test that prints entries. It is written in one piece, since parsing is most of what an attribute
/// takes, and placed at a function's name, since what a macro writes is compiled again after each
/// edit above it.
fn test(name: &str, entries: &str) -> String {
    let printer = printer(name);
    format!(
        "$ #[::core::prelude::v1::test]
         #[allow(deprecated, non_snake_case, unused, unused_qualifications)]
         fn {printer}() {{
             use ::privet::audit as {HERE};
             {HERE}::print(::core::module_path!(), const {{ &[{entries}] }})
         }}"
    )
}

/// A JSON string.
fn json(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// The name of the test that prints the price of a function.
fn printer(name: &str) -> String {
    let word = |c: char| if c.is_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(word).collect();
    format!("__privet_audit_{name}")
}

/// Refuses what has no price, and counts.
fn check_arguments(arguments: &Group, in_block: bool) -> Result<Option<usize>, Error> {
    let mut vaults: Vec<String> = Vec::new();
    let arguments = split(arguments.stream());
    let conditional = arguments.iter().any(|argument| is(argument.first(), '#'));
    let count = (!conditional).then_some(arguments.len());
    for (position, argument) in arguments.into_iter().enumerate() {
        if let Some((data, span)) = vault_of(&argument) {
            if vaults.contains(&data) {
                return Err(Error::new(
                    span,
                    format!(
                        "this function takes two vaults of `{data}`, and its type does not say which \
                         one it spends: write a function for each"
                    ),
                ));
            }
            vaults.push(data);
        }
        for token in argument {
            let TokenTree::Ident(word) = &token else {
                continue;
            };
            match word.to_string().as_str() {
                "self" if position == 0 && !in_block => {
                    let message =
                        "to audit a method, put `#[privet::audited]` on the `impl` block, too";
                    return Err(Error::new(word.span(), message));
                }
                "impl" => {
                    return Err(Error::new(
                        word.span(),
                        "an `impl Trait` argument cannot be listed: give it a named type parameter \
                         and list the instances to audit",
                    ));
                }
                _ => {}
            }
        }
    }
    Ok(count)
}

/// What stands behind the arguments. The body would make the price of an `impl Trait`, and it may be
/// another one in another build.
fn check_answer(answer: TokenStream) -> Result<(), Error> {
    for token in answer {
        match token {
            TokenTree::Ident(word) if word.to_string() == "impl" => {
                return Err(Error::new(
                    word.span(),
                    "an `impl Trait` answer cannot be listed: name its type, which says the price",
                ));
            }
            TokenTree::Group(group) => check_answer(group.stream())?,
            _ => {}
        }
    }
    Ok(())
}

/// The data of the vault that an argument is written as, `Table<Row>` of `v: Vault<Table<Row>, B>`.
fn vault_of(argument: &[TokenTree]) -> Option<(String, Span)> {
    let at = argument
        .iter()
        .position(|token| matches!(token, TokenTree::Ident(word) if word.to_string() == "Vault"))?;
    // Only looked at, or in a wrapper, it is not the one that is priced.
    let plain = |token: &TokenTree| matches!(token, TokenTree::Ident(_)) || is(Some(token), ':');
    if !is(argument.get(at + 1), '<') || !argument[..at].iter().all(plain) {
        return None;
    }
    let mut depth = 0_i32;
    let data = argument[at + 2..].iter().take_while(|token| {
        let ends = depth == 0 && (is(Some(token), ',') || is(Some(token), '>'));
        depth += i32::from(is(Some(token), '<')) - i32::from(is(Some(token), '>'));
        !ends
    });
    let data = compact(data.cloned().collect());
    Some((data, argument[at].span()))
}

/// The functions that a body calls, as written: `mean`, `bills::mean::<E::Part>`. Methods not.
fn mentioned(body: TokenStream, into: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Group(group) => mentioned(group.stream(), into),
            TokenTree::Ident(_) => {
                let method = at > 0 && is(tokens.get(at - 1), '.');
                let (path, end) = path(&tokens, at);
                let called = matches!(tokens.get(end), Some(TokenTree::Group(group))
                    if group.delimiter() == Delimiter::Parenthesis);
                if called && !method {
                    into.push(path);
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
}

/// The path that starts at a token, without blanks, and where it ends.
fn path(tokens: &[TokenTree], start: usize) -> (String, usize) {
    let mut text = tokens[start].to_string();
    let mut at = start + 1;
    while is(tokens.get(at), ':') && is(tokens.get(at + 1), ':') {
        match tokens.get(at + 2) {
            Some(TokenTree::Ident(word)) => {
                text += &format!("::{word}");
                at += 3;
            }
            Some(token) if is(Some(token), '<') => {
                let mut depth = 0_i32;
                let mut end = at + 2;
                let mut arrow = false;
                while let Some(token) = tokens.get(end) {
                    if is(Some(token), '<') {
                        depth += 1;
                    } else if is(Some(token), '>') && !arrow {
                        depth -= 1;
                    }
                    arrow = is(Some(token), '-');
                    end += 1;
                    if depth == 0 {
                        break;
                    }
                }
                text += "::";
                text += &compact(tokens[at + 2..end].iter().cloned().collect());
                at = end;
            }
            _ => break,
        }
    }
    (text, at)
}

/// Tokens as people write them: no blanks but after commas and between words.
fn compact(tokens: TokenStream) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text += open;
                text += &compact(group.stream());
                text += close;
            }
            TokenTree::Punct(sign) => {
                text.push(sign.as_char());
                if sign.as_char() == ',' {
                    text.push(' ');
                }
            }
            word => {
                if text.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                    text.push(' ');
                }
                text += &word.to_string();
            }
        }
    }
    text
}
