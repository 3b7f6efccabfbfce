//! What every expression can do: inherent methods, the same for columns and for nodes.

/// The type of a method's result, written through the kind that the method needs.
///
/// Where the kind does not fit, there is no such type. So the compiler reports the method and stays
/// silent about everything that is done with its result.
macro_rules! Fits {
    ($bound:ident $(<$k:ty>)?, $($node:tt)*) => {
        <$crate::expr::KindOf<Self> as $crate::expr::$bound $(<$k>)?>::Then<$crate::expr::$($node)*>
    };
}

/// Gives a type that is an expression its methods and operators.
macro_rules! methods {
    ([$($g:tt)*] $t:ty where [$($w:tt)*]) => {
        impl<$($g)*> $crate::expr::sealed::Operand<$crate::expr::RowOf<Self>> for $t where $($w)* {}
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $crate::expr::Operand<$crate::expr::RowOf<Self>> for $t where $($w)* {
            type Expr = Self;
            fn expr(self) -> Self {
                self
            }
        }

        impl<$($g)*, Row> $t
        where
            Self: $crate::expr::Expr<Row = Row>,
            Row: $crate::Record,
            $($w)*
        {
            $crate::expr::methods::comparison! {
                /// Greater than another expression or a constant.
                gt Gt OrderedWith;
                /// At least another expression or a constant.
                ge Ge OrderedWith;
                /// Less than another expression or a constant.
                lt Lt OrderedWith;
                /// At most another expression or a constant.
                le Le OrderedWith;
                /// Equal to another expression or a constant.
                eq_to Eq EqualTo;
                /// Different from another expression or a constant.
                ne Ne EqualTo;
            }

            /// Equal to one value of a public list.
            pub fn one_of<Other, const LEN: usize>(
                self,
                list: [Other; LEN],
            ) -> <$crate::expr::KindOf<Other::Expr> as $crate::expr::EqualTo<$crate::expr::KindOf<Self>>>::Then<$crate::expr::OneOf<Self, Other::Expr, LEN>>
            where
                Other: $crate::expr::Operand<Row>,
                $crate::expr::KindOf<Other::Expr>: $crate::expr::EqualTo<$crate::expr::KindOf<Self>>,
            {
                $crate::expr::OneOf::new(self, list).into()
            }

            /// The index of the value in a public list; one past the last for any other value.
            pub fn keys<Other, const LEN: usize>(
                self,
                list: [Other; LEN],
            ) -> <$crate::expr::KindOf<Other::Expr> as $crate::expr::EqualTo<$crate::expr::KindOf<Self>>>::Then<$crate::expr::Keys<Self, Other::Expr, LEN>>
            where
                Other: $crate::expr::Operand<Row>,
                $crate::expr::KindOf<Other::Expr>: $crate::expr::EqualTo<$crate::expr::KindOf<Self>>,
            {
                $crate::expr::Keys::new(self, list).into()
            }

            /// The index of the value in a public list that is known at run time; `MOST` for any other value.
            ///
            /// The answer has `MOST + 1` cells however long the list is. Of equal keys the first counts.
            ///
            /// ```
            /// # use privet::prelude::*;
            /// # #[derive(Record)] struct Flight { carrier: String }
            /// let carriers: Vec<String> = ["AA", "UA", "DL"].map(String::from).to_vec(); // from a file, say
            /// let flights: Mechanism<Table<Flight>, Vec<i64>, Eps<1, 2>> = rows::<Flight>()
            ///     .histogram(|f| f.carrier.keys_up_to::<20, _>(carriers))
            ///     .laplace();
            /// ```
            ///
            /// # Panics
            ///
            /// If there are more than `MOST` keys.
            #[track_caller]
            pub fn keys_up_to<const MOST: usize, Key>(
                self,
                list: impl IntoIterator<Item = Key>,
            ) -> <Key::Kind as $crate::expr::KeyOf<$crate::expr::KindOf<Self>>>::Then<$crate::expr::KeysUpTo<Self, Key::Kind, MOST>>
            where
                Key: $crate::expr::PublicKey,
                Key::Kind: $crate::expr::KeyOf<$crate::expr::KindOf<Self>>,
            {
                $crate::expr::KeysUpTo::new(self, list).into()
            }

            /// What a public table says of this value; null if it has no such key, or the value is null.
            ///
            /// ```
            /// use privet::expr::PublicTable;
            /// # use privet::prelude::*;
            /// # #[derive(Record)] struct Patient { zip: i64 }
            /// # fn main() -> privet::Result<()> {
            /// let altitude = PublicTable::new([(4001, 260.0), (8001, 408.0)])?;
            /// let high = rows::<Patient>().filter(|p| p.zip.look_up(&altitude).gt(400)).count();
            /// # let _ = high; Ok(()) }
            /// ```
            pub fn look_up<Key, Value>(
                self,
                table: &$crate::expr::PublicTable<Key, Value>,
            ) -> <Key::Kind as $crate::expr::KeyOf<$crate::expr::KindOf<Self>>>::Then<$crate::expr::LookUp<Self, Key::Kind, Value>>
            where
                Key: $crate::expr::PublicKey,
                Value: $crate::expr::PublicValue,
                Key::Kind: $crate::expr::KeyOf<$crate::expr::KindOf<Self>>,
            {
                $crate::expr::LookUp::new(self, table).into()
            }

            /// The bin between public edges: how many of the edges are at or below the value.
            ///
            /// `LEN` edges make `LEN + 1` bins. Edges need not be sorted.
            pub fn bins<Other, const LEN: usize>(
                self,
                edges: [Other; LEN],
            ) -> $crate::expr::methods::Fits!(Edge<Other>, Bins<Self, Other, LEN>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Edge<Other>,
            {
                $crate::expr::Bins::new(self, edges).into()
            }

            /// The bin between public edges that are known at run time only, in ascending order: how many of them
            /// are at or below the value, and `MOST` if all are.
            ///
            /// There are `MOST + 1` bins however many edges are given; those without edges of their own stay empty.
            ///
            /// # Panics
            ///
            /// If there are no edges, or more than `MOST`.
            #[track_caller]
            pub fn bins_up_to<const MOST: usize, Other>(
                self,
                edges: impl IntoIterator<Item = Other>,
            ) -> $crate::expr::methods::Fits!(Edge<Other>, Bins<Self, Other, MOST>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Edge<Other>,
                Other: Copy,
            {
                $crate::expr::Bins::up_to(self, edges).into()
            }

            /// The index of the nearest of public centres; the first of equally near ones.
            pub fn nearest<const DIM: usize, const COUNT: usize>(
                self,
                centres: [[f64; DIM]; COUNT],
            ) -> $crate::expr::Nearest<Self, DIM, COUNT>
            where
                Self: $crate::expr::Expr<Kind = $crate::expr::Vector<DIM>>,
            {
                $crate::expr::Nearest::new(self, centres)
            }

            /// The scalar product of the vector with public weights.
            pub fn dot<const DIM: usize>(self, weights: [f64; DIM]) -> $crate::expr::Dot<Self, DIM>
            where
                Self: $crate::expr::Expr<Kind = $crate::expr::Vector<DIM>>,
            {
                $crate::expr::Dot(self, weights)
            }

            /// The logistic curve 1/(1 + e^−x) of a real.
            pub fn logistic(self) -> $crate::expr::Logistic<Self>
            where
                Self: $crate::expr::Expr<Kind = $crate::expr::Real>,
            {
                $crate::expr::Logistic(self)
            }

            /// The vector times a real of the same row.
            pub fn scaled<Other>(self, by: Other) -> $crate::expr::methods::Fits!(AnyVector, Scaled<Self, Other::Expr>)
            where
                Other: $crate::expr::Operand<Row>,
                Other::Expr: $crate::expr::Expr<Kind = $crate::expr::Real>,
                $crate::expr::KindOf<Self>: $crate::expr::AnyVector,
            {
                $crate::expr::Scaled(self, by.expr()).into()
            }

            /// The vector, scaled down where its L1 norm exceeds `NORM` units.
            pub fn clip_l1<const NORM: u32>(self) -> $crate::expr::methods::Fits!(VectorKind, ClipL1<Self, NORM>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::VectorKind,
            {
                $crate::expr::ClipL1(self).into()
            }

            /// The vector, scaled down where its Euclidean norm exceeds `NORM` units.
            pub fn clip_l2<const NORM: u32>(self) -> $crate::expr::methods::Fits!(VectorKind, ClipL2<Self, NORM>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::VectorKind,
            {
                $crate::expr::ClipL2(self).into()
            }

            /// Public bounds, in units: values outside become the nearer bound, NaN the lower.
            ///
            /// Reals are rounded to the grid given before by `grid`. Without one, the bounds choose the
            /// finest power of ten on which the larger of them is at most 10^6 steps: millionths for
            /// `clamp::<0, 1>()`, hundredths for `clamp::<0, 10_000>()`. As a key (of a histogram, a median, a
            /// choice) a real without a grid is rounded to whole units, since its cells are its answers:
            /// `clamp::<0, 1>()` then has two. `grid::<100>()` before it makes them hundredths. `explain` says
            /// `grid(bill, 1)` for whole units.
            pub fn clamp<const LOW: i64, const HIGH: i64>(self) -> $crate::expr::methods::Fits!(Clampable, Clamp<Self, LOW, HIGH>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Clampable,
            {
                let () = $crate::expr::Clamp::<Self, LOW, HIGH>::FITS;
                $crate::expr::Clamp::new(self).into()
            }

            /// Counts a real in steps of `1/STEPS` once it is clamped: `grid::<100>()` is hundredths.
            pub fn grid<const STEPS: u32>(self) -> $crate::expr::methods::Fits!(OnGrid, Grid<Self, STEPS>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::OnGrid,
            {
                let () = $crate::expr::Grid::<Self, STEPS>::FITS;
                $crate::expr::Grid::new(self).into()
            }

            /// The value, or `default` where it is missing.
            pub fn or<Other>(self, default: Other) -> <$crate::expr::KindOf<Other::Expr> as $crate::expr::DefaultOf<$crate::expr::KindOf<Self>>>::Then<$crate::expr::OrElse<Self, Other::Expr>>
            where
                Other: $crate::expr::Operand<Row>,
                $crate::expr::KindOf<Other::Expr>: $crate::expr::DefaultOf<$crate::expr::KindOf<Self>>,
            {
                $crate::expr::OrElse(self, default.expr()).into()
            }

            /// Whether the value is missing.
            pub fn is_null(self) -> $crate::expr::methods::Fits!(Missing, IsNull<Self>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Missing,
            {
                $crate::expr::IsNull(self).into()
            }

            /// Whether a condition that may be missing is there and holds.
            pub fn is_true(self) -> $crate::expr::IsTrue<Self>
            where
                Self: $crate::expr::Expr<Kind = $crate::expr::Nullable<$crate::expr::Bool>>,
            {
                $crate::expr::IsTrue(self)
            }

            /// A condition as a number: 1 where it holds, else 0.
            pub fn number(self) -> $crate::expr::methods::Fits!(IsCondition, Number<Self>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::IsCondition,
            {
                $crate::expr::Number(self).into()
            }

            /// The expression without its type, so that one of several can be chosen at run time.
            ///
            /// # Panics
            ///
            /// If it is larger than a query may be: see [`MAX_NODES`]($crate::expr::MAX_NODES).
            pub fn boxed(self) -> $crate::expr::methods::Fits!(Boxable, Boxed<Row, $crate::expr::KindOf<Self>>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Boxable,
            {
                $crate::expr::Boxed::new(self).into()
            }

            /// A whole number or a decimal as a real, in units.
            pub fn real(self) -> $crate::expr::methods::Fits!(AsReal, RealOf<Self>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::AsReal,
            {
                $crate::expr::RealOf(self).into()
            }

            /// The square, with its exact bounds.
            pub fn square(self) -> $crate::expr::methods::Fits!(Summand, Square<Self>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Summand,
            {
                $crate::expr::Square(self).into()
            }

            /// `BY` units more, with exact bounds.
            pub fn plus<const BY: i64>(self) -> $crate::expr::methods::Fits!(Summand, Plus<Self, BY>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Summand,
            {
                $crate::expr::Plus(self).into()
            }

            /// `BY` times the value, with exact bounds.
            pub fn times<const BY: i64>(self) -> $crate::expr::methods::Fits!(Summand, Times<Self, BY>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Summand,
            {
                $crate::expr::Times(self).into()
            }

            /// The year of a date or a time.
            pub fn year(self) -> $crate::expr::methods::Fits!(Dated, PartOf<Self, $crate::expr::YearPart>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Dated,
            {
                $crate::expr::PartOf::new(self).into()
            }

            /// The month, 1 to 12: a bounded number, and a key of 12 cells.
            pub fn month(self) -> $crate::expr::methods::Fits!(Dated, PartOf<Self, $crate::expr::MonthPart>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Dated,
            {
                $crate::expr::PartOf::new(self).into()
            }

            /// The day of the month, 1 to 31.
            pub fn day(self) -> $crate::expr::methods::Fits!(Dated, PartOf<Self, $crate::expr::DayPart>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Dated,
            {
                $crate::expr::PartOf::new(self).into()
            }

            /// The day of the week: 1 is Monday, 7 is Sunday.
            pub fn weekday(self) -> $crate::expr::methods::Fits!(Dated, PartOf<Self, $crate::expr::WeekdayPart>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Dated,
            {
                $crate::expr::PartOf::new(self).into()
            }

            /// The hour of a time, 0 to 23.
            pub fn hour(self) -> $crate::expr::methods::Fits!(Timed, PartOf<Self, $crate::expr::HourPart>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Timed,
            {
                $crate::expr::PartOf::new(self).into()
            }

            /// The minute of a time, 0 to 59.
            pub fn minute(self) -> $crate::expr::methods::Fits!(Timed, PartOf<Self, $crate::expr::MinutePart>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Timed,
            {
                $crate::expr::PartOf::new(self).into()
            }

            /// The date of a time.
            pub fn date(self) -> $crate::expr::methods::Fits!(Timed, DateOf<Self>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Timed,
            {
                $crate::expr::DateOf(self).into()
            }

            /// How many days this date is after another one: negative if it is before.
            pub fn days_since<Other>(self, other: Other) -> <$crate::expr::KindOf<Other::Expr> as $crate::expr::DaysAfter<$crate::expr::KindOf<Self>>>::Then<$crate::expr::DaysSince<Self, Other::Expr>>
            where
                Other: $crate::expr::Operand<Row>,
                $crate::expr::KindOf<Other::Expr>: $crate::expr::DaysAfter<$crate::expr::KindOf<Self>>,
            {
                $crate::expr::DaysSince(self, other.expr()).into()
            }

            /// A whole number divided by the positive constant `BY`, rounded down: −1 divided by 10 is −1.
            pub fn divide<const BY: i64>(self) -> $crate::expr::methods::Fits!(WholeNumber, Divide<Self, BY>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::WholeNumber,
            {
                $crate::expr::Divide(self).into()
            }

            /// What remains of a whole number divided by the positive constant `BY`: 0 to `BY` − 1.
            pub fn remainder<const BY: i64>(self) -> $crate::expr::methods::Fits!(WholeNumber, Remainder<Self, BY>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::WholeNumber,
            {
                $crate::expr::Remainder(self).into()
            }

            /// Whether a text begins with a public one, of at most 16 bytes.
            ///
            /// # Panics
            ///
            /// If it is longer.
            #[track_caller]
            pub fn starts_with(self, prefix: &str) -> $crate::expr::methods::Fits!(Textual, StartsWith<Self>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Textual,
            {
                $crate::expr::StartsWith::new(self, prefix).into()
            }

            /// How many bytes a text has.
            pub fn length(self) -> $crate::expr::methods::Fits!(Textual, Length<Self>)
            where
                $crate::expr::KindOf<Self>: $crate::expr::Textual,
            {
                $crate::expr::Length(self).into()
            }
        }

        $crate::expr::methods::logic!([$($g)*] $t where [$($w)*]; BitAnd bitand And);
        $crate::expr::methods::logic!([$($g)*] $t where [$($w)*]; BitOr bitor Or);
        $crate::expr::methods::arithmetic!([$($g)*] $t where [$($w)*]; Add add);
        $crate::expr::methods::arithmetic!([$($g)*] $t where [$($w)*]; Sub sub);
        $crate::expr::methods::arithmetic!([$($g)*] $t where [$($w)*]; Mul mul);
        $crate::expr::methods::constant_first!([$($g)*] $t where [$($w)*]; Add add Sub sub Mul mul);

        impl<$($g)*> core::ops::Neg for $t
        where
            Self: $crate::expr::Expr<Kind: $crate::expr::Summand>,
            $($w)*
        {
            type Output = $crate::expr::Times<Self, -1>;
            fn neg(self) -> Self::Output {
                $crate::expr::Times(self)
            }
        }

        impl<$($g)*> core::ops::Not for $t
        where
            Self: $crate::expr::Expr<Kind: $crate::expr::IsCondition>,
            $($w)*
        {
            type Output = $crate::expr::Not<Self>;
            fn not(self) -> Self::Output {
                $crate::expr::Not(self)
            }
        }
    };
}

macro_rules! comparison {
    ($($(#[$doc:meta])* $method:ident $sign:ident $bound:ident;)*) => {$(
        $(#[$doc])*
        pub fn $method<Other>(
            self,
            other: Other,
        ) -> <$crate::expr::KindOf<Other::Expr> as $crate::expr::$bound<$crate::expr::KindOf<Self>>>::Then<
            $crate::expr::Compare<Self, $crate::expr::$sign, Other::Expr>,
        >
        where
            Other: $crate::expr::Operand<Row>,
            $crate::expr::KindOf<Other::Expr>: $crate::expr::$bound<$crate::expr::KindOf<Self>>,
        {
            $crate::expr::Compare::new(self, other.expr()).into()
        }
    )*};
}

macro_rules! logic {
    ([$($g:tt)*] $t:ty where [$($w:tt)*]; $op:ident $method:ident $node:ident) => {
        impl<$($g)*, Rhs> core::ops::$op<Rhs> for $t
        where
            Rhs: $crate::expr::Operand<$crate::expr::RowOf<Self>>,
            $crate::expr::KindOf<Rhs::Expr>: $crate::expr::IsCondition,
            Self: $crate::expr::Expr<Kind: $crate::expr::IsCondition>,
            $($w)*
        {
            type Output = <$crate::expr::KindOf<Rhs::Expr> as $crate::expr::IsCondition>::Then<
                $crate::expr::$node<Self, Rhs::Expr>,
            >;
            fn $method(self, other: Rhs) -> Self::Output {
                $crate::expr::$node(self, other.expr()).into()
            }
        }
    };
}

macro_rules! arithmetic {
    ([$($g:tt)*] $t:ty where [$($w:tt)*]; $op:ident $method:ident) => {
        impl<$($g)*, Rhs, Row> core::ops::$op<Rhs> for $t
        where
            Self: $crate::expr::Expr<Row = Row>,
            Row: $crate::Record,
            Rhs: $crate::expr::Operand<Row>,
            $crate::expr::KindOf<Self>:
                $crate::expr::Arithmetic<$crate::expr::KindOf<Rhs::Expr>>,
            $($w)*
        {
            type Output = <$crate::expr::KindOf<Self> as $crate::expr::Arithmetic<
                $crate::expr::KindOf<Rhs::Expr>,
            >>::Then<$crate::expr::$op<Self, Rhs::Expr>>;
            fn $method(self, other: Rhs) -> Self::Output {
                $crate::expr::$op(self, other.expr()).into()
            }
        }
    };
}

/// A constant on the left: `100 - p.age`.
macro_rules! constant_first {
    ($g:tt $t:ty where $w:tt; $($op:ident $method:ident)*) => {$(
        $crate::expr::methods::constant_first!(@one $g $t where $w; $op $method i64);
        $crate::expr::methods::constant_first!(@one $g $t where $w; $op $method f64);
    )*};
    (@one [$($g:tt)*] $t:ty where [$($w:tt)*]; $op:ident $method:ident $constant:ty) => {
        impl<$($g)*> core::ops::$op<$t> for $constant
        where
            $t: $crate::expr::Expr,
            $crate::expr::ConstantKind<$constant, $t>:
                $crate::expr::Arithmetic<$crate::expr::KindOf<$t>>,
            $($w)*
        {
            type Output = <$crate::expr::ConstantKind<$constant, $t> as $crate::expr::Arithmetic<
                $crate::expr::KindOf<$t>,
            >>::Then<$crate::expr::$op<$crate::expr::ConstantOf<$constant, $t>, $t>>;
            fn $method(self, other: $t) -> Self::Output {
                let constant = $crate::expr::Operand::<$crate::expr::RowOf<$t>>::expr(self);
                $crate::expr::$op(constant, other).into()
            }
        }
    };
}

pub(crate) use {Fits, arithmetic, comparison, constant_first, logic, methods};
