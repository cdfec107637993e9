//! Adds profiles up.

use std::collections::HashMap;
use std::hash::Hash;

use crate::format::wire::{Function, Label, Line, Location, Mapping, Sample, Tables, ValueType};
use crate::format::{Profile, ProfileError};
use crate::views::{Column, SampleTypes};

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
        sum.text(b""); // the first string of every profile
        for (at, profile) in profiles.iter().enumerate() {
            let columns: Vec<_> = types.all.iter().map(|it| it.columns[at]).collect();
            sum.add(&profile.tables, &columns);
        }
        Ok(Self::new(sum.tables(profiles, &types)))
    }
}

/// The entries of a sum. Each has its number in its table, and its own id is 0.
#[derive(Default)]
struct Sum {
    strings: HashMap<Vec<u8>, u64>,
    mappings: HashMap<Mapping, u64>,
    functions: HashMap<Function, u64>,
    locations: HashMap<Location, u64>,
    stacks: HashMap<(Vec<u64>, Vec<Label>), u64>,
    /// The values of each stack.
    values: Vec<Vec<i64>>,
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
    fn text(&mut self, text: &[u8]) -> i64 {
        number(&mut self.strings, text.to_vec()) as i64 - 1
    }

    fn value_type(&mut self, tables: &Tables, ValueType { kind, unit }: ValueType) -> ValueType {
        let mut text = |index| self.text(&tables.string_table[index as usize]);
        ValueType { kind: text(kind), unit: text(unit) }
    }

    /// Adds the values in these columns.
    fn add(&mut self, tables: &Tables, columns: &[Column]) {
        let texts: Vec<_> = tables.string_table.iter().map(|text| self.text(text)).collect();
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
        let locations: Vec<_> = location.collect();
        for sample in &tables.sample {
            let stack = sample.location_id.iter().map(|&id| of(&locations, id)).collect();
            let label = sample.label.iter().map(|&Label { key, text: value, number, unit }| Label {
                key: text(key),
                text: text(value),
                number,
                unit: text(unit),
            });
            let at = number(&mut self.stacks, (stack, label.collect())) as usize - 1;
            let values = columns.iter().map(|column| column.value(sample));
            match self.values.get_mut(at) {
                Some(sums) => {
                    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum = sum.saturating_add(value));
                }
                None => self.values.push(values.collect()),
            }
        }
    }

    fn tables(mut self, profiles: &[Profile], types: &SampleTypes<'_>) -> Tables {
        let all = || profiles.iter().map(|profile| &profile.tables);
        let first = &profiles[0].tables;
        let mut text = |text: &str| self.text(text.as_bytes());
        let mut value_type = |kind, unit| ValueType { kind: text(kind), unit: text(unit) };
        let sample_type = types.all.iter().map(|it| value_type(it.kind, it.unit)).collect();
        let default_sample_type = text(types.preferred);
        let period_type = first.period_type.map(|it| self.value_type(first, it));
        let mut text = |tables: &Tables, index: i64| self.text(&tables.string_table[index as usize]);
        let mut comment = vec![];
        for (tables, &index) in
            all().flat_map(|tables| tables.comment.iter().map(move |index| (tables, index)))
        {
            let line = text(tables, index);
            if !comment.contains(&line) {
                comment.push(line);
            }
        }
        let doc_url = all().map(|tables| text(tables, tables.doc_url)).find(|&url| url != 0).unwrap_or(0);
        let [drop_frames, keep_frames] = [first.drop_frames, first.keep_frames].map(|it| text(first, it));
        let sample = in_order(self.stacks).zip(self.values);
        Tables {
            sample_type,
            sample: sample
                .map(|(((location_id, label), _), value)| Sample { location_id, value, label })
                .collect(),
            mapping: in_order(self.mappings).map(|(mapping, id)| Mapping { id, ..mapping }).collect(),
            location: in_order(self.locations).map(|(location, id)| Location { id, ..location }).collect(),
            function: in_order(self.functions).map(|(function, id)| Function { id, ..function }).collect(),
            string_table: in_order(self.strings).map(|(text, _)| text).collect(),
            time_nanos: all().map(|tables| tables.time_nanos).filter(|&time| time != 0).min().unwrap_or(0),
            duration_nanos: all().fold(0, |sum, tables| sum.saturating_add(tables.duration_nanos)),
            period_type,
            period: all().map(|tables| tables.period).max().unwrap_or(0),
            comment,
            default_sample_type,
            doc_url,
            drop_frames,
            keep_frames,
        }
    }
}
