//! Every charge of a ledger, one a line.

use std::fmt::Write;

use super::history::History;
use crate::render::count;
use crate::style::Style;

/// For people: when, who, what, how much, answered or not.
pub fn table(history: &History, style: Style) -> String {
    let heads = [
        "time (UTC)",
        "account",
        "program",
        "release",
        "price",
        "answer",
    ];
    let rows: Vec<[&str; 6]> = history
        .charges
        .iter()
        .map(|c| {
            [
                &*c.time,
                &c.account,
                &c.program,
                &c.release,
                &c.price,
                c.state(),
            ]
        })
        .collect();
    let mut widths = heads.map(|head| head.chars().count());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count()).min(48);
        }
    }
    let line = |cells: [&str; 6]| {
        let mut line = String::new();
        for (cell, width) in cells.iter().zip(widths) {
            let short: String = match cell.chars().count() > width {
                true => cell.chars().take(width - 1).chain(['…']).collect(),
                false => (*cell).to_owned(),
            };
            let _ = write!(line, "{short:width$}  ");
        }
        line.trim_end().to_owned() + "\n"
    };
    let mut out = style.bold(&line(heads));
    for row in rows {
        out += &line(row);
    }
    let _ = writeln!(
        out,
        "{}, head {}",
        count(history.charges.len(), "charge"),
        history.head
    );
    out
}

/// For spreadsheets, as RFC 4180 says.
pub fn csv(history: &History) -> String {
    let mut out = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    let heads = [
        "record", "time", "account", "program", "release", "named", "price", "answered", "answer",
    ];
    // Writing to memory does not fail.
    let _ = out.write_record(heads);
    for charge in &history.charges {
        let answer = charge.answer.as_ref().map(ToString::to_string);
        let answered = charge.answered.map(|a| a.to_string());
        let cells = [
            &charge.record.to_string(),
            &charge.time,
            &charge.account,
            &charge.program,
            &charge.release,
            &charge.named.to_string(),
            &charge.price,
            &answered.unwrap_or_default(),
            &answer.unwrap_or_default(),
        ];
        let _ = out.write_record(cells.map(|cell| as_data(cell)));
    }
    let bytes = out.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A cell that starts like a formula is data, whatever a spreadsheet makes of it.
fn as_data(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
    match formula {
        true => format!("'{cell}"),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::history::Charge;

    #[test]
    fn cells_are_quoted_and_no_formula_is_run() {
        let charge = Charge {
            record: 7,
            time: "2026-11-18 08:00:00".into(),
            account: "a, \"b\"".into(),
            program: "=1+1".into(),
            release: "two\nlines".into(),
            named: true,
            price: "ε = 1".into(),
            answered: Some(true),
            answer: Some(serde_json::json!(-5)),
            fingerprint: None,
        };
        let mut history = History::default();
        history.charges.push(charge);
        let text = csv(&history);
        let (heads, row) = text.split_once("\r\n").expect("two rows");
        assert!(heads.starts_with("record,time,account,"));
        assert_eq!(
            row,
            "7,2026-11-18 08:00:00,\"a, \"\"b\"\"\",'=1+1,\"two\nlines\",true,ε = 1,true,-5\r\n"
        );
    }
}
