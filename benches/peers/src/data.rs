//! Sums over rows: privet, hand-written loops and OpenDP on the same values.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use opendp::domains::{AtomDomain, VectorDomain};
use opendp::measurements::make_laplace;
use opendp::measures::MaxDivergence;
use opendp::metrics::{L1Distance, SymmetricDistance};
use opendp::transformations::{
    make_clamp, make_count, make_count_by_categories, make_find_bin, make_sum,
};
use privet::prelude::*;
use privet::{Chargeable, Meter, Pure};

use crate::report::{best, both, figure, goal, head, row, times};

const ROWS: usize = 10_000_000;
/// Runs of each, of which the best counts.
const TURNS: usize = 25;

#[derive(Record)]
struct Visit {
    bill: f64,
    age: i64,
}

type Visits = Table<Visit>;
/// The price of each statistic.
type Each = Eps<1, 10>;
/// What the benchmark may spend: far more than it does.
type Cap = Eps<1024, 1>;

/// Values that depend on the row alone, so that vault and plain columns hold the same.
fn visit(row: usize) -> (f64, i64) {
    let mut x = (row as u64)
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 31;
    let bill = (x >> 40) as f64 / 1e4 - 200.0; // −200 to 1478, beyond the bounds on both sides
    (bill, (x & 0x7f) as i64 - 4) // −4 to 123
}

fn open(rows: usize) -> Meter<Visits, Cap> {
    let rows = (0..rows).map(|row| {
        let (bill, age) = visit(row);
        Visit { bill, age }
    });
    let vault: Vault<Visits, Cap> = Vault::open(rows);
    // A meter releases as a vault does, by reference.
    vault.metered::<Cap>().0
}

/// Processor seconds of a release on one thread, noise and a fresh generator included.
fn release<Out: Send + 'static, C: Cost + Chargeable<Pure>>(
    visits: &Meter<Visits, Cap>,
    mechanism: &Mechanism<Visits, Out, C>,
) -> f64 {
    pool(1).install(|| {
        best(TURNS, || {
            visits.release(mechanism.clone()).expect("release")
        })
    })
}

/// A mechanism beside the loop that a person would write for it.
struct Beside {
    /// Processor seconds of the loop.
    hand: f64,
    /// Processor seconds of the release, on one thread.
    one: f64,
    /// How many times as fast two threads are as one, by the clock.
    speed_up: f64,
    /// The same for the loop: what the machine allows at the time.
    allowed: f64,
    /// Processor seconds of two threads, divided by those of one.
    overhead: f64,
}

/// Takes turns, so that all have the same share of quiet moments.
fn beside<Out: Send + 'static, C: Cost + Chargeable<Pure>, T: Send>(
    visits: &Meter<Visits, Cap>,
    mechanism: &Mechanism<Visits, Out, C>,
    by_hand: impl Fn(Range<usize>) -> T + Sync,
) -> Beside {
    let pools = [pool(1), pool(2)];
    let mut hand = f64::INFINITY;
    let mut hands = [f64::INFINITY; 2];
    let mut processor = [f64::INFINITY; 2];
    let mut clock = [f64::INFINITY; 2];
    for _ in 0..TURNS {
        let (by_clock, used) = both(|| by_hand(0..ROWS));
        hand = hand.min(used);
        let halves = || rayon::join(|| by_hand(0..ROWS / 2), || by_hand(ROWS / 2..ROWS));
        let (by_two, _) = pools[1].install(|| both(halves));
        hands = [hands[0].min(by_clock), hands[1].min(by_two)];
        for ((pool, processor), clock) in pools.iter().zip(&mut processor).zip(&mut clock) {
            let run = || visits.release(mechanism.clone()).expect("release");
            let (by_clock, used) = pool.install(|| both(run));
            *clock = clock.min(by_clock);
            *processor = processor.min(used);
        }
    }
    Beside {
        hand,
        one: processor[0],
        speed_up: clock[0] / clock[1],
        allowed: hands[0] / hands[1],
        overhead: processor[1] / processor[0],
    }
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads")
}

// The hand-written loops: the same grid, rounding, bounds and treatment of NaN.

/// Hundredths, rounded to nearest by way of 1.5·2^52, clamped; NaN is the lower bound.
#[inline(always)]
fn cents(value: f64, low: i64, high: i64) -> i64 {
    const MIDDLE: f64 = 6_755_399_441_055_744.0;
    let rounded = value * 100.0 + MIDDLE;
    let (low, high) = ((100 * low) as f64 + MIDDLE, (100 * high) as f64 + MIDDLE);
    let above = if rounded > low { rounded } else { low };
    let within = if above < high { above } else { high };
    within.to_bits().wrapping_sub(MIDDLE.to_bits()) as i64
}

fn sum_bills(bills: &[f64]) -> i64 {
    bills.iter().map(|&bill| cents(bill, 0, 1000)).sum()
}

fn sum_ages(ages: &[i64]) -> i64 {
    ages.iter().map(|&age| age.clamp(0, 120)).sum()
}

/// Clamp and sum in floating point: what most people write. Its sensitivity is not what it seems.
fn sum_floats(bills: &[f64]) -> f64 {
    bills.iter().map(|bill| bill.clamp(0.0, 1000.0)).sum()
}

const AGES: [i64; 9] = [10, 20, 30, 40, 50, 60, 70, 80, 90];
const BILLS: [f64; 9] = [0.0, 50.0, 100.0, 200.0, 300.0, 400.0, 500.0, 750.0, 1000.0];

/// Ten statistics that OpenDP has, too: a count, seven sums, two histograms.
fn ten_common() -> Mechanism<Visits, impl Send + 'static, Eps<10, 10>> {
    let v = rows::<Visit>;
    v().count()
        .laplace::<Each>()
        .and(
            v().sum(|v| v.bill.grid::<100>().clamp::<0, 1000>())
                .laplace::<Each>(),
        )
        .and(
            v().sum(|v| v.bill.grid::<100>().clamp::<0, 100>())
                .laplace::<Each>(),
        )
        .and(
            v().sum(|v| v.bill.grid::<100>().clamp::<-50, 50>())
                .laplace::<Each>(),
        )
        .and(
            v().sum(|v| v.bill.grid::<100>().clamp::<100, 500>())
                .laplace::<Each>(),
        )
        .and(v().sum(|v| v.age.clamp::<0, 120>()).laplace::<Each>())
        .and(v().sum(|v| v.age.clamp::<18, 65>()).laplace::<Each>())
        .and(v().sum(|v| v.age.clamp::<0, 40>()).laplace::<Each>())
        .and(v().histogram(|v| v.age.bins(AGES)).laplace::<Each>())
        .and(v().histogram(|v| v.bill.bins(BILLS)).laplace::<Each>())
}

fn ten_common_by_hand(bills: &[f64], ages: &[i64]) -> ([i64; 8], [[i64; 10]; 2]) {
    let (mut sums, mut by_age, mut by_bill) = ([0; 8], [0; 10], [0; 10]);
    for (&bill, &age) in bills.iter().zip(ages) {
        sums[0] += 1;
        sums[1] += cents(bill, 0, 1000);
        sums[2] += cents(bill, 0, 100);
        sums[3] += cents(bill, -50, 50);
        sums[4] += cents(bill, 100, 500);
        sums[5] += age.clamp(0, 120);
        sums[6] += age.clamp(18, 65);
        sums[7] += age.clamp(0, 40);
        by_age[AGES.iter().filter(|&&edge| age >= edge).count()] += 1;
        by_bill[BILLS.iter().filter(|&&edge| bill >= edge).count()] += 1;
    }
    (sums, [by_age, by_bill])
}

/// Ten statistics with filters, squares and products, which OpenDP's vectors have not.
fn ten_filtered() -> Mechanism<Visits, impl Send + 'static, Eps<10, 10>> {
    let v = rows::<Visit>;
    v().filter(|v| v.age.gt(40))
        .count()
        .laplace::<Each>()
        .and(v().filter(|v| v.bill.lt(0.0)).count().laplace::<Each>())
        .and(
            v().filter(|v| v.age.gt(40) & v.bill.gt(500.0))
                .count()
                .laplace::<Each>(),
        )
        .and(
            v().filter(|v| v.age.gt(65))
                .sum(|v| v.bill.grid::<100>().clamp::<0, 1000>())
                .laplace::<Each>(),
        )
        .and(
            v().filter(|v| v.bill.gt(100.0))
                .sum(|v| v.age.clamp::<0, 120>())
                .laplace::<Each>(),
        )
        .and(
            v().filter(|v| !v.age.gt(18))
                .sum(|v| v.bill.grid::<100>().clamp::<0, 1000>())
                .laplace::<Each>(),
        )
        .and(
            v().sum(|v| v.bill.grid::<100>().clamp::<0, 1000>().square())
                .laplace::<Each>(),
        )
        .and(
            v().sum(|v| v.age.clamp::<0, 120>().square())
                .laplace::<Each>(),
        )
        .and(
            v().sum(|v| v.bill.grid::<100>().clamp::<0, 1000>() * v.age.clamp::<0, 120>())
                .laplace::<Each>(),
        )
        .and(
            v().sum(|v| v.bill.grid::<100>().clamp::<0, 1000>() - v.age.clamp::<0, 120>())
                .laplace::<Each>(),
        )
}

fn ten_filtered_by_hand(bills: &[f64], ages: &[i64]) -> [i64; 10] {
    let mut sums = [0_i64; 10];
    // A sum of 10^7 squares may exceed 64 bits, so blocks of rows go to wider totals, as in privet.
    let mut squares = [0_i128; 2];
    for (bills, ages) in bills.chunks(1024).zip(ages.chunks(1024)) {
        let mut block = [0_i64; 2];
        for (&bill, &age) in bills.iter().zip(ages) {
            let (cents, years) = (cents(bill, 0, 1000), age.clamp(0, 120));
            sums[0] += i64::from(age > 40);
            sums[1] += i64::from(bill < 0.0);
            sums[2] += i64::from((age > 40) & (bill > 500.0));
            sums[3] += -i64::from(age > 65) & cents;
            sums[4] += -i64::from(bill > 100.0) & years;
            sums[5] += -i64::from(age <= 18) & cents;
            sums[7] += years * years;
            sums[9] += cents - 100 * years;
            block[0] += cents * cents;
            block[1] += cents * years;
        }
        squares[0] += i128::from(block[0]);
        squares[1] += i128::from(block[1]);
    }
    black_box(squares);
    sums
}

// OpenDP: transformations alone, without noise, on a column that is ready for each of them.

/// Known size: with an unknown one, OpenDP's sum of floats keeps 2^20 random rows.
fn reals(rows: usize) -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(AtomDomain::new_non_nan()).with_size(rows)
}

fn integers(rows: usize) -> VectorDomain<AtomDomain<i64>> {
    VectorDomain::new(AtomDomain::default()).with_size(rows)
}

macro_rules! clamp_and_sum {
    ($domain:expr, $low:expr, $high:expr) => {{
        let clamp = make_clamp($domain, SymmetricDistance, ($low, $high)).expect("clamp");
        let sum = make_sum(clamp.output_domain.clone(), SymmetricDistance).expect("sum");
        (clamp >> sum).expect("chain")
    }};
}

macro_rules! histogram {
    ($domain:expr, $edges:expr) => {{
        let find = make_find_bin($domain, SymmetricDistance, $edges.to_vec()).expect("bins");
        let count = make_count_by_categories::<L1Distance<i64>, usize, i64>(
            find.output_domain.clone(),
            SymmetricDistance,
            (0..=$edges.len()).collect(),
            false,
        )
        .expect("histogram");
        (find >> count).expect("chain")
    }};
}

fn ten_common_by_opendp(bills: &Vec<f64>, ages: &Vec<i64>) -> f64 {
    let n = bills.len();
    let count = make_count::<i64, i64>(integers(n), SymmetricDistance).expect("count");
    let of_bills = [(0.0, 1000.0), (0.0, 100.0), (-50.0, 50.0), (100.0, 500.0)]
        .map(|(low, high)| clamp_and_sum!(reals(n), low, high));
    let of_ages =
        [(0, 120), (18, 65), (0, 40)].map(|(low, high)| clamp_and_sum!(integers(n), low, high));
    let by_age = histogram!(integers(n), AGES);
    let by_bill = histogram!(reals(n), BILLS);
    best(3, || {
        black_box(count.invoke(ages).expect("count"));
        of_bills
            .iter()
            .for_each(|t| _ = black_box(t.invoke(bills).expect("sum")));
        of_ages
            .iter()
            .for_each(|t| _ = black_box(t.invoke(ages).expect("sum")));
        black_box(by_age.invoke(ages).expect("histogram"));
        black_box(by_bill.invoke(bills).expect("histogram"));
    })
}

/// Microseconds of a whole release where the data is nothing: a count of ten rows, with noise.
fn smallest() {
    let visits = open(10);
    let count = rows::<Visit>().count().laplace::<Eps<1, 1000>>();
    let ours = best(20, || {
        (0..1000).for_each(|_| _ = black_box(visits.release(count.clone()).expect("release")));
    });
    let ages: Vec<i64> = (0..10).map(|row| visit(row).1).collect();
    let count = make_count::<i64, i64>(VectorDomain::new(AtomDomain::default()), SymmetricDistance)
        .expect("count");
    let noise = make_laplace::<_, _, MaxDivergence>(
        count.output_domain.clone(),
        count.output_metric.clone(),
        1000.0,
        None,
    )
    .expect("noise");
    let count = (count >> noise).expect("chain");
    let opendp = best(20, || {
        (0..1000).for_each(|_| _ = black_box(count.invoke(&ages).expect("release")));
    });
    println!("\n### The smallest release");
    head(&[
        "count of ten rows",
        "privet, µs",
        "OpenDP, µs",
        "OpenDP ÷ privet",
    ]);
    // A thousand releases: seconds to microseconds.
    row(
        "",
        &[
            figure(ours * 1e3),
            figure(opendp * 1e3),
            times(opendp / ours),
        ],
    );
}

/// Counts the bytes of large allocations: columns, not the small change of big integers.
struct Columns;
static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
const LARGE: usize = 1 << 16;

fn held(bytes: usize) {
    if bytes >= LARGE {
        let now = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
        PEAK.fetch_max(now, Ordering::Relaxed);
    }
}

// SAFETY: everything is the system allocator's.
unsafe impl GlobalAlloc for Columns {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        held(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if layout.size() >= LARGE {
            HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.size() >= LARGE {
            HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        held(size);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Columns = Columns;

/// Bytes at the peak of `body`, beyond what is held now.
fn peak<T>(body: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let out = body();
    (PEAK.load(Ordering::Relaxed) - before, out)
}

/// The cells that both tables have.
fn compared(line: &Beside, opendp: f64) -> [String; 8] {
    [
        milliseconds(line.hand),
        milliseconds(line.one),
        times(line.one / line.hand),
        milliseconds(opendp),
        times(opendp / line.one),
        times(line.speed_up),
        times(line.allowed),
        times(line.overhead),
    ]
}

/// Near-linear, as 1.8 times one thread; judged only if a plain loop over halves got that far.
fn threads(name: &str, line: &Beside) -> (String, f64, Option<bool>) {
    let what = format!("{name}: two threads 1.8 × one, by the clock");
    let judged = line.allowed >= 1.8;
    (what, line.speed_up, judged.then_some(line.speed_up >= 1.8))
}

fn milliseconds(seconds: f64) -> String {
    figure(seconds * 1e3)
}

pub fn run() {
    println!(
        "## Data\n\n{ROWS} rows, processor milliseconds on one thread, best of {TURNS} runs.\nTwo threads: how many times as fast as one by the clock; beside it the same for the\n\
         hand-written loop, since it shows what the machine had to give; then processor time."
    );
    let visits = open(ROWS);
    let (bills, ages): (Vec<f64>, Vec<i64>) = (0..ROWS).map(visit).unzip();

    println!("\n### Clamp and sum");
    head(&[
        "column",
        "plain f64 loop",
        "hand-written loop",
        "privet",
        "÷ hand-written",
        "OpenDP",
        "OpenDP ÷ privet",
        "two threads",
        "loop, two threads",
        "processor, two ÷ one",
    ]);
    let of_bills = rows::<Visit>()
        .sum(|v| v.bill.grid::<100>().clamp::<0, 1000>())
        .laplace::<Each>();
    let of_ages = rows::<Visit>()
        .sum(|v| v.age.clamp::<0, 120>())
        .laplace::<Each>();
    // The same exact answers, up to noise: of scales 10 000 and 1200.
    let exact = sum_bills(&bills) as f64 / 100.0;
    let noisy = visits.release(of_bills.clone()).expect("release");
    assert!(
        (exact - noisy).abs() < 1e6,
        "privet {noisy}, by hand {exact}"
    );
    let (exact, noisy) = (
        sum_ages(&ages),
        visits.release(of_ages.clone()).expect("release"),
    );
    assert!(
        (exact - noisy).abs() < 120_000,
        "privet {noisy}, by hand {exact}"
    );

    let sum_of_bills = clamp_and_sum!(reals(ROWS), 0.0, 1000.0);
    let sum_of_ages = clamp_and_sum!(integers(ROWS), 0, 120);
    let mut goals = vec![];
    let lines = [
        (
            "f64",
            best(TURNS, || sum_floats(black_box(&bills))),
            beside(&visits, &of_bills, |rows| {
                sum_bills(black_box(&bills[rows]))
            }),
            best(3, || sum_of_bills.invoke(&bills).expect("sum")),
        ),
        (
            "i64",
            f64::NAN,
            beside(&visits, &of_ages, |rows| sum_ages(black_box(&ages[rows]))),
            best(3, || sum_of_ages.invoke(&ages).expect("sum")),
        ),
    ];
    for (name, float, line, opendp) in lines {
        let mut cells = vec![milliseconds(float)];
        cells.extend(compared(&line, opendp));
        row(name, &cells);
        let ratio = line.one / line.hand;
        goals.push((
            format!("{name} sum within 1.2 × the loop"),
            ratio,
            Some(ratio <= 1.2),
        ));
        goals.push(threads(name, &line));
    }

    println!("\n### Ten statistics in one release");
    head(&[
        "statistics",
        "hand-written loop",
        "privet",
        "÷ hand-written",
        "OpenDP",
        "OpenDP ÷ privet",
        "two threads",
        "loop, two threads",
        "processor, two ÷ one",
    ]);
    let common = ten_common();
    let filtered = ten_filtered();
    let lines = [
        (
            "count, 7 sums, 2 histograms",
            beside(&visits, &common, |rows| {
                ten_common_by_hand(black_box(&bills[rows.clone()]), black_box(&ages[rows]))
            }),
            ten_common_by_opendp(&bills, &ages),
        ),
        (
            "filters, squares, products",
            beside(&visits, &filtered, |rows| {
                ten_filtered_by_hand(black_box(&bills[rows.clone()]), black_box(&ages[rows]))
            }),
            f64::NAN,
        ),
    ];
    for (name, line, opendp) in lines {
        row(name, &compared(&line, opendp));
        let ratio = line.one / line.hand;
        goals.push((
            format!("ten ({name}) within 1.5 × the loop"),
            ratio,
            Some(ratio <= 1.5),
        ));
        if opendp.is_finite() {
            let ratio = opendp / line.one;
            goals.push((
                format!("ten ({name}) 10 × OpenDP"),
                ratio,
                Some(ratio >= 10.0),
            ));
        }
        goals.push(threads(name, &line));
    }
    drop((visits, bills, ages));
    smallest();

    println!("\n### Per row, one thread");
    head(&[
        "rows",
        "hand-written f64 sum, ns",
        "f64 sum, ns",
        "ten statistics, ns",
        "bytes held",
        "bytes at the peak of loading",
    ]);
    let mut sizes = vec![100_000, 1_000_000, 10_000_000];
    if std::env::var_os("PEERS_LARGE").is_some() {
        sizes.push(100_000_000);
    }
    let mut lines = vec![];
    for rows in sizes {
        let before = HELD.load(Ordering::Relaxed);
        let (loading, visits) = peak(|| open(rows));
        let held = HELD.load(Ordering::Relaxed) - before;
        let bills: Vec<f64> = (0..rows).map(|row| visit(row).0).collect();
        let line = [
            best(TURNS, || sum_bills(black_box(&bills))) * 1e9,
            release(&visits, &of_bills) * 1e9,
            release(&visits, &common) * 1e9,
            held as f64,
            loading as f64,
        ]
        .map(|total| total / rows as f64);
        row(&rows.to_string(), &line.map(figure));
        lines.push(line);
    }
    for (column, what) in [
        (0, "the loop's"),
        (1, "the f64 sum's"),
        (2, "ten statistics'"),
    ] {
        let times = || lines.iter().map(|line| line[column]);
        let spread = times().fold(0.0, f64::max) / times().fold(f64::INFINITY, f64::min);
        let what = format!("{what} slowest ÷ fastest time per row, below 1.5");
        goals.push((what, spread, Some(spread < 1.5)));
    }
    println!();
    goals
        .iter()
        .for_each(|(what, ratio, reached)| goal(*reached, what, times(*ratio)));
}
