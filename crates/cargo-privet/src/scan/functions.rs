//! Functions with the attribute, and public ones that return a mechanism and need it.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};

use super::names::{Declared, is_among};
use super::opening::misused;
use super::priced::by_callers;
use super::tokens::{Here, is_body, is_sign, plain, words};
use super::walk::{is_audited, is_opener};

/// What a public function does that its type should be audited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Returns a mechanism.
    Returns,
    /// Takes a vault, or something that holds one.
    Takes,
    /// Hands out a mechanism, or what takes a vault, behind a type that no audit can price. In words.
    Hides(&'static str),
}

/// The names of types that a function is audited for.
pub struct Wanted<'a> {
    /// `Mechanism` and its other names.
    pub mechanisms: &'a BTreeSet<String>,
    /// What holds a mechanism.
    pub plans: &'a BTreeSet<String>,
    /// Traits that a mechanism has, by name or because everything has them.
    pub traits: &'a BTreeSet<String>,
    /// What holds a function that takes a vault.
    pub takers: &'a BTreeSet<String>,
    /// `Vault` and its other names.
    pub vaults: &'a BTreeSet<String>,
    /// What holds a vault.
    pub holders: &'a BTreeSet<String>,
    /// `Meter` and its other names.
    pub meters: &'a BTreeSet<String>,
    /// What the sources call types and traits of their own.
    pub declared: &'a Declared,
    /// `#[test]` is another attribute here.
    pub other_test: bool,
    /// Names of functions and macros that mean something else in these sources.
    pub redefined: &'a BTreeSet<String>,
}

/// Lines and names.
pub struct Functions<'a> {
    wanted: &'a Wanted<'a>,
    /// The `impl` around is of a type that is a vault or holds one.
    holds: bool,
    /// The `impl` around is of a type that holds a mechanism.
    plans: bool,
    /// The same of a type and a trait that others may use.
    shows: bool,
    /// The types that the `impl` around names, and whether a mechanism is in them.
    targets: BTreeMap<String, bool>,
    /// The `impl` around is of a trait: its functions are as public as that.
    of_trait: bool,
    /// All functions, audited or not.
    pub names: BTreeSet<String>,
    /// With whether they are public.
    pub audited: Vec<(usize, String, bool)>,
    pub unaudited: Vec<(usize, String, Needs)>,
    /// Public functions that are priced by their callers: lines, names, and costs as written.
    pub by_callers: Vec<(usize, String, String)>,
    /// Functions of traits that return a mechanism.
    pub of_traits: Vec<(usize, String)>,
    /// Lines of audited functions, with what they take and do.
    pub bodies: Vec<(usize, String)>,
    /// Public functions that are given a meter.
    pub meters: Vec<(usize, String)>,
    /// Openers that do more with their vault than return it: lines, names and words.
    pub misused: Vec<(usize, String, String)>,
}

impl<'a> Functions<'a> {
    pub fn read(text: &str, wanted: &'a Wanted<'a>) -> Self {
        let mut functions = Functions {
            wanted,
            holds: false,
            plans: false,
            shows: false,
            targets: BTreeMap::new(),
            of_trait: false,
            names: BTreeSet::new(),
            audited: Vec::new(),
            unaudited: Vec::new(),
            by_callers: Vec::new(),
            of_traits: Vec::new(),
            bodies: Vec::new(),
            meters: Vec::new(),
            misused: Vec::new(),
        };
        match syn::parse_file(text) {
            Ok(file) => functions.visit_file(&file),
            // Part of a file, or newer than we are: read like the body of a macro.
            Err(_) => functions.look_into(text.parse().unwrap_or_default()),
        }
        functions
    }

    fn look(
        &mut self,
        attributes: &[syn::Attribute],
        public: bool,
        signature: &syn::Signature,
        body: &syn::Block,
    ) {
        let line = signature.ident.span().start().line;
        let name = plain(&signature.ident);
        self.names.insert(name.clone());
        let has = |is: fn(&TokenStream) -> bool| {
            let mut attributes = attributes.iter();
            attributes.any(|attribute| is(&attribute.meta.to_token_stream()))
        };
        if has(is_opener) {
            let misused = misused(body, self.wanted.vaults, self.wanted.redefined).into_iter();
            self.misused
                .extend(misused.map(|(line, what)| (line, name.clone(), what)));
        }
        let inputs = signature.inputs.to_token_stream();
        if public && !has(is_audited) && names_one(&inputs, self.wanted.meters) {
            self.meters.push((line, name.clone()));
        }
        if has(is_audited) {
            let text = format!("{inputs} {}", body.to_token_stream());
            self.bodies.push((line, text));
            if let Some(what) = self.is_of_two_prices(signature) {
                let needs = Needs::Hides(what);
                self.unaudited.push((line, name.clone(), needs));
            }
            self.audited.push((line, name, public));
        } else if let Some(cost) = self.by_callers(signature, body).filter(|_| public) {
            self.by_callers.push((line, name, cost));
        } else if public && names_one(&signature.output.to_token_stream(), self.wanted.mechanisms) {
            self.unaudited.push((line, name, Needs::Returns));
        } else if self.shows && self.hands_out(signature) {
            let what = "hands out a mechanism by a trait of a type that holds one";
            self.unaudited.push((line, name, Needs::Hides(what)));
        } else if let Some(what) = self.hides(signature).filter(|_| public) {
            self.unaudited.push((line, name, Needs::Hides(what)));
        } else if (public || self.of_trait) && self.takes(signature) {
            self.unaudited.push((line, name, Needs::Takes));
        } else if self.of_trait
            && names_one(&signature.output.to_token_stream(), self.wanted.mechanisms)
        {
            self.of_traits.push((line, name));
        }
    }

    /// What a function costs that its callers price, if it does nothing else with their budgets.
    fn by_callers(&self, signature: &syn::Signature, body: &syn::Block) -> Option<String> {
        let wanted = self.wanted;
        let cost = by_callers(signature, &wanted.declared.all)?;
        let body = words(body.to_token_stream());
        let spends = [wanted.vaults, wanted.holders, wanted.meters];
        let inputs = signature.inputs.to_token_stream();
        let beside = spends.iter().any(|names| is_among(&body, names))
            || names_one(&inputs, wanted.meters)
            || self.takes(signature)
            || self.hides(signature).is_some();
        (!beside).then_some(cost)
    }

    /// Why the type of an audited function does not say what it costs: the audit reads one price.
    fn is_of_two_prices(&self, signature: &syn::Signature) -> Option<&'static str> {
        let wanted = self.wanted;
        let output = signature.output.to_token_stream();
        let named = words(output.clone());
        let count = |names: &BTreeSet<String>| named.iter().filter(|w| names.contains(*w)).count();
        let mechanisms = count(wanted.mechanisms);
        let vaults = count(wanted.vaults) + count(wanted.holders);
        let given = |argument: &syn::FnArg| {
            let tokens = argument.to_token_stream();
            is_given(&tokens, wanted.mechanisms) || is_given(&tokens, wanted.plans)
        };
        if mechanisms > 1 {
            Some("answers with two mechanisms")
        } else if mechanisms > 0 && vaults > 0 {
            Some("answers with a mechanism beside a vault")
        } else if signature.inputs.iter().any(given) {
            Some("hands a mechanism to an argument")
        } else {
            None
        }
    }

    /// Whether a function of a trait answers with a mechanism, or with what holds one.
    fn hands_out(&self, signature: &syn::Signature) -> bool {
        let output = signature.output.to_token_stream();
        names_one(&output, self.wanted.mechanisms)
            || names_one(&output, self.wanted.plans)
            || self.names_itself(&words(output))
    }

    /// Whether `Self` is among some words, or `Self::Target` for a type with a mechanism in it.
    fn names_itself(&self, words: &[String]) -> bool {
        (0..words.len()).any(|at| match &words[at..] {
            [own, a, b, target, ..] if own == "Self" && a == ":" && b == ":" => {
                self.targets.get(target).copied().unwrap_or(true)
            }
            [own, ..] => own == "Self",
            [] => false,
        })
    }

    /// How a function hands out what others can spend, behind a type that says no price.
    fn hides(&self, signature: &syn::Signature) -> Option<&'static str> {
        let output = signature.output.to_token_stream();
        if let Some(what) = self.hidden_in(&output) {
            return Some(what);
        }
        if self.plans && self.names_itself(&words(output)) {
            return Some("hands out a type that holds a mechanism");
        }
        let generics = &signature.generics;
        let mut heads = generics.to_token_stream();
        heads.extend(generics.where_clause.to_token_stream());
        let mechanism = |tokens: &TokenStream| {
            names_one(tokens, self.wanted.mechanisms) || names_one(tokens, self.wanted.plans)
        };
        // `M` of `fn plan<M: From<Mechanism<…>>>() -> M`.
        let answer = words(signature.output.to_token_stream());
        let mut own = generics.type_params().map(|own| plain(&own.ident));
        if mechanism(&heads) && own.any(|own| answer.contains(&own)) {
            return Some("answers with what a mechanism becomes");
        }
        let filled = |argument: &syn::FnArg| match argument {
            syn::FnArg::Receiver(_) => false,
            syn::FnArg::Typed(argument) => {
                let tokens = argument.ty.to_token_stream();
                let slot =
                    matches!(&*argument.ty, syn::Type::Reference(r) if r.mutability.is_some());
                let called = is_given(&tokens, self.wanted.mechanisms)
                    || is_given(&tokens, self.wanted.plans);
                called || slot && mechanism(&tokens)
            }
        };
        let mut inputs = signature.inputs.iter();
        inputs
            .any(filled)
            .then_some("hands a mechanism to an argument")
    }

    /// The same of a type.
    fn hidden_in(&self, tokens: &TokenStream) -> Option<&'static str> {
        let wanted = self.wanted;
        if names_one(tokens, wanted.plans) {
            return Some("hands out a type that holds a mechanism");
        }
        let takes = is_given(tokens, wanted.vaults) || is_given(tokens, wanted.holders);
        if takes || names_one(tokens, wanted.takers) {
            return Some("hands out what takes a vault");
        }
        let words = words(tokens.clone());
        let hidden = words.iter().any(|word| word == "impl" || word == "dyn");
        let of = |word: &String| wanted.traits.contains(word) || word == "Any";
        (hidden && words.iter().any(of))
            .then_some("hands out what may be a mechanism, behind a trait that one has")
    }

    /// A constant or a field that others can use.
    fn look_at_type(&mut self, name: &syn::Ident, of: &syn::Type) {
        let tokens = of.to_token_stream();
        let what = match self.hidden_in(&tokens) {
            None if names_one(&tokens, self.wanted.mechanisms) => "hands out a mechanism",
            None => return,
            Some(what) => what,
        };
        self.unaudited
            .push((name.span().start().line, plain(name), Needs::Hides(what)));
    }

    /// Whether a function can spend what it is given.
    fn takes(&self, signature: &syn::Signature) -> bool {
        let bounds = &signature.generics;
        let mut heads = bounds.to_token_stream();
        heads.extend(bounds.where_clause.to_token_stream());
        let given = |argument: &syn::FnArg| match argument {
            // Looking at a vault spends nothing; what holds one may hold a lock.
            syn::FnArg::Receiver(receiver) => {
                let words = words(receiver.to_token_stream());
                let shared = words.iter().any(|w| w == "&") && !words.iter().any(|w| w == "mut");
                self.holds && !shared
            }
            syn::FnArg::Typed(argument) => {
                let tokens = argument.ty.to_token_stream();
                let shared =
                    matches!(&*argument.ty, syn::Type::Reference(r) if r.mutability.is_none());
                names_one(&tokens, self.wanted.holders)
                    || names_one(&tokens, self.wanted.vaults) && (!shared || has_lock(&tokens))
            }
        };
        signature.inputs.iter().any(given) || names_one(&heads, self.wanted.vaults)
    }

    /// Whether others may use what an `impl` of a trait is of, and the trait: not where one of them is
    /// declared in these sources, and not public.
    fn is_for_others(&self, item: &syn::ItemImpl) -> bool {
        let declared = self.wanted.declared;
        let Some((path, _)) = &item.trait_ else {
            return false;
        };
        let last = path.segments.last();
        let name = last.map_or(String::new(), |s| plain(&s.ident));
        let hidden = |name: &String| declared.all.contains(name) && !declared.public.contains(name);
        let of = words(item.self_ty.to_token_stream());
        let held = of.iter().find(|word| self.wanted.plans.contains(*word));
        let asked = declared.traits.contains(&name) && hidden(&name);
        !asked && !held.is_some_and(hidden)
    }

    /// Functions that a macro writes: `pub fn` in its body or its arguments.
    fn look_into(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut audited, mut public) = (false, false);
        for (at, token) in tokens.iter().enumerate() {
            let here = Here::new(&tokens, at);
            match here.word(0).as_str() {
                "pub" => public |= here.group(1, Delimiter::Parenthesis).is_none(),
                "fn" if public && !audited => {
                    let name = here.word(1 + isize::from(here.sign(1, '$')));
                    if self.returns_mechanism(here) {
                        self.unaudited.push((here.line(), name, Needs::Returns));
                    } else if self.is_given_vault(here) {
                        self.unaudited.push((here.line(), name, Needs::Takes));
                    }
                }
                _ => {}
            }
            // `$visibility fn` may be public.
            public |= here.sign(0, '$') && !here.word(1).is_empty();
            if let TokenTree::Group(group) = token {
                audited |= here.sign(-1, '#') && is_audited(&group.stream());
                self.look_into(group.stream());
            }
            if is_body(token) || here.sign(0, ';') {
                (audited, public) = (false, false);
            }
        }
    }

    /// Whether the `fn` here names a mechanism between its arrow and its body.
    fn returns_mechanism(&self, here: Here<'_>) -> bool {
        let mut arrow = false;
        for (at, token) in here.rest().iter().enumerate() {
            let next = here.rest().get(at + 1);
            // A constant among the parameters of a type is no body.
            let goes_on = next.is_some_and(|next| is_sign(next, ',') || is_sign(next, '>'));
            if is_sign(token, ';') || is_body(token) && !goes_on {
                break;
            }
            arrow |= is_sign(token, '-');
            let words = words(token.clone().into());
            let named =
                |word| self.wanted.mechanisms.contains(word) || self.wanted.plans.contains(word);
            if arrow && words.iter().any(named) {
                return true;
            }
        }
        false
    }

    /// Whether the `fn` here names a vault among its arguments.
    fn is_given_vault(&self, here: Here<'_>) -> bool {
        let wanted = self.wanted;
        let arguments = here.rest().iter().find_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
            _ => None,
        });
        arguments.is_some_and(|group| {
            let words = words(group.stream());
            let mut words = words.iter();
            words.any(|word| wanted.vaults.contains(word) || wanted.holders.contains(word))
        })
    }
}

/// Whether a type is a function or a channel that is given a value of one of the names.
fn is_given(tokens: &TokenStream, names: &BTreeSet<String>) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    (0..tokens.len()).any(|at| {
        let here = Here::new(&tokens, at);
        let word = here.word(0);
        let function = ["Fn", "FnMut", "FnOnce", "fn"].contains(&word.as_str());
        let arguments = here.group(1, Delimiter::Parenthesis);
        match here.token(0) {
            Some(TokenTree::Group(group)) => is_given(&group.stream(), names),
            _ if function || word.starts_with("AsyncFn") => {
                arguments.is_some_and(|group| names_one(&group.stream(), names))
            }
            _ if word == "Sender" || word == "SyncSender" => {
                names_one(&here.rest().iter().cloned().collect(), names)
            }
            _ => false,
        }
    })
}

fn names_one(tokens: &TokenStream, names: &BTreeSet<String>) -> bool {
    is_among(&words(tokens.clone()), names)
}

/// Whether a type can be changed behind a shared reference.
fn has_lock(tokens: &TokenStream) -> bool {
    let locks = [
        "Cell", "RefCell", "Mutex", "RwLock", "OnceCell", "OnceLock", "LazyLock",
    ];
    words(tokens.clone())
        .iter()
        .any(|word| locks.contains(&word.as_str()))
}

fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

fn is_test(attributes: &[syn::Attribute], other_test: bool) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test") && !other_test
            || attribute.path().is_ident("cfg")
                && attribute
                    .meta
                    .require_list()
                    .is_ok_and(|l| l.tokens.to_string() == "test")
    })
}

impl Visit<'_> for Functions<'_> {
    fn visit_macro(&mut self, item: &syn::Macro) {
        self.look_into(item.tokens.clone());
    }

    fn visit_item_fn(&mut self, item: &syn::ItemFn) {
        if !is_test(&item.attrs, self.wanted.other_test) {
            let public = is_public(&item.vis);
            self.look(&item.attrs, public, &item.sig, &item.block);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &syn::ImplItemFn) {
        let public = is_public(&item.vis);
        self.look(&item.attrs, public, &item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &syn::ItemImpl) {
        let around = (self.holds, self.plans, self.of_trait, self.shows);
        let targets = core::mem::take(&mut self.targets);
        let of = item.self_ty.to_token_stream();
        self.holds = names_one(&of, self.wanted.vaults) || names_one(&of, self.wanted.holders);
        self.plans = names_one(&of, self.wanted.mechanisms) || names_one(&of, self.wanted.plans);
        self.of_trait = item.trait_.is_some();
        self.shows = self.plans && self.is_for_others(item);
        for part in &item.items {
            if let syn::ImplItem::Type(part) = part {
                let of = part.ty.to_token_stream();
                let wanted = self.wanted;
                let itself = words(of.clone()).iter().any(|word| word == "Self");
                let held = names_one(&of, wanted.mechanisms) || names_one(&of, wanted.plans);
                self.targets.insert(plain(&part.ident), held || itself);
            }
        }
        visit::visit_item_impl(self, item);
        (self.holds, self.plans, self.of_trait, self.shows) = around;
        self.targets = targets;
    }

    fn visit_trait_item_fn(&mut self, item: &syn::TraitItemFn) {
        let line = item.sig.ident.span().start().line;
        if names_one(&item.sig.output.to_token_stream(), self.wanted.mechanisms) {
            self.of_traits.push((line, plain(&item.sig.ident)));
        }
        // One that is written here, and not only asked for.
        if item.default.is_some() && self.takes(&item.sig) {
            let name = plain(&item.sig.ident);
            self.unaudited.push((line, name, Needs::Takes));
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_const(&mut self, item: &syn::ItemConst) {
        if is_public(&item.vis) && !is_test(&item.attrs, true) {
            self.look_at_type(&item.ident, &item.ty);
        }
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &syn::ItemStatic) {
        if is_public(&item.vis) && !is_test(&item.attrs, true) {
            self.look_at_type(&item.ident, &item.ty);
        }
        visit::visit_item_static(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &syn::ImplItemConst) {
        if is_public(&item.vis) || self.of_trait {
            self.look_at_type(&item.ident, &item.ty);
        }
        visit::visit_impl_item_const(self, item);
    }

    fn visit_item(&mut self, item: &syn::Item) {
        if let syn::Item::Verbatim(tokens) = item {
            self.look_into(tokens.clone());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &syn::ItemMod) {
        // A module is no test by itself.
        if !is_test(&item.attrs, true) {
            visit::visit_item_mod(self, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::names::{holders_of, items, names_of, takers_of, traits_of};

    /// The names of the functions that need the attribute, and of those that have it.
    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let tokens: TokenStream = text.parse().expect("tokens");
        let mechanisms = names_of("Mechanism", core::iter::once(&tokens));
        let vaults = names_of("Vault", core::iter::once(&tokens));
        let holders = holders_of(&vaults, &items(core::iter::once(&tokens)));
        let plans = holders_of(&mechanisms, &items(core::iter::once(&tokens)));
        let traits = traits_of(&mechanisms, core::iter::once(&tokens));
        let declared = Declared::read(core::iter::once(&tokens));
        let meters = names_of("Meter", core::iter::once(&tokens));
        let takers = takers_of(&vaults, &items(core::iter::once(&tokens)));
        let wanted = Wanted {
            mechanisms: &mechanisms,
            plans: &plans,
            traits: &traits,
            takers: &takers,
            vaults: &vaults,
            holders: &holders,
            meters: &meters,
            declared: &declared,
            other_test: false,
            redefined: &BTreeSet::new(),
        };
        let functions = Functions::read(text, &wanted);
        let unaudited = functions.unaudited.into_iter().map(|f| f.1).collect();
        let audited = functions.audited.into_iter().map(|f| f.1).collect();
        (unaudited, audited)
    }

    #[test]
    fn functions_that_macros_write_are_seen() {
        let (unaudited, _) = read(
            "macro_rules! m { ($v:vis $i:ident) => {
                 $v fn $i() -> Mechanism<T, i64, E> {}
                 /// Not audited.
                 pub const fn a() -> Mechanism<T, i64, E> {}
                 #[audited] pub fn b() -> Mechanism<T, i64, E> {}
                 pub fn c() {}
                 fn d() -> Mechanism<T, i64, E> {}
                 pub(crate) fn e() -> Mechanism<T, i64, E> {}
                 pub fn f() -> Both<{ 1 }, Mechanism<T, i64, E>> {}
                 pub fn g(m: Mechanism<T, i64, E>) -> u8 { Mechanism::h() }
             } }",
        );
        assert_eq!(unaudited, ["i", "a", "f"]);
    }

    #[test]
    fn public_functions_that_take_a_vault_need_the_attribute() {
        let (unaudited, _) = read(
            "pub fn a(v: Vault<T, E>) {} pub async fn b(v: Option<Vault<T, E>>) {}
             struct Hidden(Vault<T, E>); pub fn c(h: Hidden) {} pub fn d(v: &Vault<T, E>) {}
             impl Hidden { pub fn e(self) {} pub fn f(&self) {} pub fn g(&mut self) {} }
             impl Spends for Vault<T, E> { fn h(self) {} } pub fn i<V: Into<Vault<T, E>>>(v: V) {}
             fn j(v: Vault<T, E>) {} #[audited] pub fn k(v: Vault<T, E>) -> Vault<T, F> {}
             pub fn l(v: &Mutex<Vault<T, E>>) {} m! { pub fn n(v: Vault<T, E>) {} }
             pub fn o() -> Vault<T, E> {} pub fn p(n: u8) {}",
        );
        assert_eq!(unaudited, ["a", "b", "c", "e", "g", "h", "i", "l", "n"]);
    }

    #[test]
    fn functions_in_bodies_and_in_files_that_do_not_parse_are_seen() {
        let (unaudited, _) =
            read("impl P { fn f() { impl P { pub fn a() -> Mechanism<T, i64, E> {} } } }");
        assert_eq!(unaudited, ["a"]);
        let (unaudited, _) = read("new syntax; pub fn a() -> Mechanism<T, i64, E> {}");
        assert_eq!(unaudited, ["a"]);
    }

    #[test]
    fn what_hides_a_mechanism_or_takes_a_vault_is_told() {
        let (unaudited, _) = read(
            "pub struct Plan { m: Mechanism<T, i64, E> } pub fn a() -> Vec<Plan> {}
             impl Plan { pub fn b() -> Self {} fn c() -> Self {} pub fn d(&self) -> u8 {} }
             impl Asks for Mechanism<T, i64, E> {} pub fn e() -> impl Asks {} pub fn f() -> Box<dyn Any> {}
             pub fn g() -> impl Iterator<Item = u8> {} pub fn h() -> impl FnOnce(Vault<T, E>) {}
             pub fn i() -> fn() -> Vault<T, E> {} pub fn j(slot: &mut Option<Mechanism<T, i64, E>>) {}
             pub fn k(m: Mechanism<T, i64, E>) {} pub fn l(f: impl Fn(Mechanism<T, i64, E>)) {}
             pub fn n<M: From<Mechanism<T, i64, E>>>() -> M {} pub fn v<M: Into<Mechanism<T, i64, E>>>(m: M) {}
             pub const O: fn() -> Mechanism<T, i64, E> = m;
             const P: fn() -> Mechanism<T, i64, E> = m; pub static Q: fn(Vault<T, E>) = s;
             pub fn r() -> Sender<Vault<T, E>> {} pub trait Job { fn t(&self, v: Vault<T, E>) {} fn u(v: Vault<T, E>); }",
        );
        assert_eq!(
            unaudited,
            ["a", "b", "e", "f", "h", "j", "l", "n", "O", "Q", "r", "t"]
        );
    }

    #[test]
    fn a_trait_of_a_public_type_that_holds_a_mechanism_hands_it_out() {
        let (unaudited, _) = read(
            "pub struct Plan(Mechanism<T, i64, E>); struct Own(Mechanism<T, i64, E>); trait Inner { fn x(self); }
             impl Default for Plan { fn default() -> Self {} } impl Default for Own { fn default() -> Self {} }
             impl Deref for Plan { type Target = Mechanism<T, i64, E>; fn deref(&self) -> &Self::Target {} }
             impl From<Plan> for Mechanism<T, i64, E> { fn from(p: Plan) -> Self {} }
             impl Into<Mechanism<T, i64, E>> for Plan { fn into(self) -> Mechanism<T, i64, E> {} }
             impl Iterator for Plan { type Item = u8; fn next(&mut self) -> Option<Self::Item> {} }
             impl Debug for Plan { fn fmt(&self, f: &mut Formatter) -> Result {} }
             impl Inner for Plan { fn inner(self) -> Mechanism<T, i64, E> {} }
             impl Asks for u8 { fn ask(&self) -> Mechanism<T, i64, E> {} }",
        );
        assert_eq!(unaudited, ["default", "deref", "from", "into"]);
    }

    #[test]
    fn what_callers_price_spends_nothing_beside_it() {
        let (unaudited, _) = read(
            "pub fn a<E: Epsilon>() -> Mechanism<T, i64, E> { b() }
             pub fn c<E: Epsilon>(v: Vault<T, Eps<1, 1>>) -> Mechanism<T, i64, E> { b() }
             pub fn d<E: Epsilon>() -> Mechanism<T, i64, E> { drop(Vault::open(rows())); b() }
             pub fn e<E: Epsilon>(m: &Meter<T, Eps<1, 1>>) -> Mechanism<T, i64, E> { b() }
             pub fn f<E: Epsilon>(slot: &mut Option<Mechanism<T, i64, E>>) -> Mechanism<T, i64, E> { b() }
             pub fn g() -> Mechanism<T, i64, E> { b() }",
        );
        assert_eq!(unaudited, ["c", "d", "e", "f", "g"]);
    }

    #[test]
    fn an_audited_function_has_one_price() {
        let (unaudited, audited) = read(
            "type Dear = Mechanism<T, i64, Eps<9, 1>>; type Kept = Vault<T, Eps<1, 1>>;
             #[audited] fn a() -> Result<Mechanism<T, i64, Eps<1, 4>>, Dear> {}
             #[audited] fn b(v: Kept) -> (Dear, Option<Kept>) {}
             #[audited] fn c(v: Kept, next: fn(Dear)) -> Kept {}
             #[audited] fn d(v: Kept, next: &mut dyn FnMut(u8, Dear) -> u8) -> Kept {}
             #[audited] fn e() -> privet::Result<Dear> {}
             #[audited] fn f(m: Dear) -> Dear {}
             #[audited] fn g(v: Kept) -> privet::Result<(i64, Kept)> {}
             #[audited(opens)] fn h() -> (Kept, Vault<U, Eps<1, 1>>) {}",
        );
        assert_eq!(unaudited, ["a", "b", "c", "d"]);
        assert_eq!(audited, ["a", "b", "c", "d", "e", "f", "g", "h"]);
    }

    #[test]
    fn raw_names_are_the_names_that_the_audit_prints() {
        let (_, audited) = read("#[audited] fn r#match() -> Mechanism<T, i64, E> {}");
        assert_eq!(audited, ["match"]);
    }

    #[test]
    fn public_functions_that_return_a_mechanism_need_the_attribute() {
        let (unaudited, audited) = read(
            "pub fn a() -> Mechanism<T, i64, E> {}
             #[privet::audited] pub fn b() -> privet::Mechanism<T, i64, E> {}
             fn c() -> Mechanism<T, i64, E> {}
             impl P { pub fn d(&self) -> Option<Mechanism<T, i64, E>> {} }
             #[cfg(test)] mod tests { pub fn e() -> Mechanism<T, i64, E> {} }
             type M = Mechanism<T, i64, E>; use privet::Mechanism as N;
             pub fn g() -> M {}
             pub fn h() -> Result<N<T, i64, E>> {}
             macro_rules! m { ($i:ident) => {
                 pub fn $i() -> Mechanism<T, i64, E> {}
                 #[audited] pub fn j() -> Mechanism<T, i64, E> {}
                 fn k(m: Mechanism<T, i64, E>) -> u8 {}
             } }
             m! { pub fn l() -> M {} }",
        );
        assert_eq!(unaudited, ["a", "d", "g", "h", "i", "l"]);
        assert_eq!(audited, ["b"]);
    }
}
