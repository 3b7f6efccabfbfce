//! Files are read straight into columns, and errors name a line but not what is on it.
#![forbid(unsafe_code)]

use privet::Error;
use privet::load::{Csv, Stream};
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
    assert_eq!(data.exact(&places), [4, 6]);
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
