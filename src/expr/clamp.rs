//! Public bounds, which make a sum's sensitivity finite.

use core::marker::PhantomData;

use super::sum::bounded;
use super::{
    Bounded, Eval, Expr, Fixed, Int, Kind, LIMIT, Nullable, Operation, Real, Summand, Term, Vector,
    node, refuse,
};
use crate::data::Null;

/// Kinds that can be clamped. Sealed with [`Kind`].
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` cannot be clamped",
    label = "not a number",
    note = "integers and `f64` can; vectors have `.clip_l1::<C>()` and `.clip_l2::<C>()`"
)]
pub trait Clampable: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    #[doc(hidden)]
    type Then<T>: From<T>;
    /// What it is once clamped.
    #[doc(hidden)]
    type Out: Kind;
    /// Whether a grid is chosen by the bounds, unless one was given: for reals.
    #[doc(hidden)]
    const REAL: bool;
    /// Clamps, on the grid.
    #[doc(hidden)]
    fn clamp(value: Self::Value, low: i64, high: i64, grid: i64) -> <Self::Out as Kind>::Value;
}

#[inline(always)]
fn clamp_int(value: i64, low: i64, high: i64) -> i64 {
    let value = if value > low { value } else { low };
    if value < high { value } else { high }
}

impl Clampable for Int {
    type Then<T> = T;
    type Out = Int;
    const REAL: bool = false;
    #[inline(always)]
    fn clamp(value: i64, low: i64, high: i64, _: i64) -> i64 {
        clamp_int(value, low, high)
    }
}

impl Clampable for Fixed {
    type Then<T> = T;
    type Out = Fixed;
    const REAL: bool = false;
    #[inline(always)]
    fn clamp(value: i64, low: i64, high: i64, _: i64) -> i64 {
        clamp_int(value, low, high)
    }
}

impl Clampable for Real {
    type Then<T> = T;
    type Out = Fixed;
    const REAL: bool = true;
    #[inline(always)]
    fn clamp(value: f64, low: i64, high: i64, grid: i64) -> i64 {
        // 1.5 · 2^52: the reals within 2^51 of it are whole numbers, one per bit pattern, in order.
        // Adding it rounds to the nearest whole number (ties to even); what lies further out stays
        // on its side, and NaN stays NaN.
        const MIDDLE: f64 = 6_755_399_441_055_744.0;
        let rounded = value * grid as f64 + MIDDLE;
        // PRIVACY: the sensitivity rests on this clamp alone. It compares whole numbers, and its
        // result is one between the bounds whatever came before: NaN fails the first comparison.
        let (low, high) = (low as f64 + MIDDLE, high as f64 + MIDDLE);
        let above = if rounded > low { rounded } else { low };
        let within = if above < high { above } else { high };
        within.to_bits().wrapping_sub(MIDDLE.to_bits()) as i64
    }
}

impl<K: Clampable> Clampable for Nullable<K> {
    type Then<T> = K::Then<T>;
    type Out = Nullable<K::Out>;
    const REAL: bool = K::REAL;
    #[inline(always)]
    fn clamp(
        value: Null<K::Value>,
        low: i64,
        high: i64,
        grid: i64,
    ) -> Null<<K::Out as Kind>::Value> {
        Null {
            valid: value.valid,
            value: K::clamp(value.value, low, high, grid),
        }
    }
}

/// A value clamped to `[L, H]`, in units.
///
/// `KEY` says that it is a key: then reals for which no grid was given are rounded to whole units.
#[derive(Clone, Copy, Debug)]
pub struct Clamp<E, const L: i64, const H: i64, const KEY: bool = false>(E);

impl<E: Expr<Kind: Clampable>, const L: i64, const H: i64, const KEY: bool> Clamp<E, L, H, KEY> {
    /// Whether the bounds choose the grid.
    const CHOOSES: bool = <E::Kind as Clampable>::REAL && !E::GRID_IS_GIVEN && !KEY;
    /// Steps of the grid per unit.
    const STEPS: i128 = if Self::CHOOSES {
        let (low, high) = (L.unsigned_abs(), H.unsigned_abs());
        chosen_grid(if low > high { low } else { high })
    } else {
        E::GRID
    };

    /// The expression as plain data. A grid that was chosen is written out, so that a plan means the same
    /// whoever reads it; so are the whole units of a real key without a grid, since a median in [0, 1] would
    /// be 0 or 1.
    fn on_grid(&self) -> Term {
        let whole = KEY && <E::Kind as Clampable>::REAL && !E::GRID_IS_GIVEN;
        let chosen = whole || Self::CHOOSES && Self::STEPS > 1;
        gridded(self.0.term(), chosen.then_some(Self::STEPS as i64))
    }

    /// Stops the compilation of bounds that no sum could have. The methods that make a clamp ask for it, so that
    /// the error names the line that calls them. PRIVACY: so does `new`, without which there is no clamp.
    pub(crate) const FITS: () = {
        if L > H {
            refuse(
                "the bounds of this `clamp` are in the wrong order: the smaller one comes first, as in `clamp::<0, 100>()`",
            );
        }
        if !Self::HAS_BOUNDS {
            refuse(
                "a bound of this `clamp` is more than 2^51 steps of its grid: use smaller bounds or a coarser grid",
            );
        }
    };
    /// Where these are none, there is no such value; that the bounds then read as 0 keeps it at one error.
    const HAS_BOUNDS: bool =
        L <= H && -LIMIT <= L as i128 * Self::STEPS && H as i128 * Self::STEPS <= LIMIT;

    pub(crate) fn new(value: E) -> Self {
        let () = Self::FITS;
        Clamp(value)
    }

    /// The same as a key.
    pub(super) fn into_key(self) -> Clamp<E, L, H, true> {
        Clamp::new(self.0)
    }
}

/// A term on a grid, if there is one. Compiled once, not for each pair of bounds.
fn gridded(value: Term, steps: Option<i64>) -> Term {
    match steps {
        Some(steps) => Term::Apply(Operation::Grid, vec![value, Term::constant(steps)]),
        None => value,
    }
}

/// The steps per unit of a real for which no grid was given: the largest power of ten for which the
/// greatest bound is at most 10^6 steps, and at least 1. So a step is at most 1/100,000 of that bound
/// (if it is at most 10^6), and the product of two such numbers is far below 2^51.
pub(crate) const fn chosen_grid(bound: u64) -> i128 {
    let mut steps = 1;
    while steps < MOST_STEPS && bound as u128 * steps as u128 * 10 <= MOST_STEPS as u128 {
        steps *= 10;
    }
    steps
}

/// The most steps to a bound on a grid that was chosen.
const MOST_STEPS: i128 = 1_000_000;

/// One chunk of it.
#[doc(hidden)]
pub struct BoundClamp<E, C>(E, PhantomData<fn() -> C>);
impl<E: Copy, C> Clone for BoundClamp<E, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E: Copy, C> Copy for BoundClamp<E, C> {}
impl<B, E, const L: i64, const H: i64, const KEY: bool> Eval for BoundClamp<B, Clamp<E, L, H, KEY>>
where
    B: Eval<Value = <E::Kind as Kind>::Value>,
    E: Expr<Kind: Clampable>,
{
    type Value = <<E::Kind as Clampable>::Out as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        let (low, high, grid) = const {
            (
                <Clamp<E, L, H, KEY> as Expr>::LOW as i64,
                <Clamp<E, L, H, KEY> as Expr>::HIGH as i64,
                Clamp::<E, L, H, KEY>::STEPS as i64,
            )
        };
        E::Kind::clamp(self.0.at(row), low, high, grid)
    }
}

node! {
    [E: Expr<Kind: Clampable>, const L: i64, const H: i64, const KEY: bool] Clamp<E, L, H, KEY> where [];
    row E::Row; kind <E::Kind as Clampable>::Out; children [E];
    low if Self::HAS_BOUNDS { L as i128 * Self::STEPS } else { 0 };
    high if Self::HAS_BOUNDS { H as i128 * Self::STEPS } else { 0 };
    grid Self::STEPS;
    bound<'a> BoundClamp<E::Bound<'a>, Self>;
    bind |this, chunk| BoundClamp(this.0.bind(chunk), PhantomData);
    term |this| Term::Apply(Operation::Clamp,
        vec![this.on_grid(), Term::constant(L), Term::constant(H)],
    );
}

impl<E, const L: i64, const H: i64, const KEY: bool> Bounded for Clamp<E, L, H, KEY>
where
    E: Expr<Kind: Clampable<Out: Summand>>,
{
    bounded!();
}

/// Kinds that can be put on a grid: reals and vectors of reals. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are not reals, so they need no grid",
    label = "not a real"
)]
pub trait OnGrid: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    #[doc(hidden)]
    type Then<T>: From<T>;
}
impl OnGrid for Real {
    type Then<T> = T;
}
impl OnGrid for Nullable<Real> {
    type Then<T> = T;
}
impl<const D: usize> OnGrid for Vector<D> {
    type Then<T> = T;
}

/// A real to be counted in steps of `1/G`.
#[derive(Clone, Copy, Debug)]
pub struct Grid<E, const G: u32>(E);

impl<E, const G: u32> Grid<E, G> {
    /// Stops the compilation of a grid without steps, as [`Clamp::FITS`] does.
    pub(crate) const FITS: () = {
        if G == 0 {
            refuse("a grid has at least one step per unit: `grid::<100>()` is hundredths");
        }
    };

    pub(crate) fn new(value: E) -> Self {
        let () = Self::FITS;
        Grid(value)
    }
}

node! {
    [E: Expr<Kind: OnGrid>, const G: u32] Grid<E, G> where [];
    row E::Row; kind E::Kind; children [E];
    grid if G > 0 { G as i128 } else { 1 };
    given true;
    bound<'a> E::Bound<'a>;
    bind |this, chunk| this.0.bind(chunk);
    term |this| Term::Apply(Operation::Grid, vec![this.0.term(), Term::constant(G)]);
}
