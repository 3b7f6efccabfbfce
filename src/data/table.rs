//! A table in memory, and one pass over it.

use core::fmt;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::Term;
use super::domain::sealed;
use super::scan::Scan;
use crate::data::Data;
use crate::data::{
    Columns, Dictionary, Field, FieldValue, Fields, HasPerson, PersonField, Position, Record,
    ValueOf,
};
use crate::data::{Domain, Eval, Groups, Relation, Table};

/// Rows per chunk: small enough that the columns of a query stay in the first cache.
pub(crate) const CHUNK: usize = 1024;

/// Chunks per task of a thread.
pub(super) const TASK: usize = 64;

type ColumnsOf<R> = <<R as Record>::Fields as Fields>::Columns;

/// The private rows of a table, as columns. It reveals nothing, not even its size.
pub struct TableData<R: Record> {
    stored: Arc<Stored<R>>,
    /// For a block of a partition: the block of each row, and which block this is.
    block: Option<(Arc<Places>, u32)>,
}

/// For each row of a table, the number of its block; [`LEFT_OUT`] for a row that is in none.
///
/// There is an entry per row, whatever is in it: blocks are never compacted, so that time does not
/// reveal their size.
pub(crate) struct Places(Vec<u32>);

/// The place of a row that is in no block.
pub(crate) const LEFT_OUT: u32 = u32::MAX;

impl Places {
    pub(super) fn chunk(&self, index: usize) -> &[u32; CHUNK] {
        &self.0.as_chunks().0[index]
    }
}

struct Stored<R: Record> {
    columns: ColumnsOf<R>,
    dictionary: Dictionary,
    rows: usize,
    /// For each row, how many rows of the same person come before it; made when first asked for.
    ranks: OnceLock<Vec<u32>>,
}

impl<R: Record> fmt::Debug for TableData<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableData<{}> {{ .. }}", R::NAME)
    }
}

impl<R: Record> TableData<R> {
    pub(crate) fn from_rows(rows: impl IntoIterator<Item = R>) -> Self {
        let mut building = Building::<R>::new();
        let rows = rows.into_iter();
        // A whole number of chunks, so that padding the last one moves nothing; a hint may be wrong.
        building
            .columns
            .reserve(rows.size_hint().0.min(1 << 26).next_multiple_of(CHUNK));
        for row in rows {
            building.push(row);
        }
        building.finish()
    }

    /// Whether this is a block.
    pub(super) fn masked(&self) -> bool {
        self.block.is_some()
    }

    pub(super) fn columns(&self) -> &ColumnsOf<R> {
        &self.stored.columns
    }

    /// PRIVACY: the texts of the table, in no public order.
    pub(crate) fn dictionary(&self) -> &Dictionary {
        &self.stored.dictionary
    }

    pub(super) fn chunks(&self) -> usize {
        self.stored.rows.div_ceil(CHUNK)
    }

    pub(super) fn chunk(&self, index: usize) -> Chunk<'_, R> {
        Chunk {
            table: self,
            index,
            len: CHUNK.min(self.stored.rows - index * CHUNK),
        }
    }

    /// Divides the rows into blocks. Rows that are not in this table stay in none.
    pub(crate) fn divide(&self, mut place: impl FnMut(&Chunk<'_, R>, &mut [u32; CHUNK])) -> Places {
        let mut places = vec![LEFT_OUT; self.chunks() * CHUNK];
        for (index, part) in places.as_chunks_mut::<CHUNK>().0.iter_mut().enumerate() {
            let chunk = self.chunk(index);
            // PRIVACY: looks at raw rows; the result stays in the crate.
            place(&chunk, part);
            if let Some(outer) = chunk.mask() {
                for (row, place) in part.iter_mut().enumerate() {
                    *place = if outer.at(row) { *place } else { LEFT_OUT };
                }
            }
        }
        Places(places)
    }

    /// One block, the rows of `S` for which a coin shows heads: `toss` fills the coins of a chunk.
    ///
    /// PRIVACY: one coin for every row, whatever is in it.
    pub(crate) fn draw<E>(
        &self,
        mut toss: impl FnMut(&mut [bool]) -> Result<(), E>,
        mut keep: impl FnMut(&Chunk<'_, R>, &mut [bool; CHUNK]),
    ) -> Result<Places, E> {
        let mut coins = [false; CHUNK];
        let mut kept = [false; CHUNK];
        let mut failed = None;
        let places = self.divide(|chunk, places| {
            // All tails if it fails, and nothing is returned then.
            let tossed = toss(&mut coins[..chunk.len()]);
            failed = failed.take().or(tossed.err());
            keep(chunk, &mut kept);
            // PRIVACY: looks at raw rows; the places stay in the crate.
            chunk.each(|row| places[row] = if coins[row] & kept[row] { 0 } else { LEFT_OUT });
        });
        crate::noise::wipe(&mut coins);
        match failed {
            Some(error) => Err(error),
            None => Ok(places),
        }
    }

    /// The same columns, of which only the rows of one block are looked at.
    pub(crate) fn block(&self, places: &Arc<Places>, block: usize) -> Self {
        TableData {
            stored: Arc::clone(&self.stored),
            block: Some((
                Arc::clone(places),
                u32::try_from(block).unwrap_or(LEFT_OUT - 1),
            )),
        }
    }
}

/// A table that is still being filled.
pub(crate) struct Building<R: Record> {
    pub(crate) columns: ColumnsOf<R>,
    pub(crate) dictionary: Dictionary,
    pub(crate) rows: usize,
}

impl<R: Record> Building<R> {
    pub(crate) fn new() -> Self {
        Building {
            columns: <ColumnsOf<R>>::default(),
            dictionary: Dictionary::default(),
            rows: 0,
        }
    }

    pub(crate) fn push(&mut self, row: R) {
        // A `Drop` of the record's own would run on the row once its fields are moved out. Rust
        // refuses to move them unless all are `Copy`; then the record itself has nothing to drop.
        const {
            assert!(
                core::mem::needs_drop::<R>() == core::mem::needs_drop::<R::Fields>(),
                "a record must not implement `Drop`: it would run on private rows"
            );
        }
        // PRIVACY: the row is taken apart and consumed here; only our own types remain.
        row.take().push(&mut self.columns, &mut self.dictionary);
        self.rows += 1;
    }

    pub(crate) fn finish(mut self) -> TableData<R> {
        self.columns.pad(self.rows.next_multiple_of(CHUNK));
        TableData {
            stored: Arc::new(Stored {
                columns: self.columns,
                dictionary: self.dictionary,
                rows: self.rows,
                ranks: OnceLock::new(),
            }),
            block: None,
        }
    }
}

/// Some consecutive rows of a table.
pub struct Chunk<'a, R: Record> {
    table: &'a TableData<R>,
    index: usize,
    len: usize,
}

type BoundOf<'a, F> = <<ValueOf<F> as FieldValue>::Column as crate::data::Column>::Bound<'a>;

impl<'a, R: Record> Chunk<'a, R> {
    /// The values of a field.
    pub(crate) fn column<F: Field<Row = R>>(&self) -> BoundOf<'a, F> {
        use crate::data::Column;
        // PRIVACY: the column that is read is the one that the field's name says.
        const { crate::data::check_place::<F>() };
        // PRIVACY: raw values, for expressions of this crate only.
        F::Index::column(&self.table.stored.columns).chunk(self.index)
    }

    pub(crate) fn dictionary(&self) -> &'a Dictionary {
        &self.table.stored.dictionary
    }

    /// Calls `each` for every row: the same calls whatever the values.
    #[inline(always)]
    pub(crate) fn each(&self, mut each: impl FnMut(usize)) {
        if self.len == CHUNK {
            for row in 0..CHUNK {
                each(row);
            }
        } else {
            for row in 0..self.len.min(CHUNK) {
                each(row);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Which rows are in the block, if this is a block.
    pub(crate) fn mask(&self) -> Option<Mask<'a>> {
        let (places, block) = self.table.block.as_ref()?;
        Some(Mask(places.chunk(self.index), *block))
    }

    /// How many rows of the same person come before each row.
    pub(crate) fn ranks(&self) -> &'a [u32; CHUNK]
    where
        R: HasPerson,
    {
        let ranks = self.table.stored.ranks.get_or_init(|| self.table.rank());
        &ranks.as_chunks().0[self.index]
    }
}

/// Which rows of a chunk are in a block.
#[derive(Clone, Copy)]
pub(crate) struct Mask<'a>(&'a [u32; CHUNK], u32);

impl Mask<'_> {
    pub(super) fn copy(self, rows: &mut [bool; CHUNK]) {
        for (inside, place) in rows.iter_mut().zip(self.0) {
            *inside = *place == self.1;
        }
    }
}

impl Eval for Mask<'_> {
    type Value = bool;
    #[inline(always)]
    fn at(&self, row: usize) -> bool {
        self.0[row] == self.1
    }
}

impl<R: HasPerson> TableData<R> {
    /// For each row, how many rows of the same person come before it.
    fn rank(&self) -> Vec<u32> {
        let mut seen: HashMap<u64, u32> = HashMap::new();
        let mut ranks = vec![u32::MAX; self.chunks() * CHUNK];
        for index in 0..self.chunks() {
            let chunk = self.chunk(index);
            let person = chunk.column::<R::Person>();
            // PRIVACY: looks at raw rows; a person's ranks depend on that person's rows alone.
            chunk.each(|row| {
                let rows = seen.entry(R::Person::key(person.at(row))).or_insert(0);
                ranks[index * CHUNK + row] = *rows;
                *rows = rows.saturating_add(1);
            });
        }
        ranks
    }
}

/// An exact query to a table: cells that are sums over rows.
pub trait TableQuery<R: Record>: Send + Sync + 'static {
    /// How many cells.
    fn cells(&self) -> usize;
    /// How many cells there are for the texts of a table. PRIVACY: as private as the table; it stays
    /// inside the crate.
    fn cells_for(&self, _texts: &Dictionary) -> usize {
        self.cells()
    }
    /// Adds the rows of a chunk to the cells.
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]);
    /// The same query as plain data.
    fn term(&self) -> Term;
}

impl<R: Record> Data for TableData<R> {
    type Query = dyn TableQuery<R>;

    fn describe(query: &Self::Query) -> String {
        // As bytes: two plans that read alike but differ, in a text or in a type, are two.
        let bytes = super::plan::Plan::new([query.term()]).encode();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn scan(&self, queries: &[Arc<Self::Query>]) -> Vec<Vec<i128>> {
        // PRIVACY: exact answers.
        // A program pays where it shares work or has many cells; a small table or a single sum costs
        // less by its loop: see "The plan and its engine" in DESIGN.md.
        let several = queries.len() > 1 || queries.iter().any(|query| query.cells() > 128);
        Scan::new(self, queries, several && self.chunks() > TASK).run()
    }
}

impl<R: Record, Rel: Relation> sealed::Sealed for Table<R, Rel> {}
impl<R: Record, Rel: Relation> Domain for Table<R, Rel> {
    type Data = TableData<R>;
    type Grouped<const K: usize> = Table<R, Groups<K, Rel>>;
    const IN_A_VAULT: bool = Rel::IN_A_VAULT;

    fn describe() -> String {
        let fields = core::any::type_name::<R::Fields>();
        let (name, names, relation) = (R::NAME, R::NAMES.join(", "), Rel::describe());
        format!("table of {name} {{{names}}} as {fields}; {relation}")
    }
}
