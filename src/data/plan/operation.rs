//! The operations of a plan: one table with their spelling and their number of arguments.

use core::fmt;

/// How an operation is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Between its arguments, or before its only one.
    Sign,
    /// Before its arguments, in parentheses.
    Call,
}

macro_rules! operations {
    ($($(#[$doc:meta])* $code:literal $name:ident $spelling:literal $form:ident $least:literal..=$most:literal;)*) => {
        /// What a [`Term`](super::Term) does with its arguments. Each operation has a value on every
        /// row, whatever the arguments are; [`expr`](crate::expr) lists what the edge cases mean.
        ///
        /// Operations are constants and not variants: rustc shortens a path in a compile error only if
        /// no other item, variants included, has its last name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct Operation(u8);

        #[allow(non_upper_case_globals)]
        impl Operation {
            $($(#[$doc])* pub const $name: Operation = Operation($code);)*

            /// All operations.
            pub const ALL: &'static [Operation] = &[$(Operation::$name),*];

            /// How it reads.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self.0 {
                    $($code => $spelling,)*
                    _ => unreachable!(),
                }
            }

            /// The fewest and the most arguments it takes.
            #[must_use]
            pub const fn arity(self) -> (usize, usize) {
                match self.0 {
                    $($code => ($least, $most),)*
                    _ => unreachable!(),
                }
            }

            pub(super) const fn form(self) -> Form {
                match self.0 {
                    $($code => Form::$form,)*
                    _ => unreachable!(),
                }
            }

            /// Its number in an encoded plan. A number is never used for another operation.
            pub(super) const fn code(self) -> u8 {
                self.0
            }

            pub(super) const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Operation::$name),)*
                    _ => None,
                }
            }
        }
    };
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

operations! {
    /// The first is greater.
    1 Greater ">" Sign 2..=2;
    /// The first is greater or equal.
    2 AtLeast ">=" Sign 2..=2;
    /// The first is less.
    3 Less "<" Sign 2..=2;
    /// The first is less or equal.
    4 AtMost "<=" Sign 2..=2;
    /// Both are equal.
    5 Equal "==" Sign 2..=2;
    /// They are not equal.
    6 NotEqual "!=" Sign 2..=2;
    /// The first is in the list.
    7 OneOf "in" Sign 2..=2;
    /// Both hold.
    8 And "&" Sign 2..=2;
    /// At least one holds.
    9 Or "|" Sign 2..=2;
    /// It does not hold.
    10 Not "!" Sign 1..=1;
    /// Their sum, on the common grid.
    11 Add "+" Sign 2..=2;
    /// Their difference, on the common grid.
    12 Subtract "-" Sign 2..=2;
    /// Their product; its grid is the product of theirs.
    13 Multiply "*" Sign 2..=2;
    /// The number, not below the first bound and not above the second, in units.
    20 Clamp "clamp" Call 3..=3;
    /// The real, to be counted in steps of one over the second argument.
    21 Grid "grid" Call 2..=2;
    /// The square.
    22 Square "square" Call 1..=1;
    /// The number plus a constant, in units.
    23 Plus "plus" Call 2..=2;
    /// The number times a constant.
    24 Times "times" Call 2..=2;
    /// The whole number as a real.
    25 Real "real" Call 1..=1;
    /// 1 where the condition holds, else 0.
    26 Number "number" Call 1..=1;
    /// Whether the value is missing.
    27 IsNull "is_null" Call 1..=1;
    /// The value, or the second argument where it is missing.
    28 OrElse "or" Call 2..=2;
    /// Whether the condition is there and holds.
    29 IsTrue "is_true" Call 1..=1;
    /// How many of the edges the number reaches.
    30 Bins "bins" Call 2..=2;
    /// The place of the value in the list; the length of the list if it is not there.
    31 Keys "keys" Call 2..=2;
    /// The place of the nearest centre.
    32 Nearest "nearest" Call 2..=2;
    /// The scalar product with public weights.
    33 Dot "dot" Call 2..=2;
    /// The logistic curve.
    34 Logistic "logistic" Call 1..=1;
    /// The vector times a real of the same row.
    35 Scaled "scaled" Call 2..=2;
    /// The vector, clipped in the L1 norm.
    36 ClipL1 "clip_l1" Call 2..=2;
    /// The vector, clipped in the Euclidean norm.
    37 ClipL2 "clip_l2" Call 2..=2;
    /// Whether the row is among the first K of its person, in the person's random order.
    38 First "first" Call 2..=2;
    /// The whole number divided by a positive constant, rounded down.
    39 Divide "divide" Call 2..=2;
    /// What remains of it: from 0 to one less than the constant.
    40 Remainder "remainder" Call 2..=2;
    /// The year of a date or a time.
    41 Year "year" Call 1..=1;
    /// The month, 1 to 12.
    42 Month "month" Call 1..=1;
    /// The day of the month, 1 to 31.
    43 Day "day" Call 1..=1;
    /// The day of the week, 1 for Monday to 7.
    44 Weekday "weekday" Call 1..=1;
    /// The hour of a time, 0 to 23.
    45 Hour "hour" Call 1..=1;
    /// The minute of a time, 0 to 59.
    46 Minute "minute" Call 1..=1;
    /// The date of a time.
    47 DateOf "date" Call 1..=1;
    /// How many days the first date is after the second.
    48 DaysSince "days_since" Call 2..=2;
    /// Whether the text begins with a public one.
    49 StartsWith "starts_with" Call 2..=2;
    /// How many bytes the text has.
    50 Length "length" Call 1..=1;
    /// The vector whose coordinates are in the list.
    51 Vector "vector" Call 1..=1;
    /// What a public table says of the value: its keys, then its values.
    52 LookUp "look_up" Call 3..=3;
    /// The place of the value in the list; the third argument if it is not there.
    53 KeysUpTo "keys_up_to" Call 3..=3;
    /// The real, not below the first bound and not above the second, over the larger of them in absolute value.
    54 Between "between" Call 3..=3;
    /// The last argument of a query: the condition on its rows.
    60 Where "where" Call 1..=1;
    /// Query: how many rows.
    61 Count "count" Call 0..=1;
    /// Query: the sum of a bounded expression.
    62 Sum "sum" Call 1..=2;
    /// Query: how many rows have each key.
    63 Histogram "histogram" Call 1..=2;
    /// Query: the sum of clipped vectors.
    64 VectorSum "vector_sum" Call 1..=2;
    /// Query: the sum of clipped vectors for each key.
    65 VectorSums "vector_sums" Call 2..=3;
    /// Query: a sum, and the public number of rows.
    66 Mean "mean" Call 1..=1;
    /// Query: a sum, a sum of squares, and the public number of rows.
    67 Variance "variance" Call 1..=1;
    /// Query: how many keys of a histogram occur.
    68 Distinct "distinct" Call 1..=1;
    /// Query: a histogram, to be added up.
    69 Cumulative "cumulative" Call 1..=1;
    /// Query: how many rows have each text of a column.
    70 FrequentKeys "frequent_keys" Call 1..=2;
    /// The rows, divided by keys.
    71 GroupBy "group_by" Call 1..=2;
    /// Query: the second, asked of each block of the rows that the first divides.
    72 Each "each" Call 2..=2;
    /// Whether the row is in a block of the rows that the first divides, by the block's place.
    73 InBlock "in_block" Call 2..=2;
    /// Whether the row is among the first K of its person on which the condition holds, in the
    /// person's random order.
    80 FirstAmong "first_among" Call 2..=3;
    /// Whether the row is among the first K of its person in each of M blocks by a key, of those on which
    /// the condition holds, in the person's random order.
    81 FirstInEach "first_in_each" Call 4..=5;
    /// Query: how many rows have all values of the first list, and the sums of the products in the second, which
    /// names places in the first.
    90 Moments "moments" Call 2..=3;
}
