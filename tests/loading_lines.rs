//! Every line of a file is one row or one error, whatever is on the others.
#![forbid(unsafe_code)]

use std::io::{self, Read};

use privet::Error;
use privet::load::{Csv, Fault, LoadReport};
use privet::prelude::*;
use privet::testing::Loaded;

#[derive(Record, Clone)]
struct Person {
    name: String,
    age: i64,
}

#[derive(Record, Clone)]
struct Maybe {
    age: Option<i64>,
}

#[derive(Record, Clone)]
struct Note {
    text: String,
}

fn csv<R: Record>(text: impl Into<Vec<u8>>) -> Csv<R> {
    Csv::from_reader("people.csv", io::Cursor::new(text.into()))
}

/// How many rows a file has, or the line and the fault of its error.
fn strict<R: Record>(text: impl Into<Vec<u8>>) -> Result<i128, (u64, Fault)> {
    match Loaded::read::<Replace>(csv::<R>(text)) {
        Ok(data) => Ok(data.exact(&rows::<R>().count())[0]),
        Err(Error::Malformed { line, fault, .. }) => Err((line, fault)),
        Err(other) => panic!("{other}"),
    }
}

fn lenient<R: Record>(text: impl Into<Vec<u8>>) -> i128 {
    let data = Loaded::read::<AddRemove>(csv::<R>(text).skip_malformed()).expect("skipped");
    data.exact(&rows::<R>().count())[0]
}

type Opened = (Vault<Table<Person>, Eps<1, 1>>, LoadReport);

fn report(text: impl Into<Vec<u8>>) -> LoadReport {
    let opened: privet::Result<Opened> = Vault::load_with_report(csv(text).skip_malformed());
    opened.expect("skipped").1
}

fn thousand(line: usize, what: &str) -> String {
    let mut text = String::from("name,age\n");
    for i in 0..1000 {
        text += &format!("P{i},{}\n", i % 90);
        if i == line {
            text += what;
            text += "\n";
        }
    }
    text
}

#[test]
fn a_quote_takes_no_other_line_along() {
    let text = thousand(0, "\"Bob,44");
    assert_eq!(lenient::<Person>(text.clone()), 1000);
    assert_eq!(strict::<Person>(text), Err((3, Fault::Quote)));
    // Two quotes far apart, so that the lines between would be one text.
    let far = thousand(0, "\"Bob").replace("P999,9\n", "P999\",9\n");
    assert_eq!(strict::<Person>(far), Err((3, Fault::Quote)));
    assert_eq!(
        lenient::<Person>("name,age\n\"A\"B,1\n\"C\"\"D\",2\nE\"F,3\n"),
        2
    );
}

#[test]
fn an_empty_line_is_an_empty_cell_or_an_error() {
    let count = |text: &str| strict::<Maybe>(text);
    assert_eq!(count("age\n1\n\n2\n\n\n"), Ok(5));
    assert_eq!(count("age\r\n1\r\n\r\n2\r\n"), Ok(3));
    assert_eq!(count("age\n1\n\n2"), Ok(3));
    assert_eq!(count("age\n"), Ok(0));
    assert_eq!(count("age"), Ok(0));
    assert_eq!(count("age\n\n"), Ok(1));
    assert_eq!(count("age\n\"\"\n"), Ok(1));
    assert_eq!(strict::<Note>("text\n\nx\n\n"), Ok(3));
    // The attack of the issue: neighbours under `Replace` have one n.
    let sum = rows::<Table<Maybe, Replace>>().sum(|m| m.age.or(1).clamp::<1, 1>());
    let of = |text: &str| {
        let data = Loaded::read::<Replace>(csv::<Maybe>(text)).expect("well formed");
        data.exact(&sum)[0]
    };
    assert_eq!(of("age\n1\n2\n3\n4\n5\n"), 5);
    assert_eq!(of("age\n1\n2\n\n4\n5\n"), 5);
    // With more columns, or a type that has no empty value, it is an error.
    assert_eq!(
        strict::<Person>("name,age\n\nA,1\n"),
        Err((2, Fault::Empty))
    );
    assert_eq!(
        strict::<Person>("name,age\nA,1\n\n"),
        Err((3, Fault::Empty))
    );
    assert_eq!(strict::<Maybe>("age,x\n1,\n\n"), Err((3, Fault::Empty)));
    assert_eq!(lenient::<Person>("name,age\n\nA,1\n\n\n"), 1);
}

#[test]
fn line_ends_marks_and_odd_bytes() {
    assert_eq!(strict::<Person>("\u{feff}name,age\r\nA,1\r\nB,2"), Ok(2));
    assert_eq!(strict::<Person>("\u{feff}\"name\",\" age\"\nA,1\n"), Ok(1));
    assert_eq!(strict::<Person>("name,age\n\u{feff}A,1\n"), Ok(1));
    let inside = Err((2, Fault::LineBreak));
    assert_eq!(strict::<Person>("name,age\nA,1\rB,2\n"), inside);
    assert_eq!(strict::<Person>("name,age\n\"A\rB\",1\n"), inside);
    assert_eq!(strict::<Person>("name,age\nA,1\r\r\n"), inside);
    assert_eq!(
        strict::<Person>("name,age\rA,1\rB,2\r"),
        Err((1, Fault::LineBreak))
    );
    assert_eq!(
        strict::<Person>("name,\"age\nA,1\n"),
        Err((1, Fault::Quote))
    );
    assert_eq!(strict::<Person>("name,age\nA\0,1\n"), Ok(1));
    let value = Err((3, Fault::Value { column: "age" }));
    assert_eq!(strict::<Person>("age,name\n1,A\n1\0,B\n"), value);
    assert_eq!(
        strict::<Person>("name,age\nA,1,2\n"),
        Err((2, Fault::Cells))
    );
    assert_eq!(strict::<Person>("name,age\nA\n"), Err((2, Fault::Cells)));
    let encoding = Err((2, Fault::Encoding { column: "name" }));
    assert_eq!(
        strict::<Person>(b"name,age\nJos\xe9,1\n".to_vec()),
        encoding
    );
    // A column that is not read may hold anything.
    assert_eq!(strict::<Person>(b"name,x,age\nA,\xff,1\n".to_vec()), Ok(1));
    assert!(matches!(
        Loaded::read::<Replace>(csv::<Person>("")),
        Err(Error::Header { .. })
    ));
}

#[test]
fn cells_contain_line_breaks_if_the_owner_says_so() {
    let read = |text: &str| Loaded::read::<Replace>(csv::<Person>(text).multiline_cells());
    let data = read("\"name\",age\n\"A\nB, \"\"C\"\"\",1\nD,2\r\n\"E\r\nF\",3\r\n").expect("three");
    assert_eq!(data.exact(&rows::<Person>().count()), [3]);
    for name in ["A\nB, \"C\"", "D", "E\r\nF"] {
        let named = rows::<Person>().filter(move |p| p.name.eq_to(name)).count();
        assert_eq!(data.exact(&named), [1], "{name:?}");
    }
    for (text, bad, what) in [
        ("name,age\nX,0\n\"A,1\nB,2\n", 3, Fault::Quote),
        ("name,age\n\"A,1\n\"B\",2\n", 2, Fault::Quote),
        ("name,age\n\"A\n\n\",1\nX\n", 5, Fault::Cells),
        ("name,age\nA\rB,1\n", 2, Fault::LineBreak),
    ] {
        match read(text) {
            Err(Error::Malformed { line, fault, .. }) => assert_eq!((line, fault), (bad, what)),
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

/// `before`, then one byte for ever.
struct Endless(io::Cursor<&'static [u8]>, u8);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => {
                buffer.fill(self.1);
                Ok(buffer.len())
            }
            read => Ok(read),
        }
    }
}

#[test]
fn an_input_without_line_ends_is_an_error() {
    let endless = |before: &'static str, byte| {
        Csv::<Person>::from_reader("tap", Endless(io::Cursor::new(before.as_bytes()), byte))
    };
    let limit = 16 << 20;
    for (source, at) in [
        (endless("", 0), 1),
        (endless("name,age\nA,1\n", 0), 3),
        (endless("name,age\n\"", b'x'), 2),
        (endless("name,age\n", b','), 2),
    ] {
        match Loaded::read::<AddRemove>(source) {
            Err(Error::Malformed { line, fault, .. }) => {
                assert_eq!((line, fault), (at, Fault::LongLine { limit }));
            }
            other => panic!("{other:?}"),
        }
    }
    let open = endless("name,age\n\"", b'\n').multiline_cells();
    assert!(matches!(
        Loaded::read::<AddRemove>(open),
        Err(Error::Malformed {
            line: 2,
            fault: Fault::LongLine { .. },
            ..
        })
    ));
}

#[test]
fn limits_are_exact_and_the_owners() {
    let text = |n: usize| format!("name,age\n{},1\nB,2\n", "x".repeat(n));
    for (n, line, cell, rows_read) in [
        (98, 100, 98, 2),
        (99, 100, 1000, 1),
        (98, 1000, 97, 1),
        // Longer than a block that is read at a time.
        (1_000_000, 1_000_002, 1_000_000, 2),
        (1_000_000, 1_000_001, 1_000_000, 1),
        (1_000_000, 100, 10, 1),
    ] {
        for crlf in [false, true] {
            let text = if crlf {
                text(n).replace('\n', "\r\n")
            } else {
                text(n)
            };
            let source = csv::<Person>(text).line_limit(line).cell_limit(cell);
            let data = Loaded::read::<AddRemove>(source.skip_malformed()).expect("skipped");
            assert_eq!(
                data.exact(&rows::<Person>().count()),
                [rows_read],
                "{n} {line} {cell}"
            );
        }
    }
    let long = csv::<Person>(text(98)).cell_limit(97);
    let error = Loaded::read::<AddRemove>(long)
        .expect_err("long")
        .to_string();
    assert!(
        error.contains("longer than 97 bytes") && error.contains("cell_limit"),
        "{error}"
    );
}

#[test]
fn the_owner_learns_what_was_skipped() {
    let text = "name,age\nA,1\n\"B,2\nC,x\n\nD,4\nE,5,6\n";
    let report = report(text);
    assert_eq!(report.skipped(), 4);
    let places: Vec<_> = report
        .first_skipped()
        .iter()
        .map(|skipped| (&*skipped.file, skipped.line, skipped.fault))
        .collect();
    let value = Fault::Value { column: "age" };
    assert_eq!(
        places,
        [
            ("people.csv", 3, Fault::Quote),
            ("people.csv", 4, value),
            ("people.csv", 5, Fault::Empty),
            ("people.csv", 7, Fault::Cells),
        ]
    );
    assert_eq!(format!("{report:?}"), "LoadReport { .. }");
    let many = self::report(format!("name,age\n{}", "x\n".repeat(1000)));
    assert_eq!(
        (many.skipped(), many.first_skipped().len()),
        (1000, LoadReport::KEPT)
    );
    let strict: Opened = Vault::load_with_report(csv("name,age\nA,1\n")).expect("well formed");
    assert_eq!(strict.1.skipped(), 0);
}

#[test]
fn errors_name_the_cause_and_a_harmless_remedy_first() {
    let error = Loaded::read::<Replace>(csv::<Person>("name,age\nAnn,4x\n")).expect_err("4x");
    assert_eq!(
        error.to_string(),
        "people.csv, line 2 is not a row of the record: column `age` is not a value of the field's \
         type; nothing was opened; correct it, or name what stands for null in an `Option` with \
         `.null_values(..)` (`.skip_malformed()` loses every such row)"
    );
    let missing = Loaded::<Person>::read::<Replace>(Csv::file("no such file"));
    let text = missing.expect_err("missing").to_string();
    assert!(text.contains("no such file: No such file"), "{text}");
    let folder = Loaded::<Person>::read::<Replace>(Csv::file("src"));
    assert!(matches!(folder, Err(Error::Unreadable { .. })));
    // A reader's own words may be private.
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("Ann is 44"))
        }
    }
    let broken = Loaded::<Person>::read::<Replace>(Csv::from_reader("pipe", Broken));
    let text = format!("{:?}", broken.expect_err("broken"));
    assert!(!text.contains("Ann"), "{text}");
}

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn line(&mut self) -> String {
        let parts = [
            "\"", "\"\"", ",", "\r", "1", "-7", "a", " ", "é", "\u{feff}", "\"b\"", "x,1",
        ];
        (0..self.below(6))
            .map(|_| parts[self.below(parts.len())])
            .collect()
    }
}

/// The counts of each value: a table as a set of rows.
fn ages(lines: &[String], end: &str, delimiter: u8) -> (Vec<i128>, Vec<i128>) {
    let text = format!(
        "Name{}age\n{}",
        char::from(delimiter),
        lines
            .iter()
            .map(|line| line.replace(',', &char::from(delimiter).to_string()) + end)
            .collect::<String>()
    );
    let by_age = rows::<Person>().histogram(|p| p.age.bins([-6, 0, 1, 2, 11]));
    let by_name = |data: &Loaded<Person>| {
        ["", "a", "\"", "b", "1", "x", "é"].map(|name| {
            data.exact(&rows::<Person>().filter(move |p| p.name.eq_to(name)).count())[0]
        })
    };
    let file = csv::<Person>(text)
        .delimiter(delimiter)
        .column("name", "Name");
    let data = Loaded::read::<AddRemove>(file.skip_malformed()).expect("skipped");
    (data.exact(&by_age), by_name(&data).to_vec())
}

#[test]
fn one_line_more_is_at_most_one_row_more() {
    let mut dice = Dice(1);
    let (mut same, mut more) = (0, 0);
    for round in 0..4000 {
        let end = ["\n", "\r\n"][round % 2];
        let delimiter = [b',', b';'][round / 2 % 2];
        let lines: Vec<String> = (0..dice.below(8)).map(|_| dice.line()).collect();
        let mut longer = lines.clone();
        longer.insert(dice.below(lines.len() + 1), dice.line());
        let (x, y) = (ages(&lines, end, delimiter), ages(&longer, end, delimiter));
        let moved = |x: &[i128], y: &[i128]| -> i128 {
            // Rows are only added.
            x.iter()
                .zip(y)
                .for_each(|(x, y)| assert!(x <= y, "{lines:?} {longer:?}"));
            y.iter().sum::<i128>() - x.iter().sum::<i128>()
        };
        assert!(
            moved(&x.0, &y.0) <= 1 && moved(&x.1, &y.1) <= 1,
            "{lines:?} {longer:?}"
        );
        match moved(&x.0, &y.0) {
            0 => same += 1,
            _ => more += 1,
        }
    }
    assert!(same > 100 && more > 100, "{same} {more}");
}

#[test]
fn one_line_replaced_keeps_the_number_of_rows_or_is_an_error() {
    let mut dice = Dice(2);
    let mut opened = 0;
    for _ in 0..20_000 {
        let mut lines: Vec<String> = (0..1 + dice.below(6)).map(|_| dice.line()).collect();
        let file = |lines: &[String]| format!("text\n{}\n", lines.join("\n"));
        let before = strict::<Note>(file(&lines));
        let at = dice.below(lines.len());
        lines[at] = dice.line();
        let after = strict::<Note>(file(&lines));
        for n in [before, after].into_iter().flatten() {
            assert_eq!(n, lines.len() as i128, "{lines:?}");
            opened += 1;
        }
    }
    assert!(opened > 1000, "{opened}");
}

#[test]
fn reads_what_a_csv_writer_writes() {
    let mut dice = Dice(3);
    for _ in 0..2000 {
        let names: Vec<String> = (0..dice.below(6))
            .map(|_| dice.line().replace('\r', "\n"))
            .collect();
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["name", "age"]).expect("in memory");
        for name in &names {
            writer.write_record([name, "5"]).expect("in memory");
        }
        let text = writer.into_inner().expect("in memory");
        let data = Loaded::read::<Replace>(csv::<Person>(text).multiline_cells()).expect("written");
        assert_eq!(data.exact(&rows::<Person>().count()), [names.len() as i128]);
        for name in &names {
            let times = names.iter().filter(|other| *other == name).count() as i128;
            let name = name.clone();
            let named = rows::<Person>()
                .filter(move |p| p.name.eq_to(name.as_str()))
                .count();
            assert_eq!(data.exact(&named), [times]);
        }
    }
}

#[test]
fn a_reader_may_give_byte_by_byte() {
    struct Slowly(io::Cursor<&'static [u8]>);
    impl Read for Slowly {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut buffer[..1])
        }
    }
    let text = "\u{feff}name,age\r\n\"A\",1\r\n\r\nB,2";
    let source = Csv::<Person>::from_reader("slow", Slowly(io::Cursor::new(text.as_bytes())));
    let data = Loaded::read::<AddRemove>(source.skip_malformed()).expect("skipped");
    assert_eq!(data.exact(&rows::<Person>().count()), [2]);
}

/// Rows by age and by some names.
fn shape(data: &Loaded<Person>) -> Vec<i128> {
    let mut cells = data.exact(&rows::<Person>().histogram(|p| p.age.clamp::<0, 99>()));
    for name in [
        "",
        "P7",
        "P4999",
        "a, \"b\"",
        "a text of more than sixteen bytes, é",
    ] {
        let named = rows::<Person>().filter(move |p| p.name.eq_to(name)).count();
        cells.extend(data.exact(&named));
    }
    cells
}

/// A line that is well formed or not; whether it is.
fn one_of_many(dice: &mut Dice) -> (String, bool) {
    let age = dice.below(100);
    match dice.below(20) {
        0 => (format!("\"a, \"\"b\"\"\",{age}"), true),
        1 => (format!("a text of more than sixteen bytes, é,{age}"), false),
        2 => (
            format!("\"a text of more than sixteen bytes, é\",{age}"),
            true,
        ),
        3 => (format!("P{age},x{age}"), false),
        4 => (format!(",{age}.0\r"), true),
        5 => (format!(", +{age} "), true),
        6 => (String::new(), false),
        7 => (format!("\"P7,{age}"), false),
        8 => (format!("P\r7,{age}"), false),
        _ => (format!("P{},{age}", dice.below(5000)), true),
    }
}

#[test]
fn a_long_file_is_the_sum_of_its_parts() {
    let mut dice = Dice(4);
    let header = "name,age\n";
    let (mut long, mut piece, mut good) = (header.to_owned(), header.to_owned(), String::new());
    let (mut expected, mut bad): (Vec<i128>, Vec<u64>) = (Vec::new(), Vec::new());
    good += header;
    let add = |text: &str, to: &mut Vec<i128>| {
        let data = Loaded::read::<AddRemove>(csv::<Person>(text).skip_malformed());
        let cells = shape(&data.expect("skipped"));
        to.resize(cells.len(), 0);
        to.iter_mut()
            .zip(cells)
            .for_each(|(sum, cell)| *sum += cell);
    };
    for line in 2_u64.. {
        let (text, fits) = one_of_many(&mut dice);
        for to in [&mut long, &mut piece] {
            *to += &text;
            *to += "\n";
        }
        match fits {
            true => good = good + &text + "\n",
            false => bad.push(line),
        }
        if piece.len() > 1 << 16 {
            add(&piece, &mut expected);
            piece = header.to_owned();
        }
        if long.len() > 7 << 20 {
            break;
        }
    }
    add(&piece, &mut expected);
    let mut found = Vec::new();
    add(&long, &mut found);
    assert_eq!(found, expected);
    assert!(found.iter().all(|cell| *cell > 10), "{found:?}");
    let report = report(long.clone());
    assert_eq!(report.skipped(), bad.len() as u64);
    let lines = report.first_skipped().iter().map(|skipped| skipped.line);
    assert!(lines.eq(bad.iter().copied().take(LoadReport::KEPT)));

    // The first wrong line is reported, wherever it is and whatever comes behind it.
    let rows_read = good.lines().count() as u64 - 1;
    assert_eq!(strict::<Person>(good.clone()), Ok(rows_read.into()));
    let (near, far) = (3 << 20, 5 << 20);
    let insert = |text: &str, from: usize, what: &str| {
        let at = from + text[from..].find('\n').expect("a line") + 1;
        let line = text[..at].lines().count() as u64 + 1;
        (format!("{}{what}{}", &text[..at], &text[at..]), line)
    };
    let from = |text: &str, at: usize| (at..).find(|at| text.is_char_boundary(*at)).expect("one");
    let (broken, _) = insert(&good, from(&good, far), "A,1,2\n");
    let (broken, line) = insert(&broken, from(&broken, near), "\u{feff}A,x\n");
    let fault = Fault::Value { column: "age" };
    assert_eq!(strict::<Person>(broken), Err((line, fault)));
    // A line that is longer than what is read at a time.
    let name = "x".repeat(12 << 20);
    let (longer, line) = insert(&good, from(&good, near), &format!("{name},1\n"));
    let limit = 1 << 20;
    assert_eq!(
        strict::<Person>(longer.clone()),
        Err((line, Fault::LongCell { limit }))
    );
    let unlimited = csv::<Person>(longer).cell_limit(usize::MAX);
    let data = Loaded::read::<Replace>(unlimited).expect("long lines");
    let all = data.exact(&rows::<Person>().count());
    assert_eq!(all, [i128::from(rows_read) + 1]);
}

/// A text, and then an error, or a panic of the owner's own reader.
struct Broken(io::Cursor<Vec<u8>>, bool);

impl Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if self.1 => panic!("a reader's own panic"),
            0 => Err(io::Error::from(io::ErrorKind::TimedOut)),
            read => Ok(read),
        }
    }
}

#[test]
fn what_is_wrong_first_in_a_long_file_is_reported() {
    let lines = |count: usize| -> String {
        (0..count)
            .map(|at| format!("P{at},{}\n", at % 90))
            .collect()
    };
    let (some, many) = (lines(100), lines(300_000));
    for (text, line) in [
        (format!("name,age\n{many}"), None),
        (format!("name,age\n{many}A,1,2\n{many}"), Some(300_002)),
        (format!("name,age\n{many}A,1,2"), None),
        (format!("name,age\n{some}\"A,1\n{some}"), Some(102)),
        (format!("name,age\n{many}{some}\"A,1\nx\n"), Some(300_102)),
    ] {
        let file = |panics| {
            let text = io::Cursor::new(text.clone().into_bytes());
            Csv::<Person>::from_reader("broken", Broken(text, panics))
        };
        match (Loaded::read::<Replace>(file(false)), line) {
            (Err(Error::Malformed { line, .. }), Some(known)) => assert_eq!(line, known),
            (Err(Error::Unreadable { reason, .. }), None) => assert_eq!(reason, "timed out"),
            (other, _) => panic!("{other:?}"),
        }
        // Lines that can be skipped come before the error, too.
        let lenient = Loaded::read::<AddRemove>(file(false).skip_malformed());
        assert!(matches!(lenient, Err(Error::Unreadable { .. })));
        let panics = std::panic::AssertUnwindSafe(|| Loaded::read::<Replace>(file(true)));
        match (std::panic::catch_unwind(panics), line) {
            (Ok(Err(Error::Malformed { line, .. })), Some(known)) => assert_eq!(line, known),
            (Err(panic), _) => {
                assert_eq!(panic.downcast_ref(), Some(&"a reader's own panic"));
            }
            (other, _) => panic!("{other:?}"),
        }
    }
}

#[test]
fn lines_are_read_alike_one_by_one_and_many_at_a_time() {
    // Where cells may contain line breaks, each line is read by itself.
    let parts = [
        ",", ",", ",", "\r", "\r", "1", "-7", "44", "44.0", "a", "é", " ", "\u{feff}", "\0",
        "\u{a0}",
    ];
    let mut dice = Dice(5);
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..30_000 {
        let mut text = String::from("age,name\n");
        for _ in 0..dice.below(3) {
            text += "12345678,abcdefgh\n";
        }
        for _ in 0..dice.below(12) {
            text += parts[dice.below(parts.len())];
        }
        text += ["", "\n", "\r\n"][dice.below(3)];
        let many = Loaded::read::<Replace>(csv::<Person>(text.clone()));
        let one = Loaded::read::<Replace>(csv::<Person>(text.clone()).multiline_cells());
        match (many, one) {
            (Ok(many), Ok(one)) => {
                assert_eq!(shape(&many), shape(&one), "{text:?}");
                opened += 1;
            }
            (Err(many), Err(one)) => {
                assert_eq!(many.to_string(), one.to_string(), "{text:?}");
                refused += 1;
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
    assert!(opened > 1000 && refused > 1000, "{opened} {refused}");
}
