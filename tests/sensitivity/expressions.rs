//! Random expressions: written by a small generator, and kept in `generated.rs`.

use std::path::Path;

use privet::testing::Choices;

fn pick<'a>(choices: &mut Choices, of: &[&'a str]) -> &'a str {
    of[choices.below(of.len())]
}

fn clamp(choices: &mut Choices) -> String {
    let low = choices.below(40) as i64 - 25;
    let high = low + choices.below(30) as i64;
    format!("clamp::<{low}, {high}>()")
}

fn number(choices: &mut Choices, depth: usize) -> String {
    if depth == 0 {
        let column = pick(
            choices,
            &[
                "r.int",
                "r.small",
                "r.real",
                "r.real.grid::<4>()",
                "r.maybe.or(3.5)",
                "(r.int * r.int - 3)",
                "(r.real * 0.5 + 1.0)",
            ],
        );
        return format!("{column}.{}", clamp(choices));
    }
    let a = number(choices, depth - 1);
    match choices.below(7) {
        0 => format!("({a} + {})", number(choices, depth - 1)),
        1 => format!("({a} - {})", number(choices, depth - 1)),
        2 => format!("({a} * {})", number(choices, 0)),
        3 => format!("{a}.square()"),
        4 => format!("{a}.times::<{}>()", choices.below(9) as i64 - 4),
        5 => format!("{a}.plus::<{}>()", choices.below(21) as i64 - 10),
        _ => a,
    }
}

fn condition(choices: &mut Choices, depth: usize) -> String {
    if depth == 0 {
        return pick(
            choices,
            &[
                "r.flag",
                "r.int.gt(0)",
                "r.int.le(-1)",
                "r.small.ge(7)",
                "r.real.lt(0.5)",
                "r.real.gt(r.int)",
                "r.maybe.is_null()",
                "r.maybe.or(2.0).gt(1.0)",
                "r.text.eq_to(\"a\")",
                "r.int.one_of([0, 1, 100])",
            ],
        )
        .into();
    }
    let a = condition(choices, depth - 1);
    match choices.below(3) {
        0 => format!("({a} & {})", condition(choices, depth - 1)),
        1 => format!("({a} | {})", condition(choices, depth - 1)),
        _ => format!("!{a}"),
    }
}

/// One query: a relation, perhaps a filter, and a sum, a histogram or a count of distinct values.
fn query(choices: &mut Choices) -> String {
    let mut query = format!("rows::<{}>()", pick(choices, &["Row", "Fixed"]));
    if choices.below(3) > 0 {
        let depth = choices.below(3);
        query += &format!(".filter(|r| {})", condition(choices, depth));
    }
    let depth = choices.below(3);
    query
        + &match choices.below(6) {
            0 => format!(".histogram(|r| {})", number(choices, 0)),
            1 => format!(".distinct(|r| {})", number(choices, 0)),
            _ => format!(".sum(|r| {})", number(choices, depth)),
        }
}

fn file() -> String {
    let mut choices = Choices::new(11);
    let mut text = String::from(
        "// Written by `PRIVET_OVERWRITE=1 cargo test --test sensitivity expressions`.\n",
    );
    for test in 0..6 {
        text += &format!(
            "#[test]\n#[allow(unused_parens, clippy::double_parens)]\nfn random_expressions_{test}() {{\n"
        );
        for _ in 0..25 {
            text += &format!("    few({});\n", query(&mut choices));
        }
        text += "}\n";
    }
    text
}

#[test]
fn expressions_are_what_the_generator_writes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sensitivity/generated.rs");
    if std::env::var_os("PRIVET_OVERWRITE").is_some() {
        std::fs::write(&path, file()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), file());
}
