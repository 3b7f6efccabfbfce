//! Records and categories that a macro writes, and discriminants that are expressions.
#![forbid(unsafe_code)]

use privet::Category as _;
use privet::prelude::*;
use privet::testing::exact;

#[derive(Category, Clone, Copy)]
#[repr(u8)]
enum Shifted {
    None = 0,
    Read = 1 << 0,
    Write = 1 << 1,
    Both = (1 << 0) | 1 << 1,
    Half = 255 >> 1,
}

const fn pick<A, B>(value: isize) -> isize {
    let _ = (size_of::<A>(), size_of::<B>());
    value
}

trait Number<A = u8, B = u8> {
    const N: isize;
}
impl Number for u8 {
    const N: isize = 8;
}
impl<A> Number<A, Vec<Vec<A>>> for u16 {
    const N: isize = 16;
}

type Plain<A, B> = <(isize, A, B) as First>::Is;
trait First {
    type Is;
}
impl<A, B, C> First for (A, B, C) {
    type Is = A;
}

#[derive(Category, Clone, Copy)]
#[allow(clippy::identity_op)]
enum Expressed {
    Turbofish = pick::<u8, u16>(1),
    Nested = pick::<Vec<Vec<u8>>, fn(u8, u8) -> Option<u8>>(2),
    Qualified = <u8 as Number<u8, u8>>::N,
    Deep = <u16 as Number<u8, Vec<Vec<u8>>>>::N,
    Shifts = 1 << <u8 as Number<u8, u8>>::N,
    Cast = 40 as Plain<u8, Vec<u8>>,
    Compared = if 1 < 2 { 50 } else { 51 },
    Blocked = { 60 + (1 < 2) as isize },
    Tuple = (70, 71).1,
    Array = [80, 81][1],
    Matched = match 1 << 2 {
        4 => 90,
        _ => 91,
    },
    Negative = -1,
    Last,
}

#[test]
fn discriminants_are_expressions() {
    assert_eq!(Shifted::NAMES, ["None", "Read", "Write", "Both", "Half"]);
    assert_eq!(
        Expressed::NAMES,
        [
            "Turbofish",
            "Nested",
            "Qualified",
            "Deep",
            "Shifts",
            "Cast",
            "Compared",
            "Blocked",
            "Tuple",
            "Array",
            "Matched",
            "Negative",
            "Last"
        ]
    );
    #[derive(Record, Clone)]
    struct Row {
        shifted: Shifted,
        expressed: Expressed,
    }
    let row = |shifted, expressed| Row { shifted, expressed };
    let table = || {
        [
            row(Shifted::None, Expressed::Turbofish),
            row(Shifted::Both, Expressed::Last),
            row(Shifted::Both, Expressed::Shifts),
            row(Shifted::Read, Expressed::Last),
            row(Shifted::Write, Expressed::Negative),
            row(Shifted::Half, Expressed::Negative),
        ]
    };
    let shifted = rows::<Row>().histogram(|r| r.shifted);
    assert_eq!(exact(&shifted, table()), [1, 1, 1, 2, 1]);
    let expressed = rows::<Row>().histogram(|r| r.expressed);
    let counts = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 2];
    assert_eq!(exact(&expressed, table()), counts);
    // The discriminants are Rust's affair: every variant has the value that it was given.
    let values = [
        Expressed::Turbofish as isize,
        Expressed::Nested as isize,
        Expressed::Qualified as isize,
        Expressed::Deep as isize,
        Expressed::Cast as isize,
        Expressed::Compared as isize,
        Expressed::Blocked as isize,
        Expressed::Tuple as isize,
        Expressed::Array as isize,
        Expressed::Matched as isize,
    ];
    assert_eq!(values, [1, 2, 8, 16, 40, 50, 61, 71, 81, 90]);
}

/// Every kind of fragment that a record or a category can be written with.
macro_rules! record {
    ($(#[$meta:meta])* $v:vis struct $name:ident {
        $($(#[$of_field:meta])* $fv:vis $field:ident : $t:ty),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Record, Clone)]
        $v struct $name { $($(#[$of_field])* $fv $field: $t),* }
    };
}

macro_rules! category {
    ($(#[$meta:meta])* $v:vis enum $name:ident { $($(#[$of_key:meta])* $kv:vis $key:ident = $value:expr),* }) => {
        $(#[$meta])*
        #[derive(Category, Clone)]
        $v enum $name { $($(#[$of_key])* $kv $key = $value),* }
    };
}

macro_rules! whole {
    ($item:item) => {
        #[derive(Record, Clone)]
        $item
    };
}

mod made {
    use super::*;

    category! {
        /// Shown.
        #[allow(dead_code)]
        pub enum Ward {
            /// First.
            Surgery = 1 << 3,
            Maternity = pick::<u8, u16>(2)
        }
    }

    record! {
        /// A visit.
        #[allow(dead_code)]
        pub(crate) struct Visit {
            /// Whose.
            #[privet(person)]
            pub patient: i64,
            pub(crate) ward: Ward,
            pub(in crate::made) bill: Option<f64>,
            pub place: [f64; 1 << 1],
            pub note: Option<String>,
            pub seen: <(bool, u8, u8) as First>::Is,
        }
    }

    record! {
        struct Hidden { age: i64 }
    }

    pub fn hidden() -> Vec<i128> {
        exact(
            &rows::<Hidden>().sum(|h| h.age.clamp::<0, 100>()),
            [Hidden { age: 44 }],
        )
    }

    pub fn visit(patient: i64, ward: Ward) -> Visit {
        Visit {
            patient,
            ward,
            bill: Some(2.0),
            place: [1.0, 2.0],
            note: None,
            seen: true,
        }
    }
}

whole! {
    /// All of it.
    struct Whole { age: i64 }
}

macro_rules! typed {
    ($name:ident, $t:ty, $field:ident) => {
        #[derive(Record, Clone)]
        struct $name {
            $field: $t,
            maybe: Option<$t>,
        }
    };
}
typed!(Typed, i64, age);

#[test]
fn macros_write_records() {
    use made::{Visit, Ward, visit};
    let table = || {
        [
            visit(1, Ward::Maternity),
            visit(1, Ward::Maternity),
            visit(2, Ward::Surgery),
        ]
    };
    let wards = rows::<Visit>().histogram(|v| v.ward);
    assert_eq!(exact(&wards, table()), [1, 2]);
    let seen = rows::<Visit>()
        .filter(|v| v.seen & v.note.is_null())
        .count();
    assert_eq!(exact(&seen, table()), [3]);
    // The person survives a `$meta`.
    let people = rows::<Table<Visit, privet::query::PerPerson>>()
        .bound_contributions::<1>(|v| v.patient)
        .count();
    assert_eq!(exact(&people, table()), [2]);
    assert_eq!(made::hidden(), [44]);
    let age = rows::<Whole>().sum(|w| w.age.clamp::<0, 100>());
    assert_eq!(exact(&age, [Whole { age: 7 }]), [7]);
    let typed = rows::<Typed>().sum(|t| t.age.clamp::<0, 9>() + t.maybe.or(2).clamp::<0, 9>());
    let row = Typed {
        age: 3,
        maybe: None,
    };
    assert_eq!(exact(&typed, [row]), [5]);
}
