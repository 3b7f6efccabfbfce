//! A mechanism on a sample, at the price of the sample.

use std::sync::Arc;

use crate::cost::{Amplified, Cost};
use crate::data::{Division, Record, Sampled, Table, TableData};
use crate::error::{EngineError, Error};
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::run::Portion;
use crate::noise;
use crate::query::{All, Rows, Sample, Selection};

impl<R: Record, S: Selection<R>, const NUM: usize, const DEN: usize> Sample<R, S, NUM, DEN> {
    /// Runs one mechanism on one sample, which has each row with probability q = `NUM`/`DEN`.
    ///
    /// The closure gets the rows of the sample, and asks them as it would ask a table. What it returns may
    /// be as large as it likes: everything in it is answered on the same sample, including what
    /// [`then`](Mechanism::then) chooses later. Prices in the closure add up *before* the sample lowers
    /// them. For two samples, write two.
    ///
    /// # Claim
    ///
    /// A mechanism that costs ε on the sample costs ln(1 + q·(e^ε − 1)) on the table, and one that costs
    /// (ε, δ) costs that and q·δ, both rounded up ([T26](crate::guide::theory#t26-samples)).
    /// *Compiler-verified:* the rate, the price, that a record is added or removed, and that nothing of the
    /// sample is released except at this price: no vault can pay for a mechanism on a
    /// `Table<R, Sampled<..>>`. *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// With probability 1 − q the record that neighbours differ in is not in the sample, and nothing
    /// differs. See [its proof](crate::guide::proofs::subsampling).
    ///
    /// # Example
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// let both: Mechanism<Table<Patient>, (i64, i64), Eps<630, 10_000>> = rows::<Patient>()
    ///     .sampled::<1, 100>()
    ///     .once(|sample| {
    ///         let older = sample.clone().filter(|p| p.age.gt(40)).count();
    ///         sample.count().laplace::<Eps<1, 1>>().and(older.laplace::<Eps<1, 1>>())
    ///     })
    ///     .at_most();
    /// ```
    ///
    /// Two releases of one sample do not cost twice what one costs:
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// let both: Mechanism<Table<Patient>, (i64, i64), Eps<342, 10_000>> = rows::<Patient>()
    ///     .sampled::<1, 100>()
    ///     .once(|sample| {
    ///         let older = sample.clone().filter(|p| p.age.gt(40)).count();
    ///         sample.count().laplace::<Eps<1, 1>>().and(older.laplace::<Eps<1, 1>>())
    ///     })
    ///     .at_most();
    /// ```
    ///
    /// A vault [in constant time](crate::Vault::in_constant_time) refuses it, with
    /// [`Error::VariableTime`]. So does a vault whose rows an engine has, with [`Error::Engine`].
    pub fn once<Out: 'static, C, P: Cost>(
        self,
        f: impl FnOnce(
            Rows<R, Sampled<NUM, DEN>, All>,
        ) -> Mechanism<Table<R, Sampled<NUM, DEN>>, Out, C>,
    ) -> Mechanism<Table<R>, Out, P>
    where
        C: Amplified<NUM, DEN, Price = P>,
    {
        let (queries, answer, label) = f(Self::symbols()).into_parts();
        let label = Label::new::<P>(format!("on {}", self.describe()))
            .part(&label)
            .asking({
                let (rows, asked) = (self.plan(), Label::spelling::<TableData<R>>(&queries));
                move |out| {
                    out.push_str(&rows.spelled());
                    asked(out);
                }
            });
        // PRIVACY: mints the price of a sample. One sample is drawn for each run, by fresh coins, and the whole
        // mechanism runs on it, whose cost is `C` on neighbours of the sample.
        // Not proved: `proofs/subsampling.md`.
        Mechanism::mint(Vec::new(), label, move |run| {
            run.check()?;
            let data: &TableData<R> = run.data();
            if !data.in_memory() {
                // PRIVACY: a division of what is stored here would leave an engine's rows undivided.
                let query = "a sample".into();
                return Err(EngineError::Unsupported { query }.into());
            }
            let entropy = run.entropy()?;
            let places = self
                .draw(data, |coins| {
                    noise::bernoulli_fill(entropy, NUM as u64, DEN as u64, coins)
                })
                .map_err(Error::from)?;
            let sample = Division::Now(Arc::new(places));
            run.within(
                |data| Portion::View(data.block(&sample, 0)),
                &queries,
                &answer,
            )
        })
    }
}
