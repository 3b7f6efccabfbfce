//! The laws, as methods: composition adds, post-processing is free, a cheaper mechanism passes as
//! a dearer one. The argument for each price is in [the proof](crate::guide::proofs::composition).

use std::sync::Arc;

use crate::cost::{AtMost, Cost, Dearer, Eps, ForGroups, Plus, Times};
use crate::data::Domain;
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;

mod bundle;
mod per_block;
mod sample;
pub use bundle::{Bundle, Together};

impl<In: Domain, Out: 'static> Mechanism<In, Out, Eps<0, 1>> {
    /// A mechanism that ignores the data, so that it costs nothing.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// let seven: Mechanism<Table<Patient>, i64, Eps<0, 1>> = Mechanism::constant(7);
    /// ```
    pub fn constant(value: Out) -> Self
    where
        Out: Clone + Send + Sync,
    {
        // PRIVACY: asks no query, so its answer is the same on all data.
        // Proved: Mechanism.mechanism_sound (rule T_Constant)
        Mechanism::mint(Vec::new(), Label::new::<Eps<0, 1>>("constant"), move |_| {
            Ok(value.clone())
        })
    }
}

impl<In: Domain, Out: 'static, C> Mechanism<In, Out, C> {
    /// Post-processing: any function of the answer, for free
    /// ([T11](crate::guide::theory#t11-post-processing-is-free)).
    ///
    /// The function sees only the noisy answer. It may be randomized, and may panic: what was
    /// attempted stays charged.
    pub fn map<T: 'static>(
        self,
        f: impl Fn(Out) -> T + Send + Sync + 'static,
    ) -> Mechanism<In, T, C> {
        let quote = self.quote();
        let (queries, answer, label) = self.into_parts();
        // PRIVACY: `f` is given nothing but the released answer. The spread is not carried over:
        // how far the noise reaches says nothing about what `f` made of the answer.
        // Proved: Mechanism.mechanism_sound (rule T_Map)
        Mechanism::mint(queries, Arc::unwrap_or_clone(label), move |run| {
            answer.make(run).map(&f)
        })
        .with_quote(quote)
    }
}

impl<In: Domain, Out: 'static, C: Cost> Mechanism<In, Out, C> {
    /// Both mechanisms, on the same data: costs add
    /// ([T10](crate::guide::theory#t10-composition-adds)).
    ///
    /// Exact queries of both are answered in one pass over the data.
    pub fn and<T: 'static, D, S: Cost>(
        self,
        other: Mechanism<In, T, D>,
    ) -> Mechanism<In, (Out, T), S>
    where
        D: Plus<C, Sum = S>,
    {
        let (mut queries, first, left) = self.into_parts();
        let (more, second, right) = other.into_parts();
        queries.extend(more);
        // PRIVACY: sequential composition; `Plus` adds the two prices.
        // Proved: Mechanism.T_And
        Mechanism::mint(queries, Label::and::<S>(left, &right), move |run| {
            Ok((first.make(run)?, second.make(run)?))
        })
    }

    /// Adaptive composition: the second mechanism is chosen from the first one's answer. Costs add
    /// ([T10](crate::guide::theory#t10-composition-adds)).
    ///
    /// All choices have one price. Where the branches differ, raise the cheaper one with
    /// [`at_most`](Mechanism::at_most), or use [`either`](Mechanism::either)
    /// ([T14](crate::guide::theory#t14-a-choice-costs-its-dearer-branch)).
    pub fn then<T: 'static, D, S: Cost>(
        self,
        next: impl Fn(&Out) -> Mechanism<In, T, D> + Send + Sync + 'static,
    ) -> Mechanism<In, (Out, T), S>
    where
        D: Plus<C, Sum = S>,
    {
        let (queries, first, label) = self.into_parts();
        let label = Label::sum::<S>("then")
            .part(&label)
            .later(1, Label::new::<D>("chosen from the answer"));
        // PRIVACY: adaptive composition; `next` sees the first answer, which is paid for, and
        // whatever it returns costs `D`.
        // Proved: Mechanism.mechanism_sound (rule T_Then)
        Mechanism::mint(queries, label, move |run| {
            let answer = first.make(run)?;
            let second = next(&answer).run_in(run)?;
            Ok((answer, second))
        })
    }

    /// Passes as a mechanism that may cost `D`, which is dearer or of a weaker notion.
    ///
    /// The idiom is to end a composed function with it, so that its signature says what it may
    /// cost and not how the sum came about. It also converts between notions:
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// let count: Mechanism<Table<Patient>, i64, Eps<1, 4>> = rows::<Patient>().count().laplace();
    /// let _: Mechanism<_, _, Eps<1, 2>> = count.clone().at_most();
    /// let _: Mechanism<_, _, Rho<1, 32>> = count.clone().at_most();
    /// let _: Mechanism<_, _, Approx<Eps<1, 4>, Delta<1, 6>>> = count.at_most();
    /// ```
    pub fn at_most<D: Cost>(self) -> Mechanism<In, Out, D>
    where
        C: AtMost<D>,
    {
        let label = match (C::price(), D::price()) {
            (from, to) if from == to => Arc::clone(self.label()),
            _ => Arc::new(Label::new::<D>("at most").part(self.label())),
        };
        let spread = self.spread();
        // PRIVACY: monotone; `AtMost` compares exactly, or converts with a proof in the types.
        // Proved: Cost.passes_sound, Mechanism.mechanism_sound (rule T_At_most)
        self.relabel(label).with_spread(spread)
    }

    /// Runs the same mechanism `K` times with fresh noise, at `K` times the cost
    /// ([T10](crate::guide::theory#t10-composition-adds)).
    pub fn repeat<const K: usize>(self) -> Mechanism<In, [Out; K], C::Product>
    where
        C: Times<K>,
    {
        let (queries, answer, label) = self.into_parts();
        let label = Label::sum::<C::Product>("repeat").repeated(K, &label);
        let asked = queries.len();
        // PRIVACY: sequential composition; the exact answer is shared, the noise is not.
        // Proved: Mechanism.T_Repeat
        Mechanism::mint(queries, label, move |run| {
            let start = run.mark();
            let mut answers = Vec::with_capacity(K);
            for _ in 0..K {
                run.rewind(start);
                answers.push(answer.make(run)?);
            }
            // The place of the next query, whatever K is.
            run.rewind(start + asked);
            Ok(bundle::array(answers))
        })
    }

    /// `T` adaptive rounds: each gets the last one's answer and its own number, 0 to `T` − 1, and
    /// the whole costs `T` times one round ([T10](crate::guide::theory#t10-composition-adds)).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// fn rounds<const T: usize, E: Split<T>>() -> Mechanism<Table<Patient>, i64, E> {
    ///     Mechanism::iterate::<T>(0, |total, _round| {
    ///         rows::<Patient>().count().laplace::<E::Part>().map(move |n| n + total)
    ///     })
    ///     .at_most()
    /// }
    /// # let _ = rounds::<10, Eps<1, 2>>();
    /// ```
    pub fn iterate<const T: usize>(
        start: Out,
        step: impl Fn(Out, usize) -> Mechanism<In, Out, C> + Send + Sync + 'static,
    ) -> Mechanism<In, Out, C::Product>
    where
        C: Times<T>,
        Out: Clone + Send + Sync,
    {
        let label = Label::new::<C::Product>("iterate")
            .later(T, Label::new::<C>("chosen from the last answer"));
        // PRIVACY: adaptive composition of `T` mechanisms, each of cost `C` whatever it saw.
        // Proved: Mechanism.mechanism_sound (rule T_Iterate)
        Mechanism::mint(Vec::new(), label, move |run| {
            (0..T).try_fold(start.clone(), |state, round| step(state, round).run_in(run))
        })
    }

    /// One of two mechanisms of different prices, chosen by something public. It costs the larger price
    /// ([T14](crate::guide::theory#t14-a-choice-costs-its-dearer-branch)).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    ///     rows::<Patient>().count().laplace()
    /// }
    /// let follow_up: Mechanism<_, _, Eps<5, 8>> = count::<Eps<1, 8>>()
    ///     .then(|&n| Mechanism::either(n > 100, count::<Eps<4, 8>>(), count::<Eps<1, 8>>()));
    /// ```
    pub fn either<D, M: Cost>(
        first: bool,
        this: Mechanism<In, Out, C>,
        that: Mechanism<In, Out, D>,
    ) -> Mechanism<In, Out, M>
    where
        D: Dearer<C, Max = M>,
    {
        // PRIVACY: `first` is public (no private value reaches user code); both prices are at
        // most the larger one.
        let label = |chosen| Arc::new(Label::new::<M>("one of two").part(chosen));
        if first {
            let label = label(this.label());
            // Proved: Mechanism.T_Either
            this.relabel(label)
        } else {
            let label = label(that.label());
            that.relabel(label)
        }
    }

    /// What the mechanism promises to groups of up to `K` records: the same mechanism, on data
    /// whose neighbours are such groups, at the price of a group
    /// ([T12](crate::guide::theory#t12-group-privacy)).
    ///
    /// Kε for a pure cost, K²ρ for zCDP, and (Kε, K·e^((K−1)ε)·δ), rounded up, for (ε, δ). The
    /// data's type changes with the price, since the promise is about other neighbours.
    pub fn for_groups<const K: usize>(self) -> Mechanism<In::Grouped<K>, Out, C::Group>
    where
        C: ForGroups<K>,
    {
        let label = Label::new::<C::Group>(format!("for groups of {K}")).part(self.label());
        // PRIVACY: group privacy; a group of `K` is `K` neighbours in a row.
        // Proved: Cost.group_sound, Mechanism.mechanism_sound (rule T_For_groups)
        self.relabel(Arc::new(label))
    }

    /// Combines mechanisms of one price, as an array or, where their answers differ in type, as a tuple
    /// of up to eight. The cost is the number of mechanisms times the price
    /// ([T10](crate::guide::theory#t10-composition-adds)).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64, bill: i64 }
    /// let count = || rows::<Patient>().count().laplace::<Eps<1, 8>>();
    /// let three: Mechanism<_, [i64; 3], Eps<3, 8>> = Mechanism::all([count(), count(), count()]);
    /// let mixed: Mechanism<_, (i64, f64), Eps<2, 8>> =
    ///     Mechanism::all((count(), count().map(|n| n as f64)));
    /// ```
    pub fn all<M, T: Cost>(parts: M) -> Mechanism<In, Out, T>
    where
        M: Bundle<In = In, Out = Out, Each = C, Total = T>,
    {
        parts.join()
    }
}
