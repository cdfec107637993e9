//! The values of labels: their texts, and the units of their numbers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str;

use crate::format::Profile;
use crate::format::wire::Label;

/// The units of the numbers in the labels of a profile.
pub(in crate::views) struct Units<'p> {
    profile: &'p Profile,
    /// The unit of the first number of each key that has one.
    of_keys: HashMap<i64, i64>,
}

/// Longer names are not those of units. An unknown unit can have any length.
pub(super) const MAX_UNIT: usize = 64;

impl<'p> Units<'p> {
    pub(in crate::views) fn new(profile: &'p Profile) -> Self {
        let labels = profile.samples.iter().flat_map(|sample| sample.label);
        let mut of_keys = HashMap::new();
        for label in labels.filter(|label| label.unit != 0) {
            of_keys.entry(label.key).or_insert(label.unit);
        }
        Self { profile, of_keys }
    }

    /// Returns the unit of a number. If it has none, it is that of other numbers with the key. If these
    /// have none, the key may be the name of a unit, as in pprof.
    pub(in crate::views) fn get(&self, label: &Label) -> &'p str {
        let unit = if label.unit == 0 { self.of_keys.get(&label.key) } else { Some(&label.unit) };
        match (unit, start(self.profile, label.key, MAX_UNIT)) {
            (Some(&unit), _) => start(self.profile, unit, MAX_UNIT),
            (None, "alignment" | "request") => "bytes",
            (None, key) => key,
        }
    }
}

/// Returns a text, or its first `limit` bytes.
pub(super) fn start(profile: &Profile, text: i64, limit: usize) -> &str {
    cut(profile.text(text).as_bytes(), limit)
}

fn cut(bytes: &[u8], limit: usize) -> &str {
    let bytes = &bytes[..bytes.len().min(limit)];
    str::from_utf8(bytes).or_else(|error| str::from_utf8(&bytes[..error.valid_up_to()])).unwrap_or("")
}

/// Returns a text or, if it has more than `limit` bytes, its first ones and a mark.
pub(in crate::views) fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit { text.into() } else { format!("{}…", cut(text.as_bytes(), limit)).into() }
}

/// Returns the maximum length of texts with these lengths. It cuts them only if they are much longer in
/// all than the strings of the profiles, which happens if many labels have the same long text.
pub(in crate::views) fn limit<'p>(
    profiles: impl Iterator<Item = &'p Profile>,
    lengths: impl Iterator<Item = usize>,
) -> usize {
    let strings = profiles.map(|profile| profile.strings.size()).sum::<usize>();
    let (count, sum) =
        lengths.fold((1, 0usize), |(count, sum), length| (count + 1, sum.saturating_add(length)));
    let budget = 4 * strings + 80 * count;
    if sum <= budget { usize::MAX } else { budget / count }
}
