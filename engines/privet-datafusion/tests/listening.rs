//! An analyst's program shares the process with the vault: it may install a logger, and a panic hook. Neither
//! hears a value of a row.

#[path = "../../tests-common/visits.rs"]
mod visits;

use std::sync::{Mutex, PoisonError};

use privet::prelude::*;
use privet::testing::Choices;
use privet_datafusion::DataFusion;
use visits::{batch, visits as random_visits, write};

const TEXT: &str = "Geheimrat-731377";

/// What was said, by whoever said it.
static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn hear(text: String) {
    HEARD
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(text);
}

struct Listener;

impl log::Log for Listener {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        hear(format!("{} {}", record.target(), record.args()));
    }
    fn flush(&self) {}
}

fn csv(path: &std::path::Path, text: &str) -> DataFusion {
    use datafusion::arrow::datatypes::{DataType, Field, Schema};
    use datafusion::datasource::file_format::csv::CsvFormat;
    use datafusion::datasource::listing::{
        ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
    };
    use std::sync::Arc;
    std::fs::write(path, text).unwrap();
    let url = ListingTableUrl::parse(path.to_str().unwrap()).unwrap();
    let schema = Schema::new(vec![Field::new("age", DataType::Int64, true)]);
    let options = ListingOptions::new(Arc::new(CsvFormat::default().with_has_header(true)));
    let config = ListingTableConfig::new(url)
        .with_listing_options(options)
        .with_schema(Arc::new(schema));
    DataFusion::table("patients", Arc::new(ListingTable::try_new(config).unwrap()))
}

#[derive(Record, Clone)]
struct Patient {
    age: i64,
}

#[test]
fn a_logger_hears_no_value() {
    log::set_logger(&Listener).unwrap();
    log::set_max_level(log::LevelFilter::Trace);
    std::panic::set_hook(Box::new(|panic| hear(panic.to_string())));
    log::trace!("the listener listens");

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("visits.parquet");
    let mut rows_of_mine = random_visits(&mut Choices::new(1), 7919);
    rows_of_mine
        .iter_mut()
        .for_each(|row| row.born = Some(TEXT.into()));
    write(&path, &batch(&rows_of_mine, 0), 1000);
    let engine = || DataFusion::parquet(path.to_str().unwrap());
    let vault: Vault<Table<visits::Visit>, Eps<2, 1>> = Vault::load(engine()).unwrap();
    let born = rows::<visits::Visit>()
        .filter(|v| v.born.eq_to("Rome"))
        .count();
    let (_, vault) = vault.release(born.laplace::<Eps<1, 1>>()).unwrap();
    // Damaged, but for its footer: what the decoder says of it, if anything.
    let mut bytes = std::fs::read(&path).unwrap();
    let length = bytes.len();
    bytes[4..length / 2].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    assert!(Vault::<Table<visits::Visit>, Eps<1, 1>>::load(engine()).is_err());
    drop(vault);
    // A cell that is no number, which DataFusion's own errors quote.
    let text = csv(
        &directory.path().join("a.csv"),
        &format!("age\n7\n{TEXT}\n"),
    );
    assert!(Vault::<Table<Patient>, Eps<1, 1>>::load(text).is_err());

    let heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(
        heard
            .iter()
            .any(|text| text.contains("the listener listens"))
    );
    for text in heard.iter() {
        assert!(!text.contains(TEXT), "{text}");
        assert!(!text.contains("7919"), "{text}");
    }
}
