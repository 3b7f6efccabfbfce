//! Public functions that are priced by their callers: the price, or the data, is a type parameter of
//! their own.
//!
//! A library that is generic over its record or its ε has no instance to list. The type of a call says
//! what it costs and on what, and an audited caller is priced by its own type. A parameter counts only
//! if its bounds are privet's own, and so cannot leave it one value: `E: Only` with one `impl` would
//! hide a price.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::{self, Visit};

use super::tokens::{plain, words};

/// The traits that a price may be asked for. None of them has one price only.
const OF_PRICES: [&str; 16] = [
    "AtMost",
    "Budget",
    "Concentrated",
    "Cost",
    "Dearer",
    "Epsilon",
    "EpsilonDelta",
    "ForGroups",
    "PaidFrom",
    "Plus",
    "Positive",
    "Purse",
    "Send",
    "Split",
    "Sync",
    "Times",
];
/// The traits that a record may be asked for.
const OF_RECORDS: [&str; 6] = ["Clone", "Domain", "HasPerson", "Record", "Send", "Sync"];
/// The traits of other parameters that may name a parameter.
const OF_OTHERS: [&str; 10] = [
    "BoundedNumber",
    "Condition",
    "Coordinates",
    "Fn",
    "FnMut",
    "FnOnce",
    "Key",
    "NullableNumeric",
    "Number",
    "Numeric",
];

/// What the mechanisms in an answer cost, as written, if each is priced by the caller.
///
/// `declared` are names that the sources give to types and traits of their own, or `$`, where a macro
/// is given such a name.
pub fn by_callers(signature: &syn::Signature, declared: &BTreeSet<String>) -> Option<String> {
    let syn::ReturnType::Type(_, answer) = &signature.output else {
        return None;
    };
    let own = |name: &str| declared.contains(name) || declared.contains("$");
    if ["Mechanism", "Pair", "Table"].into_iter().any(own) {
        return None;
    }
    let parameters = Parameters::of(signature, declared);
    let mut found = Mechanisms::default();
    found.visit_type(answer);
    let mut costs = Vec::new();
    for arguments in &found.arguments {
        let [data, _, cost] = &arguments[..] else {
            return None;
        };
        let free = |ty: &syn::Type, traits: &[&str]| {
            bare(ty).is_some_and(|name| parameters.is_free(&name, traits))
        };
        let on_any = || {
            let record = |ty: &syn::Type| free(ty, &OF_RECORDS);
            free(data, &["Domain"]) || table_of(data).is_some_and(record)
        };
        if !free(cost, &OF_PRICES) && !on_any() {
            return None;
        }
        let text = shown(cost.to_token_stream());
        if !costs.contains(&text) {
            costs.push(text);
        }
    }
    (!costs.is_empty()).then(|| costs.join(", "))
}

/// The type parameters of a function, and what is asked of them.
struct Parameters<'a> {
    names: BTreeSet<String>,
    /// Who is asked, and what: `E` and `Epsilon`. Empty for who is no parameter: `Eps<9, 1>: AtMost<E>`.
    bounds: Vec<(String, &'a syn::TypeParamBound)>,
    declared: &'a BTreeSet<String>,
}

impl<'a> Parameters<'a> {
    fn of(signature: &'a syn::Signature, declared: &'a BTreeSet<String>) -> Self {
        let generics = &signature.generics;
        let mut names = BTreeSet::new();
        let mut bounds = Vec::new();
        for parameter in generics.type_params() {
            let name = plain(&parameter.ident);
            bounds.extend(parameter.bounds.iter().map(|b| (name.clone(), b)));
            names.insert(name);
        }
        for predicate in generics.where_clause.iter().flat_map(|w| &w.predicates) {
            if let syn::WherePredicate::Type(predicate) = predicate {
                let name = bare(&predicate.bounded_ty).unwrap_or_default();
                bounds.extend(predicate.bounds.iter().map(|b| (name.clone(), b)));
                // What stands on the left may name one, too.
                let left = words(predicate.bounded_ty.to_token_stream());
                if name.is_empty() && left.iter().any(|word| names.contains(word)) {
                    names.retain(|name| !left.contains(name));
                }
            }
        }
        let mut asked = Asked::default();
        signature.inputs.iter().for_each(|i| asked.visit_fn_arg(i));
        bounds.extend(asked.bounds.into_iter().map(|b| (String::new(), b)));
        Parameters {
            names,
            bounds,
            declared,
        }
    }

    /// Whether a parameter may be any type that has some of these traits.
    fn is_free(&self, name: &str, traits: &[&str]) -> bool {
        let is_known = |bound: &syn::TypeParamBound, known: &[&str]| match bound {
            syn::TypeParamBound::Trait(bound) => {
                let last = bound.path.segments.last();
                let last = last.map(|s| plain(&s.ident)).unwrap_or_default();
                known.contains(&last.as_str()) && !self.declared.contains(&last) && !fixes(bound)
            }
            syn::TypeParamBound::Lifetime(_) => true,
            _ => false,
        };
        // `Eps<0, 1>: AtMost<E>` leaves any price from there on, unless another bound ends it.
        let upper = ["AtMost", "PaidFrom"];
        let own =
            |(who, bound): &&(String, &syn::TypeParamBound)| who == name && is_known(bound, &upper);
        let ends = self.bounds.iter().any(|bound| own(&bound));
        let names_it = |bound: &syn::TypeParamBound| {
            words(bound.to_token_stream())
                .iter()
                .any(|word| word == name)
        };
        let mut bounds = self.bounds.iter();
        self.names.contains(name)
            && bounds.all(|(who, bound)| {
                if who == name {
                    is_known(bound, traits)
                } else {
                    let begins = who.is_empty() && !ends && is_known(bound, &["AtMost"]);
                    !names_it(bound) || begins || is_known(bound, &OF_OTHERS)
                }
            })
    }
}

/// Whether a bound says what a type of the trait is: `Split<2, Part = Eps<1, 2>>`. What notion a price is
/// of leaves it any value.
fn fixes(bound: &syn::TraitBound) -> bool {
    let last = bound.path.segments.last().map(|segment| &segment.arguments);
    let Some(syn::PathArguments::AngleBracketed(arguments)) = last else {
        return false;
    };
    arguments.args.iter().any(|argument| match argument {
        syn::GenericArgument::AssocType(ty) => ty.ident != "Notion",
        syn::GenericArgument::AssocConst(_) | syn::GenericArgument::Constraint(_) => true,
        _ => false,
    })
}

/// The arguments of each `Mechanism<…>` in a type.
#[derive(Default)]
struct Mechanisms {
    arguments: Vec<Vec<syn::Type>>,
}

impl Visit<'_> for Mechanisms {
    fn visit_path_segment(&mut self, segment: &syn::PathSegment) {
        if segment.ident == "Mechanism" {
            self.arguments.push(types_of(segment));
        }
        visit::visit_path_segment(self, segment);
    }
}

/// What is asked of arguments: `impl FnOnce(Columns<R>) -> C`.
#[derive(Default)]
struct Asked<'a> {
    bounds: Vec<&'a syn::TypeParamBound>,
}

impl<'a> Visit<'a> for Asked<'a> {
    fn visit_type_param_bound(&mut self, bound: &'a syn::TypeParamBound) {
        self.bounds.push(bound);
        visit::visit_type_param_bound(self, bound);
    }
}

/// The types among the arguments of a path's step.
fn types_of(segment: &syn::PathSegment) -> Vec<syn::Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return Vec::new();
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    types.collect()
}

/// The name, where a type is nothing else.
fn bare(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() => path.path.get_ident().map(plain),
        _ => None,
    }
}

/// The record of a `Table<R>` or a `Table<R, Relation>`.
fn table_of(data: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = data else {
        return None;
    };
    let last = path.path.segments.last().filter(|s| s.ident == "Table")?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(record)) => Some(record),
        _ => None,
    }
}

fn shown(tokens: TokenStream) -> String {
    let text = tokens.to_string();
    text.replace(" <", "<")
        .replace("< ", "<")
        .replace(" >", ">")
        .replace(" ,", ",")
        .replace(" :: ", "::")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(text: &str, declared: &[&str]) -> Option<String> {
        let function: syn::ItemFn = syn::parse_str(&format!("{text} {{}}")).expect("a function");
        let declared = declared.iter().map(ToString::to_string).collect();
        by_callers(&function.sig, &declared)
    }

    #[test]
    fn a_price_or_a_record_of_the_callers_is_theirs() {
        for (text, cost) in [
            ("fn f<E: Epsilon>() -> Mechanism<Table<P>, i64, E>", "E"),
            (
                "fn f<R, C, E>(c: impl FnOnce(Columns<R>) -> C) -> privet::Result<Mechanism<Table<R>, i64, E>> where R: Record, C: Condition<R>, E: Split<2>",
                "E",
            ),
            (
                "fn f<R: Record>() -> Mechanism<Table<R, Replace>, i64, Eps<1, 4>>",
                "Eps<1, 4>",
            ),
            (
                "fn f<D: Domain, C: Cost>(m: Mechanism<D, i64, C>) -> (u8, Mechanism<D, i64, C>)",
                "C",
            ),
            (
                "fn f<E: Epsilon>() -> Mechanism<Table<P>, i64, E> where Eps<0, 1>: AtMost<E>",
                "E",
            ),
            (
                "fn f<E: Positive<Notion = Pure> + AtMost<Eps<1, 1>>>() -> Mechanism<Table<P>, i64, E>",
                "E",
            ),
        ] {
            assert_eq!(costs(text, &[]).as_deref(), Some(cost), "{text}");
        }
    }

    #[test]
    fn a_price_that_is_the_functions_own_is_not() {
        for text in [
            // A price with a name, and parameters that are in neither the price nor the data.
            "fn f() -> Mechanism<Table<P>, i64, Eps<9, 1>>",
            "fn f<R: Record>() -> Mechanism<Table<P>, R, Eps<9, 1>>",
            "fn f<E: Epsilon>(e: PhantomData<E>) -> Mechanism<Table<P>, i64, Eps<9, 1>>",
            "fn f<E: Epsilon>() -> Mechanism<Table<P>, i64, Dear<E>>",
            "fn f<E: Epsilon>() -> Mechanism<Table<P>, i64, <E as Of>::Price>",
            "fn f<E: Epsilon>() -> Mechanism<Table<P>, i64, E::Dear>",
            // A parameter with one value.
            "fn f<E: Only>() -> Mechanism<Table<P>, i64, E>",
            "fn f<E: Epsilon + Only>() -> Mechanism<Table<P>, i64, E>",
            "fn f<E>() -> Mechanism<Table<P>, i64, E> where E: Epsilon, E: Only",
            "fn f<E: Split<2, Part = Eps<9, 1>>>() -> Mechanism<Table<P>, i64, E>",
            "fn f<E: AtMost<Eps<9, 1>>>() -> Mechanism<Table<P>, i64, E> where Eps<9, 1>: AtMost<E>",
            "fn f<E: Epsilon, C: Pins<E>>() -> Mechanism<Table<P>, i64, E>",
            "fn f<E: Epsilon>(c: impl Pins<E>) -> Mechanism<Table<P>, i64, E>",
            "fn f<E: Epsilon>() -> Mechanism<Table<P>, i64, E> where <E as Of>::Price: Only",
            "fn f<R: Only>() -> Mechanism<Table<R>, i64, Eps<9, 1>>",
            "fn f<R: Record, C: Pins<R>>() -> Mechanism<Table<R>, i64, Eps<9, 1>>",
            // One of two, and an alias.
            "fn f<E: Epsilon>() -> (Mechanism<Table<P>, i64, E>, Mechanism<Table<P>, i64, Eps<9, 1>>)",
            "fn f<E: Epsilon>() -> Asked<E>",
            "fn f<E: Epsilon>() -> Mechanism<E>",
        ] {
            assert_eq!(costs(text, &[]), None, "{text}");
        }
        // A trait or a type of one's own under a name of privet's.
        let text = "fn f<E: Epsilon>() -> Mechanism<Table<P>, i64, E>";
        for declared in ["Epsilon", "Mechanism", "$"] {
            assert_eq!(costs(text, &[declared]), None, "{declared}");
        }
    }
}
