//! An audit in its four formats.

pub mod html;
pub mod sarif;
pub mod table;

use crate::report::{Function, Report};

/// A row of the tree of functions: a function, as it is called there, under its whole.
pub struct Row<'a> {
    pub function: Option<&'a Function>,
    /// As written: `2 × mean::<Eps<1, 2>>`.
    pub text: String,
    /// The lines of the tree to the left.
    pub lead: String,
}

/// The functions of a data set as a tree, each under those that call it.
pub fn tree<'a>(report: &'a Report, roots: &'a [String]) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for id in roots {
        if let Some(function) = report.function(id) {
            branch(
                report,
                function,
                function.name.clone(),
                "",
                "",
                &mut Vec::new(),
                &mut rows,
            );
        }
    }
    rows
}

fn branch<'a>(
    report: &'a Report,
    function: &'a Function,
    text: String,
    lead: &str,
    below: &str,
    above: &mut Vec<&'a str>,
    rows: &mut Vec<Row<'a>>,
) {
    rows.push(Row {
        function: Some(function),
        text,
        lead: lead.to_string(),
    });
    above.push(&function.id);
    let last = function.parts.len().saturating_sub(1);
    for (at, part) in function.parts.iter().enumerate() {
        let (corner, line) = if at == last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        let text = match part.times {
            1 => part.call.clone(),
            times => format!("{times} × {}", part.call),
        };
        let lead = format!("{below}{corner}");
        let found = part.id.as_deref().and_then(|id| report.function(id));
        match found.filter(|f| !above.contains(&f.id.as_str())) {
            Some(function) => branch(
                report,
                function,
                text,
                &lead,
                &format!("{below}{line}"),
                above,
                rows,
            ),
            None => rows.push(Row {
                function: None,
                text,
                lead,
            }),
        }
    }
    above.pop();
}
