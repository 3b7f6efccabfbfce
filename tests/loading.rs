//! Files are read straight into columns, and errors name a line but not what is on it.
#![forbid(unsafe_code)]

use privet::Error;
use privet::load::{Csv, Fault, Stream};
use privet::prelude::*;
use privet::testing::Loaded;

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    bill: Option<f64>,
    ward: Ward,
    name: String,
    place: [f64; 2],
}

#[derive(Category, Clone)]
enum Ward {
    Surgery,
    Maternity,
}

const FILE: &str = "name,extra,age,ward,bill,place\n\
    Ann,x,44,Surgery,12.5,1 2\n\
    \"Bob, the elder\",x,51,Maternity,,3;4\n";

fn read(text: &str) -> privet::Result<Loaded<Patient>> {
    Loaded::read::<Replace>(Csv::from_reader(
        "patients.csv",
        text.to_owned().leak().as_bytes(),
    ))
}

fn error(text: &str) -> Error {
    read(text).expect_err("malformed")
}

#[test]
fn reads_every_type() {
    let data = read(FILE).expect("well formed");
    assert_eq!(data.exact(&rows::<Patient>().count()), [2]);
    assert_eq!(
        data.exact(&rows::<Patient>().sum(|p| p.age.clamp::<0, 100>())),
        [95]
    );
    assert_eq!(
        data.exact(&rows::<Patient>().sum(|p| p.bill.grid::<2>().clamp::<0, 100>())),
        [25]
    );
    assert_eq!(data.exact(&rows::<Patient>().histogram(|p| p.ward)), [1, 1]);
    let bob = rows::<Patient>()
        .filter(|p| p.name.eq_to("Bob, the elder"))
        .count();
    assert_eq!(data.exact(&bob), [1]);
    let places = rows::<Patient>().vector_sum(|p| p.place.clip_l1::<100>());
    assert_eq!(data.exact(&places), [40_000, 60_000]);
}

#[test]
fn errors_name_the_line_and_never_what_is_on_it() {
    for bad in [
        "secret,x,4x,Surgery,1,1 2",
        "secret,x,44,Sugery,1,1 2",
        "secret,x,44",
        "a,b,c,d,e,f,g",
    ] {
        let error = error(&format!("{FILE}{bad}\n"));
        assert!(
            matches!(&error, Error::Malformed { line: 4, .. }),
            "{error:?}"
        );
        let text = format!("{error} {error:?}");
        assert!(
            text.contains("patients.csv") && text.contains('4'),
            "{text}"
        );
        assert!(!text.contains("secret") && !text.contains("4x") && !text.contains("Sugery"));
    }
    assert!(matches!(
        error("name,age\nx,1\n"),
        Error::Header { column: "bill", .. }
    ));
    assert!(matches!(
        error("age,age,bill,ward,name,place\n"),
        Error::Header { column: "age", .. }
    ));
    let missing = Loaded::<Patient>::read::<AddRemove>(Csv::file("no such file"));
    assert!(matches!(missing, Err(Error::Unreadable { .. })));
}

#[test]
fn skips_malformed_rows_whole() {
    let text = format!("{FILE}Cem,x,60,Surgery,oops,1 2\nDee,x,70,Surgery,1,1 2\n");
    let source = Csv::<Patient>::from_reader("patients.csv", text.leak().as_bytes());
    let data =
        Loaded::read::<AddRemove>(source.skip_malformed()).expect("malformed rows are skipped");
    assert_eq!(
        data.exact(&rows::<Patient>().sum(|p| p.age.clamp::<0, 100>())),
        [44 + 51 + 70]
    );
    assert_eq!(
        data.exact(&rows::<Patient>().filter(|p| p.name.eq_to("Dee")).count()),
        [1]
    );
}

#[test]
fn streams_and_blocks() {
    let patient = |i: i64| Patient {
        age: i % 100,
        bill: None,
        ward: if i % 3 == 0 {
            Ward::Surgery
        } else {
            Ward::Maternity
        },
        name: String::new(),
        place: [0.0; 2],
    };
    // More rows than one task of a thread has, and not a whole number of chunks.
    let data =
        Loaded::read::<AddRemove>(Stream::new((0..200_001).map(patient))).expect("in memory");
    let ages = rows::<Patient>().sum(|p| p.age.clamp::<0, 100>());
    assert_eq!(data.exact(&ages), [2000 * 4950]);
    let blocks = rows::<Patient>().group_by(|p| p.ward);
    assert_eq!(
        (blocks.blocks(), blocks.term().to_string()),
        (2, "group_by(ward)".into())
    );
    let count = rows::<Patient>().count();
    let sizes: Vec<i128> = (0..2)
        .map(|b| data.block(&blocks, b).exact(&count)[0])
        .collect();
    assert_eq!(sizes, [66_667, 133_334]);
    let sums: i128 = (0..2).map(|b| data.block(&blocks, b).exact(&ages)[0]).sum();
    assert_eq!(sums, 2000 * 4950);
    let inner = rows::<Patient>().group_by(|p| p.age.bins([50]));
    let nested = data.block(&blocks, 0).block(&inner, 1).exact(&count)[0];
    assert_eq!(
        nested,
        (0..200_001).filter(|i| i % 3 == 0 && i % 100 >= 50).count() as i128
    );
}

#[derive(Record, Clone)]
struct Flight {
    delay: Option<i64>,
    distance: u16,
    tail: Option<String>,
    late: Option<bool>,
    air: Option<f64>,
    from: String,
}

fn flights(text: &str) -> Csv<Flight> {
    Csv::from_reader("flights.csv", text.to_owned().leak().as_bytes())
}

/// How many rows are null in each nullable column.
fn nulls(data: &Loaded<Flight>) -> [i128; 4] {
    [
        data.exact(&rows::<Flight>().filter(|f| f.delay.is_null()).count())[0],
        data.exact(&rows::<Flight>().filter(|f| f.tail.is_null()).count())[0],
        data.exact(&rows::<Flight>().filter(|f| f.late.is_null()).count())[0],
        data.exact(&rows::<Flight>().filter(|f| f.air.is_null()).count())[0],
    ]
}

#[test]
fn reads_a_file_as_others_write_it() {
    let text = "dep_delay;Distance (km);tailnum;late;air;from\n\
        2.0;1400.00;N1;Yes;227.5;JFK\n\
        NA;1416; NA;NA;NaN;NA\n\
        -4.0;1089.0;;0.0;NA;\n\
        ; 762 ;NA;f;;\"L;G\"\n";
    let named = |text: &str| {
        flights(text)
            .delimiter(b';')
            .column("distance", "wrong")
            .column("delay", "dep_delay")
            .column("tail", "tailnum")
            .column("distance", " Distance (km) ")
    };
    let data = Loaded::read::<Replace>(named(text).null_values(["NA", ""])).expect("well formed");
    assert_eq!(data.exact(&rows::<Flight>().count()), [4]);
    // A text keeps its spaces, so ` NA` is one. `NaN` is a value, and the lower bound once clamped.
    assert_eq!(nulls(&data), [2, 2, 1, 2]);
    let delay = rows::<Flight>().sum(|f| f.delay.clamp::<-99, 99>());
    assert_eq!(data.exact(&delay), [-2]);
    let distance = rows::<Flight>().sum(|f| f.distance.clamp::<0, 9999>());
    assert_eq!(data.exact(&distance), [1400 + 1416 + 1089 + 762]);
    let late = rows::<Flight>().filter(|f| f.late.is_true()).count();
    assert_eq!(data.exact(&late), [1]);
    let air = rows::<Flight>().sum(|f| f.air.grid::<2>().clamp::<1, 999>());
    assert_eq!(data.exact(&air), [2 + 455]);
    // Fields that are not nullable take the names of null as they are.
    for (from, count) in [("NA", 1), ("", 1), ("L;G", 1), ("JFK", 1)] {
        let query = rows::<Flight>().filter(move |f| f.from.eq_to(from)).count();
        assert_eq!(data.exact(&query), [count], "{from}");
    }
    // `NaN` is null if it is called so, in the same file.
    let data = named(text).null_values(["NA", "", "NaN"]);
    let data = Loaded::read::<Replace>(data).expect("well formed");
    assert_eq!(nulls(&data), [2, 2, 1, 3]);
    // The list replaces the empty cell, which then is a text and not a number.
    let strict = Loaded::<Flight>::read::<Replace>(named(text).null_values(["NA"]));
    let fault = Fault::Value { column: "delay" };
    assert!(matches!(strict, Err(Error::Malformed { line: 5, fault: f, .. }) if f == fault));
    let header = "delay,distance,tail,late,air,from\n";
    let data = flights(&format!("{header}1,1,,y,1,x\n")).null_values(["NA"]);
    let data = Loaded::read::<Replace>(data).expect("well formed");
    let empty = rows::<Flight>().filter(|f| f.tail.eq_to("")).count();
    assert_eq!((nulls(&data), data.exact(&empty)[0]), ([0; 4], 1));
}

#[test]
fn takes_the_spellings_that_the_documentation_lists_and_no_others() {
    let read = |column: usize, cell: &str| {
        let mut cells = ["1", "1", "x", "1", "1", "x"];
        cells[column] = cell;
        let text = format!("delay,distance,tail,late,air,from\n{}\n", cells.join(","));
        Loaded::read::<Replace>(flights(&text)).ok()
    };
    let delays = |cell| {
        let data = read(0, cell)?;
        Some(data.exact(&rows::<Flight>().sum(|f| f.delay.clamp::<-999, 999>()))[0])
    };
    for (cell, value) in [
        ("44", Some(44)),
        ("+44", Some(44)),
        (" -44 ", Some(-44)),
        ("44.0", Some(44)),
        ("-44.000", Some(-44)),
        ("-0.0", Some(0)),
        (" ", Some(0)),
        ("44.", None),
        (".0", None),
        ("44.5", None),
        ("44.01", None),
        ("44.0.0", None),
        ("4e1", None),
        ("NA", None),
        ("9223372036854775808.0", None),
    ] {
        assert_eq!(delays(cell), value, "{cell}");
    }
    for (cell, taken) in [
        ("65535.0", true),
        ("65536.0", false),
        ("-1.0", false),
        ("", false),
    ] {
        assert_eq!(read(1, cell).is_some(), taken, "{cell}");
    }
    let late = |cell| {
        let data = read(3, cell)?;
        Some(data.exact(&rows::<Flight>().filter(|f| f.late.is_true()).count())[0] == 1)
    };
    for cell in [
        "true", "True", "TRUE", "t", "T", "yes", "Y", "1", "1.0", " yes ",
    ] {
        assert_eq!(late(cell), Some(true), "{cell}");
    }
    for cell in ["false", "False", "FALSE", "f", "F", "no", "N", "0", "0.0"] {
        assert_eq!(late(cell), Some(false), "{cell}");
    }
    for cell in ["2", "-1", "on", "truee", "null", "00"] {
        assert_eq!(late(cell), None, "{cell}");
    }
    for (cell, taken) in [
        ("-.5", true),
        ("1e-3", true),
        ("NaN", true),
        ("-INF", true),
        ("Infinity", true),
        ("NA", false),
        ("1 000", false),
    ] {
        assert_eq!(read(4, cell).is_some(), taken, "{cell}");
    }
}

#[test]
fn settings_that_cannot_work_are_errors() {
    for delimiter in [b'"', b'\n', b'\r', 0xe9] {
        let error = Loaded::<Flight>::read::<Replace>(flights("").delimiter(delimiter))
            .expect_err("no delimiter");
        assert!(matches!(&error, Error::Setting { .. }), "{error}");
        assert!(
            error.to_string().contains("cannot separate cells"),
            "{error}"
        );
    }
    let error = Loaded::<Flight>::read::<Replace>(flights("").column("dealy", "dep_delay"))
        .expect_err("no field");
    assert_eq!(
        error.to_string(),
        "cannot read flights.csv as set: `.column(\"dealy\", ..)` names no field of `Flight`; its \
         fields are delay, distance, tail, late, air, from; nothing was opened"
    );
    let error = Loaded::<Flight>::read::<Replace>(flights("delay\n1\n").column("delay", "Delay"))
        .expect_err("no column");
    assert_eq!(
        error.to_string(),
        "the header of flights.csv must name column `Delay` exactly once; if the file calls it \
         otherwise, say so with `.column(\"delay\", ..)`, and if its cells are not separated by \
         commas, with `.delimiter(..)`"
    );
}

#[test]
fn quoted_cells_contain_line_breaks_with_every_delimiter() {
    let text = "delay;distance;tail;late;air;from\n1;2;\"a;\nb\";1;1;\"c\n\"\n2;3;x;1;1;y\n";
    let data = Loaded::read::<Replace>(flights(text).delimiter(b';').multiline_cells());
    let data = data.expect("two rows");
    let found = rows::<Flight>().filter(|f| f.tail.eq_to("a;\nb") & f.from.eq_to("c\n"));
    assert_eq!(data.exact(&rows::<Flight>().count()), [2]);
    assert_eq!(data.exact(&found.count()), [1]);
}

/// Bytes only, after each mebibyte and at the end; nothing where the file is refused.
#[test]
fn whoever_loads_a_file_hears_how_far_it_is() {
    use std::sync::{Arc, Mutex};

    #[derive(Record)]
    struct Visit {
        day: i64,
    }
    let watched = |csv: Csv<Visit>| {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ear = heard.clone();
        let read = Loaded::read::<Replace>(csv.on_progress(move |progress| {
            ear.lock().unwrap().push((progress.done, progress.of));
        }));
        (read, heard.lock().unwrap().clone())
    };
    let text = "\u{feff}day\n".to_owned() + &"123\n".repeat(700_000);
    let size = text.len() as u64;
    let path = std::env::temp_dir().join(format!("privet-progress-{}.csv", std::process::id()));
    std::fs::write(&path, &text).expect("written");
    let (read, heard) = watched(Csv::file(&path));
    std::fs::remove_file(&path).expect("removed");
    let rows = rows::<Visit>().filter(|v| v.day.gt(0)).count();
    assert_eq!(read.expect("well formed").exact(&rows), [700_000]);
    assert_eq!(heard.len(), 3, "{heard:?}");
    assert!(heard.is_sorted() && heard.iter().all(|(_, of)| *of == Some(size)));
    assert_eq!(heard[2].0, size);

    let (read, heard) = watched(Csv::from_reader("visits", "day\n1\n".as_bytes()));
    read.expect("well formed");
    assert_eq!(heard, [(6, None)]);
    let (read, heard) = watched(Csv::from_reader("visits", "day\nx\n".as_bytes()));
    read.expect_err("malformed");
    assert_eq!(heard, []);
}
