//! What a data set's functions spend together.

use std::collections::BTreeMap;

use privet::Price;

use super::{DataSet, Function, Kind};
use crate::price;

/// The data sets of some functions; `called` are the ids of those that other code calls.
pub fn data_sets(functions: &[Function], called: &[String]) -> Vec<DataSet> {
    let mut by_data: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in functions {
        by_data.entry(&function.data).or_default().push(function);
    }
    by_data
        .into_iter()
        .map(|(name, functions)| {
            let (opens, spends): (Vec<_>, Vec<_>) =
                functions.into_iter().partition(|f| f.kind == Kind::Opens);
            let roots = roots(&spends, called);
            let sum = |functions: &[&Function]| {
                functions
                    .iter()
                    .filter_map(|f| f.price.price())
                    .reduce(price::plus)
                    .map(price::state)
            };
            let total = sum(&roots)
                .unwrap_or_else(|| price::state(Price::pure(privet::Ratio::from_integer(0))));
            DataSet {
                name: name.to_string(),
                total,
                budget: sum(&opens),
                ceiling: None,
                roots: roots.iter().map(|f| f.id.clone()).collect(),
                one_row: false,
            }
        })
        .collect()
}

/// The functions that are no part of another, or are called elsewhere, too; of a ring, the first.
fn roots<'a>(functions: &[&'a Function], elsewhere: &[String]) -> Vec<&'a Function> {
    // What costs more than a function, or cannot be compared with it, is no part of its price.
    let covers = |whole: &Function, part: &str| {
        let part = functions.iter().find(|f| f.id == part);
        part.is_none_or(|part| match (part.price.price(), whole.price.price()) {
            (Some(part), Some(whole)) => price::at_most(part, whole) == Some(true),
            _ => false,
        })
    };
    let ids = |f: &'a Function| {
        let ids = f.parts.iter().filter_map(|part| part.id.as_deref());
        ids.filter(move |id| covers(f, id))
    };
    let called: Vec<&str> = functions.iter().flat_map(|f| ids(f)).collect();
    let mut roots = Vec::new();
    let mut reached: Vec<&str> = Vec::new();
    let free = functions
        .iter()
        .filter(|f| !called.contains(&f.id.as_str()));
    for function in free.chain(functions) {
        let known = roots.iter().any(|root: &&Function| root.id == function.id);
        if known || reached.contains(&function.id.as_str()) && !elsewhere.contains(&function.id) {
            continue;
        }
        roots.push(*function);
        let mut next = vec![*function];
        while let Some(function) = next.pop() {
            if reached.contains(&function.id.as_str()) {
                continue;
            }
            reached.push(&function.id);
            next.extend(ids(function).filter_map(|id| functions.iter().find(|f| f.id == id)));
        }
    }
    roots.sort_by(|a, b| (&a.file, a.line, &a.id).cmp(&(&b.file, b.line, &b.id)));
    roots
}

#[cfg(test)]
mod tests {
    use crate::report::Defined;
    use crate::report::tests::{line, report};

    #[test]
    fn a_part_is_counted_in_its_whole() {
        let lines = [
            line("a", "1/4", &["rows::<Row>"]),
            line("b::<Eps<1, 2>>", "1/2", &[]),
            line("b::<Eps<1, 4>>", "1/4", &[]),
            line("c", "3/4", &["a", "b::<Eps<1, 2>>", "a"]),
        ];
        let report = report(&lines, &[], &Defined::new());
        let more = self::report(&lines, &["a"], &Defined::new());
        assert_eq!(more.data[0].total.text, "ε = 5/4");
        let [data] = &report.data[..] else {
            panic!("one data set")
        };
        assert_eq!(data.name, "Table<p::Row>");
        assert_eq!(data.total.text, "ε = 1");
        assert_eq!(data.roots, ["p::b::<Eps<1, 4>>", "p::c"]);
        let whole = report.function("p::c").expect("c");
        assert_eq!(whole.parts.len(), 2);
        assert_eq!(whole.parts[0].times, 2);
    }

    #[test]
    fn what_costs_more_than_its_caller_is_no_part_of_it() {
        let lines = [line("a", "100", &[]), line("c", "1/100", &["a"])];
        let report = report(&lines, &[], &Defined::new());
        assert_eq!(report.data[0].total.text, "ε = 10001/100");
    }

    #[test]
    fn a_ring_of_calls_is_still_counted() {
        let lines = [line("a", "1/4", &["b"]), line("b", "1/4", &["a"])];
        let report = report(&lines, &[], &Defined::new());
        assert_eq!(report.data[0].total.text, "ε = 1/4");
    }
}
