//! One mechanism per block, at the price of one block.

use std::sync::Arc;

use crate::cost::{Cost, ForGroups, Price};
use crate::data::plan::Plan;
use crate::data::{AddRemove, Domain, HasPerson, Record, Relation, Replace};
use crate::data::{Scan, Table, TableData, TableQuery};
use crate::expr::{Expr, Keyed, Term};
use crate::mechanism::label::Label;
use crate::mechanism::run::Portion;
use crate::mechanism::{Mechanism, Spread};
use crate::query::{Blocks, ForPersons, PerPerson, Selection};

impl<R, S, E> Blocks<R, AddRemove, S, E>
where
    R: Record,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    /// Runs one mechanism on each block; `f` is given the number of the block's key.
    ///
    /// # Claim
    ///
    /// The whole costs what one block costs
    /// ([T15](crate::guide::theory#t15-parallel-composition)).
    /// *Compiler-verified:* blocks are disjoint by
    /// record, all have one price, and each is an `AddRemove` table. *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// The keys are public and a record has at most one, so neighbours differ in only one block, by one
    /// record; the other blocks' answers have the same distribution on both.
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { bill: f64, ward: Ward }
    /// #[derive(Category)]
    /// enum Ward { Surgery, Maternity }
    ///
    /// let bills: Mechanism<Table<Patient>, Vec<f64>, Eps<1, 2>> = rows::<Patient>()
    ///     .group_by(|p| p.ward)
    ///     .each(|_ward| rows::<Patient>().sum(|p| p.bill.clamp::<0, 1_000>()).laplace());
    /// ```
    ///
    /// A block is an `AddRemove` table, whatever the whole table is, because its size is private.
    ///
    /// ```compile_fail,E0308
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { bill: f64, ward: Ward }
    /// # #[derive(Category)] enum Ward { Surgery, Maternity }
    /// # type Fixed = Table<Patient, Replace>;
    /// let bills: Mechanism<Fixed, Vec<f64>, Eps<2, 2>> = rows::<Fixed>()
    ///     .group_by(|p| p.ward)
    ///     .each(|_| rows::<Fixed>().sum(|p| p.bill.clamp::<0, 1_000>()).laplace::<Eps<1, 2>>());
    /// ```
    pub fn each<Out: 'static, C: Cost>(
        self,
        f: impl FnMut(usize) -> Mechanism<Table<R>, Out, C>,
    ) -> Mechanism<Table<R>, Vec<Out>, C> {
        // PRIVACY: parallel composition; neighbours differ in one block.
        self.run::<Out, C, C>(f)
    }

    /// Goes through the blocks in turn: each block's mechanism is chosen from the answer of the
    /// block before, and the whole costs what one block costs
    /// ([T10](crate::guide::theory#t10-composition-adds),
    /// [T15](crate::guide::theory#t15-parallel-composition)).
    ///
    /// An epoch of minibatches is an example: a step on each batch, at the price of one step.
    ///
    /// # Why it holds
    ///
    /// Neighbours differ in only one block, by one record. Given the answers before it, that
    /// block's answer is `C`-private; given its answer, all later ones have the same distribution
    /// on both, since their blocks are the same.
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { batch: i64 }
    ///
    /// let total: Mechanism<Table<Patient>, i64, Eps<1, 2>> = rows::<Patient>()
    ///     .group_by(|p| p.batch.clamp::<0, 9>())
    ///     .in_turn(0, |total, _batch| {
    ///         rows::<Patient>().count().laplace::<Eps<1, 2>>().map(move |n| n + total)
    ///     });
    /// ```
    pub fn in_turn<Out: Clone + Send + Sync + 'static, C: Cost>(
        self,
        start: Out,
        step: impl Fn(Out, usize) -> Mechanism<Table<R>, Out, C> + Send + Sync + 'static,
    ) -> Mechanism<Table<R>, Out, C> {
        // PRIVACY: parallel composition, adaptive: neighbours differ in one block.
        self.fold::<Out, C, C>(start, step)
    }
}

impl<R, S, E> Blocks<R, Replace, S, E>
where
    R: Record,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    /// Runs one mechanism on each block; `f` is given the number of the block's key.
    ///
    /// # Claim
    ///
    /// The whole costs what a group of two costs on one block: 2ε, or 4ρ
    /// ([T15](crate::guide::theory#t15-parallel-composition),
    /// [T12](crate::guide::theory#t12-group-privacy)).
    /// A record that is replaced leaves one block and enters another, or makes two steps within one.
    ///
    /// Twice the price of a block would be too little for ρ and (ε, δ): a sum over `[-1, 1]` moves
    /// by 1 when a record is added to its block and by 2 when it is replaced there.
    pub fn each<Out: 'static, C: Cost + ForGroups<2>>(
        self,
        f: impl FnMut(usize) -> Mechanism<Table<R>, Out, C>,
    ) -> Mechanism<Table<R, Replace>, Vec<Out>, C::Group> {
        // PRIVACY: two steps of `AddRemove`, in two blocks or in one: a group of two is never less.
        self.run::<Out, C, C::Group>(f)
    }

    /// Goes through the blocks in turn: each block's mechanism is chosen from the answer of the
    /// block before, and the whole costs what a group of two costs on one block
    /// ([T10](crate::guide::theory#t10-composition-adds),
    /// [T15](crate::guide::theory#t15-parallel-composition),
    /// [T12](crate::guide::theory#t12-group-privacy)).
    pub fn in_turn<Out: Clone + Send + Sync + 'static, C: Cost + ForGroups<2>>(
        self,
        start: Out,
        step: impl Fn(Out, usize) -> Mechanism<Table<R>, Out, C> + Send + Sync + 'static,
    ) -> Mechanism<Table<R, Replace>, Out, C::Group> {
        // PRIVACY: two steps of `AddRemove`, in two blocks or in one: a group of two is never less.
        self.fold::<Out, C, C::Group>(start, step)
    }
}

impl<R, S, E> Blocks<R, PerPerson, S, E>
where
    R: HasPerson,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    /// Runs one mechanism on each block; `f` is given the number of the block's key.
    ///
    /// # Claim
    ///
    /// The whole costs what a group of `K` records costs on one block: Kε, or K²ρ. Blocks are
    /// tables of records; a person is `K` of them at most, in one block or in several
    /// ([T2](crate::guide::theory#t2-neighbours-and-sensitivities),
    /// [T12](crate::guide::theory#t12-group-privacy)). With at most `K` rows in each of `M` blocks it
    /// costs `M` times that ([T10](crate::guide::theory#t10-composition-adds)): M·Kε, or M·K²ρ.
    ///
    /// ```
    /// use privet::prelude::*;
    /// use privet::query::PerPerson;
    ///
    /// #[derive(Record)]
    /// struct Visit { #[privet(person)] patient: u32, days: i64, ward: Ward }
    /// #[derive(Category)]
    /// enum Ward { Surgery, Maternity }
    ///
    /// let days: Mechanism<Table<Visit, PerPerson>, Vec<i64>, Eps<3, 4>> =
    ///     rows::<Table<Visit, PerPerson>>()
    ///         .bound_contributions::<3>(|v| v.patient)
    ///         .group_by(|v| v.ward)
    ///         .each(|_| rows::<Visit>().sum(|v| v.days.clamp::<0, 30>()).laplace::<Eps<1, 4>>());
    /// ```
    pub fn each<Out: 'static, C: ForPersons<S>>(
        self,
        f: impl FnMut(usize) -> Mechanism<Table<R>, Out, C>,
    ) -> Mechanism<Table<R, PerPerson>, Vec<Out>, C::Persons> {
        // PRIVACY: removing a person removes at most `K` records, one after the other, each from
        // one block; parallel composition for each, group privacy for all. Or it removes at most `K`
        // records from each of `M` blocks: group privacy on a block, and composition of `M` of them.
        self.run::<Out, C, C::Persons>(f)
    }

    /// Goes through the blocks in turn: each block's mechanism is chosen from the answer of the
    /// block before, at the price of [`each`](Blocks::each)
    /// ([T10](crate::guide::theory#t10-composition-adds),
    /// [T15](crate::guide::theory#t15-parallel-composition)).
    pub fn in_turn<Out: Clone + Send + Sync + 'static, C: ForPersons<S>>(
        self,
        start: Out,
        step: impl Fn(Out, usize) -> Mechanism<Table<R>, Out, C> + Send + Sync + 'static,
    ) -> Mechanism<Table<R, PerPerson>, Out, C::Persons> {
        // PRIVACY: as `each`; composition is adaptive.
        self.fold::<Out, C, C::Persons>(start, step)
    }
}

impl<R, Rel, S, E> Blocks<R, Rel, S, E>
where
    R: Record,
    Rel: Relation,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
    Table<R, Rel>: Domain<Data = crate::data::TableData<R>>,
{
    /// PRIVACY: mints a cost. The caller argues that `D` pays for a mechanism of cost `C` on each
    /// block.
    fn run<Out: 'static, C: Cost, D: Cost>(
        self,
        f: impl FnMut(usize) -> Mechanism<Table<R>, Out, C>,
    ) -> Mechanism<Table<R, Rel>, Vec<Out>, D> {
        let blocks = (0..self.blocks()).map(f).collect();
        self.run_each(blocks, Some(D::price()))
    }

    /// PRIVACY: mints a cost. The caller argues that `D`, or the quote that it sets, pays for these
    /// mechanisms, one on each block.
    pub(in crate::mechanism) fn run_each<Out: 'static, C: 'static, D>(
        self,
        mechanisms: Vec<Mechanism<Table<R>, Out, C>>,
        price: Option<Price>,
    ) -> Mechanism<Table<R, Rel>, Vec<Out>, D> {
        let spread = Spread::side_by_side(mechanisms.iter().map(Mechanism::spread));
        let plans: Vec<_> = mechanisms.into_iter().map(Mechanism::into_parts).collect();
        let label = plans.iter().fold(
            Label::priced(self.term().to_string(), price),
            |label, (_, _, block)| label.part(block),
        );
        let key = Plan::new([self.term()]);
        let asked = plans
            .iter()
            .map(|(queries, _, _)| Label::spelling::<TableData<R>>(queries));
        let asked: Vec<_> = asked.collect();
        let label = label.asking(move |out| {
            out.push_str(&key.spelled());
            for block in &asked {
                out.push_str(" block");
                block(out);
            }
        });
        let blocks = Arc::new(self);
        let shared = shared_queries(plans.iter().map(|(queries, _, _)| queries));
        // Proved: Mechanism.T_Each, Mechanism.T_In_turn_replace, Mechanism.T_In_turn_per_person
        Mechanism::mint(Vec::new(), label, move |run| {
            run.check()?;
            // PRIVACY: exact cells of every block, each for the answer of its own block.
            let places = blocks.divide(run.data());
            let cells = match &shared {
                Some(terms) => {
                    Scan::of_blocks(run.data(), terms.clone(), &places, blocks.blocks())?
                }
                None => None,
            };
            let mut cells = cells.map(Vec::into_iter);
            let each = plans.iter().enumerate();
            each.map(|(block, (queries, answer, _))| {
                let answered = cells.as_mut().and_then(Iterator::next);
                run.within(
                    |data| match answered {
                        Some(cells) => Portion::Answered(data.block(&places, block), cells),
                        None => Portion::View(data.block(&places, block)),
                    },
                    queries,
                    answer,
                )
            })
            .collect::<crate::error::Result<_>>()
        })
        .with_spread(spread)
    }

    /// PRIVACY: mints a cost. The caller argues that `D` pays for a mechanism of cost `C` on each
    /// block, chosen from the answers of blocks before.
    fn fold<Out: Clone + Send + Sync + 'static, C: Cost, D: Cost>(
        self,
        start: Out,
        step: impl Fn(Out, usize) -> Mechanism<Table<R>, Out, C> + Send + Sync + 'static,
    ) -> Mechanism<Table<R, Rel>, Out, D> {
        let label = Label::new::<D>(format!("{}, in turn", self.term())).later(
            self.blocks(),
            Label::new::<C>("a block, chosen from the last answer"),
        );
        let key = Plan::new([self.term()]);
        let label = label.asking(move |out| out.push_str(&key.spelled()));
        let blocks = Arc::new(self);
        // Proved: Mechanism.mechanism_sound (rule T_In_turn), Mechanism.T_In_turn_replace
        Mechanism::mint(Vec::new(), label, move |run| {
            run.check()?;
            let places = blocks.divide(run.data());
            (0..blocks.blocks()).try_fold(start.clone(), |state, block| {
                let (queries, answer, _) = step(state, block).into_parts();
                run.within(
                    |data| Portion::View(data.block(&places, block)),
                    &queries,
                    &answer,
                )
            })
        })
    }
}

/// The queries of all blocks as plain data, if all blocks ask the same ones.
fn shared_queries<'a, R: Record>(
    mut blocks: impl Iterator<Item = &'a Vec<Arc<dyn TableQuery<R>>>>,
) -> Option<Vec<Term>> {
    let terms = |queries: &Vec<Arc<dyn TableQuery<R>>>| -> Vec<Term> {
        queries.iter().map(|query| query.term()).collect()
    };
    let first = terms(blocks.next()?);
    blocks
        .all(|queries| terms(queries) == first)
        .then_some(first)
}
