//! Which audited functions a body calls.

use std::collections::BTreeMap;

use super::{Defined, Function, Part, Violation};

/// Where a call stands.
pub struct Caller<'a> {
    id: &'a str,
    module: &'a str,
    package: &'a str,
    file: &'a str,
}

impl<'a> Caller<'a> {
    pub fn of(function: &'a Function) -> Self {
        Caller {
            id: &function.id,
            module: &function.module,
            package: &function.package,
            file: &function.file,
        }
    }
}

/// Functions by their names without type and instance.
pub struct ByName<'a>(BTreeMap<&'a str, Vec<&'a Function>>);

impl<'a> ByName<'a> {
    pub fn of(functions: &'a [Function]) -> Self {
        let mut by_name: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
        for function in functions {
            by_name
                .entry(base(&function.name))
                .or_default()
                .push(function);
        }
        ByName(by_name)
    }
}

/// What functions call that are not audited themselves.
pub fn called(functions: &ByName<'_>, calls: &[(String, Vec<String>)]) -> Vec<Part> {
    let by_package = calls.iter().flat_map(|(package, calls)| {
        let caller = Caller {
            id: "",
            module: "",
            package,
            file: "",
        };
        parts(&caller, calls, functions, &Defined::new())
    });
    by_package.collect()
}

/// Calls from code without the attribute of instances that have no price.
pub fn unlisted(functions: &[Function], calls: &[Part]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for part in calls.iter().filter(|part| part.id.is_none()) {
        let path = part.call.split("::<").next().unwrap_or_default();
        let generic = |f: &&Function| f.name.contains("::<") && base(&f.name) == base(path);
        // A bare name is no function of an `impl` block.
        let reached = |f: &&Function| path.contains("::") || f.name.starts_with(path);
        if let Some(f) = functions.iter().filter(generic).find(reached) {
            violations.push(Violation {
                file: f.file.clone(),
                line: f.line,
                rule: "seen".into(),
                message: format!(
                    "`{}` is called by code without the attribute, and no such instance is listed: name the instance there and list it here, or audit the caller",
                    part.call
                ),
            });
        }
    }
    violations
}

/// Which of the calls in a body are audited functions.
pub fn parts(
    caller: &Caller<'_>,
    mentions: &[String],
    functions: &ByName<'_>,
    defined: &Defined,
) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for call in mentions {
        if let Some(part) = parts.iter_mut().find(|part| part.call == *call) {
            part.times += 1;
            continue;
        }
        let (path, instance) = match call.split_once("::<") {
            Some((path, rest)) => (path, Some(format!("::<{rest}"))),
            None => (call.as_str(), None),
        };
        let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
        let module = module
            .trim_start_matches("crate")
            .trim_start_matches("self");
        let near = |f: &Function| match module.rsplit("::").next().unwrap_or_default() {
            "" | "super" => f.module == caller.module || f.package == caller.package,
            last => {
                f.module.rsplit("::").next() == Some(last)
                    || f.name.starts_with(&format!("{last}::"))
                    || last == "Self" && f.module == caller.module
            }
        };
        let named = functions.0.get(name).into_iter().flatten().copied();
        let mut found: Vec<&Function> = named.filter(|f| f.id != caller.id).collect();
        if found.iter().any(|f| near(f)) {
            found.retain(|f| near(f));
        }
        if found.iter().any(|f| f.module == caller.module) && module.is_empty() {
            found.retain(|f| f.module == caller.module);
        }
        // A function of the caller's own file is meant before one of that name elsewhere.
        if module.is_empty() && defined.contains(&(caller.file.to_string(), name.to_string())) {
            found.retain(|f| f.file == caller.file);
        }
        if found.is_empty() {
            continue;
        }
        let wanted = format!("{name}{}", instance.unwrap_or_default());
        found.retain(|f| f.name == wanted || f.name.ends_with(&format!("::{wanted}")));
        // Which of several functions of one name is called is not known. Of a function, then, none
        // is a part, and code without the attribute calls all of them: no total is too low.
        let ids: Vec<Option<String>> = match &found[..] {
            [one] => vec![Some(one.id.clone())],
            many if caller.id.is_empty() && !many.is_empty() => {
                many.iter().map(|f| Some(f.id.clone())).collect()
            }
            _ => vec![None],
        };
        parts.extend(ids.into_iter().map(|id| Part {
            call: call.clone(),
            times: 1,
            id,
        }));
    }
    parts
}

/// A function's name without its type and its instance: `mean` of `Patient::mean::<Eps<1, 2>>`.
pub fn base(name: &str) -> &str {
    let path = name.split_once("::<").map_or(name, |(path, _)| path);
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::{line, report};

    #[test]
    fn a_name_is_what_is_left_without_type_and_instance() {
        for (name, own) in [
            ("mean", "mean"),
            ("Patient::mean", "mean"),
            ("Patient::mean::<Eps<1, 2>>", "mean"),
            ("mean::<Table<Patient>, a::B>", "mean"),
            ("Of<Eps<1, 2>>::mean", "mean"),
            ("", ""),
        ] {
            assert_eq!(base(name), own);
        }
    }

    #[test]
    fn of_functions_of_one_name_none_is_hidden() {
        let mut lines = [
            line("a", "1/2", &[]),
            line("a", "1/8", &[]),
            line("c", "1/2", &["a"]),
        ];
        lines[0].module = "p::x".into();
        lines[1].module = "p::y".into();
        for calls in [&[][..], &["a"]] {
            let report = report(&lines, calls, &Defined::new());
            assert_eq!(report.data[0].total.text, "ε = 9/8");
        }
    }

    #[test]
    fn a_private_function_of_the_same_name_hides_nothing() {
        let mut lines = [line("a", "1/2", &[]), line("c", "1/2", &["a"])];
        lines[1].file = "src/other.rs".into();
        let total = |defined: &Defined| report(&lines, &[], defined).data[0].total.text.clone();
        assert_eq!(total(&Defined::new()), "ε = 1/2");
        let own = Defined::from([("src/other.rs".to_string(), "a".to_string())]);
        assert_eq!(total(&own), "ε = 1");
    }

    #[test]
    fn an_instance_that_is_not_listed_and_called_outside_is_told() {
        let lines = [line("b::<Eps<1, 2>>", "1/2", &[]), line("c", "1", &["b"])];
        let told = |call: &str| report(&lines, &[call], &Defined::new()).violations.len();
        assert_eq!(told("b::<Eps<1, 2>>"), 0);
        assert_eq!(told("b::<Eps<9, 1>>"), 1);
        assert_eq!(told("b"), 1);
        assert_eq!(told("other"), 0);
    }

    /// What each function is said to call.
    fn calls(lines: &[crate::collect::Line]) -> Vec<(String, Vec<String>)> {
        let functions = report(lines, &[], &Defined::new()).functions;
        let calls = |f: &Function| f.parts.iter().map(|part| part.call.clone()).collect();
        functions
            .iter()
            .map(|f| (f.name.clone(), calls(f)))
            .collect()
    }

    #[test]
    fn functions_that_a_macro_writes_on_one_line_have_their_own_calls() {
        let mut lines = [
            line("a", "1/8", &[]),
            line("b", "1/4", &["a"]),
            line("c", "1/2", &["b"]),
            line("P::f", "1/2", &["a"]),
            line("Q::f", "1/2", &["b"]),
        ];
        for (line, name) in lines.iter_mut().zip(["a", "b", "c", "P::f", "Q::f"]) {
            line.line = 7;
            line.name = name.into();
        }
        let own = |name: &str, call: &[&str]| {
            (
                name.to_string(),
                call.iter().map(ToString::to_string).collect(),
            )
        };
        assert_eq!(
            calls(&lines),
            [
                own("P::f", &["a"]),
                own("Q::f", &["b"]),
                own("a", &[]),
                own("b", &["a"]),
                own("c", &["b"]),
            ]
        );
    }
}
