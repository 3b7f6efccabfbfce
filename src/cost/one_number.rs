//! The laws of a notion whose price is one fraction: the same for ε and for ρ.

/// Implements every law except groups for `$Cost<NUM, DEN>` of the notion `$Notion`.
macro_rules! one_number {
    ($Cost:ident, $Notion:ident, $price:ident) => {
        impl<const A: usize, const B: usize> $crate::cost::sealed::Sealed for $Cost<A, B> {}

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize> Cost for $Cost<A, B>
        where
            Frac<A, B>: Fraction,
        {
            type Notion = $Notion;

            const PRICE: Price = Price::$price(Self::RATIO);
        }

        impl<const A: usize, const B: usize> $Cost<A, B>
        where
            Frac<A, B>: Fraction,
        {
            const RATIO: Ratio<u128> = $crate::cost::exact::lowest(
                <Frac<A, B> as Fraction>::NUM,
                <Frac<A, B> as Fraction>::DEN as u128,
            );

            /// The number itself, exact, at run time.
            #[must_use]
            pub fn ratio() -> Ratio<u128> {
                Self::RATIO
            }
        }

        impl<const A: usize, const B: usize> fmt::Display for $Cost<A, B>
        where
            $Cost<A, B>: Cost,
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                Self::price().fmt(f)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize> Budget for $Cost<A, B> where Frac<A, B>: Fraction {}

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize> Positive for $Cost<A, B>
        where
            Frac<A, B>: Fraction + number::NonZero,
        {
            const NUM: u64 = <Frac<A, B> as Fraction>::NUM;
            const DEN: u64 = <Frac<A, B> as Fraction>::DEN;
        }

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const C: usize, const D: usize> Plus<$Cost<C, D>>
            for $Cost<A, B>
        where
            Frac<A, B>: Sum<Frac<C, D>, Out: Spelled>,
            Frac<C, D>: Fraction,
        {
            type Sum = <<Frac<A, B> as Sum<Frac<C, D>>>::Out as Spelled>::$Cost;
        }

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const K: usize> Times<K> for $Cost<A, B>
        where
            Frac<A, B>: Scale<K, Out: Spelled>,
            Frac<1, K>: Fraction,
        {
            type Product = <<Frac<A, B> as Scale<K>>::Out as Spelled>::$Cost;
        }

        // PRIVACY: compared exactly, never rounded.
        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const C: usize, const D: usize>
            Passes<$Cost<A, B>, $Cost<C, D>> for Books
        where
            Frac<A, B>: Compare<Frac<C, D>>,
            Frac<C, D>: Fraction,
        {
            type Cheaper = <Frac<A, B> as Compare<Frac<C, D>>>::Le;
            type Implied = Yes;
        }

        // PRIVACY: the debit is total; over budget its verdict is not `WithinBudget` and the
        // program does not compile.
        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const C: usize, const D: usize>
            Debits<$Cost<A, B>, $Cost<C, D>> for Books
        where
            Frac<A, B>: Debit<Frac<C, D>, Left: Remainder>,
            Frac<C, D>: Fraction,
        {
            type Verdict = <Frac<A, B> as Debit<Frac<C, D>>>::Verdict;
            type Left = <<Frac<A, B> as Debit<Frac<C, D>>>::Left as Remainder>::$Cost;
        }

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const C: usize, const D: usize> Dearer<$Cost<C, D>>
            for $Cost<A, B>
        where
            Frac<A, B>: Larger<Frac<C, D>, Out: Spelled>,
            Frac<C, D>: Fraction,
        {
            type Max = <<Frac<A, B> as Larger<Frac<C, D>>>::Out as Spelled>::$Cost;
        }

        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const K: usize, P, W> Split<K, $Notion> for $Cost<A, B>
        where
            Self: Positive<Notion = $Notion>,
            Frac<A, B>: Share<K, Out: Spelled<$Cost = P>>,
            P: Positive<Notion = $Notion> + Times<K, Product = W>,
            W: AtMost<Self>,
        {
            type Part = P;
            type Whole = W;
        }
    };
}
pub(crate) use one_number;
