//! The greatest deviation from a reference, and the first input with it.

use std::cmp::Ordering;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::report::decimal;

/// The greatest deviation from a reference among the checked inputs, and the first input with it: that
/// with the lowest number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Worst {
    /// The deviation, in units in the last place for [`Ulps`](crate::Ulps). In JSON it is a text if it is
    /// infinite or NaN.
    #[serde(serialize_with = "write_deviation", deserialize_with = "read_deviation")]
    pub deviation: f64,
    /// The input.
    pub value: String,
    /// The number of the input in its space; `None` in reports of earlier versions.
    #[serde(default, with = "decimal::optional", skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<i128>,
}

impl Worst {
    /// Returns the greater of two deviations; of equal ones that of the first input, so that it does not
    /// depend on threads, shards and interruptions.
    pub(crate) fn greater(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let key = |worst: &Self| (worst.deviation, worst.number.unwrap_or(i128::MAX));
        a.into_iter().chain(b).max_by(|a, b| compare(key(a), key(b)))
    }
}

/// Compares deviations with the numbers of their inputs. Of equal deviations, that of the lower number is
/// greater.
pub(crate) fn compare(a: (f64, i128), b: (f64, i128)) -> Ordering {
    a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))
}

/// A number, or the text of one that JSON does not have.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Deviation {
    Number(f64),
    Text(String),
}

fn write_deviation<S: Serializer>(deviation: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match deviation.is_finite() {
        true => Deviation::Number(*deviation),
        false => Deviation::Text(deviation.to_string()),
    }
    .serialize(serializer)
}

fn read_deviation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match Deviation::deserialize(deserializer)? {
        Deviation::Number(deviation) => Ok(deviation),
        Deviation::Text(text) => text.parse().map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deviation_is_read_as_it_was_written() {
        for deviation in [0.0, 1.5, f64::MAX, f64::INFINITY, f64::NAN] {
            let worst = Worst { deviation, value: "7".into(), number: Some(7) };
            let json = serde_json::to_string(&worst).unwrap();
            let read: Worst = serde_json::from_str(&json).unwrap();
            assert_eq!((read.deviation.to_bits(), read.number), (deviation.to_bits(), Some(7)), "{json}");
        }
    }

    #[test]
    fn of_equal_deviations_that_with_the_lowest_number_is_greater() {
        let worst = |number| Some(Worst { deviation: 2.0, value: String::new(), number });
        for (a, b) in [(Some(1), Some(5)), (Some(-5), Some(1)), (Some(1), None)] {
            for (one, other) in [(a, b), (b, a)] {
                assert_eq!(Worst::greater(worst(one), worst(other)).unwrap().number, a);
            }
        }
    }
}
