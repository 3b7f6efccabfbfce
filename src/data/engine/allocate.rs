//! Which register each step writes.

use std::collections::HashMap;

use super::program::{At, Op, Pool, Step};

/// Steps with their registers.
pub(super) struct Numbered {
    pub(super) fills: Vec<Step>,
    pub(super) steps: Vec<Step>,
    pub(super) registers: [usize; 4],
}

/// Numbers the registers, each free again after its last use, so that few stay in the cache. Before, a
/// register has the number of the step that fills it.
pub(super) fn numbered(all: Vec<Step>) -> Numbered {
    let mut last: HashMap<usize, usize> = HashMap::new();
    for (index, step) in all.iter().enumerate() {
        for at in step.args {
            if let At::Register(register) = at {
                last.insert(register, index);
            }
        }
    }
    let mut free: [Vec<usize>; 4] = Default::default();
    let mut registers = [0; 4];
    let mut named: HashMap<usize, (Pool, usize)> = HashMap::new();
    let (mut fills, mut steps) = (Vec::new(), Vec::new());
    for (index, mut step) in all.into_iter().enumerate() {
        let fill = matches!(step.op, Op::FillInt(_) | Op::FillReal(_) | Op::FillCode(_));
        let sink = matches!(
            step.op,
            Op::Count | Op::Sum | Op::Rows | Op::Histogram(_, _) | Op::Texts | Op::Place
        );
        if !fill && !sink && !last.contains_key(&index) {
            continue;
        }
        let used = step.args;
        for at in &mut step.args {
            if let At::Register(register) = at {
                *register = named[register].1;
            }
        }
        if !sink {
            let pool = step.pool as usize;
            // A constant keeps its register: it is filled once.
            let register = if fill { None } else { free[pool].pop() };
            step.out = register.unwrap_or_else(|| {
                registers[pool] += 1;
                registers[pool] - 1
            });
            named.insert(index, (step.pool, step.out));
        }
        // After the output has its register, so that no step writes what it reads.
        for (place, at) in used.iter().enumerate() {
            if let At::Register(register) = at
                && last.get(register) == Some(&index)
                && !used[..place].contains(at)
            {
                let (pool, freed) = named[register];
                if !fills
                    .iter()
                    .any(|fill: &Step| (fill.pool, fill.out) == (pool, freed))
                {
                    free[pool as usize].push(freed);
                }
            }
        }
        if fill {
            fills.push(step);
        } else {
            steps.push(step);
        }
    }
    Numbered {
        fills,
        steps,
        registers,
    }
}
