//! Filters of samples by their labels.

use std::collections::HashSet;
use std::iter::once;

use regex_lite::Regex;

use super::values::{Units, limit, start};
use crate::format::Profile;
use crate::format::wire::Label;
use crate::names::printable;
use crate::views::units::scale;

/// What a label of a sample must have, in the syntax of `-tagfocus` of pprof.
#[derive(Clone, Debug)]
pub(in crate::views) struct LabelFilter {
    pub(in crate::views) text: String,
    /// The key of the label. An empty one stands for any key.
    key: String,
    values: Values,
}

#[derive(Clone, Debug)]
enum Values {
    /// Numbers from `min` to `max` in a unit, which is empty for numbers without one.
    Numbers { min: f64, max: f64, unit: String },
    /// Texts that match one of these. If the key can be any, the sample must have a match for each of
    /// these, and the text begins with the key and a colon.
    Texts(Vec<Regex>),
}

impl LabelFilter {
    /// Parses a filter, such as `thread=worker` or `bytes=4kb:1mb`.
    pub(in crate::views) fn new(text: &str) -> Result<Self, regex_lite::Error> {
        let (key, values) = text.split_once('=').unwrap_or(("", text));
        let values = match numbers(values) {
            Some(numbers) => numbers,
            None => Values::Texts(values.split(',').map(Regex::new).collect::<Result<_, _>>()?),
        };
        Ok(Self { text: text.into(), key: key.into(), values })
    }

    /// Returns for each sample of a profile whether it has such a label.
    pub(in crate::views) fn matching_samples(&self, profile: &Profile) -> Vec<bool> {
        let samples = &profile.samples;
        match &self.values {
            Values::Numbers { min, max, unit } => {
                let units = Units::new(profile);
                let is_match = |label: &Label| {
                    let (value, found) = scale(label.number, units.get(label), unit);
                    label.text == 0 && found == unit && (*min..=*max).contains(&value)
                };
                let matches = |label: &Label| self.has_key(profile, label) && is_match(label);
                samples.iter().map(|sample| sample.label.iter().any(matches)).collect()
            }
            Values::Texts(regexes) => {
                let must_match_all = self.key.is_empty();
                let texts = self.texts(profile);
                let mut found = vec![must_match_all; samples.len()];
                for regex in regexes {
                    let matches = texts.iter().filter(|(_, text)| regex.is_match(text));
                    let matches: HashSet<_> = matches.map(|(entry, _)| *entry).collect();
                    for (found, sample) in found.iter_mut().zip(samples.iter()) {
                        if *found == must_match_all {
                            let mut entries = sample.label.iter().map(|label| (label.key, label.text));
                            *found = entries.any(|entry| matches.contains(&entry));
                        }
                    }
                }
                found
            }
        }
    }

    fn has_key(&self, profile: &Profile, label: &Label) -> bool {
        self.key.is_empty() || profile.text(label.key) == self.key
    }

    /// Returns the different texts with this key, each with its indices, as they are matched.
    fn texts(&self, profile: &Profile) -> Vec<((i64, i64), String)> {
        let labels = profile.samples.iter().flat_map(|sample| sample.label);
        let labels = labels.filter(|label| label.text != 0 && self.has_key(profile, label));
        let entries: HashSet<_> = labels.map(|label| (label.key, label.text)).collect();
        let length = |index: i64| profile.text(index).len();
        let limit = limit(once(profile), entries.iter().map(|&(key, text)| length(key) + length(text)));
        let text = |(key, text)| {
            let text = printable(start(profile, text, limit));
            match self.key.is_empty() {
                true => format!("{}:{text}", printable(start(profile, key, limit))),
                false => text,
            }
        };
        entries.into_iter().map(|entry| (entry, text(entry))).collect()
    }
}

/// Parses a number or a range of numbers with units: `32kb`, `32kb:`, `:64kb` or `32kb:64kb`.
fn numbers(text: &str) -> Option<Values> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let (min, max, unit) = match (first, last) {
        ("", last) => number(last, None).map(|(max, unit)| (f64::NEG_INFINITY, max, unit))?,
        (first, "") => number(first, None).map(|(min, unit)| (min, f64::INFINITY, unit))?,
        (first, last) => {
            let (min, unit) = number(first, None)?;
            let (max, other) = number(last, Some(&unit))?;
            (min, max, Some(unit).filter(|unit| *unit == other)?)
        }
    };
    Some(Values::Numbers { min, max, unit })
}

/// Parses a number with a unit, and converts it to the unit `to` or, if there is none, to the name of its
/// unit that pprof shows.
fn number(text: &str, to: Option<&str>) -> Option<(f64, String)> {
    let end = text.find(|char: char| char.is_ascii_alphabetic()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let is_unit = unit.chars().all(|char| char.is_ascii_alphabetic());
    let value = digits.parse().ok().filter(|_| is_unit)?;
    let (value, unit) = scale(value, unit, to.unwrap_or(unit));
    Some((value, unit.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<(f64, f64, String)> {
        match numbers(text)? {
            Values::Numbers { min, max, unit } => Some((min, max, unit)),
            Values::Texts(_) => None,
        }
    }

    #[test]
    fn ranges_are_those_of_pprof() {
        let range = |min, max, unit: &str| Some((min, max, unit.to_owned()));
        assert_eq!(parsed("32kb"), range(32.0, 32.0, "kB"));
        assert_eq!(parsed(":1mb"), range(f64::NEG_INFINITY, 1.0, "MB"));
        assert_eq!(parsed("-7:"), range(-7.0, f64::INFINITY, ""));
        assert_eq!(parsed("128kb:1mb"), range(128.0, 1024.0, "kB"));
        assert_eq!(parsed("1s:5"), range(1.0, 5.0, "s"), "the second unit may be missing");
        assert_eq!(parsed("3parsecs:4parsecs"), range(3.0, 4.0, "parsecs"));
        let others = [
            "",
            ":",
            "kb",
            "1kb:2s",
            "1:2:3",
            "+-1",
            "1-2",
            "9223372036854775808",
            "1 kb",
            "1\u{3bc}s",
            "1kb2",
        ];
        for other in others {
            assert_eq!(parsed(other), None, "{other:?} is a regular expression");
        }
    }
}
