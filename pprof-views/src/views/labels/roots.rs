//! Labels as the outermost frames of stacks.

use std::collections::HashMap;
use std::iter::once;

use super::values::{MAX_UNIT, limit, shortened, start};
use crate::format::Profile;
use crate::format::samples::{Sample, Samples};
use crate::format::wire::{Function, Label, Line, Location};
use crate::names::shown;
use crate::views::units::{AUTO, label};

/// The texts and numbers of a sample with one key.
type Values = Vec<Label>;

/// Returns whether a sample of the profile has a label with this key.
pub(in crate::views) fn has_key(profile: &Profile, key: &str) -> bool {
    profile.samples.iter().any(|sample| values(profile, sample, key).next().is_some())
}

/// Returns a profile in which each stack has an additional outermost frame for each of these keys, from the
/// outermost one inwards. Its name consists of the values of the label, and its file is the key. The frame of
/// samples without the label has no name.
pub(in crate::views) fn with_roots(profile: &Profile, keys: &[String]) -> Profile {
    shown(profile, 0); // finds mangled names, of which values of labels are none
    let mut frames: HashMap<(usize, Values), u32> = HashMap::new();
    let first = profile.tables.location.len() as u32 + 1;
    let (mut samples, mut stack) = (Samples::default(), vec![]);
    for sample in profile.samples.iter() {
        stack.clear();
        stack.extend(sample.location_id);
        for (at, key) in keys.iter().enumerate().rev() {
            let next = first + frames.len() as u32;
            stack.push(*frames.entry((at, values(profile, sample, key).collect())).or_insert(next));
        }
        samples.push(Sample { location_id: &stack, ..sample });
    }
    let mut rooted = Profile::new(profile.tables.clone(), samples, profile.strings.clone());
    rooted.demangled = profile.demangled.clone();
    let (tables, strings) = (&mut rooted.tables, &mut rooted.strings);
    let mut text = |text: &str| {
        strings.push(text);
        strings.len() as i64 - 1
    };
    let files: Vec<_> = keys.iter().map(|key| text(key)).collect();
    let length = |label: &Label| profile.text(label.text).len();
    let limit = limit(once(profile), frames.keys().map(|(_, values)| values.iter().map(length).sum()));
    let mut frames: Vec<_> = frames.into_iter().collect();
    frames.sort_unstable_by_key(|(_, id)| *id);
    for ((key, values), location) in frames {
        let name = text(&joined(profile, &values, limit));
        let id = tables.function.len() as u64 + 1;
        tables.function.push(Function { id, name, filename: files[key], ..Function::default() });
        let line = vec![Line { function_id: id, line: 0 }];
        tables.location.push(Location { id: location.into(), line, ..Location::default() });
    }
    rooted
}

/// Returns the labels of a sample with this key, texts first. The keys of these labels are removed.
fn values<'s>(profile: &'s Profile, sample: Sample<'s>, key: &str) -> impl Iterator<Item = Label> {
    let has_key = |label: &&Label| profile.text(label.key) == key;
    let labels = sample.label.iter().filter(has_key);
    let (texts, numbers): (Values, Values) =
        labels.map(|label| Label { key: 0, ..*label }).partition(|label| label.text != 0);
    texts.into_iter().chain(numbers)
}

/// Returns the values as a name, which is shortened if it has more than `limit` bytes.
fn joined(profile: &Profile, values: &[Label], limit: usize) -> String {
    let mut name = String::new();
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            name.push(',');
        }
        match value.text {
            0 => name += &label(value.number, start(profile, value.unit, MAX_UNIT), AUTO),
            text => name += start(profile, text, limit.saturating_add(1)),
        }
        if name.len() > limit {
            break;
        }
    }
    shortened(&name, limit).into_owned()
}
