//! Builds a profile from samples.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use crate::format::Profile;
use crate::format::samples::{Sample, Samples};
use crate::format::strings::Strings;
use crate::format::wire::{Function, Label, Line, Location, Mapping, Tables, ValueType};

/// A profile under construction, in which each string and function is stored once.
pub(super) struct Builder {
    tables: Tables,
    samples: Samples,
    string_table: Strings,
    strings: HashMap<String, i64>,
    functions: HashMap<[i64; 3], u64>,
}

impl Builder {
    /// Starts a profile with these sample types, each with its unit.
    pub(super) fn new(types: &[(&str, &str)]) -> Self {
        let mut builder = Self {
            tables: Tables::default(),
            samples: Samples::default(),
            string_table: Strings::default(),
            strings: HashMap::new(),
            functions: HashMap::new(),
        };
        builder.text(""); // the first string of every profile
        builder.tables.sample_type =
            types.iter().map(|(kind, unit)| builder.value_type(kind, unit)).collect();
        builder
    }

    pub(super) fn text(&mut self, text: &str) -> i64 {
        if let Some(&index) = self.strings.get(text) {
            return index;
        }
        let index = self.strings.len() as i64;
        self.string_table.push(text);
        self.strings.insert(text.to_owned(), index);
        index
    }

    fn value_type(&mut self, kind: &str, unit: &str) -> ValueType {
        ValueType { kind: self.text(kind), unit: self.text(unit) }
    }

    /// Returns the id of a function.
    pub(super) fn function(&mut self, name: &str, system_name: &str, file: &str) -> u64 {
        let key @ [name, system_name, filename] = [name, system_name, file].map(|text| self.text(text));
        let functions = &mut self.tables.function;
        *self.functions.entry(key).or_insert_with(|| {
            let id = functions.len() as u64 + 1;
            functions.push(Function { id, name, system_name, filename, start_line: 0 });
            id
        })
    }

    /// Adds a mapped file, given its addresses. Its functions and lines are known.
    pub(super) fn mapping(&mut self, addresses: Mapping, file: &str) {
        let (id, filename) = (self.tables.mapping.len() as u64 + 1, self.text(file));
        self.tables.mapping.push(Mapping {
            id,
            filename,
            has_functions: true,
            has_filenames: true,
            has_line_numbers: true,
            has_inline_frames: true,
            ..addresses
        });
    }

    /// Adds a location in the machine code, with its lines from the innermost inlined function
    /// outwards. Returns its id.
    pub(super) fn location(&mut self, address: u64, lines: &[Line]) -> u64 {
        let mut mappings = self.tables.mapping.iter();
        let mapping =
            mappings.find(|mapping| (mapping.memory_start..mapping.memory_limit).contains(&address));
        let mapping_id = mapping.map_or(0, |mapping| mapping.id);
        let id = self.tables.location.len() as u64 + 1;
        self.tables.location.push(Location { id, mapping_id, address, line: lines.to_vec() });
        id
    }

    /// Adds a sample with a value for each sample type. The name of its thread may be empty.
    pub(super) fn sample(&mut self, location_id: Vec<u64>, values: &[i64], thread: &str) {
        let label = match thread {
            "" => vec![],
            _ => {
                let (key, text) = (self.text("thread"), self.text(thread));
                vec![Label { key, text, ..Label::default() }]
            }
        };
        let location_id: Vec<_> = location_id.into_iter().map(|id| id as u32).collect();
        self.samples.push(Sample { location_id: &location_id, value: values, label: &label });
    }

    /// Sets the type that views show unless another one is selected.
    #[cfg_attr(not(feature = "heap"), allow(dead_code))]
    pub(super) fn default_type(&mut self, kind: &str) {
        self.tables.default_sample_type = self.text(kind);
    }

    /// Returns the profile of some time, which has a sample for each `period` of something, such as
    /// nanoseconds of CPU time.
    pub(super) fn finish(
        mut self,
        start: SystemTime,
        duration: Duration,
        period: i64,
        (kind, unit): (&str, &str),
    ) -> Profile {
        let period_type = Some(self.value_type(kind, unit));
        let time_nanos = start.duration_since(SystemTime::UNIX_EPOCH).map_or(0, nanos);
        let duration_nanos = nanos(duration);
        let tables = Tables { time_nanos, duration_nanos, period_type, period, ..self.tables };
        Profile::new(tables, self.samples, self.string_table)
    }
}

/// Returns a duration in nanoseconds, at most [`i64::MAX`].
pub(super) fn nanos(duration: Duration) -> i64 {
    duration.as_nanos().try_into().unwrap_or(i64::MAX)
}
