//! The orders at which concentrated privacy is turned into (ε, δ), and the logarithms that choose one.
//!
//! Tables only: `convert` has what is done with them, and its tests compare every entry with a logarithm computed there.

use super::Fraction;
use super::convert::{ByGain, ByRatio, Entry, Level10, Log, LogRow, Logarithm, Row, Rows, Valued};
use super::digits::*;
use super::natural::{Natural, list};
use super::table::N;

/// Every entry as values: what leads to an order, the digits of its unit, then g, g(1 + g) and h(g).
pub static ORDERS: [(u128, u32, u128, u128, u128); 330] = values();

macro_rules! orders {
    ($($o:ident [$($q:ident)*] $u:ident [$($t:ident)*] [$($v:ident)*] [$($h:ident)*];)*) => {
        $(
            /// An entry of the table.
            pub struct $o;
            impl Entry for $o {
                type G = list!($($t)*);
                type Square = list!($($v)*);
                type Gain = list!($($h)*);
                type Choose<
                    E: ?Sized + Fraction,
                    R: ?Sized + Fraction,
                    Y: ?Sized + Natural,
                    X: ?Sized + Natural,
                    J: ?Sized + Level10,
                > = ByRatio<E, R, Y, list!($($q)*), X, J>;
                type Judge<E: ?Sized + Fraction, R: ?Sized + Fraction, L: ?Sized + Natural> =
                    ByGain<Self, E, R, L, list!($($h)*)>;
                orders! { @ $u }
            }
        )*
        const fn values() -> [(u128, u32, u128, u128, u128); 330] {
            [$((
                <list!($($q)*) as Valued>::VALUE,
                <$o as Entry>::PLACES,
                <$o as Entry>::G::VALUE,
                <$o as Entry>::Square::VALUE,
                <$o as Entry>::Gain::VALUE,
            )),*]
        }
    };
    (@ Thousandth) => {
        type Unit<X: ?Sized + Natural> = X;
        const PLACES: u32 = 3;
    };
    (@ Fine) => {
        type Unit<X: ?Sized + Natural> = <X::Push<D0> as Natural>::Push<D0>;
        const PLACES: u32 = 5;
    };
}

// Entry n: 20 lg q + 20 for a key of n (see `Chosen`), then the order with 20 lg g² + 100 = n: its unit, which is 10^-3 or
// 10^-5; g; g(1 + g), from above; and h(g) = ln(1 + g) + g ln(1 + 1/g) in thousandths, from below.
orders! {
    O0 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O1 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O2 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O3 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O4 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O5 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O6 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O7 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O8 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O9 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O10 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O11 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O12 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O13 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O14 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O15 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O16 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O17 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O18 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O19 [] Fine [D1 D0 D0 D0] [D1 D0 D1 D0] [D5 D6];
    O20 [] Fine [D1 D0 D2 D0] [D1 D0 D3 D1] [D5 D7];
    O21 [] Fine [D1 D0 D8 D0] [D1 D0 D9 D2] [D5 D9];
    O22 [] Fine [D1 D1 D4 D0] [D1 D1 D5 D3] [D6 D2];
    O23 [] Fine [D1 D2 D1 D0] [D1 D2 D2 D5] [D6 D5];
    O24 [] Fine [D1 D2 D8 D0] [D1 D2 D9 D7] [D6 D8];
    O25 [] Fine [D1 D3 D6 D0] [D1 D3 D7 D9] [D7 D2];
    O26 [] Fine [D1 D4 D4 D0] [D1 D4 D6 D1] [D7 D5];
    O27 [] Fine [D1 D5 D3 D0] [D1 D5 D5 D4] [D7 D9];
    O28 [] Fine [D1 D6 D2 D0] [D1 D6 D4 D7] [D8 D3];
    O29 [] Fine [D1 D7 D1 D0] [D1 D7 D4 D0] [D8 D6];
    O30 [] Fine [D1 D8 D1 D0] [D1 D8 D4 D3] [D9 D0];
    O31 [] Fine [D1 D9 D2 D0] [D1 D9 D5 D7] [D9 D5];
    O32 [] Fine [D2 D0 D4 D0] [D2 D0 D8 D2] [D1 D0 D0];
    O33 [] Fine [D2 D1 D6 D0] [D2 D2 D0 D7] [D1 D0 D4];
    O34 [] Fine [D2 D2 D8 D0] [D2 D3 D3 D2] [D1 D0 D9];
    O35 [] Fine [D2 D4 D2 D0] [D2 D4 D7 D9] [D1 D1 D4];
    O36 [] Fine [D2 D5 D6 D0] [D2 D6 D2 D6] [D1 D1 D9];
    O37 [] Fine [D2 D7 D1 D0] [D2 D7 D8 D4] [D1 D2 D5];
    O38 [] Fine [D2 D8 D8 D0] [D2 D9 D6 D3] [D1 D3 D1];
    O39 [] Fine [D3 D0 D5 D0] [D3 D1 D4 D4] [D1 D3 D7];
    O40 [D1] Fine [D3 D2 D3 D0] [D3 D3 D3 D5] [D1 D4 D3];
    O41 [D5] Fine [D3 D4 D2 D0] [D3 D5 D3 D7] [D1 D5 D0];
    O42 [D8] Fine [D3 D6 D2 D0] [D3 D7 D5 D2] [D1 D5 D6];
    O43 [D1 D1] Fine [D3 D8 D3 D0] [D3 D9 D7 D7] [D1 D6 D3];
    O44 [D1 D4] Fine [D4 D0 D6 D0] [D4 D2 D2 D5] [D1 D7 D1];
    O45 [D1 D5] Fine [D4 D3 D0 D0] [D4 D4 D8 D5] [D1 D7 D9];
    O46 [D1 D8] Fine [D4 D5 D6 D0] [D4 D7 D6 D8] [D1 D8 D7];
    O47 [D2 D0] Fine [D4 D8 D3 D0] [D5 D0 D6 D4] [D1 D9 D5];
    O48 [D2 D1] Fine [D5 D1 D1 D0] [D5 D3 D7 D2] [D2 D0 D4];
    O49 [D2 D2] Fine [D5 D4 D2 D0] [D5 D7 D1 D4] [D2 D1 D3];
    O50 [D2 D4] Fine [D5 D7 D4 D0] [D6 D0 D7 D0] [D2 D2 D3];
    O51 [D2 D5] Fine [D6 D0 D8 D0] [D6 D4 D5 D0] [D2 D3 D2];
    O52 [D2 D6] Fine [D6 D4 D4 D0] [D6 D8 D5 D5] [D2 D4 D3];
    O53 [D2 D7] Fine [D6 D8 D2 D0] [D7 D2 D8 D6] [D2 D5 D3];
    O54 [D2 D7] Fine [D7 D2 D2 D0] [D7 D7 D4 D2] [D2 D6 D4];
    O55 [D2 D8] Fine [D7 D6 D5 D0] [D8 D2 D3 D6] [D2 D7 D5];
    O56 [D2 D9] Fine [D8 D1 D0 D0] [D8 D7 D5 D7] [D2 D8 D7];
    O57 [D3 D0] Fine [D8 D5 D9 D0] [D9 D3 D2 D8] [D3 D0 D0];
    O58 [D3 D0] Fine [D9 D0 D9 D0] [D9 D9 D1 D7] [D3 D1 D2];
    O59 [D3 D1] Fine [D9 D6 D3 D0] [D1 D0 D5 D6 D0] [D3 D2 D6];
    O60 [D3 D1] Fine [D1 D0 D2 D0 D0] [D1 D1 D2 D5 D0] [D3 D3 D9];
    O61 [D3 D2] Fine [D1 D0 D8 D0 D0] [D1 D1 D9 D7 D0] [D3 D5 D4];
    O62 [D3 D3] Fine [D1 D1 D4 D0 D0] [D1 D2 D7 D0 D0] [D3 D6 D7];
    O63 [D3 D3] Fine [D1 D2 D1 D0 D0] [D1 D3 D5 D7 D0] [D3 D8 D3];
    O64 [D3 D3] Fine [D1 D2 D8 D0 D0] [D1 D4 D4 D4 D0] [D3 D9 D8];
    O65 [D3 D4] Fine [D1 D3 D6 D0 D0] [D1 D5 D4 D5 D0] [D4 D1 D6];
    O66 [D3 D4] Fine [D1 D4 D4 D0 D0] [D1 D6 D4 D8 D0] [D4 D3 D2];
    O67 [D3 D5] Fine [D1 D5 D3 D0 D0] [D1 D7 D6 D5 D0] [D4 D5 D1];
    O68 [D3 D5] Fine [D1 D6 D2 D0 D0] [D1 D8 D8 D3 D0] [D4 D6 D9];
    O69 [D3 D6] Fine [D1 D7 D1 D0 D0] [D2 D0 D0 D3 D0] [D4 D8 D6];
    O70 [D3 D6] Fine [D1 D8 D1 D0 D0] [D2 D1 D3 D8 D0] [D5 D0 D5];
    O71 [D3 D6] Fine [D1 D9 D2 D0 D0] [D2 D2 D8 D9 D0] [D5 D2 D6];
    O72 [D3 D7] Fine [D2 D0 D4 D0 D0] [D2 D4 D5 D7 D0] [D5 D4 D7];
    O73 [D3 D7] Fine [D2 D1 D6 D0 D0] [D2 D6 D2 D7 D0] [D5 D6 D8];
    O74 [D3 D7] Fine [D2 D2 D8 D0 D0] [D2 D8 D0 D0 D0] [D5 D8 D9];
    O75 [D3 D8] Fine [D2 D4 D2 D0 D0] [D3 D0 D0 D6 D0] [D6 D1 D2];
    O76 [D3 D8] Fine [D2 D5 D6 D0 D0] [D3 D2 D1 D6 D0] [D6 D3 D5];
    O77 [D3 D8] Fine [D2 D7 D1 D0 D0] [D3 D4 D4 D5 D0] [D6 D5 D8];
    O78 [D3 D9] Fine [D2 D8 D8 D0 D0] [D3 D7 D1 D0 D0] [D6 D8 D4];
    O79 [D3 D9] Fine [D3 D0 D5 D0 D0] [D3 D9 D8 D1 D0] [D7 D0 D9];
    O80 [D3 D9] Fine [D3 D2 D3 D0 D0] [D4 D2 D7 D4 D0] [D7 D3 D5];
    O81 [D3 D9] Fine [D3 D4 D2 D0 D0] [D4 D5 D9 D0 D0] [D7 D6 D1];
    O82 [D4 D0] Fine [D3 D6 D2 D0 D0] [D4 D9 D3 D1 D0] [D7 D8 D8];
    O83 [D4 D0] Fine [D3 D8 D3 D0 D0] [D5 D2 D9 D7 D0] [D8 D1 D6];
    O84 [D4 D0] Fine [D4 D0 D6 D0 D0] [D5 D7 D0 D9 D0] [D8 D4 D5];
    O85 [D4 D0] Fine [D4 D3 D0 D0 D0] [D6 D1 D4 D9 D0] [D8 D7 D4];
    O86 [D4 D1] Fine [D4 D5 D6 D0 D0] [D6 D6 D4 D0 D0] [D9 D0 D5];
    O87 [D4 D1] Fine [D4 D8 D3 D0 D0] [D7 D1 D6 D3 D0] [D9 D3 D5];
    O88 [D4 D1] Fine [D5 D1 D1 D0 D0] [D7 D7 D2 D2 D0] [D9 D6 D6];
    O89 [D4 D1] Fine [D5 D4 D2 D0 D0] [D8 D3 D5 D8 D0] [D9 D9 D9];
    O90 [D4 D1] Fine [D5 D7 D4 D0 D0] [D9 D0 D3 D5 D0] [D1 D0 D3 D2];
    O91 [D4 D2] Fine [D6 D0 D8 D0 D0] [D9 D7 D7 D7 D0] [D1 D0 D6 D6];
    O92 [D4 D2] Fine [D6 D4 D4 D0 D0] [D1 D0 D5 D9 D0 D0] [D1 D1 D0 D0];
    O93 [D4 D2] Fine [D6 D8 D2 D0 D0] [D1 D1 D4 D8 D0 D0] [D1 D1 D3 D5];
    O94 [D4 D2] Fine [D7 D2 D2 D0 D0] [D1 D2 D4 D4 D0 D0] [D1 D1 D7 D1];
    O95 [D4 D2] Fine [D7 D6 D5 D0 D0] [D1 D3 D5 D1 D0 D0] [D1 D2 D0 D7];
    O96 [D4 D3] Fine [D8 D1 D0 D0 D0] [D1 D4 D6 D7 D0 D0] [D1 D2 D4 D4];
    O97 [D4 D3] Fine [D8 D5 D9 D0 D0] [D1 D5 D9 D7 D0 D0] [D1 D2 D8 D3];
    O98 [D4 D3] Fine [D9 D0 D9 D0 D0] [D1 D7 D3 D6 D0 D0] [D1 D3 D2 D1];
    O99 [D4 D3] Fine [D9 D6 D3 D0 D0] [D1 D8 D9 D1 D0 D0] [D1 D3 D6 D0];
    O100 [D4 D3] Thousandth [D1 D0 D2 D0] [D2 D0 D6 D1] [D1 D4 D0 D0];
    O101 [D4 D3] Thousandth [D1 D0 D8 D0] [D2 D2 D4 D7] [D1 D4 D4 D0];
    O102 [D4 D3] Thousandth [D1 D1 D4 D0] [D2 D4 D4 D0] [D1 D4 D7 D8];
    O103 [D4 D4] Thousandth [D1 D2 D1 D0] [D2 D6 D7 D5] [D1 D5 D2 D1];
    O104 [D4 D4] Thousandth [D1 D2 D8 D0] [D2 D9 D1 D9] [D1 D5 D6 D3];
    O105 [D4 D4] Thousandth [D1 D3 D6 D0] [D3 D2 D1 D0] [D1 D6 D0 D8];
    O106 [D4 D4] Thousandth [D1 D4 D4 D0] [D3 D5 D1 D4] [D1 D6 D5 D1];
    O107 [D4 D4] Thousandth [D1 D5 D3 D0] [D3 D8 D7 D1] [D1 D6 D9 D7];
    O108 [D4 D4] Thousandth [D1 D6 D2 D0] [D4 D2 D4 D5] [D1 D7 D4 D1];
    O109 [D4 D5] Thousandth [D1 D7 D1 D0] [D4 D6 D3 D5] [D1 D7 D8 D4];
    O110 [D4 D5] Thousandth [D1 D8 D1 D0] [D5 D0 D8 D7] [D1 D8 D2 D9];
    O111 [D4 D5] Thousandth [D1 D9 D2 D0] [D5 D6 D0 D7] [D1 D8 D7 D6];
    O112 [D4 D5] Thousandth [D2 D0 D4 D0] [D6 D2 D0 D2] [D1 D9 D2 D5];
    O113 [D4 D5] Thousandth [D2 D1 D6 D0] [D6 D8 D2 D6] [D1 D9 D7 D2];
    O114 [D4 D5] Thousandth [D2 D2 D8 D0] [D7 D4 D7 D9] [D2 D0 D1 D7];
    O115 [D4 D6] Thousandth [D2 D4 D2 D0] [D8 D2 D7 D7] [D2 D0 D6 D6];
    O116 [D4 D5] Thousandth [D2 D5 D6 D0] [D9 D1 D1 D4] [D2 D1 D1 D3];
    O117 [D4 D6] Thousandth [D2 D7 D1 D0] [D1 D0 D0 D6 D0] [D2 D1 D6 D2];
    O118 [D4 D6] Thousandth [D2 D8 D8 D0] [D1 D1 D1 D8 D0] [D2 D2 D1 D4];
    O119 [D4 D6] Thousandth [D3 D0 D5 D0] [D1 D2 D3 D6 D0] [D2 D2 D6 D3];
    O120 [D4 D6] Thousandth [D3 D2 D3 D0] [D1 D3 D6 D7 D0] [D2 D3 D1 D3];
    O121 [D4 D6] Thousandth [D3 D4 D2 D0] [D1 D5 D1 D2 D0] [D2 D3 D6 D3];
    O122 [D4 D6] Thousandth [D3 D6 D2 D0] [D1 D6 D7 D3 D0] [D2 D4 D1 D3];
    O123 [D4 D7] Thousandth [D3 D8 D3 D0] [D1 D8 D5 D0 D0] [D2 D4 D6 D3];
    O124 [D4 D7] Thousandth [D4 D0 D6 D0] [D2 D0 D5 D5 D0] [D2 D5 D1 D5];
    O125 [D4 D7] Thousandth [D4 D3 D0 D0] [D2 D2 D7 D9 D0] [D2 D5 D6 D6];
    O126 [D4 D7] Thousandth [D4 D5 D6 D0] [D2 D5 D3 D6 D0] [D2 D6 D1 D9];
    O127 [D4 D7] Thousandth [D4 D8 D3 D0] [D2 D8 D1 D6 D0] [D2 D6 D7 D1];
    O128 [D4 D7] Thousandth [D5 D1 D1 D0] [D3 D1 D2 D3 D0] [D2 D7 D2 D3];
    O129 [D4 D7] Thousandth [D5 D4 D2 D0] [D3 D4 D8 D0 D0] [D2 D7 D7 D7];
    O130 [D4 D7] Thousandth [D5 D7 D4 D0] [D3 D8 D6 D9 D0] [D2 D8 D2 D9];
    O131 [D4 D7] Thousandth [D6 D0 D8 D0] [D4 D3 D0 D5 D0] [D2 D8 D8 D3];
    O132 [D4 D7] Thousandth [D6 D4 D4 D0] [D4 D7 D9 D2 D0] [D2 D9 D3 D6];
    O133 [D4 D8] Thousandth [D6 D8 D2 D0] [D5 D3 D3 D4 D0] [D2 D9 D8 D9];
    O134 [D4 D8] Thousandth [D7 D2 D2 D0] [D5 D9 D3 D5 D0] [D3 D0 D4 D3];
    O135 [D4 D8] Thousandth [D7 D6 D5 D0] [D6 D6 D1 D8 D0] [D3 D0 D9 D7];
    O136 [D4 D8] Thousandth [D8 D1 D0 D0] [D7 D3 D7 D1 D0] [D3 D1 D5 D1];
    O137 [D4 D8] Thousandth [D8 D5 D9 D0] [D8 D2 D3 D8 D0] [D3 D2 D0 D6];
    O138 [D4 D8] Thousandth [D9 D0 D9 D0] [D9 D1 D7 D2 D0] [D3 D2 D6 D0];
    O139 [D4 D8] Thousandth [D9 D6 D3 D0] [D1 D0 D2 D4 D0 D0] [D3 D3 D1 D5];
    O140 [D4 D8] Thousandth [D1 D0 D2 D0 D0] [D1 D1 D4 D3 D0 D0] [D3 D3 D6 D9];
    O141 [D4 D8] Thousandth [D1 D0 D8 D0 D0] [D1 D2 D7 D5 D0 D0] [D3 D4 D2 D4];
    O142 [D4 D8] Thousandth [D1 D1 D4 D0 D0] [D1 D4 D1 D4 D0 D0] [D3 D4 D7 D6];
    O143 [D4 D9] Thousandth [D1 D2 D1 D0 D0] [D1 D5 D8 D6 D0 D0] [D3 D5 D3 D3];
    O144 [D4 D8] Thousandth [D1 D2 D8 D0 D0] [D1 D7 D6 D7 D0 D0] [D3 D5 D8 D7];
    O145 [D4 D9] Thousandth [D1 D3 D6 D0 D0] [D1 D9 D8 D6 D0 D0] [D3 D6 D4 D5];
    O146 [D4 D9] Thousandth [D1 D4 D4 D0 D0] [D2 D2 D1 D8 D0 D0] [D3 D7 D0 D1];
    O147 [D4 D9] Thousandth [D1 D5 D3 D0 D0] [D2 D4 D9 D4 D0 D0] [D3 D7 D5 D9];
    O148 [D4 D9] Thousandth [D1 D6 D2 D0 D0] [D2 D7 D8 D7 D0 D0] [D3 D8 D1 D5];
    O149 [D4 D9] Thousandth [D1 D7 D1 D0 D0] [D3 D0 D9 D6 D0 D0] [D3 D8 D6 D7];
    O150 [D4 D9] Thousandth [D1 D8 D1 D0 D0] [D3 D4 D5 D8 D0 D0] [D3 D9 D2 D3];
    O151 [D4 D9] Thousandth [D1 D9 D2 D0 D0] [D3 D8 D7 D9 D0 D0] [D3 D9 D8 D0];
    O152 [D4 D9] Thousandth [D2 D0 D4 D0 D0] [D4 D3 D6 D6 D0 D0] [D4 D0 D3 D9];
    O153 [D4 D9] Thousandth [D2 D1 D6 D0 D0] [D4 D8 D8 D2 D0 D0] [D4 D0 D9 D5];
    O154 [D4 D9] Thousandth [D2 D2 D8 D0 D0] [D5 D4 D2 D7 D0 D0] [D4 D1 D4 D8];
    O155 [D4 D9] Thousandth [D2 D4 D2 D0 D0] [D6 D0 D9 D9 D0 D0] [D4 D2 D0 D6];
    O156 [D5 D0] Thousandth [D2 D5 D6 D0 D0] [D6 D8 D1 D0 D0 D0] [D4 D2 D6 D1];
    O157 [D5 D0] Thousandth [D2 D7 D1 D0 D0] [D7 D6 D1 D6 D0 D0] [D4 D3 D1 D7];
    O158 [D5 D0] Thousandth [D2 D8 D8 D0 D0] [D8 D5 D8 D3 D0 D0] [D4 D3 D7 D7];
    O159 [D5 D0] Thousandth [D3 D0 D5 D0 D0] [D9 D6 D0 D8 D0 D0] [D4 D4 D3 D3];
    O160 [D5 D0] Thousandth [D3 D2 D3 D0 D0] [D1 D0 D7 D6 D0 D0 D0] [D4 D4 D9 D0];
    O161 [D5 D0] Thousandth [D3 D4 D2 D0 D0] [D1 D2 D0 D4 D0 D0 D0] [D4 D5 D4 D6];
    O162 [D5 D0] Thousandth [D3 D6 D2 D0 D0] [D1 D3 D4 D7 D0 D0 D0] [D4 D6 D0 D2];
    O163 [D5 D0] Thousandth [D3 D8 D3 D0 D0] [D1 D5 D0 D6 D0 D0 D0] [D4 D6 D5 D8];
    O164 [D5 D0] Thousandth [D4 D0 D6 D0 D0] [D1 D6 D8 D9 D0 D0 D0] [D4 D7 D1 D5];
    O165 [D5 D0] Thousandth [D4 D3 D0 D0 D0] [D1 D8 D9 D2 D0 D0 D0] [D4 D7 D7 D2];
    O166 [D5 D0] Thousandth [D4 D5 D6 D0 D0] [D2 D1 D2 D5 D0 D0 D0] [D4 D8 D3 D0];
    O167 [D5 D1] Thousandth [D4 D8 D3 D0 D0] [D2 D3 D8 D2 D0 D0 D0] [D4 D8 D8 D7];
    O168 [D5 D1] Thousandth [D5 D1 D1 D0 D0] [D2 D6 D6 D3 D0 D0 D0] [D4 D9 D4 D3];
    O169 [D5 D1] Thousandth [D5 D4 D2 D0 D0] [D2 D9 D9 D2 D0 D0 D0] [D5 D0 D0 D1];
    O170 [D5 D1] Thousandth [D5 D7 D4 D0 D0] [D3 D3 D5 D3 D0 D0 D0] [D5 D0 D5 D8];
    O171 [D5 D1] Thousandth [D6 D0 D8 D0 D0] [D3 D7 D5 D8 D0 D0 D0] [D5 D1 D1 D5];
    O172 [D5 D1] Thousandth [D6 D4 D4 D0 D0] [D4 D2 D1 D2 D0 D0 D0] [D5 D1 D7 D2];
    O173 [D5 D1] Thousandth [D6 D8 D2 D0 D0] [D4 D7 D2 D0 D0 D0 D0] [D5 D2 D2 D9];
    O174 [D5 D1] Thousandth [D7 D2 D2 D0 D0] [D5 D2 D8 D6 D0 D0 D0] [D5 D2 D8 D6];
    O175 [D5 D1] Thousandth [D7 D6 D5 D0 D0] [D5 D9 D2 D9 D0 D0 D0] [D5 D3 D4 D3];
    O176 [D5 D1] Thousandth [D8 D1 D0 D0 D0] [D6 D6 D4 D2 D0 D0 D0] [D5 D4 D0 D0];
    O177 [D5 D1] Thousandth [D8 D5 D9 D0 D0] [D7 D4 D6 D5 D0 D0 D0] [D5 D4 D5 D8];
    O178 [D5 D1] Thousandth [D9 D0 D9 D0 D0] [D8 D3 D5 D4 D0 D0 D0] [D5 D5 D1 D5];
    O179 [D5 D1] Thousandth [D9 D6 D3 D0 D0] [D9 D3 D7 D0 D0 D0 D0] [D5 D5 D7 D2];
    O180 [D5 D1] Thousandth [D1 D0 D2 D0 D0 D0] [D1 D0 D5 D1 D0 D0 D0 D0] [D5 D6 D2 D9];
    O181 [D5 D1] Thousandth [D1 D0 D8 D0 D0 D0] [D1 D1 D7 D8 D0 D0 D0 D0] [D5 D6 D8 D6];
    O182 [D5 D1] Thousandth [D1 D1 D4 D0 D0 D0] [D1 D3 D1 D1 D0 D0 D0 D0] [D5 D7 D4 D0];
    O183 [D5 D1] Thousandth [D1 D2 D1 D0 D0 D0] [D1 D4 D7 D7 D0 D0 D0 D0] [D5 D7 D9 D9];
    O184 [D5 D2] Thousandth [D1 D2 D8 D0 D0 D0] [D1 D6 D5 D2 D0 D0 D0 D0] [D5 D8 D5 D5];
    O185 [D5 D2] Thousandth [D1 D3 D6 D0 D0 D0] [D1 D8 D6 D4 D0 D0 D0 D0] [D5 D9 D1 D6];
    O186 [D5 D2] Thousandth [D1 D4 D4 D0 D0 D0] [D2 D0 D8 D8 D0 D0 D0 D0] [D5 D9 D7 D3];
    O187 [D5 D2] Thousandth [D1 D5 D3 D0 D0 D0] [D2 D3 D5 D7 D0 D0 D0 D0] [D6 D0 D3 D3];
    O188 [D5 D2] Thousandth [D1 D6 D2 D0 D0 D0] [D2 D6 D4 D1 D0 D0 D0 D0] [D6 D0 D9 D0];
    O189 [D5 D2] Thousandth [D1 D7 D1 D0 D0 D0] [D2 D9 D4 D2 D0 D0 D0 D0] [D6 D1 D4 D4];
    O190 [D5 D2] Thousandth [D1 D8 D1 D0 D0 D0] [D3 D2 D9 D5 D0 D0 D0 D0] [D6 D2 D0 D1];
    O191 [D5 D2] Thousandth [D1 D9 D2 D0 D0 D0] [D3 D7 D0 D6 D0 D0 D0 D0] [D6 D2 D6 D0];
    O192 [D5 D2] Thousandth [D2 D0 D4 D0 D0 D0] [D4 D1 D8 D2 D0 D0 D0 D0] [D6 D3 D2 D0];
    O193 [D5 D2] Thousandth [D2 D1 D6 D0 D0 D0] [D4 D6 D8 D8 D0 D0 D0 D0] [D6 D3 D7 D7];
    O194 [D5 D2] Thousandth [D2 D2 D8 D0 D0 D0] [D5 D2 D2 D2 D0 D0 D0 D0] [D6 D4 D3 D1];
    O195 [D5 D2] Thousandth [D2 D4 D2 D0 D0 D0] [D5 D8 D8 D1 D0 D0 D0 D0] [D6 D4 D9 D1];
    O196 [D5 D2] Thousandth [D2 D5 D6 D0 D0 D0] [D6 D5 D8 D0 D0 D0 D0 D0] [D6 D5 D4 D7];
    O197 [D5 D2] Thousandth [D2 D7 D1 D0 D0 D0] [D7 D3 D7 D2 D0 D0 D0 D0] [D6 D6 D0 D3];
    O198 [D5 D2] Thousandth [D2 D8 D8 D0 D0 D0] [D8 D3 D2 D4 D0 D0 D0 D0] [D6 D6 D6 D4];
    O199 [D5 D3] Thousandth [D3 D0 D5 D0 D0 D0] [D9 D3 D3 D3 D0 D0 D0 D0] [D6 D7 D2 D1];
    O200 [D5 D3] Thousandth [D3 D2 D3 D0 D0 D0] [D1 D0 D4 D7 D0 D0 D0 D0 D0] [D6 D7 D7 D9];
    O201 [D5 D3] Thousandth [D3 D4 D2 D0 D0 D0] [D1 D1 D7 D4 D0 D0 D0 D0 D0] [D6 D8 D3 D6];
    O202 [D5 D3] Thousandth [D3 D6 D2 D0 D0 D0] [D1 D3 D1 D5 D0 D0 D0 D0 D0] [D6 D8 D9 D3];
    O203 [D5 D3] Thousandth [D3 D8 D3 D0 D0 D0] [D1 D4 D7 D1 D0 D0 D0 D0 D0] [D6 D9 D4 D9];
    O204 [D5 D3] Thousandth [D4 D0 D6 D0 D0 D0] [D1 D6 D5 D3 D0 D0 D0 D0 D0] [D7 D0 D0 D7];
    O205 [D5 D3] Thousandth [D4 D3 D0 D0 D0 D0] [D1 D8 D5 D4 D0 D0 D0 D0 D0] [D7 D0 D6 D4];
    O206 [D5 D3] Thousandth [D4 D5 D6 D0 D0 D0] [D2 D0 D8 D4 D0 D0 D0 D0 D0] [D7 D1 D2 D3];
    O207 [D5 D3] Thousandth [D4 D8 D3 D0 D0 D0] [D2 D3 D3 D8 D0 D0 D0 D0 D0] [D7 D1 D8 D1];
    O208 [D5 D3] Thousandth [D5 D1 D1 D0 D0 D0] [D2 D6 D1 D7 D0 D0 D0 D0 D0] [D7 D2 D3 D7];
    O209 [D5 D3] Thousandth [D5 D4 D2 D0 D0 D0] [D2 D9 D4 D4 D0 D0 D0 D0 D0] [D7 D2 D9 D6];
    O210 [D5 D3] Thousandth [D5 D7 D4 D0 D0 D0] [D3 D3 D0 D1 D0 D0 D0 D0 D0] [D7 D3 D5 D3];
    O211 [D5 D3] Thousandth [D6 D0 D8 D0 D0 D0] [D3 D7 D0 D3 D0 D0 D0 D0 D0] [D7 D4 D1 D0];
    O212 [D5 D3] Thousandth [D6 D4 D4 D0 D0 D0] [D4 D1 D5 D4 D0 D0 D0 D0 D0] [D7 D4 D6 D8];
    O213 [D5 D3] Thousandth [D6 D8 D2 D0 D0 D0] [D4 D6 D5 D9 D0 D0 D0 D0 D0] [D7 D5 D2 D5];
    O214 [D5 D3] Thousandth [D7 D2 D2 D0 D0 D0] [D5 D2 D2 D1 D0 D0 D0 D0 D0] [D7 D5 D8 D2];
    O215 [D5 D3] Thousandth [D7 D6 D5 D0 D0 D0] [D5 D8 D6 D0 D0 D0 D0 D0 D0] [D7 D6 D4 D0];
    O216 [D5 D4] Thousandth [D8 D1 D0 D0 D0 D0] [D6 D5 D7 D0 D0 D0 D0 D0 D0] [D7 D6 D9 D7];
    O217 [D5 D4] Thousandth [D8 D5 D9 D0 D0 D0] [D7 D3 D8 D8 D0 D0 D0 D0 D0] [D7 D7 D5 D6];
    O218 [D5 D3] Thousandth [D9 D0 D9 D0 D0 D0] [D8 D2 D7 D2 D0 D0 D0 D0 D0] [D7 D8 D1 D2];
    O219 [D5 D4] Thousandth [D9 D6 D3 D0 D0 D0] [D9 D2 D8 D4 D0 D0 D0 D0 D0] [D7 D8 D7 D0];
    O220 [D5 D4] Thousandth [D1 D0 D2 D0 D0 D0 D0] [D1 D0 D4 D2 D0 D0 D0 D0 D0 D0] [D7 D9 D2 D8];
    O221 [D5 D4] Thousandth [D1 D0 D8 D0 D0 D0 D0] [D1 D1 D6 D8 D0 D0 D0 D0 D0 D0] [D7 D9 D8 D5];
    O222 [D5 D4] Thousandth [D1 D1 D4 D0 D0 D0 D0] [D1 D3 D0 D1 D0 D0 D0 D0 D0 D0] [D8 D0 D3 D9];
    O223 [D5 D4] Thousandth [D1 D2 D1 D0 D0 D0 D0] [D1 D4 D6 D6 D0 D0 D0 D0 D0 D0] [D8 D0 D9 D8];
    O224 [D5 D4] Thousandth [D1 D2 D8 D0 D0 D0 D0] [D1 D6 D4 D0 D0 D0 D0 D0 D0 D0] [D8 D1 D5 D5];
    O225 [D5 D4] Thousandth [D1 D3 D6 D0 D0 D0 D0] [D1 D8 D5 D1 D0 D0 D0 D0 D0 D0] [D8 D2 D1 D5];
    O226 [D5 D4] Thousandth [D1 D4 D4 D0 D0 D0 D0] [D2 D0 D7 D6 D0 D0 D0 D0 D0 D0] [D8 D2 D7 D2];
    O227 [D5 D4] Thousandth [D1 D5 D3 D0 D0 D0 D0] [D2 D3 D4 D3 D0 D0 D0 D0 D0 D0] [D8 D3 D3 D3];
    O228 [D5 D4] Thousandth [D1 D6 D2 D0 D0 D0 D0] [D2 D6 D2 D7 D0 D0 D0 D0 D0 D0] [D8 D3 D9 D0];
    O229 [D5 D4] Thousandth [D1 D7 D1 D0 D0 D0 D0] [D2 D9 D2 D6 D0 D0 D0 D0 D0 D0] [D8 D4 D4 D4];
    O230 [D5 D4] Thousandth [D1 D8 D1 D0 D0 D0 D0] [D3 D2 D7 D8 D0 D0 D0 D0 D0 D0] [D8 D5 D0 D1];
    O231 [D5 D4] Thousandth [D1 D9 D2 D0 D0 D0 D0] [D3 D6 D8 D9 D0 D0 D0 D0 D0 D0] [D8 D5 D6 D0];
    O232 [D5 D4] Thousandth [D2 D0 D4 D0 D0 D0 D0] [D4 D1 D6 D4 D0 D0 D0 D0 D0 D0] [D8 D6 D2 D0];
    O233 [D5 D4] Thousandth [D2 D1 D6 D0 D0 D0 D0] [D4 D6 D6 D8 D0 D0 D0 D0 D0 D0] [D8 D6 D7 D8];
    O234 [D5 D4] Thousandth [D2 D2 D8 D0 D0 D0 D0] [D5 D2 D0 D1 D0 D0 D0 D0 D0 D0] [D8 D7 D3 D2];
    O235 [D5 D4] Thousandth [D2 D4 D2 D0 D0 D0 D0] [D5 D8 D5 D9 D0 D0 D0 D0 D0 D0] [D8 D7 D9 D1];
    O236 [D5 D4] Thousandth [D2 D5 D6 D0 D0 D0 D0] [D6 D5 D5 D7 D0 D0 D0 D0 D0 D0] [D8 D8 D4 D7];
    O237 [D5 D5] Thousandth [D2 D7 D1 D0 D0 D0 D0] [D7 D3 D4 D7 D0 D0 D0 D0 D0 D0] [D8 D9 D0 D4];
    O238 [D5 D5] Thousandth [D2 D8 D8 D0 D0 D0 D0] [D8 D2 D9 D8 D0 D0 D0 D0 D0 D0] [D8 D9 D6 D5];
    O239 [D5 D5] Thousandth [D3 D0 D5 D0 D0 D0 D0] [D9 D3 D0 D6 D0 D0 D0 D0 D0 D0] [D9 D0 D2 D3];
    O240 [D5 D5] Thousandth [D3 D2 D3 D0 D0 D0 D0] [D1 D0 D4 D4 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D8 D0];
    O241 [D5 D5] Thousandth [D3 D4 D2 D0 D0 D0 D0] [D1 D1 D7 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D1 D3 D7];
    O242 [D5 D5] Thousandth [D3 D6 D2 D0 D0 D0 D0] [D1 D3 D1 D1 D0 D0 D0 D0 D0 D0 D0] [D9 D1 D9 D4];
    O243 [D5 D5] Thousandth [D3 D8 D3 D0 D0 D0 D0] [D1 D4 D6 D8 D0 D0 D0 D0 D0 D0 D0] [D9 D2 D5 D0];
    O244 [D5 D5] Thousandth [D4 D0 D6 D0 D0 D0 D0] [D1 D6 D4 D9 D0 D0 D0 D0 D0 D0 D0] [D9 D3 D0 D9];
    O245 [D5 D5] Thousandth [D4 D3 D0 D0 D0 D0 D0] [D1 D8 D5 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D3 D6 D6];
    O246 [D5 D5] Thousandth [D4 D5 D6 D0 D0 D0 D0] [D2 D0 D8 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D4 D2 D5];
    O247 [D5 D5] Thousandth [D4 D8 D3 D0 D0 D0 D0] [D2 D3 D3 D4 D0 D0 D0 D0 D0 D0 D0] [D9 D4 D8 D2];
    O248 [D5 D5] Thousandth [D5 D1 D1 D0 D0 D0 D0] [D2 D6 D1 D2 D0 D0 D0 D0 D0 D0 D0] [D9 D5 D3 D9];
    O249 [D5 D5] Thousandth [D5 D4 D2 D0 D0 D0 D0] [D2 D9 D3 D9 D0 D0 D0 D0 D0 D0 D0] [D9 D5 D9 D7];
    O250 [D5 D5] Thousandth [D5 D7 D4 D0 D0 D0 D0] [D3 D2 D9 D6 D0 D0 D0 D0 D0 D0 D0] [D9 D6 D5 D5];
    O251 [D5 D5] Thousandth [D6 D0 D8 D0 D0 D0 D0] [D3 D6 D9 D8 D0 D0 D0 D0 D0 D0 D0] [D9 D7 D1 D2];
    O252 [D5 D5] Thousandth [D6 D4 D4 D0 D0 D0 D0] [D4 D1 D4 D9 D0 D0 D0 D0 D0 D0 D0] [D9 D7 D7 D0];
    O253 [D5 D5] Thousandth [D6 D8 D2 D0 D0 D0 D0] [D4 D6 D5 D2 D0 D0 D0 D0 D0 D0 D0] [D9 D8 D2 D7];
    O254 [D5 D5] Thousandth [D7 D2 D2 D0 D0 D0 D0] [D5 D2 D1 D4 D0 D0 D0 D0 D0 D0 D0] [D9 D8 D8 D4];
    O255 [D5 D5] Thousandth [D7 D6 D5 D0 D0 D0 D0] [D5 D8 D5 D4 D0 D0 D0 D0 D0 D0 D0] [D9 D9 D4 D2];
    O256 [D5 D5] Thousandth [D8 D1 D0 D0 D0 D0 D0] [D6 D5 D6 D2 D0 D0 D0 D0 D0 D0 D0] [D9 D9 D9 D9];
    O257 [D5 D5] Thousandth [D8 D5 D9 D0 D0 D0 D0] [D7 D3 D8 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D0 D5 D8];
    O258 [D5 D5] Thousandth [D9 D0 D9 D0 D0 D0 D0] [D8 D2 D6 D4 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D1 D1 D4];
    O259 [D5 D5] Thousandth [D9 D6 D3 D0 D0 D0 D0] [D9 D2 D7 D5 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D1 D7 D2];
    O260 [D5 D5] Thousandth [D1 D0 D2 D0 D0 D0 D0 D0] [D1 D0 D4 D1 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D2 D3 D0];
    O261 [D5 D6] Thousandth [D1 D0 D8 D0 D0 D0 D0 D0] [D1 D1 D6 D7 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D2 D8 D7];
    O262 [D5 D6] Thousandth [D1 D1 D4 D0 D0 D0 D0 D0] [D1 D3 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D3 D4 D1];
    O263 [D5 D5] Thousandth [D1 D2 D1 D0 D0 D0 D0 D0] [D1 D4 D6 D5 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D4 D0 D1];
    O264 [D5 D6] Thousandth [D1 D2 D8 D0 D0 D0 D0 D0] [D1 D6 D3 D9 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D4 D5 D7];
    O265 [D5 D6] Thousandth [D1 D3 D6 D0 D0 D0 D0 D0] [D1 D8 D5 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D5 D1 D7];
    O266 [D5 D6] Thousandth [D1 D4 D4 D0 D0 D0 D0 D0] [D2 D0 D7 D4 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D5 D7 D5];
    O267 [D5 D6] Thousandth [D1 D5 D3 D0 D0 D0 D0 D0] [D2 D3 D4 D2 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D6 D3 D5];
    O268 [D5 D6] Thousandth [D1 D6 D2 D0 D0 D0 D0 D0] [D2 D6 D2 D5 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D6 D9 D2];
    O269 [D5 D6] Thousandth [D1 D7 D1 D0 D0 D0 D0 D0] [D2 D9 D2 D5 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D7 D4 D6];
    O270 [D5 D6] Thousandth [D1 D8 D1 D0 D0 D0 D0 D0] [D3 D2 D7 D7 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D8 D0 D3];
    O271 [D5 D6] Thousandth [D1 D9 D2 D0 D0 D0 D0 D0] [D3 D6 D8 D7 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D8 D6 D2];
    O272 [D5 D6] Thousandth [D2 D0 D4 D0 D0 D0 D0 D0] [D4 D1 D6 D2 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D9 D2 D3];
    O273 [D5 D6] Thousandth [D2 D1 D6 D0 D0 D0 D0 D0] [D4 D6 D6 D6 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D0 D9 D8 D0];
    O274 [D5 D6] Thousandth [D2 D2 D8 D0 D0 D0 D0 D0] [D5 D1 D9 D9 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D0 D3 D4];
    O275 [D5 D6] Thousandth [D2 D4 D2 D0 D0 D0 D0 D0] [D5 D8 D5 D7 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D0 D9 D4];
    O276 [D5 D6] Thousandth [D2 D5 D6 D0 D0 D0 D0 D0] [D6 D5 D5 D4 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D1 D5 D0];
    O277 [D5 D6] Thousandth [D2 D7 D1 D0 D0 D0 D0 D0] [D7 D3 D4 D5 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D2 D0 D7];
    O278 [D5 D6] Thousandth [D2 D8 D8 D0 D0 D0 D0 D0] [D8 D2 D9 D5 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D2 D6 D8];
    O279 [D5 D6] Thousandth [D3 D0 D5 D0 D0 D0 D0 D0] [D9 D3 D0 D3 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D3 D2 D5];
    O280 [D5 D6] Thousandth [D3 D2 D3 D0 D0 D0 D0 D0] [D1 D0 D4 D4 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D3 D8 D2];
    O281 [D5 D6] Thousandth [D3 D4 D2 D0 D0 D0 D0 D0] [D1 D1 D7 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D4 D3 D9];
    O282 [D5 D6] Thousandth [D3 D6 D2 D0 D0 D0 D0 D0] [D1 D3 D1 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D4 D9 D6];
    O283 [D5 D6] Thousandth [D3 D8 D3 D0 D0 D0 D0 D0] [D1 D4 D6 D7 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D5 D5 D3];
    O284 [D5 D7] Thousandth [D4 D0 D6 D0 D0 D0 D0 D0] [D1 D6 D4 D9 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D6 D1 D1];
    O285 [D5 D7] Thousandth [D4 D3 D0 D0 D0 D0 D0 D0] [D1 D8 D5 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D6 D6 D8];
    O286 [D5 D7] Thousandth [D4 D5 D6 D0 D0 D0 D0 D0] [D2 D0 D8 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D7 D2 D7];
    O287 [D5 D7] Thousandth [D4 D8 D3 D0 D0 D0 D0 D0] [D2 D3 D3 D3 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D7 D8 D5];
    O288 [D5 D7] Thousandth [D5 D1 D1 D0 D0 D0 D0 D0] [D2 D6 D1 D2 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D8 D4 D1];
    O289 [D5 D7] Thousandth [D5 D4 D2 D0 D0 D0 D0 D0] [D2 D9 D3 D8 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D9 D0 D0];
    O290 [D5 D7] Thousandth [D5 D7 D4 D0 D0 D0 D0 D0] [D3 D2 D9 D5 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D1 D9 D5 D7];
    O291 [D5 D7] Thousandth [D6 D0 D8 D0 D0 D0 D0 D0] [D3 D6 D9 D7 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D0 D1 D5];
    O292 [D5 D7] Thousandth [D6 D4 D4 D0 D0 D0 D0 D0] [D4 D1 D4 D8 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D0 D7 D2];
    O293 [D5 D7] Thousandth [D6 D8 D2 D0 D0 D0 D0 D0] [D4 D6 D5 D2 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D1 D3 D0];
    O294 [D5 D7] Thousandth [D7 D2 D2 D0 D0 D0 D0 D0] [D5 D2 D1 D3 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D1 D8 D7];
    O295 [D5 D7] Thousandth [D7 D6 D5 D0 D0 D0 D0 D0] [D5 D8 D5 D3 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D2 D4 D5];
    O296 [D5 D7] Thousandth [D8 D1 D0 D0 D0 D0 D0 D0] [D6 D5 D6 D2 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D3 D0 D2];
    O297 [D5 D7] Thousandth [D8 D5 D9 D0 D0 D0 D0 D0] [D7 D3 D7 D9 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D3 D6 D0];
    O298 [D5 D7] Thousandth [D9 D0 D9 D0 D0 D0 D0 D0] [D8 D2 D6 D3 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D4 D1 D7];
    O299 [D5 D7] Thousandth [D9 D6 D3 D0 D0 D0 D0 D0] [D9 D2 D7 D4 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D4 D7 D5];
    O300 [D5 D7] Thousandth [D1 D0 D2 D0 D0 D0 D0 D0 D0] [D1 D0 D4 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D5 D3 D2];
    O301 [D5 D7] Thousandth [D1 D0 D8 D0 D0 D0 D0 D0 D0] [D1 D1 D6 D7 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D5 D8 D9];
    O302 [D5 D7] Thousandth [D1 D1 D4 D0 D0 D0 D0 D0 D0] [D1 D3 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D6 D4 D3];
    O303 [D5 D7] Thousandth [D1 D2 D1 D0 D0 D0 D0 D0 D0] [D1 D4 D6 D5 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D7 D0 D3];
    O304 [D5 D7] Thousandth [D1 D2 D8 D0 D0 D0 D0 D0 D0] [D1 D6 D3 D9 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D7 D5 D9];
    O305 [D5 D7] Thousandth [D1 D3 D6 D0 D0 D0 D0 D0 D0] [D1 D8 D5 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D8 D2 D0];
    O306 [D5 D7] Thousandth [D1 D4 D4 D0 D0 D0 D0 D0 D0] [D2 D0 D7 D4 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D8 D7 D7];
    O307 [D5 D7] Thousandth [D1 D5 D3 D0 D0 D0 D0 D0 D0] [D2 D3 D4 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D9 D3 D8];
    O308 [D5 D7] Thousandth [D1 D6 D2 D0 D0 D0 D0 D0 D0] [D2 D6 D2 D5 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D2 D9 D9 D5];
    O309 [D5 D7] Thousandth [D1 D7 D1 D0 D0 D0 D0 D0 D0] [D2 D9 D2 D5 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D0 D4 D9];
    O310 [D5 D7] Thousandth [D1 D8 D1 D0 D0 D0 D0 D0 D0] [D3 D2 D7 D7 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D1 D0 D6];
    O311 [D5 D7] Thousandth [D1 D9 D2 D0 D0 D0 D0 D0 D0] [D3 D6 D8 D7 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D1 D6 D5];
    O312 [D5 D8] Thousandth [D2 D0 D4 D0 D0 D0 D0 D0 D0] [D4 D1 D6 D2 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D2 D2 D5];
    O313 [D5 D8] Thousandth [D2 D1 D6 D0 D0 D0 D0 D0 D0] [D4 D6 D6 D6 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D2 D8 D3];
    O314 [D5 D8] Thousandth [D2 D2 D8 D0 D0 D0 D0 D0 D0] [D5 D1 D9 D9 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D3 D3 D7];
    O315 [D5 D8] Thousandth [D2 D4 D2 D0 D0 D0 D0 D0 D0] [D5 D8 D5 D7 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D3 D9 D6];
    O316 [D5 D8] Thousandth [D2 D5 D6 D0 D0 D0 D0 D0 D0] [D6 D5 D5 D4 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D4 D5 D2];
    O317 [D5 D8] Thousandth [D2 D7 D1 D0 D0 D0 D0 D0 D0] [D7 D3 D4 D5 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D5 D0 D9];
    O318 [D5 D8] Thousandth [D2 D8 D8 D0 D0 D0 D0 D0 D0] [D8 D2 D9 D5 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D5 D7 D0];
    O319 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
    O320 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
    O321 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
    O322 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
    O323 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
    O324 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
    O325 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
    O326 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
    O327 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
    O328 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
    O329 [D5 D8] Thousandth [D3 D0 D0 D0 D0 D0 D0 D0 D0] [D9 D0 D0 D1 D0 D0 D0 D0 D0 D0 D0 D0 D0 D0] [D1 D3 D6 D1 D1];
}

macro_rules! rows {
    ($($row:ident $($o:ident)*;)*) => { $(
        /// Ten entries.
        pub struct $row;
        rows! { @ $row: $($o)* }
    )* };
    (@ $row:ident: $($o:ident)*) => { rows! { @ $row: T0 T1 T2 T3 T4 T5 T6 T7 T8 T9, $($o)* } };
    (@ $row:ident: $($t:ident)*, $($o:ident)*) => { impl Row for $row { $(type $t = $o;)* } };
}
rows! {
    R0 O0 O1 O2 O3 O4 O5 O6 O7 O8 O9;
    R1 O10 O11 O12 O13 O14 O15 O16 O17 O18 O19;
    R2 O20 O21 O22 O23 O24 O25 O26 O27 O28 O29;
    R3 O30 O31 O32 O33 O34 O35 O36 O37 O38 O39;
    R4 O40 O41 O42 O43 O44 O45 O46 O47 O48 O49;
    R5 O50 O51 O52 O53 O54 O55 O56 O57 O58 O59;
    R6 O60 O61 O62 O63 O64 O65 O66 O67 O68 O69;
    R7 O70 O71 O72 O73 O74 O75 O76 O77 O78 O79;
    R8 O80 O81 O82 O83 O84 O85 O86 O87 O88 O89;
    R9 O90 O91 O92 O93 O94 O95 O96 O97 O98 O99;
    R10 O100 O101 O102 O103 O104 O105 O106 O107 O108 O109;
    R11 O110 O111 O112 O113 O114 O115 O116 O117 O118 O119;
    R12 O120 O121 O122 O123 O124 O125 O126 O127 O128 O129;
    R13 O130 O131 O132 O133 O134 O135 O136 O137 O138 O139;
    R14 O140 O141 O142 O143 O144 O145 O146 O147 O148 O149;
    R15 O150 O151 O152 O153 O154 O155 O156 O157 O158 O159;
    R16 O160 O161 O162 O163 O164 O165 O166 O167 O168 O169;
    R17 O170 O171 O172 O173 O174 O175 O176 O177 O178 O179;
    R18 O180 O181 O182 O183 O184 O185 O186 O187 O188 O189;
    R19 O190 O191 O192 O193 O194 O195 O196 O197 O198 O199;
    R20 O200 O201 O202 O203 O204 O205 O206 O207 O208 O209;
    R21 O210 O211 O212 O213 O214 O215 O216 O217 O218 O219;
    R22 O220 O221 O222 O223 O224 O225 O226 O227 O228 O229;
    R23 O230 O231 O232 O233 O234 O235 O236 O237 O238 O239;
    R24 O240 O241 O242 O243 O244 O245 O246 O247 O248 O249;
    R25 O250 O251 O252 O253 O254 O255 O256 O257 O258 O259;
    R26 O260 O261 O262 O263 O264 O265 O266 O267 O268 O269;
    R27 O270 O271 O272 O273 O274 O275 O276 O277 O278 O279;
    R28 O280 O281 O282 O283 O284 O285 O286 O287 O288 O289;
    R29 O290 O291 O292 O293 O294 O295 O296 O297 O298 O299;
    R30 O300 O301 O302 O303 O304 O305 O306 O307 O308 O309;
    R31 O310 O311 O312 O313 O314 O315 O316 O317 O318 O319;
    R32 O320 O321 O322 O323 O324 O325 O326 O327 O328 O329;
}

macro_rules! hundreds {
    ($($row:ident $($o:ident)*;)*) => { $(
        /// A hundred entries.
        pub struct $row;
        hundreds! { @ $row: T0 T1 T2 T3 T4 T5 T6 T7 T8 T9, $($o)* }
    )* };
    (@ $row:ident: $($t:ident)*, $($o:ident)*) => { impl Rows for $row { $(type $t = $o;)* } };
}
// Nothing is asked for beyond the last.
hundreds! {
    H0 R0 R1 R2 R3 R4 R5 R6 R7 R8 R9;
    H1 R10 R11 R12 R13 R14 R15 R16 R17 R18 R19;
    H2 R20 R21 R22 R23 R24 R25 R26 R27 R28 R29;
    H3 R30 R31 R32 R32 R32 R32 R32 R32 R32 R32;
}

macro_rules! logarithms {
    ($($d:ident $row:ident $hundred:ident [$($twenty:ident)*]: $([$($l:ident)*] [$($s:ident)*] [$($t:ident)*]),*;)*) => {
        /// The same as values, for two digits `10 * d + e`.
        pub const LOGARITHMS: [[(u128, u128, u128); 10]; 10] = [$([$((
            <list!($($l)*) as Valued>::VALUE,
            <list!($($s)*) as Valued>::VALUE,
            <list!($($t)*) as Valued>::VALUE,
        )),*]),*];
    $(
        /// Logarithms of the numbers with this first digit.
        pub struct $row;
        logarithms! { @ $row, T0 T1 T2 T3 T4 T5 T6 T7 T8 T9, $([$($l)*] [$($s)*] [$($t)*]),* }
        impl Log for $d {
            type Row = $row;
            type Hundred = $hundred;
            type Twenties = list!($($twenty)*);
            logarithms! { @ $d }
        }
    )* };
    (@ $row:ident, $($at:ident)*, $([$($l:ident)*] [$($s:ident)*] [$($t:ident)*]),*) => {
        impl LogRow for $row { $(type $at = Logarithm<list!($($l)*), list!($($s)*), list!($($t)*)>;)* }
    };
    (@ D0) => { logarithms! { @@ T0 } };
    (@ D1) => { logarithms! { @@ T1 } };
    (@ D2) => { logarithms! { @@ T2 } };
    (@ D3) => { logarithms! { @@ T3 } };
    (@ D4) => { logarithms! { @@ T4 } };
    (@ D5) => { logarithms! { @@ T5 } };
    (@ D6) => { logarithms! { @@ T6 } };
    (@ D7) => { logarithms! { @@ T7 } };
    (@ D8) => { logarithms! { @@ T8 } };
    (@ D9) => { logarithms! { @@ T9 } };
    (@@ $t:ident) => {
        type Ln<R: ?Sized + LogRow> = R::$t;
        type Entry<R: ?Sized + Row> = R::$t;
        type Ten<R: ?Sized + Rows> = R::$t;
    };
}

// For each digit d its row, and 20 d. In a row, for n from 10 d: 10^3 ln(n/10) from below, the way to the next
// from below, and 20 lg(n/10). No number starts with a zero.
logarithms! {
    D0 Ln0 H0 []: [] [] [], [] [] [], [] [] [], [] [] [], [] [] [], [] [] [], [] [] [], [] [] [], [] [] [], [] [] [];
    D1 Ln1 H1 [D2 D0]: [] [D9 D6] [], [D9 D5] [D8 D7] [D1], [D1 D8 D2] [D8 D1] [D2], [D2 D6 D2] [D7 D5] [D2], [D3 D3 D6] [D6 D9] [D3], [D4 D0 D5] [D6 D5] [D4], [D4 D7 D0] [D6 D1] [D4], [D5 D3 D0] [D5 D8] [D5], [D5 D8 D7] [D5 D5] [D5], [D6 D4 D1] [D5 D3] [D6];
    D2 Ln2 H2 [D4 D0]: [D6 D9 D3] [D4 D9] [D6], [D7 D4 D1] [D4 D7] [D6], [D7 D8 D8] [D4 D5] [D7], [D8 D3 D2] [D4 D4] [D7], [D8 D7 D5] [D4 D2] [D8], [D9 D1 D6] [D3 D9] [D8], [D9 D5 D5] [D3 D8] [D8], [D9 D9 D3] [D3 D7] [D9], [D1 D0 D2 D9] [D3 D6] [D9], [D1 D0 D6 D4] [D3 D4] [D9];
    D3 Ln3 H3 [D6 D0]: [D1 D0 D9 D8] [D3 D3] [D1 D0], [D1 D1 D3 D1] [D3 D2] [D1 D0], [D1 D1 D6 D3] [D3 D1] [D1 D0], [D1 D1 D9 D3] [D3 D1] [D1 D0], [D1 D2 D2 D3] [D2 D9] [D1 D1], [D1 D2 D5 D2] [D2 D9] [D1 D1], [D1 D2 D8 D0] [D2 D8] [D1 D1], [D1 D3 D0 D8] [D2 D7] [D1 D1], [D1 D3 D3 D5] [D2 D6] [D1 D2], [D1 D3 D6 D0] [D2 D6] [D1 D2];
    D4 Ln4 H3 [D8 D0]: [D1 D3 D8 D6] [D2 D5] [D1 D2], [D1 D4 D1 D0] [D2 D5] [D1 D2], [D1 D4 D3 D5] [D2 D3] [D1 D2], [D1 D4 D5 D8] [D2 D4] [D1 D3], [D1 D4 D8 D1] [D2 D3] [D1 D3], [D1 D5 D0 D4] [D2 D2] [D1 D3], [D1 D5 D2 D6] [D2 D1] [D1 D3], [D1 D5 D4 D7] [D2 D2] [D1 D3], [D1 D5 D6 D8] [D2 D1] [D1 D4], [D1 D5 D8 D9] [D2 D1] [D1 D4];
    D5 Ln5 H3 [D1 D0 D0]: [D1 D6 D0 D9] [D2 D1] [D1 D4], [D1 D6 D2 D9] [D1 D9] [D1 D4], [D1 D6 D4 D8] [D1 D9] [D1 D4], [D1 D6 D6 D7] [D1 D9] [D1 D4], [D1 D6 D8 D6] [D1 D8] [D1 D5], [D1 D7 D0 D4] [D1 D8] [D1 D5], [D1 D7 D2 D2] [D1 D8] [D1 D5], [D1 D7 D4 D0] [D1 D8] [D1 D5], [D1 D7 D5 D7] [D1 D8] [D1 D5], [D1 D7 D7 D4] [D1 D8] [D1 D5];
    D6 Ln6 H3 [D1 D2 D0]: [D1 D7 D9 D1] [D1 D7] [D1 D6], [D1 D8 D0 D8] [D1 D6] [D1 D6], [D1 D8 D2 D4] [D1 D6] [D1 D6], [D1 D8 D4 D0] [D1 D6] [D1 D6], [D1 D8 D5 D6] [D1 D6] [D1 D6], [D1 D8 D7 D1] [D1 D6] [D1 D6], [D1 D8 D8 D7] [D1 D5] [D1 D6], [D1 D9 D0 D2] [D1 D4] [D1 D7], [D1 D9 D1 D6] [D1 D6] [D1 D7], [D1 D9 D3 D1] [D1 D5] [D1 D7];
    D7 Ln7 H3 [D1 D4 D0]: [D1 D9 D4 D5] [D1 D5] [D1 D7], [D1 D9 D6 D0] [D1 D4] [D1 D7], [D1 D9 D7 D4] [D1 D4] [D1 D7], [D1 D9 D8 D7] [D1 D4] [D1 D7], [D2 D0 D0 D1] [D1 D4] [D1 D7], [D2 D0 D1 D4] [D1 D4] [D1 D8], [D2 D0 D2 D8] [D1 D3] [D1 D8], [D2 D0 D4 D1] [D1 D3] [D1 D8], [D2 D0 D5 D4] [D1 D3] [D1 D8], [D2 D0 D6 D6] [D1 D3] [D1 D8];
    D8 Ln8 H3 [D1 D6 D0]: [D2 D0 D7 D9] [D1 D3] [D1 D8], [D2 D0 D9 D1] [D1 D3] [D1 D8], [D2 D1 D0 D4] [D1 D2] [D1 D8], [D2 D1 D1 D6] [D1 D2] [D1 D8], [D2 D1 D2 D8] [D1 D2] [D1 D8], [D2 D1 D4 D0] [D1 D1] [D1 D9], [D2 D1 D5 D1] [D1 D2] [D1 D9], [D2 D1 D6 D3] [D1 D2] [D1 D9], [D2 D1 D7 D4] [D1 D2] [D1 D9], [D2 D1 D8 D6] [D1 D1] [D1 D9];
    D9 Ln9 H3 [D1 D8 D0]: [D2 D1 D9 D7] [D1 D1] [D1 D9], [D2 D2 D0 D8] [D1 D1] [D1 D9], [D2 D2 D1 D9] [D1 D1] [D1 D9], [D2 D2 D3 D0] [D1 D1] [D1 D9], [D2 D2 D4 D0] [D1 D2] [D1 D9], [D2 D2 D5 D1] [D1 D1] [D2 D0], [D2 D2 D6 D1] [D1 D1] [D2 D0], [D2 D2 D7 D2] [D1 D1] [D2 D0], [D2 D2 D8 D2] [D1 D1] [D2 D0], [D2 D2 D9 D2] [D1 D1] [D2 D0];
}

macro_rules! levels {
    ($($k:literal [$($l:ident)*] [$($z:ident)*];)*) => {
        /// 10^3 k ln 10 as values.
        pub const TENS: [u128; 41] = [$(<list!($($l)*) as Valued>::VALUE),*];
    $(
        impl Level10 for N<$k> {
            type Ln = list!($($l)*);
            type Forty = list!($($z)*);
        }
    )* };
}

// For each number of places k: 10^3 k ln 10 from above, and 40 k + 220.
levels! {
    0 [] [D2 D2 D0];
    1 [D2 D3 D0 D3] [D2 D6 D0];
    2 [D4 D6 D0 D6] [D3 D0 D0];
    3 [D6 D9 D0 D8] [D3 D4 D0];
    4 [D9 D2 D1 D1] [D3 D8 D0];
    5 [D1 D1 D5 D1 D3] [D4 D2 D0];
    6 [D1 D3 D8 D1 D6] [D4 D6 D0];
    7 [D1 D6 D1 D1 D9] [D5 D0 D0];
    8 [D1 D8 D4 D2 D1] [D5 D4 D0];
    9 [D2 D0 D7 D2 D4] [D5 D8 D0];
    10 [D2 D3 D0 D2 D6] [D6 D2 D0];
    11 [D2 D5 D3 D2 D9] [D6 D6 D0];
    12 [D2 D7 D6 D3 D2] [D7 D0 D0];
    13 [D2 D9 D9 D3 D4] [D7 D4 D0];
    14 [D3 D2 D2 D3 D7] [D7 D8 D0];
    15 [D3 D4 D5 D3 D9] [D8 D2 D0];
    16 [D3 D6 D8 D4 D2] [D8 D6 D0];
    17 [D3 D9 D1 D4 D4] [D9 D0 D0];
    18 [D4 D1 D4 D4 D7] [D9 D4 D0];
    19 [D4 D3 D7 D5 D0] [D9 D8 D0];
    20 [D4 D6 D0 D5 D2] [D1 D0 D2 D0];
    21 [D4 D8 D3 D5 D5] [D1 D0 D6 D0];
    22 [D5 D0 D6 D5 D7] [D1 D1 D0 D0];
    23 [D5 D2 D9 D6 D0] [D1 D1 D4 D0];
    24 [D5 D5 D2 D6 D3] [D1 D1 D8 D0];
    25 [D5 D7 D5 D6 D5] [D1 D2 D2 D0];
    26 [D5 D9 D8 D6 D8] [D1 D2 D6 D0];
    27 [D6 D2 D1 D7 D0] [D1 D3 D0 D0];
    28 [D6 D4 D4 D7 D3] [D1 D3 D4 D0];
    29 [D6 D6 D7 D7 D5] [D1 D3 D8 D0];
    30 [D6 D9 D0 D7 D8] [D1 D4 D2 D0];
    31 [D7 D1 D3 D8 D1] [D1 D4 D6 D0];
    32 [D7 D3 D6 D8 D3] [D1 D5 D0 D0];
    33 [D7 D5 D9 D8 D6] [D1 D5 D4 D0];
    34 [D7 D8 D2 D8 D8] [D1 D5 D8 D0];
    35 [D8 D0 D5 D9 D1] [D1 D6 D2 D0];
    36 [D8 D2 D8 D9 D4] [D1 D6 D6 D0];
    37 [D8 D5 D1 D9 D6] [D1 D7 D0 D0];
    38 [D8 D7 D4 D9 D9] [D1 D7 D4 D0];
    39 [D8 D9 D8 D0 D1] [D1 D7 D8 D0];
    40 [D9 D2 D1 D0 D4] [D1 D8 D2 D0];
}
