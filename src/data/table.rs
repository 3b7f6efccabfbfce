//! A table in memory, and one pass over it.

use core::fmt;
use std::sync::{Arc, OnceLock};

use super::Term;
use super::domain::sealed;
use super::engine::{Buffer, FEW, Lane};
use super::keep::Masks;
use super::plan::ValueKind;
use super::rank::{Counting, OrderKey, Persons};
use super::scan::Scan;
use super::source::Batch;
use super::stream::{Division, Outside, schema};
use crate::data::Data;
use crate::data::{
    Columns, Dictionary, Field, FieldValue, Fields, HasPerson, Position, Record, ValueOf,
};
use crate::data::{Domain, Eval, Groups, NamesData, Relation, Table};
use crate::error::{Misfit, Result};

/// Rows per chunk: small enough that the columns of a query stay in the first cache.
pub(crate) const CHUNK: usize = 1024;

/// Chunks per task of a thread.
pub(super) const TASK: usize = 64;

pub(crate) type ColumnsOf<R> = <<R as Record>::Fields as Fields>::Columns;

/// The private rows of a table, as columns. It reveals nothing, not even its size.
pub struct TableData<R: Record> {
    stored: Arc<Stored<R>>,
    /// For a block of a partition: the block of each row, and which block this is.
    block: Option<(Arc<Places>, u32)>,
    /// Where an engine has the rows; none are stored here then.
    outside: Option<Outside<R>>,
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
    /// What the order of each person's rows is made from.
    key: OrderKey,
    /// For each column, whose row each is, should it name persons, and that order; made when first asked for.
    persons: Vec<OnceLock<Persons>>,
    /// Whether these are some rows of a table that is read batch by batch.
    batch: bool,
}

/// No ranks yet, by any column.
fn unranked<R: Record>() -> Vec<OnceLock<Persons>> {
    R::NAMES.iter().map(|_| OnceLock::new()).collect()
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
        self.block.is_some() || self.outside.as_ref().is_some_and(Outside::is_block)
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

    /// A chunk for one pass, with the pass's masks.
    pub(super) fn chunk<'a>(&'a self, index: usize, masks: &'a Masks) -> Chunk<'a, R> {
        Chunk {
            table: self,
            masks,
            index,
            len: CHUNK.min(self.stored.rows - index * CHUNK),
        }
    }

    /// Whether these are some rows of a table that is read batch by batch.
    pub(super) fn is_batch(&self) -> bool {
        self.stored.batch
    }

    /// The rows of an engine.
    pub(super) fn of_engine(outside: Outside<R>) -> Self {
        TableData {
            outside: Some(outside),
            ..Building::new().finish()
        }
    }

    /// Whether the rows are here, and no engine has them.
    pub(crate) fn in_memory(&self) -> bool {
        self.outside.is_none()
    }

    /// Where the rows are, if not here.
    pub(super) fn outside(&self) -> Option<&Outside<R>> {
        self.outside.as_ref()
    }

    /// Divides the rows that are stored here into blocks. Rows that are not in this table stay in none.
    pub(crate) fn divide(&self, mut place: impl FnMut(&Chunk<'_, R>, &mut [u32; CHUNK])) -> Places {
        let masks = Masks::default();
        let mut places = vec![LEFT_OUT; self.chunks() * CHUNK];
        for (index, part) in places.as_chunks_mut::<CHUNK>().0.iter_mut().enumerate() {
            let chunk = self.chunk(index, &masks);
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
    pub(crate) fn block(&self, division: &Division<R>, block: usize) -> Self {
        let block = u32::try_from(block).unwrap_or(LEFT_OUT - 1);
        TableData {
            stored: Arc::clone(&self.stored),
            block: match division {
                Division::Now(places) => Some((Arc::clone(places), block)),
                Division::Later(_) => None,
            },
            // PRIVACY: a division of stored rows says nothing of an engine's, so none of them is in a block.
            outside: self.outside.as_ref().and_then(|outside| match division {
                Division::Now(_) => None,
                Division::Later(later) => Some(outside.block(later.clone(), block)),
            }),
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

    /// Appends a batch with all columns; an error says which one does not fit.
    pub(super) fn append(&mut self, batch: &Batch<'_>) -> Result<(), (usize, Misfit)> {
        let parts: Vec<_> = (0..).zip(batch.columns.iter().copied()).collect();
        if parts.len() < R::NAMES.len() {
            return Err((parts.len(), Misfit::Length));
        }
        // PRIVACY: raw values move into our columns; an error says which column, not what is in it.
        self.columns
            .append(0, &parts, &(0..batch.rows), &mut self.dictionary)?;
        self.rows += batch.rows;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> TableData<R> {
        self.columns.pad(self.rows.next_multiple_of(CHUNK));
        self.columns.shrink();
        TableData {
            stored: Arc::new(Stored {
                columns: self.columns,
                dictionary: self.dictionary,
                rows: self.rows,
                key: OrderKey::default(),
                persons: unranked::<R>(),
                batch: false,
            }),
            block: None,
            outside: None,
        }
    }
}

/// How many chunks are filled before they are computed with: their columns stay in the second cache.
pub(super) const REFILLED: usize = 8;

/// A few chunks that are filled again and again, with some columns of an engine's batches.
pub(super) struct Refill<'a, R: Record> {
    table: TableData<R>,
    columns: Vec<usize>,
    /// The column that names persons, and the ranks of all rows to come, if they are asked for.
    ranks: Option<(usize, &'a [u32])>,
    /// Rows that were computed with.
    pub(super) read: u64,
}

impl<'a, R: Record> Refill<'a, R> {
    /// No rows yet; the texts are public ones.
    pub(super) fn new(
        columns: Vec<usize>,
        dictionary: Dictionary,
        ranks: Option<(usize, &'a [u32])>,
    ) -> Self {
        let mut building = Building::<R>::new();
        building.dictionary = dictionary;
        let mut table = building.finish();
        if let Some(stored) = Arc::get_mut(&mut table.stored) {
            stored.batch = true;
        }
        Refill {
            table,
            columns,
            ranks,
            read: 0,
        }
    }

    /// Copies a batch, and shows the chunks each time that they are full. An error says which column does
    /// not fit; no more rows can be added then.
    pub(super) fn add(
        &mut self,
        batch: &Batch<'_>,
        mut see: impl FnMut(&TableData<R>),
    ) -> Result<(), (usize, Misfit)> {
        let parts: Vec<_> = self
            .columns
            .iter()
            .copied()
            .zip(batch.columns.iter().copied())
            .collect();
        if let Some(place) = self.columns.get(parts.len()) {
            return Err((*place, Misfit::Length));
        }
        let mut from = 0;
        while from < batch.rows {
            let Some(stored) = Arc::get_mut(&mut self.table.stored) else {
                return Err((0, Misfit::Length));
            };
            let to = batch.rows.min(from + REFILLED * CHUNK - stored.rows);
            // PRIVACY: raw values move into our columns; an error says which column, not what is in it.
            stored
                .columns
                .append(0, &parts, &(from..to), &mut stored.dictionary)?;
            stored.rows += to - from;
            from = to;
            if stored.rows == REFILLED * CHUNK {
                self.flush(&mut see);
            }
        }
        Ok(())
    }

    /// Shows the rows that were not shown yet, and forgets them.
    pub(super) fn flush(&mut self, mut see: impl FnMut(&TableData<R>)) {
        if let Some(stored) = Arc::get_mut(&mut self.table.stored) {
            let padded = stored.rows.next_multiple_of(CHUNK);
            stored.columns.pad(padded);
            if let Some((column, ranks)) = self.ranks {
                let from = usize::try_from(self.read).unwrap_or(usize::MAX);
                let rest = ranks.get(from..).unwrap_or_default();
                let mut ranks = rest[..stored.rows.min(rest.len())].to_vec();
                ranks.resize(padded, u32::MAX);
                stored.persons[column] = OnceLock::from(Persons::of_ranks(ranks));
            }
        }
        see(&self.table);
        if let Some(stored) = Arc::get_mut(&mut self.table.stored) {
            self.read += stored.rows as u64;
            stored.rows = 0;
            stored.columns.clear(0, &self.columns);
            stored.dictionary.keep_public();
        }
    }
}

/// Some consecutive rows of a table.
pub struct Chunk<'a, R: Record> {
    table: &'a TableData<R>,
    masks: &'a Masks,
    index: usize,
    len: usize,
}

impl<R: Record> Clone for Chunk<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R: Record> Copy for Chunk<'_, R> {}

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

    /// How many rows of the same person come before each row, in that person's random order.
    pub(crate) fn ranks(&self) -> &'a [u32; CHUNK]
    where
        R: HasPerson,
    {
        self.table.persons().ranks(self.index)
    }

    /// The table, and which of its chunks this is.
    pub(super) fn place(&self) -> (&'a TableData<R>, usize) {
        (self.table, self.index)
    }

    /// The masks of the pass.
    pub(super) fn masks(&self) -> &'a Masks {
        self.masks
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
    /// Whose row each is, and the random order of each person's rows.
    pub(super) fn persons(&self) -> &Persons {
        type PlaceOf<R> = <<R as HasPerson>::Person as Field>::Index;
        // PRIVACY: the column that is read is the one that the field's name says.
        const { crate::data::check_place::<R::Person>() };
        self.ranked(<PlaceOf<R> as Position<R::Fields>>::INDEX)
    }
}

impl<R: Record> TableData<R> {
    /// How many rows of the same person come before each row of a chunk, in that person's random order. The
    /// column in this place names persons.
    pub(super) fn ranks(&self, column: usize, chunk: usize) -> &[u32; CHUNK] {
        self.ranked(column).ranks(chunk)
    }

    fn ranked(&self, column: usize) -> &Persons {
        self.stored.persons[column].get_or_init(|| match self.stored.batch {
            // PRIVACY: a batch does not have all rows of a person, and is given its ranks before it is asked. Should
            // it have none, nothing is kept: ranks of its own would let a person in once for each batch.
            true => Persons::of_ranks(vec![u32::MAX; REFILLED * CHUNK]),
            false => self.rank(column),
        })
    }

    fn rank(&self, column: usize) -> Persons {
        let key = self.stored.key;
        // A code depends on the texts that came before, of other people too; the text does not.
        let mut starts = Vec::new();
        if schema::<R>().columns[column].kind == ValueKind::Textual {
            starts.resize(self.dictionary().len(), 0);
            for (text, code) in self.dictionary().texts() {
                starts[code as usize] = key.text(&text);
            }
        }
        let mut counting = Counting::<u64>::new();
        let mut places = Vec::with_capacity(self.stored.rows);
        let masks = Masks::default();
        let mut buffer = Buffer::new();
        for index in 0..self.chunks() {
            let rows = self.chunk(index, &masks).len();
            // PRIVACY: looks at raw rows; a person's ranks depend on that person's rows alone.
            match self.columns().lane(column, index, &mut buffer) {
                Some((Lane::Int(persons), _)) => places.extend(
                    persons[..rows]
                        .iter()
                        .map(|person| counting.see(&(*person as u64), || key.number(*person))),
                ),
                Some((Lane::Code(persons), _)) => places.extend(
                    persons[..rows]
                        .iter()
                        .map(|code| counting.see(&u64::from(*code), || starts[*code as usize])),
                ),
                _ => {}
            }
        }
        Persons::new(counting, places, self.chunks() * CHUNK)
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
    /// Whether the cells are those of the texts of the table.
    fn by_text(&self) -> bool {
        false
    }
    /// Adds the rows of a chunk to the cells.
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]);
    /// The same query as plain data.
    fn term(&self) -> Term;
}

impl<R: Record> Data for TableData<R> {
    type Query = dyn TableQuery<R>;

    fn describe(query: &Self::Query) -> String {
        super::plan::Plan::new([query.term()]).spelled()
    }

    fn ordered_by(mut self, key: OrderKey) -> Self {
        // Before the table is shared, so before anyone asked for ranks.
        if let Some(stored) = Arc::get_mut(&mut self.stored) {
            stored.key = key;
            stored.persons = unranked::<R>();
        }
        if let Some(outside) = &mut self.outside {
            outside.order_by(key);
        }
        self
    }

    fn check(&self, queries: &[Arc<Self::Query>]) -> Result<()> {
        match &self.outside {
            Some(outside) => Ok(outside.check(queries)?),
            None => Ok(()),
        }
    }

    fn scan(&self, queries: &[Arc<Self::Query>]) -> Result<Vec<Vec<i128>>> {
        // PRIVACY: exact answers.
        // A program pays where it shares work or counts into more than a few cells; a small table or a
        // single sum costs less by its loop: see "The plan and its engine" in DESIGN.md.
        let several = queries.len() > 1 || queries.iter().any(|query| query.cells() > FEW);
        let by_program = several && self.chunks() > TASK || self.outside.is_some();
        Ok(Scan::new(self, queries, by_program).run()?)
    }
}

impl<R: Record, Rel: Relation> sealed::Sealed for Table<R, Rel> {}
impl<R: Record, Rel: Relation> NamesData for Table<R, Rel> {
    type Data = TableData<R>;
}
impl<R: Record, Rel: Relation> Domain for Table<R, Rel> {
    type Grouped<const K: usize> = Table<R, Groups<K, Rel>>;
    const IN_A_VAULT: bool = Rel::IN_A_VAULT;

    fn describe() -> String {
        let fields = core::any::type_name::<R::Fields>();
        let (name, names, relation) = (R::NAME, R::NAMES.join(", "), Rel::describe());
        format!("table of {name} {{{names}}} as {fields}; {relation}")
    }
}
