//! What an executor says of one partition: cells, or which column does not fit.

use privet::engine::{Cells, EngineError, Misfit, Task};

/// The kinds of misfits, by the byte that stands for them.
const MISFITS: [Misfit; 5] = [
    Misfit::Null,
    Misfit::Range,
    Misfit::Key,
    Misfit::Kind,
    Misfit::Length,
];

/// How many bytes any answer to a task takes; `cells` are those of no rows.
pub fn size(task: &Task, cells: &Cells) -> usize {
    let names = task.columns().iter().map(|column| column.name().len());
    6 + cells.encode().len().max(names.max().unwrap_or(0))
}

/// As bytes, to be sealed: so many, whatever the answer is, since others see how many they are.
pub fn encode(answer: &Result<Cells, EngineError>, size: usize) -> Vec<u8> {
    let (kind, place, body) = match answer {
        Ok(cells) => (0, 0, cells.encode()),
        Err(EngineError::Value { column, misfit, .. }) => {
            let place = MISFITS.iter().position(|other| other == misfit);
            let place = place.map_or(0, |place| place as u8 + 1);
            (1, place, column.clone().into_bytes())
        }
        Err(_) => (2, 0, Vec::new()),
    };
    let mut bytes = [
        &[kind, place][..],
        &(body.len() as u32).to_le_bytes(),
        &body,
    ]
    .concat();
    bytes.resize(bytes.len().max(size), 0);
    bytes
}

/// Reads what [`encode`] wrote, about data of this name.
pub fn decode(data: &str, bytes: &[u8]) -> Result<Cells, EngineError> {
    let failed = || EngineError::Failed {
        data: data.into(),
        reason: "an executor could not run the task",
    };
    let [kind, place, a, b, c, d, rest @ ..] = bytes else {
        return Err(failed());
    };
    let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
    let body = rest.get(..length).ok_or_else(failed)?;
    let misfit = place
        .checked_sub(1)
        .and_then(|place| MISFITS.get(usize::from(place)));
    match (kind, misfit) {
        (0, _) => Cells::decode(body),
        (1, Some(misfit)) => Err(EngineError::Value {
            data: data.into(),
            column: String::from_utf8_lossy(body).into_owned(),
            misfit: *misfit,
        }),
        _ => Err(failed()),
    }
}
