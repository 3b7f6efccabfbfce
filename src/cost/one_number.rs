//! The laws of a notion whose price is one fraction: the same for ε and for ρ.

/// Implements every law except groups for `$Cost<NUM, DEN>` of the notion `$Notion`.
macro_rules! one_number {
    ($Cost:ident, $Notion:ident, $price:ident) => {
        impl<const A: usize, const B: usize, const M: usize> $crate::cost::sealed::Sealed
            for $Cost<A, B, M>
        {
        }

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const M: usize> Cost for $Cost<A, B, M>
        where
            Frac<A, B, M>: Fraction,
        {
            type Notion = $Notion;

            const PRICE: Price = Price::$price(Self::RATIO);
        }

        impl<const A: usize, const B: usize, const M: usize> $Cost<A, B, M>
        where
            Frac<A, B, M>: Fraction,
        {
            const RATIO: Ratio<u128> = $crate::cost::exact::lowest(
                <Frac<A, B, M> as Fraction>::NUM,
                <Frac<A, B, M> as Fraction>::DEN as u128,
            );

            /// The number itself, exact, at run time.
            #[must_use]
            pub fn ratio() -> Ratio<u128> {
                Self::RATIO
            }
        }

        impl<const A: usize, const B: usize, const M: usize> fmt::Display for $Cost<A, B, M>
        where
            $Cost<A, B, M>: Cost,
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                Self::price().fmt(f)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const M: usize> Budget for $Cost<A, B, M> where
            Frac<A, B, M>: Fraction
        {
        }

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const M: usize> Positive for $Cost<A, B, M>
        where
            Frac<A, B, M>: Fraction + number::NonZero,
        {
            const NUM: u64 = <Frac<A, B, M> as Fraction>::NUM;
            const DEN: u64 = <Frac<A, B, M> as Fraction>::DEN;
        }

        #[diagnostic::do_not_recommend]
        impl<
            const A: usize,
            const B: usize,
            const M: usize,
            const C: usize,
            const D: usize,
            const N: usize,
        > Plus<$Cost<C, D, N>> for $Cost<A, B, M>
        where
            Frac<A, B, M>: Sum<Frac<C, D, N>, Out: Spelled>,
            Frac<C, D, N>: Fraction,
        {
            type Sum = <<Frac<A, B, M> as Sum<Frac<C, D, N>>>::Out as Spelled>::$Cost;
        }

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const M: usize, const K: usize> Times<K>
            for $Cost<A, B, M>
        where
            Frac<A, B, M>: Scale<K, Out: Spelled>,
            Frac<1, K>: Fraction,
        {
            type Product = <<Frac<A, B, M> as Scale<K>>::Out as Spelled>::$Cost;
        }

        // PRIVACY: compared exactly, never rounded.
        #[diagnostic::do_not_recommend]
        impl<
            const A: usize,
            const B: usize,
            const M: usize,
            const C: usize,
            const D: usize,
            const N: usize,
        > Passes<$Cost<A, B, M>, $Cost<C, D, N>> for Books
        where
            Frac<A, B, M>: Compare<Frac<C, D, N>>,
            Frac<C, D, N>: Fraction,
        {
            type Cheaper = <Frac<A, B, M> as Compare<Frac<C, D, N>>>::Le;
            type Implied = Yes;
        }

        // PRIVACY: the debit is total; over budget its verdict is not `WithinBudget` and the
        // program does not compile.
        #[diagnostic::do_not_recommend]
        impl<
            const A: usize,
            const B: usize,
            const M: usize,
            const C: usize,
            const D: usize,
            const N: usize,
        > Debits<$Cost<A, B, M>, $Cost<C, D, N>> for Books
        where
            Frac<A, B, M>: Debit<Frac<C, D, N>, Left: Remainder>,
            Frac<C, D, N>: Fraction,
        {
            type Verdict = <Frac<A, B, M> as Debit<Frac<C, D, N>>>::Verdict;
            type Left = <<Frac<A, B, M> as Debit<Frac<C, D, N>>>::Left as Remainder>::$Cost;
        }

        #[diagnostic::do_not_recommend]
        impl<
            const A: usize,
            const B: usize,
            const M: usize,
            const C: usize,
            const D: usize,
            const N: usize,
        > Dearer<$Cost<C, D, N>> for $Cost<A, B, M>
        where
            Frac<A, B, M>: Larger<Frac<C, D, N>, Out: Spelled>,
            Frac<C, D, N>: Fraction,
        {
            type Max = <<Frac<A, B, M> as Larger<Frac<C, D, N>>>::Out as Spelled>::$Cost;
        }

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const M: usize, const K: usize, P, W> Split<K, $Notion>
            for $Cost<A, B, M>
        where
            Self: Positive<Notion = $Notion>,
            Frac<A, B, M>: Share<K, Out: Spelled<$Cost = P>>,
            P: Positive<Notion = $Notion> + Times<K, Product = W>,
            W: AtMost<Self>,
        {
            type Part = P;
            type Whole = W;
        }
    };
}
pub(crate) use one_number;
