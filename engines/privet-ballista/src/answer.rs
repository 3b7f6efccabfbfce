//! What an executor says of one partition: cells, or which column does not fit.

use privet::engine::Cells;
use privet::engine::{EngineError, Misfit};

/// The kinds of misfits, by the byte that stands for them.
const MISFITS: [Misfit; 5] = [
    Misfit::Null,
    Misfit::Range,
    Misfit::Key,
    Misfit::Kind,
    Misfit::Length,
];

/// As bytes, to be sealed.
pub fn encode(answer: &Result<Cells, EngineError>) -> Vec<u8> {
    match answer {
        Ok(cells) => [&[0][..], &cells.encode()].concat(),
        Err(EngineError::Value { column, misfit, .. }) => {
            let place = MISFITS.iter().position(|other| other == misfit);
            let place = place.map_or(0, |place| place as u8 + 1);
            [&[1, place][..], column.as_bytes()].concat()
        }
        Err(_) => vec![2],
    }
}

/// Reads what [`encode`] wrote, about data of this name.
pub fn decode(data: &str, bytes: &[u8]) -> Result<Cells, EngineError> {
    let failed = EngineError::Failed {
        data: data.into(),
        reason: "an executor could not run the task",
    };
    match bytes {
        [0, cells @ ..] => Cells::decode(cells),
        [1, place, column @ ..] => match place
            .checked_sub(1)
            .and_then(|place| MISFITS.get(usize::from(place)))
        {
            Some(misfit) => Err(EngineError::Value {
                data: data.into(),
                column: String::from_utf8_lossy(column).into_owned(),
                misfit: *misfit,
            }),
            None => Err(failed),
        },
        _ => Err(failed),
    }
}
