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

/// The fewest bytes of an answer: a few thousand texts more or less do not show.
const LEAST: usize = 1 << 16;

/// How many bytes any answer to a task says, unless it counts texts.
pub fn size(task: &Task) -> usize {
    let names = task.columns().iter().map(|column| column.name().len());
    2 + task.cells_size().max(names.max().unwrap_or(0))
}

/// As bytes, to be sealed; `size` is that of the task.
///
/// PRIVACY: who sees the network sees how long they are. Without texts that follows from what was asked, also for a
/// value that does not fit. How many texts there are, and how long, is the rows' alone: so all answers are padded to
/// a power of two.
pub fn encode(answer: &Result<Cells, EngineError>, size: usize) -> Vec<u8> {
    let said = match answer {
        Ok(cells) => [&[0][..], &cells.encode()].concat(),
        Err(EngineError::Value { column, misfit, .. }) => {
            let place = MISFITS.iter().position(|other| other == misfit);
            let place = place.map_or(0, |place| place as u8 + 1);
            [&[1, place][..], column.as_bytes()].concat()
        }
        Err(_) => vec![2],
    };
    let mut bytes = [&(said.len() as u64).to_le_bytes()[..], &said].concat();
    let length = bytes.len().max(8 + size);
    bytes.resize(length.next_power_of_two().max(LEAST), 0);
    bytes
}

/// What was said, without what it was padded with.
fn said(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (said, padding) = rest.split_at_checked(length)?;
    padding.iter().all(|byte| *byte == 0).then_some(said)
}

/// Reads what [`encode`] wrote, about data of this name.
pub fn decode(data: &str, bytes: &[u8]) -> Result<Cells, EngineError> {
    let failed = EngineError::Failed {
        data: data.into(),
        reason: "an executor could not run the task",
    };
    match said(bytes) {
        Some([0, cells @ ..]) => Cells::decode(cells),
        Some([1, place, column @ ..]) => match place
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_and_their_length_says_little() {
        // Rows, no cells, and one query's texts: some of them.
        let cells = |texts: usize| {
            let mut bytes = b"privcel\x03".to_vec();
            let mut word = |word: usize| bytes.extend((word as u64).to_le_bytes());
            word(7);
            word(0);
            word(0);
            word(0);
            word(0);
            word(1);
            word(texts);
            for text in 0..texts {
                word(8);
                word(text);
                word(1);
                word(0);
            }
            bytes
        };
        let one = Cells::decode(&cells(1)).unwrap();
        let bytes = encode(&Ok(one.clone()), 0);
        assert_eq!(bytes.len(), LEAST);
        assert_eq!(decode("data", &bytes), Ok(one));
        let none = encode(&Ok(Cells::decode(&cells(0)).unwrap()), 0);
        assert_eq!(none.len(), LEAST);
        for damaged in [&bytes[..40], &[0; 9], &[0], &[]] {
            assert!(decode("data", damaged).is_err());
        }
        let mut padded = bytes.clone();
        *padded.last_mut().unwrap() = 1;
        assert!(decode("data", &padded).is_err());
    }

    #[test]
    fn misfits_come_back() {
        for misfit in MISFITS {
            let error = EngineError::Value {
                data: "data".into(),
                column: "age".into(),
                misfit,
            };
            // As long as any answer to the task.
            let bytes = encode(&Err(error.clone()), 70_000);
            assert_eq!(bytes.len(), 2 * LEAST);
            assert_eq!(decode("data", &bytes), Err(error));
        }
    }
}
