//! Every charge of a ledger, one a line.

use std::fmt::Write;

use super::history::History;
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
        "{} charges, head {}",
        history.charges.len(),
        history.head
    );
    out
}

/// For spreadsheets, with quotes where RFC 4180 asks for them.
pub fn csv(history: &History) -> String {
    let mut out =
        String::from("record,time,account,program,release,named,price,answered,answer\r\n");
    for charge in &history.charges {
        let answer = charge
            .answer
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let answered = charge.answered.map(|a| a.to_string()).unwrap_or_default();
        let cells = [
            &charge.record.to_string(),
            &charge.time,
            &charge.account,
            &charge.program,
            &charge.release,
            &charge.named.to_string(),
            &charge.price,
            &answered,
            &answer,
        ];
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        out += &cells.join(",");
        out += "\r\n";
    }
    out
}

fn quoted(cell: &str) -> String {
    // A cell that starts like a formula is data, whatever a spreadsheet makes of it.
    let formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
    let cell = if formula {
        format!("'{cell}")
    } else {
        cell.to_owned()
    };
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    }
}
