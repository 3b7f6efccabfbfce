//! What `#[audited]` code uses: it reads prices off a function's type without calling the function.
//!
//! Do not use it directly: see [`audited`](macro@crate::audited).

use core::any::type_name;
use core::fmt::{self, Write};
use core::marker::PhantomData;

use crate::cost::{Books, Cost, Passes, Plus, Price, Ratio, exact};
use crate::data::Domain;
use crate::mechanism::Mechanism;
use crate::number::ORDERS;
use crate::vault::Vault;

/// The version of the lines that [`print`] writes.
const FORMAT: u32 = 2;

/// The guide's page on compile errors, for `cargo privet explain`.
pub const COMPILE_ERRORS: &str = include_str!("docs/compile_errors.md");
/// The guide's page on notions, for `cargo privet explain`.
pub const NOTIONS: &str = include_str!("docs/notions.md");

/// e^(2ε) of a price, as [`Price::meaning`] shows it, rounded up. None for a zCDP price.
pub fn factor(price: Price) -> Option<String> {
    price.factor()
}

/// a + b, rounded up where it does not fit in 128 bits: the arithmetic of meters, for the tool.
pub fn add_up(a: Ratio<u128>, b: Ratio<u128>) -> Option<Ratio<u128>> {
    exact::add_up(a, b)
}

/// a − b, or zero if that is negative; none if it outgrows 128 bits.
pub fn difference(a: Ratio<u128>, b: Ratio<u128>) -> Option<Ratio<u128>> {
    exact::exact_difference(a, b)
}

/// ε²/2, the ρ that a pure ε implies; none if it outgrows 128 bits.
pub fn half_square(epsilon: Ratio<u128>) -> Option<Ratio<u128>> {
    exact::half_square(epsilon)
}

/// The orders α = 1 + g at which types turn ρ into (ε, δ), as g and ln(1+g) + g·ln(1+1/g) from below.
///
/// At each of them ρ implies (ε, δ) if g·(ε − (1+g)ρ) + h ≥ ln(1/δ)
/// ([T16](crate::guide::theory#t16-concentrated-privacy)).
pub fn orders() -> impl Iterator<Item = (Ratio<u128>, Ratio<u128>)> {
    let order = |(_, unit, g, _, h)| (Ratio::new(g, 10_u128.pow(unit)), Ratio::new(h, 1000));
    ORDERS.into_iter().map(order)
}

/// A call whose answer is what the function returns.
#[derive(Debug)]
pub enum Direct {}
/// A call of an `async` function: the answer is what its future yields.
#[derive(Debug)]
pub enum Awaited {}

/// A function and its list of arguments, `(A, (B, ()))`.
#[diagnostic::on_unimplemented(
    message = "`#[audited]` cannot read the price of this function",
    label = "not auditable",
    note = "it is for safe functions of up to 8 arguments",
    note = "of a generic function, list the instances: `#[audited(instances(f::<Eps<1, 2>>))]`"
)]
pub trait Signature<Args, Call> {
    /// What it answers.
    type Out;
}

macro_rules! signature {
    ($spends:ident $awaited_spends:ident $opens:ident $awaited_opens:ident: $($A:ident)*) => {
        impl<F, R, $($A,)*> Signature<list!($($A)*), Direct> for F
        where
            F: FnOnce($($A),*) -> R,
        {
            type Out = R;
        }
        impl<F, R: Future, $($A,)*> Signature<list!($($A)*), Awaited> for F
        where
            F: FnOnce($($A),*) -> R,
        {
            type Out = R::Output;
        }
        signature!(spends $spends Direct $($A)*);
        signature!(spends $awaited_spends Awaited $($A)*);
        signature!(opens $opens Direct $($A)*);
        signature!(opens $awaited_opens Awaited $($A)*);
    };
    (spends $name:ident $Call:ident $($A:ident)*) => {
        /// [`spends`] of a function with as many arguments.
        pub const fn $name<$($A,)* F, R, WhichVault>(site: &'static str, _: F) -> Entry
        where
            F: Signature<list!($($A)*), $Call, Out = R> + Copy,
            R: Bill<list!($($A)*), WhichVault>,
            WhichVault: sealed::Place,
        {
            let facts = Spends::<R, list!($($A)*), WhichVault>::FACTS;
            Entry { site, facts }
        }
    };
    (opens $name:ident $Call:ident $($A:ident)*) => {
        /// [`opens`] of a function with as many arguments.
        pub const fn $name<$($A,)* F, R>(site: &'static str, _: F) -> Entry
        where
            F: Signature<list!($($A)*), $Call, Out = R> + Copy,
            R: Leaves,
        {
            let facts = Opens::<R, list!($($A)*)>::FACTS;
            Entry { site, facts }
        }
    };
}
macro_rules! list {
    () => { () };
    ($First:ident $($Rest:ident)*) => { ($First, list!($($Rest)*)) };
}
// rustc finds the one implementation for a number of arguments faster than the one of all.
signature!(spends_0 awaited_spends_0 opens_0 awaited_opens_0:);
signature!(spends_1 awaited_spends_1 opens_1 awaited_opens_1: A0);
signature!(spends_2 awaited_spends_2 opens_2 awaited_opens_2: A0 A1);
signature!(spends_3 awaited_spends_3 opens_3 awaited_opens_3: A0 A1 A2);
signature!(spends_4 awaited_spends_4 opens_4 awaited_opens_4: A0 A1 A2 A3);
signature!(spends_5 awaited_spends_5 opens_5 awaited_opens_5: A0 A1 A2 A3 A4);
signature!(spends_6 awaited_spends_6 opens_6 awaited_opens_6: A0 A1 A2 A3 A4 A5);
signature!(spends_7 awaited_spends_7 opens_7 awaited_opens_7: A0 A1 A2 A3 A4 A5 A6);
signature!(spends_8 awaited_spends_8 opens_8 awaited_opens_8: A0 A1 A2 A3 A4 A5 A6 A7);

mod sealed {
    use super::{Domain, Here, Later, Mechanism, Returned, Vault};

    /// Only this crate decides what a function spends.
    pub trait Sealed {}
    impl<In: Domain, Out, C> Sealed for Mechanism<In, Out, C> {}
    impl<In: Domain, B> Sealed for Vault<In, B> {}
    impl<A, V: Sealed> Sealed for (A, V) {}
    impl<A, B, V: Sealed> Sealed for (A, B, V) {}
    impl<A, B, C, V: Sealed> Sealed for (A, B, C, V) {}
    impl<V: Sealed, E> Sealed for Result<V, E> {}
    impl<V: Sealed> Sealed for Option<V> {}

    /// Where a price is found.
    pub trait Place {}
    impl Place for Returned {}
    impl Place for Here {}
    impl<P: Place> Place for Later<P> {}
}

/// What a call spends, read off what it returns and the list of what it takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what this function spends",
    label = "no price in this type",
    note = "`#[audited]` is for functions that return a `Mechanism`, or take a `Vault` and return what is left of it, alone or last in a tuple, also in a `Result`",
    note = "a function that opens a vault is audited as `#[audited(opens)]`"
)]
pub trait Bill<Args, Place: sealed::Place>: sealed::Sealed {
    /// The data it is spent on.
    type In: Domain;
    /// How it is spent.
    const KIND: &'static str;
    /// For a vault, what goes in and what comes out. For a mechanism, what it costs and nothing.
    const BOOKS: (Price, Option<Price>);
}

/// The place of a price in a mechanism's own type.
#[derive(Debug)]
pub enum Returned {}

impl<In: Domain, Out: 'static, C: Cost, Args> Bill<Args, Returned> for Mechanism<In, Out, C> {
    type In = In;
    const KIND: &'static str = "mechanism";
    const BOOKS: (Price, Option<Price>) = (C::PRICE, None);
}

impl<In: Domain, L: Cost, Args: Holds<In, Place>, Place: sealed::Place> Bill<Args, Place>
    for Vault<In, L>
{
    type In = In;
    const KIND: &'static str = "vault";
    const BOOKS: (Price, Option<Price>) = (Args::Budget::PRICE, Some(L::PRICE));
}

/// The first place in a list.
#[derive(Debug)]
pub enum Here {}
/// A later place in a list.
#[derive(Debug)]
pub struct Later<Place>(PhantomData<Place>);

/// A list of arguments with a vault of `In`.
#[diagnostic::on_unimplemented(
    message = "this function returns a vault but takes none of the same data",
    label = "no vault goes in",
    note = "a function that opens a vault is audited as `#[audited(opens)]`"
)]
pub trait Holds<In: Domain, Place: sealed::Place> {
    /// The vault's budget.
    type Budget: Cost;
}
impl<In: Domain, B: Cost, Rest> Holds<In, Here> for (Vault<In, B>, Rest) {
    type Budget = B;
}
impl<In: Domain, First, Rest: Holds<In, Place>, Place: sealed::Place> Holds<In, Later<Place>>
    for (First, Rest)
{
    type Budget = Rest::Budget;
}

/// Types that hold the vault that a function returns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what this function spends",
    label = "no vault in this type",
    note = "return the vault alone or last in a tuple, also in a `Result` or an `Option`"
)]
pub trait Leaves: sealed::Sealed {
    /// The vault's data.
    type In: Domain;
    /// What is left in it.
    type Left: Cost;
}
impl<In: Domain, L: Cost> Leaves for Vault<In, L> {
    type In = In;
    type Left = L;
}

macro_rules! in_a_tuple {
    ($($A:ident)*) => {
        impl<$($A,)* V: Leaves> Leaves for ($($A,)* V) {
            type In = V::In;
            type Left = V::Left;
        }
        impl<$($A,)* V: Leaves, Args, Place: sealed::Place> Bill<Args, Place> for ($($A,)* V)
        where
            Vault<V::In, V::Left>: Bill<Args, Place>,
        {
            type In = <Vault<V::In, V::Left> as Bill<Args, Place>>::In;
            const KIND: &'static str = Vault::<V::In, V::Left>::KIND;
            const BOOKS: (Price, Option<Price>) = Vault::<V::In, V::Left>::BOOKS;
        }
        impl<Ceiling, $($A,)* V: Leaves, Args, Place: sealed::Place> Capped<Ceiling, Args, Place> for ($($A,)* V)
        where
            Vault<V::In, V::Left>: Capped<Ceiling, Args, Place>,
        {
        }
    };
}
in_a_tuple!(A0);
in_a_tuple!(A0 A1);
in_a_tuple!(A0 A1 A2);

macro_rules! in_a_wrapper {
    ($($Wrapper:ty, $($E:ident)?;)*) => { $(
        impl<V: Leaves, $($E)?> Leaves for $Wrapper {
            type In = V::In;
            type Left = V::Left;
        }
        impl<V: Bill<Args, Place>, Args, Place: sealed::Place, $($E)?> Bill<Args, Place> for $Wrapper {
            type In = V::In;
            const KIND: &'static str = V::KIND;
            const BOOKS: (Price, Option<Price>) = V::BOOKS;
        }
        impl<Ceiling, V, Args, Place: sealed::Place, $($E)?> Capped<Ceiling, Args, Place> for $Wrapper
        where
            V: Capped<Ceiling, Args, Place>,
        {
        }
    )* };
}
in_a_wrapper! {
    Result<V, E>, E;
    Option<V>,;
}

/// What a call spends is at most the ceiling.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what this function spends",
    label = "no price in this type",
    note = "`#[audited]` is for functions that return a `Mechanism`, or take a `Vault` and return what is left of it, alone or last in a tuple, also in a `Result`",
    note = "a function that opens a vault is audited as `#[audited(opens)]`"
)]
pub trait Capped<Ceiling, Args, Place: sealed::Place>: sealed::Sealed {}

impl<In: Domain, Out: 'static, C: Cost, Ceiling: Cost, Args> Capped<Ceiling, Args, Returned>
    for Mechanism<In, Out, C>
where
    Books: Passes<C, Ceiling>,
    <Books as Passes<C, Ceiling>>::Cheaper: UnderCeiling<C, Ceiling>,
    <Books as Passes<C, Ceiling>>::Implied: UnderCeiling<C, Ceiling>,
{
}

// B − L ≤ ceiling, as B ≤ L + ceiling. Where L + ceiling has no short fraction it is rounded up, so
// that an excess of less than a hundredth can pass here; the audit itself compares exactly.
impl<In, L, B, S, Ceiling, Args, Place: sealed::Place> Capped<Ceiling, Args, Place> for Vault<In, L>
where
    In: Domain,
    Args: Holds<In, Place, Budget = B>,
    L: Plus<Ceiling, Sum = S>,
    B: Cost,
    S: Cost,
    Ceiling: Cost,
    Books: Passes<B, S>,
    <Books as Passes<B, S>>::Cheaper: SpendsUnderCeiling<B, L, Ceiling>,
    <Books as Passes<B, S>>::Implied: SpendsUnderCeiling<B, L, Ceiling>,
{
}

/// The verdict on a mechanism or a budget.
#[diagnostic::on_unimplemented(
    message = "this function costs `{Price}`, more than its declared ceiling `{Ceiling}`",
    label = "over its ceiling",
    note = "lower what it costs, or have the ceiling raised: it is what reviewers agreed to"
)]
pub trait UnderCeiling<Price, Ceiling> {}
#[diagnostic::do_not_recommend]
impl<C, D> UnderCeiling<C, D> for crate::number::Yes {}

/// The verdict on a vault.
#[diagnostic::on_unimplemented(
    message = "this function takes a vault of `{Budget}` and leaves `{Left}`: it spends more than its declared ceiling `{Ceiling}`",
    label = "over its ceiling",
    note = "lower what it spends, or have the ceiling raised: it is what reviewers agreed to"
)]
pub trait SpendsUnderCeiling<Budget, Left, Ceiling> {}
#[diagnostic::do_not_recommend]
impl<B, L, D> SpendsUnderCeiling<B, L, D> for crate::number::Yes {}

/// Compiles if a function spends at most `Ceiling`. Does not call it.
pub fn at_most<Ceiling: Cost, Call, F, Args, R, Place: sealed::Place>(_: F)
where
    F: Signature<Args, Call, Out = R>,
    R: Capped<Ceiling, Args, Place>,
{
}

/// Compiles if a function opens a vault of at most `Ceiling`. Does not call it.
pub fn opens_at_most<Ceiling: Cost, Call, F, Args, R, B>(_: F)
where
    F: Signature<Args, Call, Out = R>,
    R: Leaves<Left = B>,
    B: Cost,
    Books: Passes<B, Ceiling>,
    <Books as Passes<B, Ceiling>>::Cheaper: UnderCeiling<B, Ceiling>,
    <Books as Passes<B, Ceiling>>::Implied: UnderCeiling<B, Ceiling>,
{
}

/// What the type of an audited function says.
///
/// It is data, made by the compiler without code of its own: an audit of many functions compiles one
/// function that prints all of them.
#[derive(Debug)]
pub struct Entry {
    /// Where the function is, as members of a JSON object.
    site: &'static str,
    facts: &'static Facts,
}

/// What is the same wherever a function is, so that rustc need not make it again where one moves.
#[derive(Debug)]
struct Facts {
    kind: &'static str,
    data: Name,
    takes: Name,
    books: (Price, Option<Price>),
    /// What an opener returns.
    returns: Option<Name>,
}

/// The name of a type.
type Name = fn() -> &'static str;

struct Spends<R, Args, WhichVault>(PhantomData<(R, Args, WhichVault)>);
impl<R: Bill<Args, WhichVault>, Args, WhichVault: sealed::Place> Spends<R, Args, WhichVault> {
    const FACTS: &'static Facts = &Facts {
        kind: R::KIND,
        data: type_name::<R::In>,
        takes: type_name::<Args>,
        books: R::BOOKS,
        returns: None,
    };
}

struct Opens<R, Args>(PhantomData<(R, Args)>);
impl<R: Leaves, Args> Opens<R, Args> {
    const FACTS: &'static Facts = &Facts {
        kind: "opens",
        data: type_name::<R::In>,
        takes: type_name::<Args>,
        books: (R::Left::PRICE, None),
        returns: Some(type_name::<R>),
    };
}

/// What a function spends, as its type says. Does not call it.
///
/// The compiler names the last parameter where a function takes two vaults of the same data.
pub const fn spends<Call, Args, F, R, WhichVault: sealed::Place>(site: &'static str, _: F) -> Entry
where
    F: Signature<Args, Call, Out = R> + Copy,
    R: Bill<Args, WhichVault>,
{
    let facts = Spends::<R, Args, WhichVault>::FACTS;
    Entry { site, facts }
}

/// What a vault is opened with, as the function's type says. Does not call it.
pub const fn opens<Call, Args, F, R>(site: &'static str, _: F) -> Entry
where
    F: Signature<Args, Call, Out = R> + Copy,
    R: Leaves,
{
    let facts = Opens::<R, Args>::FACTS;
    Entry { site, facts }
}

/// Prints what is known of the functions of a module.
pub fn print(module: &str, entries: &[Entry]) {
    let mut text = String::new();
    for entry in entries {
        // The test harness may have begun a line of its own.
        let _ = writeln!(text, "\nprivet-audit {}", Line { module, entry });
    }
    // In one piece: each call of `print!` that ends a line is a call of the system.
    print!("{text}");
}

type Somebody = crate::mechanism::local::Person<bool>;
type Vaults = Vault<Somebody, crate::cost::Eps<1, 1>>;
type Meters = crate::vault::Meter<Somebody, crate::cost::Eps<1, 1>>;

impl Facts {
    /// Vaults and meters that are not in the price.
    fn others(&self) -> usize {
        let takes = (self.takes)();
        let (all, priced) = match self.returns {
            // What it opens is one vault: a second one, a meter, or one that went in is not in the
            // budget.
            Some(returns) => {
                let returns = returns();
                let all = held::<Vaults>(takes) + held::<Vaults>(returns) + held::<Meters>(returns);
                (all, 1)
            }
            None => {
                let all = held::<Vaults>(takes) + held::<Meters>(takes);
                (all, usize::from(self.books.1.is_some()))
            }
        };
        all.saturating_sub(priced)
    }
}

/// How many times a type's name says `Vault<…>` or `Meter<…>`, wrappers and all.
///
/// A name does not say what a structure of the project's own holds: the tool, which reads the
/// sources, looks for the names of those.
fn held<Example>(name: &str) -> usize {
    let example = type_name::<Example>();
    let wanted = example.split('<').next().unwrap_or(example);
    name.matches(&format!("{wanted}<")).count()
}

/// One line of JSON.
struct Line<'a> {
    module: &'a str,
    entry: &'a Entry,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { site, facts } = self.entry;
        write!(f, "{{\"format\":{FORMAT},{site}")?;
        write!(f, ",\"other_vaults\":{}", facts.others())?;
        let (price, left) = facts.books;
        for (key, value) in [
            ("module", self.module),
            ("kind", facts.kind),
            ("data", (facts.data)()),
            ("takes", (facts.takes)()),
            ("price", &price.to_string()),
        ] {
            write!(f, ",\"{key}\":{}", JsonString(value))?;
        }
        if let Some(left) = left {
            write!(f, ",\"left\":{}", JsonString(&left.to_string()))?;
        }
        f.write_char('}')
    }
}

/// A JSON string.
struct JsonString<'a>(&'a str);

impl fmt::Display for JsonString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}
