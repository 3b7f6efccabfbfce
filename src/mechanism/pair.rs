//! A mechanism on one of two tables, or one on each.

use super::Mechanism;
use super::label::Label;
use super::run::Portion;
use crate::cost::{Cost, Dearer};
use crate::data::{Both, Disjoint, Domain, Pair, Sharing};

impl<In: Domain, Out: 'static, C: Cost> Mechanism<In, Out, C> {
    /// The same mechanism on the first of two data sets. The cost stays the same.
    pub fn on_first<B: Domain, S: Sharing>(self) -> Mechanism<Pair<In, B, S>, Out, C> {
        let (queries, answer, label) = self.into_parts();
        let label = Label::new::<C>("on the first data set")
            .part(&label)
            .asking(Label::spelling::<In::Data>(&queries));
        // PRIVACY: neighbours of the pair differ in the first data set by neighbours of `In`, or
        // not at all.
        // Not proved: a pair of tables is not in the model; as `run` on one of them.
        Mechanism::mint(Vec::new(), label, move |run| {
            run.within(first, &queries, &answer)
        })
    }

    /// The same mechanism on the second of two data sets. The cost stays the same.
    pub fn on_second<A: Domain, S: Sharing>(self) -> Mechanism<Pair<A, In, S>, Out, C> {
        let (queries, answer, label) = self.into_parts();
        let label = Label::new::<C>("on the second data set")
            .part(&label)
            .asking(Label::spelling::<In::Data>(&queries));
        // PRIVACY: as for the first.
        // Not proved: a pair of tables is not in the model; as `run` on one of them.
        Mechanism::mint(Vec::new(), label, move |run| {
            run.within(second, &queries, &answer)
        })
    }

    /// This mechanism on the first and another on the second of two data sets that share nobody. It
    /// costs the larger of the two prices ([T13](crate::guide::theory#t13-data-sets-that-share-people)).
    ///
    /// The assumption is part of the data's type, so only a vault that was opened under it can release
    /// this, and [`explain`](Mechanism::explain) shows it.
    pub fn beside<B: Domain, T: 'static, D: Dearer<C, Max = M>, M: Cost>(
        self,
        other: Mechanism<B, T, D>,
    ) -> Mechanism<Pair<In, B, Disjoint>, (Out, T), M> {
        let (queries, one, left) = self.into_parts();
        let (others, other, right) = other.into_parts();
        let label = Label::new::<M>("assuming that nobody is in both data sets")
            .part(&left)
            .part(&right)
            .asking({
                let (ours, theirs) = (
                    Label::spelling::<In::Data>(&queries),
                    Label::spelling::<B::Data>(&others),
                );
                move |out| {
                    ours(out);
                    out.push_str(" beside");
                    theirs(out);
                }
            });
        // PRIVACY: neighbours of the pair differ in one of the data sets only; the mechanism on it
        // costs at most the larger price.
        // Not proved: as `T_Each` with two blocks, on a pair of tables, which is not in the model.
        Mechanism::mint(Vec::new(), label, move |run| {
            Ok((
                run.within(first, &queries, &one)?,
                run.within(second, &others, &other)?,
            ))
        })
    }
}

fn first<A, B>(both: &Both<A, B>) -> Portion<'_, A> {
    Portion::Whole(both.first())
}

fn second<A, B>(both: &Both<A, B>) -> Portion<'_, B> {
    Portion::Whole(both.second())
}
