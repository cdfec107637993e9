//! Adds profiles up.

use std::collections::HashMap;
use std::hash::Hash;

use crate::format::samples::{Sample, Samples};
use crate::format::strings::Strings;
use crate::format::wire::{Function, Label, Line, Location, Mapping, Tables, ValueType};
use crate::format::{Profile, ProfileError};
use crate::views::SampleTypes;

impl Profile {
    /// Returns the sum of profiles, as `go tool pprof` shows it for several files. The values of equal
    /// stacks are added, and saturate at the limits of `i64`.
    ///
    /// The sum has the sample types that are in all profiles, by their names. Values are converted to the
    /// finest unit.
    ///
    /// The sum begins when the first profile does, and its duration is the sum of theirs.
    ///
    /// # Errors
    ///
    /// - [`ProfileError::Empty`] if there is no profile.
    /// - [`ProfileError::Incompatible`] if no sample type is in all profiles, or units are of different
    ///   quantities.
    pub fn sum(profiles: &[Self]) -> Result<Self, ProfileError> {
        let all: Vec<_> = profiles.iter().collect();
        if all.is_empty() {
            return Err(ProfileError::Empty);
        }
        let types = SampleTypes::common(&all).map_err(ProfileError::Incompatible)?;
        let mut sum = Sum::default();
        sum.text(""); // the first string of every profile
        let parts: Vec<_> = profiles.iter().map(|profile| sum.add(profile)).collect();
        let samples = merge(&parts, &types);
        Ok(sum.finish(profiles, &types, samples))
    }
}

/// The entries of a sum. Each has its number in its table, and its own id is 0.
#[derive(Default)]
struct Sum {
    strings: HashMap<String, u64>,
    mappings: HashMap<Mapping, u64>,
    functions: HashMap<Function, u64>,
    locations: HashMap<Location, u64>,
}

/// Returns the number of an entry, from 1 on. It is added if it is new.
fn number<T: Eq + Hash>(entries: &mut HashMap<T, u64>, entry: T) -> u64 {
    let next = entries.len() as u64 + 1;
    *entries.entry(entry).or_insert(next)
}

/// Returns the entries in the order of their numbers.
fn in_order<T>(entries: HashMap<T, u64>) -> impl Iterator<Item = (T, u64)> {
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.sort_by_key(|(_, number)| *number);
    entries.into_iter()
}

impl Sum {
    fn text(&mut self, text: &str) -> i64 {
        number(&mut self.strings, text.to_owned()) as i64 - 1
    }

    /// Adds a profile without its samples.
    fn add<'p>(&mut self, profile: &'p Profile) -> Part<'p> {
        let tables = &profile.tables;
        let texts: Vec<_> = profile.strings.iter().map(|text| self.text(text)).collect();
        let text = |index: i64| texts[index as usize];
        // The number of an entry is that of its id, from 1 on, and 0 is none.
        let of = |numbers: &[u64], id: u64| id.checked_sub(1).map_or(0, |at| numbers[at as usize]);
        let mapping = tables.mapping.iter().map(|&mapping| {
            let [filename, build_id] = [mapping.filename, mapping.build_id].map(text);
            number(&mut self.mappings, Mapping { id: 0, filename, build_id, ..mapping })
        });
        let mappings: Vec<_> = mapping.collect();
        let function = tables.function.iter().map(|&function| {
            let Function { name, system_name, filename, .. } = function;
            let [name, system_name, filename] = [name, system_name, filename].map(text);
            number(&mut self.functions, Function { id: 0, name, system_name, filename, ..function })
        });
        let functions: Vec<_> = function.collect();
        let location = tables.location.iter().map(|location| {
            let line = |line: &Line| Line { function_id: of(&functions, line.function_id), ..*line };
            let line = location.line.iter().map(line).collect();
            let mapping_id = of(&mappings, location.mapping_id);
            number(&mut self.locations, Location { id: 0, mapping_id, address: location.address, line })
        });
        // Fits: an entry has two bytes or more in a file.
        let locations = location.map(|number| number as u32).collect();
        Part { profile, texts, locations }
    }

    fn finish(mut self, profiles: &[Profile], types: &SampleTypes<'_>, samples: Samples) -> Profile {
        let all = || profiles.iter().map(|profile| &profile.tables);
        let first = &profiles[0].tables;
        let mut value_type = |kind, unit| ValueType { kind: self.text(kind), unit: self.text(unit) };
        let sample_type = types.all.iter().map(|it| value_type(it.kind, it.unit)).collect();
        let text = |index| profiles[0].text(index);
        let period_type = first.period_type.map(|it| value_type(text(it.kind), text(it.unit)));
        let mut comment = vec![];
        for (profile, &index) in profiles
            .iter()
            .flat_map(|profile| profile.tables.comment.iter().map(move |index| (profile, index)))
        {
            let line = self.text(profile.text(index));
            if !comment.contains(&line) {
                comment.push(line);
            }
        }
        let urls = profiles.iter().map(|profile| profile.text(profile.tables.doc_url));
        let url = urls.reduce(|first, next| if first.is_empty() { next } else { first });
        let default_sample_type = self.text(types.preferred);
        let doc_url = self.text(url.unwrap_or_default());
        let [drop_frames, keep_frames] =
            [first.drop_frames, first.keep_frames].map(|index| self.text(text(index)));
        let mut strings = Strings::default();
        in_order(self.strings).for_each(|(text, _)| strings.push(&text));
        let tables = Tables {
            sample_type,
            mapping: in_order(self.mappings).map(|(mapping, id)| Mapping { id, ..mapping }).collect(),
            location: in_order(self.locations).map(|(location, id)| Location { id, ..location }).collect(),
            function: in_order(self.functions).map(|(function, id)| Function { id, ..function }).collect(),
            time_nanos: all().map(|tables| tables.time_nanos).filter(|&time| time != 0).min().unwrap_or(0),
            duration_nanos: all().fold(0, |sum, tables| sum.saturating_add(tables.duration_nanos)),
            period_type,
            period: all().map(|tables| tables.period).max().unwrap_or(0),
            comment,
            default_sample_type,
            doc_url,
            drop_frames,
            keep_frames,
        };
        Profile::new(tables, samples, strings)
    }
}

/// A profile with the numbers of its strings and locations in the sum.
struct Part<'p> {
    profile: &'p Profile,
    texts: Vec<i64>,
    locations: Vec<u32>,
}

impl Part<'_> {
    fn stack(&self, sample: usize) -> impl Iterator<Item = u32> {
        let ids = self.profile.samples.get(sample).location_id.iter();
        ids.map(|&id| self.locations[id as usize - 1])
    }

    fn labels(&self, sample: usize) -> impl Iterator<Item = Label> {
        let text = |index: i64| self.texts[index as usize];
        let labels = self.profile.samples.get(sample).label.iter();
        labels.map(move |it| Label { key: text(it.key), text: text(it.text), unit: text(it.unit), ..*it })
    }
}

/// Adds the values of samples with equal stacks and labels. They are in the order of the first of these.
fn merge(parts: &[Part<'_>], types: &SampleTypes<'_>) -> Samples {
    let samples = parts.iter().map(|part| part.profile.samples.len());
    let mut all: Vec<(usize, usize)> =
        samples.enumerate().flat_map(|(at, len)| (0..len).map(move |sample| (at, sample))).collect();
    let order = |&(a, left): &(usize, usize), &(b, right): &(usize, usize)| {
        let stacks = parts[a].stack(left).cmp(parts[b].stack(right));
        stacks.then_with(|| parts[a].labels(left).cmp(parts[b].labels(right)))
    };
    all.sort_unstable_by(|a, b| order(a, b).then(a.cmp(b)));
    let mut groups: Vec<_> = all.chunk_by(|a, b| order(a, b).is_eq()).collect();
    groups.sort_unstable_by_key(|group| group[0]);
    let (mut sum, mut stack, mut label) = (Samples::default(), vec![], vec![]);
    for group in groups {
        let mut value = vec![0i64; types.all.len()];
        for &(at, sample) in group {
            let sample = parts[at].profile.samples.get(sample);
            for (sum, sample_type) in value.iter_mut().zip(&types.all) {
                *sum = sum.saturating_add(sample_type.columns[at].value(sample));
            }
        }
        let (at, first) = group[0];
        stack.clear();
        stack.extend(parts[at].stack(first));
        label.clear();
        label.extend(parts[at].labels(first));
        sum.push(Sample { location_id: &stack, value: &value, label: &label });
    }
    sum
}
