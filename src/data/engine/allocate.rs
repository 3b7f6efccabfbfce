//! Which register each step writes.

use std::collections::HashMap;

use super::loops::FEW;
use super::program::{At, Op, Pool, Step};

/// Steps with their registers.
pub(super) struct Numbered {
    pub(super) fills: Vec<Step>,
    pub(super) steps: Vec<Step>,
    pub(super) registers: [usize; 4],
    /// The width of each register of vectors.
    pub(super) vectors: Vec<usize>,
}

/// Clamps in the step that adds a whole number up, if no other step needs it: one pass over the chunk, and not
/// two with a register between them.
fn fused(mut steps: Vec<Step>) -> Vec<Step> {
    let mut uses: HashMap<usize, usize> = HashMap::new();
    for step in &steps {
        for at in step.args.iter().chain(&step.list) {
            if let At::Register(register) = at {
                *uses.entry(*register).or_default() += 1;
            }
        }
    }
    for index in 0..steps.len() {
        let At::Register(register) = steps[index].args[1] else {
            continue;
        };
        let Op::ClampInt(low, high) = steps[register].op else {
            continue;
        };
        let fused = match steps[index].op {
            _ if uses.get(&register) != Some(&1) => continue,
            Op::Sum => Op::SumWithin(low, high),
            Op::Histogram(Pool::Int, first) if high.abs_diff(low) >= FEW as u64 => {
                Op::HistogramWithin(low, high, first)
            }
            _ => continue,
        };
        steps[index].args[1] = steps[register].args[0];
        steps[index].op = fused;
    }
    steps
}

/// Numbers the registers, each free again after its last use, so that few stay in the cache. Before, a
/// register has the number of the step that fills it.
pub(super) fn numbered(all: Vec<Step>) -> Numbered {
    let all = fused(all);
    let mut last: HashMap<usize, usize> = HashMap::new();
    for (index, step) in all.iter().enumerate() {
        for at in step.args.iter().chain(&step.list) {
            if let At::Register(register) = at {
                last.insert(*register, index);
            }
        }
    }
    let mut free: [Vec<usize>; 5] = Default::default();
    let mut registers = [0; 5];
    let mut vectors: Vec<usize> = Vec::new();
    let mut named: HashMap<usize, (Pool, usize)> = HashMap::new();
    let (mut fills, mut steps) = (Vec::new(), Vec::new());
    for (index, mut step) in all.into_iter().enumerate() {
        let fill = matches!(step.op, Op::FillInt(_) | Op::FillReal(_) | Op::FillCode(_));
        let sink = step.op.adds();
        if !fill && !sink && !last.contains_key(&index) {
            continue;
        }
        let used: Vec<At> = step.args.iter().chain(&step.list).copied().collect();
        for at in step.args.iter_mut().chain(&mut step.list) {
            if let At::Register(register) = at {
                *register = named[register].1;
            }
        }
        if !sink {
            let pool = step.pool as usize;
            // A constant keeps its register: it is filled once.
            let width = step.op.width();
            let fits = |register: &usize| width.is_none_or(|width| vectors[*register] == width);
            let found = free[pool].iter().rposition(fits);
            let register = found.filter(|_| !fill).map(|at| free[pool].remove(at));
            step.out = register.unwrap_or_else(|| {
                vectors.extend(width);
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
    let [integers, reals, bools, codes, _] = registers;
    Numbered {
        fills,
        steps,
        registers: [integers, reals, bools, codes],
        vectors,
    }
}
