//! How privet's own answers are written and read with serde, so that a stored one comes back bit for bit.
//!
//! Without serde's derive, which would add a parser of Rust to every build with a ledger. serde itself has no
//! form for long arrays, and JSON none for an infinite end of an interval.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{DeserializeSeed, Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How a part of an answer is written.
pub(crate) trait Write<T> {
    fn write<S: Serializer>(part: &T, to: S) -> Result<S::Ok, S::Error>;
}

/// How a part of an answer is read.
pub(crate) trait Read<'de, T> {
    fn read<D: Deserializer<'de>>(from: D) -> Result<T, D::Error>;
}

/// As serde does.
pub(crate) enum Plain {}

impl<T: Serialize> Write<T> for Plain {
    fn write<S: Serializer>(part: &T, to: S) -> Result<S::Ok, S::Error> {
        part.serialize(to)
    }
}
impl<'de, T: Deserialize<'de>> Read<'de, T> for Plain {
    fn read<D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        T::deserialize(from)
    }
}

/// Any `f64`. A text says what a number of JSON cannot be.
pub(crate) enum Number {}

/// What numbers are called that are not finite.
const NOT_FINITE: [(&str, f64); 3] = [
    ("inf", f64::INFINITY),
    ("-inf", f64::NEG_INFINITY),
    ("NaN", f64::NAN),
];

impl Write<f64> for Number {
    fn write<S: Serializer>(part: &f64, to: S) -> Result<S::Ok, S::Error> {
        if part.is_finite() || !to.is_human_readable() {
            return to.serialize_f64(*part);
        }
        let called = NOT_FINITE.iter().find(|(_, number)| number == part);
        to.serialize_str(called.map_or("NaN", |(name, _)| name))
    }
}
impl<'de> Read<'de, f64> for Number {
    fn read<D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        if from.is_human_readable() {
            from.deserialize_any(AnyNumber)
        } else {
            f64::deserialize(from)
        }
    }
}

struct AnyNumber;

impl Visitor<'_> for AnyNumber {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or `inf`, `-inf` or `NaN`")
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        Ok(number)
    }
    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        Ok(number as f64)
    }
    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        Ok(number as f64)
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
        let named = NOT_FINITE.iter().find(|(name, _)| *name == text);
        named
            .map(|(_, number)| *number)
            .ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// A list or an array of any length, each item in this form.
pub(crate) struct List<F>(PhantomData<F>);

fn write_list<'a, F: Write<T>, T: 'a, S: Serializer>(
    items: &'a [T],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(items.iter().map(Part::<F, T>::of))
}
impl<T, F: Write<T>> Write<Vec<T>> for List<F> {
    fn write<S: Serializer>(part: &Vec<T>, to: S) -> Result<S::Ok, S::Error> {
        write_list::<F, T, S>(part, to)
    }
}
impl<T, F: Write<T>, const N: usize> Write<[T; N]> for List<F> {
    fn write<S: Serializer>(part: &[T; N], to: S) -> Result<S::Ok, S::Error> {
        write_list::<F, T, S>(part, to)
    }
}
impl<'de, T, F: Read<'de, T>> Read<'de, Vec<T>> for List<F> {
    fn read<D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
        from.deserialize_seq(Items::<F, T>(PhantomData))
    }
}
impl<'de, T, F: Read<'de, T>, const N: usize> Read<'de, [T; N]> for List<F> {
    fn read<D: Deserializer<'de>>(from: D) -> Result<[T; N], D::Error> {
        let items: Vec<T> = List::<F>::read(from)?;
        items.try_into().map_err(|items: Vec<T>| {
            D::Error::invalid_length(items.len(), &format!("{N} items").as_str())
        })
    }
}

struct Items<F, T>(PhantomData<(F, T)>);

impl<'de, T, F: Read<'de, T>> Visitor<'de> for Items<F, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element_seed(As::<F, T>::new())? {
            items.push(item);
        }
        Ok(items)
    }
}

/// A part that is written in a form.
pub(crate) struct Part<'a, F, T>(&'a T, PhantomData<F>);

impl<'a, F, T> Part<'a, F, T> {
    pub(crate) fn of(part: &'a T) -> Self {
        Part(part, PhantomData)
    }
}
impl<F: Write<T>, T> Serialize for Part<'_, F, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        F::write(self.0, to)
    }
}

/// A part that is read in a form.
pub(crate) struct As<F, T>(PhantomData<(F, T)>);

impl<F, T> As<F, T> {
    pub(crate) fn new() -> Self {
        As(PhantomData)
    }
}
impl<'de, F: Read<'de, T>, T> DeserializeSeed<'de> for As<F, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<T, D::Error> {
        F::read(from)
    }
}

/// `Serialize` and `Deserialize` of a struct, by fields and the form of each.
macro_rules! stored {
    // A type parameter is an answer of the user's, which serde writes.
    ($name:ident<$T:ident> { $($field:ident as $Form:ty,)* }) => {
        $crate::stored::stored! {
            @impl [$T: ::serde::Serialize] [$T: ::serde::Deserialize<'de>] $name ($name<$T>) { $($field as $Form,)* }
        }
    };
    ([$($generics:tt)*] $name:ident $(<$($arg:ident),*>)? { $($field:ident as $Form:ty,)* }) => {
        $crate::stored::stored! {
            @impl [$($generics)*] [$($generics)*] $name ($name $(<$($arg),*>)?) { $($field as $Form,)* }
        }
    };
    (@impl [$($written:tt)*] [$($read:tt)*] $name:ident ($Type:ty) { $($field:ident as $Form:ty,)* }) => {
        impl<$($written)*> ::serde::Serialize for $Type {
            fn serialize<To: ::serde::Serializer>(&self, to: To) -> Result<To::Ok, To::Error> {
                use ::serde::ser::SerializeStruct as _;
                use $crate::stored::Part;
                let mut parts = to.serialize_struct(stringify!($name), [$(stringify!($field)),*].len())?;
                $(parts.serialize_field(stringify!($field), &Part::<$Form, _>::of(&self.$field))?;)*
                parts.end()
            }
        }
        impl<'de, $($read)*> ::serde::Deserialize<'de> for $Type {
            fn deserialize<From: ::serde::Deserializer<'de>>(from: From) -> Result<Self, From::Error> {
                use ::core::fmt;
                use ::core::marker::PhantomData;
                use ::serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
                use $crate::stored::As;

                struct Parts<Answer>(PhantomData<Answer>);
                impl<'de, $($read)*> Visitor<'de> for Parts<$Type> {
                    type Value = $Type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(stringify!($name))
                    }
                    fn visit_seq<Seq: SeqAccess<'de>>(self, mut from: Seq) -> Result<$Type, Seq::Error> {
                        $(
                            let $field = from
                                .next_element_seed(As::<$Form, _>::new())?
                                .ok_or_else(|| Seq::Error::missing_field(stringify!($field)))?;
                        )*
                        Ok($name { $($field),* })
                    }
                    fn visit_map<Map: MapAccess<'de>>(self, mut from: Map) -> Result<$Type, Map::Error> {
                        $(let mut $field = None;)*
                        while let Some(key) = from.next_key::<String>()? {
                            match key.as_str() {
                                $(stringify!($field) => {
                                    let part = from.next_value_seed(As::<$Form, _>::new())?;
                                    if $field.replace(part).is_some() {
                                        return Err(Map::Error::duplicate_field(stringify!($field)));
                                    }
                                })*
                                _ => {
                                    from.next_value::<IgnoredAny>()?;
                                }
                            }
                        }
                        Ok($name {
                            $($field: $field.ok_or_else(|| Map::Error::missing_field(stringify!($field)))?,)*
                        })
                    }
                }
                const FIELDS: &[&str] = &[$(stringify!($field)),*];
                from.deserialize_struct(stringify!($name), FIELDS, Parts(PhantomData))
            }
        }
    };
}

/// `Serialize` and `Deserialize` by the text that a type prints and reads.
macro_rules! as_text {
    ([$($generics:tt)*] $Type:ty) => {
        impl<$($generics)*> ::serde::Serialize for $Type {
            fn serialize<To: ::serde::Serializer>(&self, to: To) -> Result<To::Ok, To::Error> {
                to.collect_str(self)
            }
        }
        impl<'de, $($generics)*> ::serde::Deserialize<'de> for $Type {
            fn deserialize<From: ::serde::Deserializer<'de>>(from: From) -> Result<Self, From::Error> {
                let text = <String as ::serde::Deserialize>::deserialize(from)?;
                text.parse().map_err(::serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use {as_text, stored};

#[cfg(test)]
mod tests {
    use super::*;

    fn round(number: f64) -> (String, f64) {
        let text = serde_json::to_string(&Part::<Number, _>::of(&number)).unwrap();
        let mut from = serde_json::Deserializer::from_str(&text);
        let read = As::<Number, f64>::new().deserialize(&mut from).unwrap();
        (text, read)
    }

    #[test]
    fn every_number_comes_back() {
        for number in [
            0.0,
            -0.0,
            0.1,
            1.0 / 3.0,
            5e-324,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ] {
            let (text, read) = round(number);
            assert_eq!(read.to_bits(), number.to_bits(), "{text}");
        }
        assert!(round(f64::NAN).1.is_nan());
        assert_eq!(round(f64::NEG_INFINITY).0, r#""-inf""#);
        // Others may write a whole number without a point, and nobody writes other words.
        for (text, number) in [("3", Some(3.0)), ("-3", Some(-3.0)), (r#""huge""#, None)] {
            let mut from = serde_json::Deserializer::from_str(text);
            let read = As::<Number, f64>::new().deserialize(&mut from);
            assert_eq!(read.ok(), number);
        }
    }

    #[test]
    fn an_array_has_its_length() {
        let long = [0.5; 40];
        let text = serde_json::to_string(&Part::<List<Number>, _>::of(&long)).unwrap();
        let mut from = serde_json::Deserializer::from_str(&text);
        let read: [f64; 40] = As::<List<Number>, _>::new().deserialize(&mut from).unwrap();
        assert_eq!(read, long);
        let mut from = serde_json::Deserializer::from_str(&text);
        let short: Result<[f64; 39], _> = As::<List<Number>, _>::new().deserialize(&mut from);
        let error = short.unwrap_err().to_string();
        assert!(
            error.contains("invalid length 40, expected 39 items"),
            "{error}"
        );
    }

    struct Two {
        first: f64,
        second: u64,
    }
    stored! {
        [] Two {
            first as Number,
            second as Plain,
        }
    }

    #[test]
    fn fields_are_named_each_once() {
        let read = |text| serde_json::from_str::<Two>(text).map_err(|error| error.to_string());
        let two = read(r#"{"second":2,"more":[1],"first":"inf"}"#).unwrap();
        assert_eq!((two.first, two.second), (f64::INFINITY, 2));
        assert_eq!(
            serde_json::to_string(&two).unwrap(),
            r#"{"first":"inf","second":2}"#
        );
        // As a sequence, which formats without names write.
        assert_eq!(read("[0.5,1]").unwrap().second, 1);
        for (text, error) in [
            (r#"{"first":1}"#, "missing field `second`"),
            (
                r#"{"first":1,"first":1,"second":1}"#,
                "duplicate field `first`",
            ),
            ("[0.5]", "missing field `second`"),
        ] {
            let refused = read(text).err().unwrap();
            assert!(refused.contains(error), "{refused}");
        }
    }
}
