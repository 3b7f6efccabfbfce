//! Events worth testing.

use super::Claim;
use super::outcome::Notes;
use super::sheet::{BINS, Lenses, RESIDUES, Sheet, View};

/// A set of outputs, likelier on the first of `sides` than on the second.
#[derive(Clone, Debug)]
pub(super) struct Event {
    view: usize,
    bins: Vec<u32>,
    residues: bool,
    /// 0 for left, 1 for right.
    pub sides: [usize; 2],
    pub what: String,
    score: f64,
}

impl Event {
    pub(super) fn count(&self, sheet: &Sheet) -> u64 {
        let Some(view) = sheet.view(self.view) else {
            return 0;
        };
        let counts = if self.residues {
            &view.residues[..]
        } else {
            &view.bins[..]
        };
        self.bins
            .iter()
            .filter_map(|&bin| counts.get(bin as usize))
            .sum()
    }
}

/// A candidate before its bins are written out.
#[derive(Clone, Copy)]
enum Shape {
    One(usize),
    UpTo(usize),
    From(usize),
    /// The first so many bins in the order of their ratio.
    Likeliest(usize),
    Residue(usize),
    Parity(usize),
}

/// The events that the pilot finds most revealing.
pub(super) fn propose(
    pilot: &[Sheet; 2],
    lenses: &Lenses,
    claim: &Claim,
    most: usize,
) -> Vec<Event> {
    let empty = View {
        bins: vec![0; BINS],
        residues: [0; RESIDUES],
    };
    let mut events = Vec::new();
    for view in 0..Notes::VIEWS {
        if pilot.iter().all(|sheet| sheet.view(view).is_none()) {
            continue;
        }
        let counts = [0, 1].map(|side| pilot[side].view(view).unwrap_or(&empty));
        for sides in [[0, 1], [1, 0]] {
            of_view(
                view,
                sides,
                [counts[sides[0]], counts[sides[1]]],
                lenses,
                claim,
                &mut events,
            );
        }
    }
    events.sort_by(|a, b| b.score.total_cmp(&a.score));
    events.truncate(most);
    events
}

fn of_view(
    view: usize,
    sides: [usize; 2],
    [p, q]: [&View; 2],
    lenses: &Lenses,
    claim: &Claim,
    events: &mut Vec<Event>,
) {
    let draws = p.bins.iter().sum::<u64>().max(q.bins.iter().sum()).max(1) as f64;
    let score = |p: u64, q: u64| {
        // About the bounds that the test will find: four deviations inwards.
        let (p, q) = (p as f64, q as f64);
        let low = (p - 4.0 * (p + 1.0).sqrt()).max(0.0) / draws;
        let high = ((q + 4.0 * (q + 4.0).sqrt() + 4.0) / draws).min(1.0);
        if low > 0.0 {
            claim.loss(low, high)
        } else {
            0.0
        }
    };
    let mut families: [Vec<(f64, Shape)>; 5] = Default::default();
    let order = by_ratio(p, q);
    let (mut a, mut b) = (0, 0);
    for (rank, &bin) in order.iter().enumerate() {
        families[0].push((score(p.bins[bin], q.bins[bin]), Shape::One(bin)));
        a += p.bins[bin];
        b += q.bins[bin];
        families[1].push((score(a, b), Shape::Likeliest(rank + 1)));
    }
    let is_number = lenses.lenses[view].number;
    if is_number {
        let (p_all, q_all) = (p.bins.iter().sum::<u64>(), q.bins.iter().sum::<u64>());
        let (mut a, mut b) = (0, 0);
        for bin in 0..BINS {
            if p.bins[bin] + q.bins[bin] > 0 {
                families[3].push((score(p_all - a, q_all - b), Shape::From(bin)));
                a += p.bins[bin];
                b += q.bins[bin];
                families[2].push((score(a, b), Shape::UpTo(bin)));
            }
        }
        for residue in 0..RESIDUES {
            let one = score(p.residues[residue], q.residues[residue]);
            families[4].push((one, Shape::Residue(residue)));
        }
        for parity in 0..2 {
            let of = |view: &View| view.residues.iter().skip(parity).step_by(2).sum();
            families[4].push((score(of(p), of(q)), Shape::Parity(parity)));
        }
    }
    for mut family in families {
        family.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (score, shape) in family.into_iter().take(6).filter(|(score, _)| *score > 0.0) {
            events.push(write_out(view, sides, shape, score, &order, lenses));
        }
    }
}

/// The bins in use, those likelier on the first side first.
fn by_ratio(p: &View, q: &View) -> Vec<usize> {
    let mut order: Vec<usize> = (0..BINS)
        .filter(|&bin| p.bins[bin] + q.bins[bin] > 0)
        .collect();
    let ratio = |bin: usize| (p.bins[bin] as f64 + 0.5) / (q.bins[bin] as f64 + 0.5);
    order.sort_by(|&a, &b| ratio(b).total_cmp(&ratio(a)));
    order
}

fn write_out(
    view: usize,
    sides: [usize; 2],
    shape: Shape,
    score: f64,
    order: &[usize],
    lenses: &Lenses,
) -> Event {
    let (bins, what): (Vec<usize>, String) = match shape {
        Shape::One(bin) => (vec![bin], lenses.describe(view, bin)),
        Shape::UpTo(bin) => (
            (0..=bin).collect(),
            format!("up to {}", lenses.describe(view, bin)),
        ),
        Shape::From(bin) => (
            (bin..BINS).collect(),
            format!("from {} on", lenses.describe(view, bin)),
        ),
        Shape::Likeliest(first) => {
            let bins = order[..first].to_vec();
            (bins, format!("a set of {first} outcomes"))
        }
        Shape::Residue(residue) => (vec![residue], format!("{residue} modulo {RESIDUES}")),
        Shape::Parity(parity) => (
            (parity..RESIDUES).step_by(2).collect(),
            if parity == 0 {
                "an even number".into()
            } else {
                "an odd number".into()
            },
        ),
    };
    Event {
        view,
        bins: bins.into_iter().map(|bin| bin as u32).collect(),
        residues: matches!(shape, Shape::Residue(_) | Shape::Parity(_)),
        sides,
        what: format!("{}{what}", Notes::describe(view)),
        score,
    }
}
