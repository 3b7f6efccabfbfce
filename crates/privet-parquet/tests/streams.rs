//! Streams against tables in memory: equal cells on random tables, however they are split.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{FixedSizeListBuilder, Float64Builder};
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int8Array, Int32Array, Int64Array,
    LargeStringArray, RecordBatch, StringArray, StringViewArray, UInt64Array,
};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use privet::load::InMemory;
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::{Asked, Choices, Loaded};
use privet::{AddRemove, Simulation};
use privet_parquet::{ArrowFiles, Batches, Parquet};

#[derive(Record, Clone)]
struct Visit {
    #[privet(person)]
    patient: String,
    age: i64,
    short: i8,
    days: u64,
    bill: f64,
    copay: Option<f64>,
    weight: Option<i32>,
    smoker: bool,
    insured: Option<bool>,
    ward: Ward,
    last: Option<Ward>,
    city: String,
    born: Option<String>,
    place: [f64; 2],
}

#[derive(Category, Clone, Copy, Debug)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

const WARDS: [Ward; 3] = [Ward::Surgery, Ward::Maternity, Ward::Oncology];
const CITIES: [&str; 4] = ["Basel", "Ulm", "", "Basel "];

fn maybe<T>(choices: &mut Choices, value: impl FnOnce(&mut Choices) -> T) -> Option<T> {
    (choices.below(3) > 0).then(|| value(choices))
}

fn visit(c: &mut Choices) -> Visit {
    Visit {
        patient: format!("p{}", c.below(40)),
        age: c.int(),
        short: c.below(256) as u8 as i8,
        days: match c.below(3) {
            0 => u64::MAX - c.below(3) as u64,
            _ => c.below(40) as u64,
        },
        bill: c.real(),
        copay: maybe(c, Choices::real),
        weight: maybe(c, |c| c.int() as i32),
        smoker: c.below(2) == 0,
        insured: maybe(c, |c| c.below(2) == 0),
        ward: WARDS[c.below(3)],
        last: maybe(c, |c| WARDS[c.below(3)]),
        city: CITIES[c.below(4)].into(),
        born: maybe(c, |c| CITIES[c.below(4)].into()),
        place: [c.real(), c.real()],
    }
}

fn batch(visits: &[Visit]) -> RecordBatch {
    fn all<T>(visits: &[Visit], of: impl Fn(&Visit) -> T) -> Vec<T> {
        visits.iter().map(of).collect()
    }
    let v = visits;
    let name = |ward: &Ward| format!("{ward:?}");
    let born: Vec<Option<&str>> = v.iter().map(|v| v.born.as_deref()).collect();
    let ward: Vec<String> = all(v, |v| name(&v.ward));
    let ward: DictionaryArray<Int8Type> = ward.iter().map(String::as_str).collect();
    let mut place = FixedSizeListBuilder::new(Float64Builder::new(), 2);
    for visit in v {
        place.values().append_slice(&visit.place);
        place.append(true);
    }
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("born", Arc::new(LargeStringArray::from(born))),
        (
            "patient",
            Arc::new(StringArray::from(all(v, |v| v.patient.clone()))),
        ),
        ("age", Arc::new(Int64Array::from(all(v, |v| v.age)))),
        ("unused", Arc::new(Int32Array::from(all(v, |_| 7)))),
        ("short", Arc::new(Int8Array::from(all(v, |v| v.short)))),
        ("days", Arc::new(UInt64Array::from(all(v, |v| v.days)))),
        ("bill", Arc::new(Float64Array::from(all(v, |v| v.bill)))),
        ("copay", Arc::new(Float64Array::from(all(v, |v| v.copay)))),
        ("weight", Arc::new(Int32Array::from(all(v, |v| v.weight)))),
        ("smoker", Arc::new(BooleanArray::from(all(v, |v| v.smoker)))),
        (
            "insured",
            Arc::new(BooleanArray::from(all(v, |v| v.insured))),
        ),
        ("ward", Arc::new(ward)),
        (
            "last",
            Arc::new(StringArray::from(all(v, |v| v.last.as_ref().map(name)))),
        ),
        (
            "town",
            Arc::new(StringViewArray::from(all(v, |v| v.city.clone()))),
        ),
        ("place", Arc::new(place.finish())),
    ];
    // Whether a column may have nulls must not change from batch to batch.
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns).expect("a batch")
}

/// A directory that is gone in the end.
struct Directory(PathBuf);
impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("privet-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        Directory(path)
    }
}
impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn write(path: &Path, batches: &[RecordBatch], group: usize) {
    let settings = WriterProperties::builder()
        .set_max_row_group_row_count(Some(group))
        .build();
    let file = fs::File::create(path).expect("a file");
    let schema = batch(&[]).schema();
    let mut writer = ArrowWriter::try_new(file, schema, Some(settings)).expect("a writer");
    batches
        .iter()
        .for_each(|batch| writer.write(batch).expect("written"));
    writer.close().expect("closed");
}

fn split(visits: &[Visit], c: &mut Choices) -> Vec<RecordBatch> {
    let mut batches = Vec::new();
    let mut rest = visits;
    while !rest.is_empty() {
        let most = rest.len().min([1, 7, 1000, 1024, 20_000][c.below(5)]);
        let (some, others) = rest.split_at(c.below(most + 1));
        batches.push(batch(some));
        rest = others;
    }
    batches.push(batch(&[]));
    batches
}

fn asked(c: &mut Choices) -> Vec<Asked<Visit>> {
    let all = rows::<Visit>;
    let (i, x) = (c.int(), c.real());
    let (ward, city) = (WARDS[c.below(3)], ["Basel", "Ulm", "Rome"][c.below(3)]);
    let mut asked = Vec::new();
    macro_rules! ask {
        ($($query:expr;)*) => {$(asked.push(Asked::new(&$query));)*};
    }
    ask! {
        all().count();
        all().filter(|v| v.smoker & v.age.gt(i)).count();
        all().filter(|v| v.bill.gt(x) | v.copay.le(x) | v.weight.is_null()).count();
        all().filter(|v| v.insured.is_true() | v.last.eq_to(v.ward)).count();
        all().filter(|v| v.city.eq_to(city) | v.born.eq_to(v.city)).count();
        all().filter(|v| v.born.ne(city) & v.last.ne(ward)).count();
        all().filter(|v| v.city.eq_to(v.patient)).count();
        all().sum(|v| v.age.clamp::<-120, 120>());
        all().sum(|v| v.short.clamp::<-100, 100>());
        all().sum(|v| v.days.clamp::<0, 2_251_799_813_685_248>());
        all().sum(|v| v.bill.grid::<100>().clamp::<-7, 100>());
        all().sum(|v| v.copay.or(x).clamp::<0, 40>());
        all().sum(|v| v.weight.clamp::<-9, 9>().square());
        all().histogram(|v| v.last);
        all().histogram(|v| v.ward);
        all().histogram(|v| v.age.clamp::<-300, 300>());
        all().histogram(|v| v.city.keys(["Ulm", city, "Basel"]));
        all().histogram(|v| v.born.keys(["Ulm", city, ""]));
        all().vector_sum(|v| v.place.clip_l2::<2>());
    }
    asked
}

/// All queries, in one pass and one by one, by programs and by loops.
fn agree(memory: &Loaded<Visit>, other: &Loaded<Visit>, c: &mut Choices, why: &str) {
    let seed = c.bits();
    let queries = || asked(&mut Choices::new(seed));
    let expected = memory.pass(&queries(), false);
    assert_eq!(other.pass(&queries(), true), expected, "{why}");
    assert_eq!(other.pass(&queries(), false), expected, "{why}, by loops");
    for (query, cells) in queries().into_iter().zip(expected) {
        let one = other.pass(&[query], true);
        assert_eq!(one, [cells], "{why}, alone");
    }
}

#[test]
fn streams_and_memory_have_equal_cells() {
    let directory = Directory::new("streams");
    let mut c = Choices::new(13);
    for (round, size) in [0, 1, 40, 1024, 3_000, 8_192, 20_011]
        .into_iter()
        .enumerate()
    {
        let visits: Vec<Visit> = (0..size).map(|_| visit(&mut c)).collect();
        let memory = Loaded::new(visits.clone());
        let read = |source: Parquet| {
            Loaded::<Visit>::read::<AddRemove>(source.column("city", "town")).expect("a stream")
        };
        let batches = || Batches::new(split(&visits, &mut Choices::new(round as u64)));
        let stream = Loaded::read::<AddRemove>(batches().column("city", "town"));
        agree(&memory, &stream.expect("batches"), &mut c, "batches");
        let loaded = InMemory::of(batches().column("city", "town"));
        agree(
            &memory,
            &Loaded::read::<AddRemove>(loaded).expect("batches"),
            &mut c,
            "loaded",
        );
        // One file, then a directory of several, with row groups of any size.
        let file = directory.0.join(format!("{round}.parquet"));
        write(
            &file,
            &split(&visits, &mut c),
            [1 << 20, 100, 1024, 5_000][c.below(4)].max(size / 50),
        );
        agree(&memory, &read(Parquet::open(&file)), &mut c, "file");
        let in_memory = |source: Parquet| {
            let loaded = InMemory::of(source.column("city", "town"));
            Loaded::<Visit>::read::<AddRemove>(loaded).expect("a table")
        };
        let loaded = in_memory(Parquet::open(&file));
        agree(&memory, &loaded, &mut c, "file, loaded");
        let parts = directory.0.join(format!("parts{round}/below"));
        fs::create_dir_all(&parts).expect("a directory");
        fs::write(parts.join("_SUCCESS"), "").expect("a file");
        for (place, part) in visits.chunks(size / 3 + 1).enumerate() {
            write(
                &parts.join(format!("{place}.parquet")),
                &split(part, &mut c),
                700,
            );
        }
        if size > 0 {
            let parts = directory.0.join(format!("parts{round}"));
            agree(&memory, &read(Parquet::open(&parts)), &mut c, "directory");
            let loaded = in_memory(Parquet::open(parts));
            agree(&memory, &loaded, &mut c, "directory, loaded");
        }
        let file = directory.0.join(format!("{round}.arrow"));
        let output = fs::File::create(&file).expect("a file");
        let mut writer =
            arrow_ipc::writer::FileWriter::try_new(output, &batch(&[]).schema()).expect("a writer");
        // Such a file has one dictionary for all its batches.
        let whole = batch(&visits);
        for from in (0..size).step_by(1_500) {
            let some = whole.slice(from, 1_500.min(size - from));
            writer.write(&some).expect("written");
        }
        writer.finish().expect("closed");
        let stream = Loaded::read::<AddRemove>(ArrowFiles::open(&file).column("city", "town"));
        agree(&memory, &stream.expect("a stream"), &mut c, "ipc");
    }
}

/// A price at which noise is 0 but for a chance of e^-33; the seed is fixed, so answers are exact.
type Exact = Eps<300, 1>;
type Named = Approx<Eps<300, 1>, Delta<1, 6>>;

#[test]
fn blocks_texts_and_persons_agree() {
    let mut c = Choices::new(5);
    for size in [0, 1, 40, 9_000] {
        let visits: Vec<Visit> = (0..size).map(|_| visit(&mut c)).collect();
        let batches = || Batches::new(split(&visits, &mut Choices::new(3))).column("city", "town");
        macro_rules! same {
            ($table:ty, $mechanism:expr) => {{
                let mechanism = $mechanism;
                let mut memory = Simulation::<$table>::of_public(visits.clone(), 1).expect("rows");
                let mut stream = Simulation::<$table>::of_public(batches(), 1).expect("batches");
                let loaded = InMemory::of(batches());
                let mut loaded = Simulation::<$table>::of_public(loaded, 1).expect("batches");
                let expected = memory.run(&mechanism).expect("noise");
                assert_eq!(stream.run(&mechanism).expect("noise"), expected);
                assert_eq!(loaded.run(&mechanism).expect("noise"), expected);
            }};
        }
        let days = || {
            rows::<Visit>()
                .sum(|v| v.days.clamp::<0, 9>())
                .laplace::<Exact>()
        };
        let blocks = || rows::<Visit>().filter(|v| v.smoker).group_by(|v| v.last);
        same!(Table<Visit>, blocks().each(|_| days()));
        same!(
            Table<Visit>,
            blocks().each(|block| {
                rows::<Visit>()
                    .filter(|v| v.age.gt(block as i64))
                    .count()
                    .laplace::<Exact>()
            })
        );
        same!(
            Table<Visit>,
            blocks().each(|_| {
                rows::<Visit>()
                    .group_by(|v| v.insured.is_true().number())
                    .each(|_| days())
            })
        );
        same!(
            Table<Visit>,
            blocks().in_turn(0, move |total, _| days().map(move |n| n + total))
        );
        same!(
            Table<Visit>,
            rows::<Visit>()
                .filter(|v| v.smoker)
                .frequent_keys::<Named, _>(|v| v.city)
        );
        same!(
            Table<Visit>,
            rows::<Visit>().frequent_keys::<Named, _>(|v| v.born)
        );
        let kept = || rows::<Table<Visit, PerPerson>>().bound_contributions::<3>(|v| v.patient);
        same!(Table<Visit, PerPerson>, kept().count().laplace::<Exact>());
        same!(
            Table<Visit, PerPerson>,
            kept().filter(|v| v.smoker).sum(|v| v.age.clamp::<0, 120>()).laplace::<Exact>()
        );
        same!(
            Table<Visit>,
            days().then(|n| {
                rows::<Visit>()
                    .filter(|v| v.age.gt(n % 100))
                    .count()
                    .laplace::<Exact>()
            })
        );
    }
}

fn refusal(source: impl privet::load::Source<Table<Visit>>) -> String {
    let vault: privet::Result<Vault<Table<Visit>, Eps<1, 1>>> = Vault::load(source);
    vault.map(drop).expect_err("it was opened").to_string()
}

#[test]
fn what_does_not_fit_is_refused_when_the_vault_opens() {
    let mut c = Choices::new(1);
    let visits: Vec<Visit> = (0..2_000).map(|_| visit(&mut c)).collect();
    let whole = batch(&visits);
    let with = |name: &str, array: ArrayRef| {
        let columns = whole
            .schema()
            .fields()
            .iter()
            .zip(whole.columns())
            .map(|(field, column)| {
                let array = if field.name() == name { &array } else { column };
                (field.name().clone(), Arc::clone(array), true)
            })
            .collect::<Vec<_>>();
        let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("a batch");
        refusal(Batches::new([batch]).column("city", "town"))
    };
    let last = |value: Option<i64>| -> ArrayRef {
        let values = (0..2_000).map(|row| if row == 1_999 { value } else { Some(1) });
        Arc::new(Int64Array::from(values.collect::<Vec<_>>()))
    };
    assert!(with("age", last(None)).contains("column `age` of the record batches is missing"));
    let wide = with("short", last(Some(128)));
    assert!(
        wide.contains("`short`") && wide.contains("wider integer"),
        "{wide}"
    );
    assert!(!wide.contains("128"), "{wide}");
    let text: ArrayRef = Arc::new(StringArray::from(vec!["secret"; 2_000]));
    let key = with("ward", Arc::clone(&text));
    assert!(key.contains("`ward`") && !key.contains("secret"), "{key}");
    let kind = with("age", Arc::clone(&text));
    assert!(
        kind.contains("field `age` holds whole numbers from -9223372036854775808"),
        "{kind}"
    );
    assert!(kind.contains("Utf8"), "{kind}");
    let missing = refusal(Batches::new([whole.clone()]));
    assert!(missing.contains("no column `city`"), "{missing}");
    let bill = with("bill", last(Some(1)));
    assert!(
        bill.contains("field `bill` holds reals") && bill.contains("Int64"),
        "{bill}"
    );
}

#[test]
fn files_that_change_are_refused() {
    let directory = Directory::new("changes");
    let mut c = Choices::new(2);
    let visits: Vec<Visit> = (0..3_000).map(|_| visit(&mut c)).collect();
    let file = directory.0.join("visits.parquet");
    write(&file, &[batch(&visits)], 1_000);
    let open = || {
        let source = Parquet::open(&file).column("city", "town");
        Vault::<Table<Visit>, Eps<9, 1>>::load(source)
    };
    let count = || {
        rows::<Visit>()
            .filter(|v| v.age.gt(3))
            .count()
            .laplace::<Eps<1, 1>>()
    };
    let (_, vault) = open()
        .expect("a vault")
        .release(count())
        .expect("an answer");
    let (meter, vault) = vault.metered::<Eps<3, 1>>();
    meter.release(count()).expect("an answer");
    let charged = meter.remaining().to_string();
    // A row less.
    write(&file, &[batch(&visits[1..])], 1_000);
    let changed = meter.release(count()).expect_err("it changed").to_string();
    assert!(
        changed.contains("is not what it was when the vault opened"),
        "{changed}"
    );
    assert_ne!(
        meter.remaining().to_string(),
        charged,
        "an attempt is charged"
    );
    assert!(vault.release(count()).is_err());
    // Cut off.
    let vault = open().expect("a vault");
    let bytes = fs::read(&file).expect("bytes");
    fs::write(&file, &bytes[..bytes.len() / 2]).expect("written");
    assert!(vault.release(count()).is_err());
    assert!(open().is_err());
    // Damaged within: the same size, another time.
    fs::write(&file, &bytes).expect("written");
    let vault = open().expect("a vault");
    let mut damaged = bytes.clone();
    damaged[100..140].fill(0xa5);
    fs::write(&file, &damaged).expect("written");
    assert!(vault.release(count()).is_err());
    // Gone.
    fs::write(&file, &bytes).expect("written");
    let vault = open().expect("a vault");
    fs::remove_file(&file).expect("removed");
    assert!(vault.release(count()).is_err());
}

#[test]
fn a_file_that_is_named_twice_is_refused() {
    let directory = Directory::new("twice");
    let mut c = Choices::new(2);
    let file = directory.0.join("visits.parquet");
    write(&file, &[batch(&[visit(&mut c)])], 10);
    let twice = refusal(Parquet::files([&directory.0, &file]).column("city", "town"));
    assert!(twice.contains("named twice"), "{twice}");
    fs::hard_link(&file, directory.0.join("again.parquet")).expect("a link");
    let linked = refusal(Parquet::open(&directory.0).column("city", "town"));
    assert!(linked.contains("named twice"), "{linked}");
    fs::write(directory.0.join("notes.txt"), "").expect("a file");
    fs::remove_file(directory.0.join("again.parquet")).expect("removed");
    let other = refusal(Parquet::open(&directory.0).column("city", "town"));
    assert!(
        other.contains("notes.txt") && other.contains("rows would be lost"),
        "{other}"
    );
}

#[test]
fn progress_counts_the_parts_of_each_pass() {
    use std::sync::Mutex;
    let directory = Directory::new("progress");
    let mut c = Choices::new(2);
    let visits: Vec<Visit> = (0..3_000).map(|_| visit(&mut c)).collect();
    let file = directory.0.join("visits.parquet");
    write(&file, &[batch(&visits)], 1_000);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let see = Arc::clone(&seen);
    let source = Parquet::open(&file)
        .column("city", "town")
        .on_progress(move |progress| {
            see.lock()
                .expect("no panic")
                .push((progress.done, progress.total));
        });
    let vault: Vault<Table<Visit>, Eps<9, 1>> = Vault::load(source).expect("a vault");
    let count = rows::<Visit>().count().laplace::<Eps<1, 1>>();
    let _ = vault.release(count).expect("an answer");
    let mut seen = seen.lock().expect("no panic").clone();
    seen.sort_unstable();
    assert_eq!(seen, [(1, 3), (1, 3), (2, 3), (2, 3), (3, 3), (3, 3)]);
}

/// One row more or less moves the cells by no more than the sensitivity, however the rows are split.
#[test]
fn neighbours_move_streams_as_far_as_they_say() {
    let mut c = Choices::new(17);
    for _ in 0..30 {
        let visits: Vec<Visit> = (0..c.below(2_500)).map(|_| visit(&mut c)).collect();
        let mut fewer = visits.clone();
        if !fewer.is_empty() {
            fewer.remove(c.below(fewer.len()));
        }
        let mut read = |visits: &[Visit]| {
            let batches = Batches::new(split(visits, &mut c)).column("city", "town");
            Loaded::<Visit>::read::<AddRemove>(batches).expect("batches")
        };
        let (one, other) = (read(&visits), read(&fewer));
        let sum = rows::<Visit>().sum(|v| v.bill.grid::<10>().clamp::<-7, 100>());
        let moved = one.exact(&sum)[0].abs_diff(other.exact(&sum)[0]);
        assert!(moved <= 1000, "{moved}");
        let histogram = rows::<Visit>().histogram(|v| v.city.keys(["Ulm", "Basel"]));
        let (one, other) = (one.exact(&histogram), other.exact(&histogram));
        let moved: u128 = one.iter().zip(&other).map(|(x, y)| x.abs_diff(*y)).sum();
        assert!(moved <= 1, "{moved}");
    }
}
