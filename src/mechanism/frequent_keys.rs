//! Counts by texts that are not public. Only texts that many rows have are released.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::data::{AddRemove, HasPerson, PerPerson, Table};
use crate::data::{Chunk, TableData, TableQuery};
use crate::data::{Col, Dictionary, Field, Null, Record};
use crate::error::Error;
use crate::expr::{Eval, Expr, Kind, KindOf, Nullable, Operation, Term, Text};
use crate::mechanism::EpsilonDelta;
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::run::Run;
use crate::mechanism::scale::{self, Noise};
use crate::noise;
use crate::query::{Contributions, Neighbours, Rows, Selection, Sensitivity, whole};

/// Kinds whose values are texts, or missing. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are not texts",
    label = "not a text",
    note = "give it a `String` column; other columns have public keys: see `.histogram(..)`"
)]
pub trait Texts: Kind {
    /// The code of the text; of a missing one, a code that no text has.
    fn code(value: Self::Value) -> u32;
}
impl Texts for Text {
    fn code(value: u32) -> u32 {
        value
    }
}
impl Texts for Nullable<Text> {
    fn code(value: Null<u32>) -> u32 {
        if value.valid { value.value } else { u32::MAX }
    }
}

/// How many rows of `S` have each text of a column.
///
/// PRIVACY: only a column is allowed. An expression that could name a text of its own (a default)
/// would count by whether that text occurs elsewhere in the table.
struct ByText<S, F> {
    rows: S,
    key: Col<F>,
}

impl<R, S, F> TableQuery<R> for ByText<S, F>
where
    R: Record,
    S: Selection<R>,
    F: Field<Row = R>,
    Col<F>: Expr<Row = R, Kind: Texts>,
{
    fn cells(&self) -> usize {
        0
    }
    fn cells_for(&self, texts: &Dictionary) -> usize {
        texts.len()
    }
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]) {
        let keep = self.rows.bind(chunk);
        let key = self.key.bind(chunk);
        let mask = chunk.mask();
        // PRIVACY: looks at raw rows; each adds 1 to at most one cell.
        chunk.each(|row| {
            let inside = mask.is_none_or(|mask| mask.at(row));
            if let Some(cell) = cells.get_mut(KindOf::<Col<F>>::code(key.at(row)) as usize) {
                *cell += i128::from(keep.at(row) & inside);
            }
        });
    }
    fn term(&self) -> Term {
        let mut of = vec![Expr::term(&self.key)];
        if let Some(condition) = self.rows.term() {
            of.push(Term::Apply(Operation::Where, vec![condition]));
        }
        Term::Apply(Operation::FrequentKeys, of)
    }
}

impl<R: Record, S: Selection<R>> Rows<R, AddRemove, S> {
    /// Counts rows by the texts of a column, with noise, for keys that are not public. Only texts that
    /// enough rows have are released. It costs (ε, δ), which no pure or zCDP budget can pay.
    ///
    /// Every text that occurs gets Laplace noise of scale 1/ε on its count, and is released if that
    /// reaches 1 + ln(1/δ)/ε, rounded up. Other texts are not released; rows whose text is missing are
    /// left out.
    ///
    /// # Claim
    ///
    /// The mechanism is (ε, δ)-differentially private for records added or removed.
    /// *Compiler-verified:* one count moves, by 1; the scale and the threshold (from ε and δ alone).
    /// *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// A record whose text other records have moves a count that gets noise, which costs ε. A record
    /// that brings a new text changes the release only if the text is named, and a single row reaches
    /// the threshold with probability at most δ. Answers are in the order of the texts, not of the
    /// table. See [its proof](crate::guide::proofs::frequent_keys).
    ///
    /// # Accuracy
    ///
    /// Released counts are as far off as those of [`laplace`](crate::Query::laplace) at ε, and are at least the
    /// threshold. A text with t rows more than the threshold is missed with probability below e^(−ε·t).
    ///
    /// # Example
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { city: String }
    ///
    /// # fn main() -> privet::Result<()> {
    /// type Price = Approx<Eps<1, 1>, Delta<1, 6>>;
    /// let patients = (0..301).map(|i| Patient { city: if i < 300 { "Ulm" } else { "Nix" }.into() });
    /// let vault: Vault<Table<Patient>, Price> = Vault::open(patients);
    /// let (cities, vault) = vault.release(rows::<Patient>().frequent_keys::<Price, _>(|p| p.city))?;
    /// assert!((cities["Ulm"] - 300).abs() < 100);
    /// assert!(!cities.contains_key("Nix")); // named with probability below one in a million
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # A zCDP budget does not pay for it
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { city: String }
    /// # fn main() -> privet::Result<()> {
    /// type Price = Approx<Eps<1, 1>, Delta<1, 6>>;
    /// # let patients = (0..301).map(|i| Patient { city: if i < 300 { "Ulm" } else { "Nix" }.into() });
    /// let vault: Vault<Table<Patient>, Rho<1, 1>> = Vault::open(patients);
    /// let (cities, vault) = vault.release(rows::<Patient>().frequent_keys::<Price, _>(|p| p.city))?;
    /// # drop(vault); Ok(()) }
    /// ```
    pub fn frequent_keys<C, F>(
        self,
        f: impl FnOnce(R::Columns) -> Col<F>,
    ) -> Mechanism<Table<R, AddRemove>, BTreeMap<String, i64>, C>
    where
        C: EpsilonDelta,
        F: Field<Row = R>,
        Col<F>: Expr<Row = R, Kind: Texts>,
    {
        frequent_keys(self, f)
    }
}

impl<R: HasPerson, S: Selection<R> + Contributions<PerPerson>> Rows<R, PerPerson, S> {
    /// Counts rows by the texts of a column, for keys that are not public, where one person may have `K`
    /// rows. Only texts that enough rows have are released. It costs (ε, δ).
    ///
    /// Like [`frequent_keys`](Rows::frequent_keys) of records, with noise of scale K/ε and a threshold of
    /// K + K·ln(K/δ)/ε, rounded up.
    ///
    /// # Claim
    ///
    /// The mechanism is (ε, δ)-differentially private for persons added or removed with all of their rows.
    /// *Compiler-verified:* counts move by K in all; the scale and the threshold (from K, ε and δ alone).
    /// *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// Counts of texts that others have move by at most K in L1, which costs ε. Texts that the person alone
    /// has reach the threshold with probability at most δ, all of them together. See
    /// [its proof](crate::guide::proofs::frequent_keys).
    ///
    /// ```
    /// use privet::prelude::*;
    /// use privet::query::PerPerson;
    ///
    /// #[derive(Record)]
    /// struct Order { #[privet(person)] customer: u32, item: String }
    ///
    /// type Price = Approx<Eps<1, 1>, Delta<1, 6>>;
    /// let items: Mechanism<Table<Order, PerPerson>, _, Price> = rows::<Table<Order, PerPerson>>()
    ///     .bound_contributions::<5>(|o| o.customer)
    ///     .frequent_keys(|o| o.item);
    /// ```
    pub fn frequent_keys<C, F>(
        self,
        f: impl FnOnce(R::Columns) -> Col<F>,
    ) -> Mechanism<Table<R, PerPerson>, BTreeMap<String, i64>, C>
    where
        C: EpsilonDelta,
        F: Field<Row = R>,
        Col<F>: Expr<Row = R, Kind: Texts>,
    {
        frequent_keys(self, f)
    }
}

/// PRIVACY: mints (ε, δ) for relations whose neighbours differ by at most `S::ROWS` rows of `S`, added or
/// removed.
fn frequent_keys<R, Rel, S, C, F>(
    rows: Rows<R, Rel, S>,
    f: impl FnOnce(R::Columns) -> Col<F>,
) -> Mechanism<Table<R, Rel>, BTreeMap<String, i64>, C>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    C: EpsilonDelta,
    F: Field<Row = R>,
    Col<F>: Expr<Row = R, Kind: Texts>,
{
    const {
        assert!(
            !Rel::REPLACE && Rel::STEPS == 1,
            "neighbours differ by rows added or removed"
        );
        assert!(
            scale::comparable(moves(S::ROWS), C::EPSILON.0, C::EPSILON.1).is_some()
                && scale::appearance(C::EPSILON, C::DELTA, S::ROWS).is_some(),
            "the noise for this ε is too large to draw exactly: raise ε"
        );
    }
    let noise = const { scale::comparable(moves(S::ROWS), C::EPSILON.0, C::EPSILON.1) };
    let least = const { scale::appearance(C::EPSILON, C::DELTA, S::ROWS) };
    let query: Arc<dyn TableQuery<R>> = Arc::new(ByText {
        rows: rows.selection(),
        key: f(R::columns()),
    });
    let label = Label::new::<C>(format!("{} with Laplace noise", query.term()));
    let texts = Arc::clone(&query);
    // PRIVACY: mints (ε, δ); scale and threshold are derived from `C` and `S::ROWS` alone.
    // Proved: Keys.frequent_keys_private
    // (for K = 1; for persons by `proofs/frequent_keys.md`)
    Mechanism::of_query(
        query,
        label,
        move |run: &mut Run<'_, TableData<R>>, counts| {
            let (Some(Noise::Of(scale)), Some(least)) = (noise, least) else {
                return Err(Error::Scale);
            };
            let data = run.data();
            // PRIVACY: this comes before the first text is looked at. A refusal that only a table
            // with texts met would reveal whether there are any.
            let entropy = run.entropy()?;
            let counts = data.count_texts(&texts, &counts)?;
            let mut named = BTreeMap::new();
            for (text, count) in counts {
                let noisy = count.saturating_add(noise::laplace(entropy, scale)?);
                // PRIVACY: a text that no row of the selection has is never named, whatever its noise.
                if count > 0 && noisy >= least {
                    named.insert(text, whole(noisy));
                }
            }
            Ok(named)
        },
    )
}

/// How far all counts together move.
const fn moves(rows: u128) -> Sensitivity {
    Sensitivity::whole(1).times(rows)
}
