//! Integers as decimal strings in JSON. Many readers of JSON keep only 53 bits of a number.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::plan::interval::Interval;

fn parse<N: FromStr<Err: Display>, E: Error>(text: &str) -> Result<N, E> {
    text.parse().map_err(|error| E::custom(format_args!("'{text}' is not a valid number ({error})")))
}

pub(crate) fn serialize<N: Display, S: Serializer>(number: &N, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

pub(crate) fn deserialize<'de, N, D>(deserializer: D) -> Result<N, D::Error>
where
    N: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    parse(&String::deserialize(deserializer)?)
}

/// A number or null.
pub(crate) mod optional {
    use super::*;

    pub(crate) fn serialize<N: Display, S: Serializer>(
        number: &Option<N>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        number.as_ref().map(N::to_string).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, N, D>(deserializer: D) -> Result<Option<N>, D::Error>
    where
        N: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        Option::<String>::deserialize(deserializer)?.map(|text| parse(&text)).transpose()
    }
}

/// A map from numbers to numbers.
pub(crate) mod map {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        counts: &BTreeMap<usize, u64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(counts.iter().map(|(key, count)| (key.to_string(), count.to_string())))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<usize, u64>, D::Error> {
        let texts = BTreeMap::<String, String>::deserialize(deserializer)?;
        texts.iter().map(|(key, count)| Ok((parse(key)?, parse(count)?))).collect()
    }
}

/// The greatest number of items of a list in a file, so that their memory is bounded: they may take ten
/// times as much as in the file.
const MAX_ITEMS: usize = 1 << 20;

/// Reads a list that is not too long.
pub(crate) fn list<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_seq(List(PhantomData))
}

/// A list of numbers.
pub(crate) fn numbers<S: Serializer>(numbers: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(u64::to_string))
}

pub(crate) fn parsed_numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    list::<String, D>(deserializer)?.iter().map(|text| parse(text)).collect()
}

struct List<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MAX_ITEMS} items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            if list.len() == MAX_ITEMS {
                return Err(A::Error::invalid_length(MAX_ITEMS + 1, &self));
            }
            list.push(item);
        }
        Ok(list)
    }
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.first.to_string(), self.last.to_string()].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Interval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let [first, last] = <[String; 2]>::deserialize(deserializer)?;
        // Within 64 bits, so that sums and differences of two numbers cannot overflow.
        let limits = Interval { first: i64::MIN.into(), last: u64::MAX.into() };
        Interval::new(parse(&first)?, parse(&last)?)
            .filter(|interval| limits.contains(interval.first) && limits.contains(interval.last))
            .ok_or_else(|| {
                D::Error::custom(format_args!("{first} to {last} is not an interval of 64-bit integers"))
            })
    }
}
