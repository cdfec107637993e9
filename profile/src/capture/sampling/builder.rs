//! Builds a profile from the samples that were taken.

use std::collections::HashMap;

use crate::format::Profile;
use crate::format::wire::{Function, Label, Line, Location, Mapping, Sample, Tables, ValueType};

/// A profile under construction, in which each string and function is stored once.
pub(super) struct Builder {
    tables: Tables,
    strings: HashMap<String, i64>,
    functions: HashMap<[i64; 3], u64>,
}

impl Builder {
    pub(super) fn new() -> Self {
        let mut builder =
            Self { tables: Tables::default(), strings: HashMap::new(), functions: HashMap::new() };
        builder.text(""); // the first string of every profile
        let types = [("samples", "count"), ("cpu", "nanoseconds")];
        builder.tables.sample_type = types.map(|(kind, unit)| builder.value_type(kind, unit)).into();
        builder
    }

    pub(super) fn text(&mut self, text: &str) -> i64 {
        if let Some(&index) = self.strings.get(text) {
            return index;
        }
        let index = self.strings.len() as i64;
        self.tables.string_table.push(text.into());
        self.strings.insert(text.to_owned(), index);
        index
    }

    pub(super) fn value_type(&mut self, kind: &str, unit: &str) -> ValueType {
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

    /// Adds a sample, given its count and its nanoseconds of CPU time.
    pub(super) fn sample(&mut self, location_id: Vec<u64>, values: [i64; 2], thread: &str) {
        let label = match thread {
            "" => vec![],
            _ => vec![Label { key: self.text("thread"), text: self.text(thread) }],
        };
        self.tables.sample.push(Sample { location_id, value: values.into(), label });
    }

    /// Returns the profile of a time, which has samples at intervals of `period` nanoseconds of CPU
    /// time.
    pub(super) fn finish(mut self, time_nanos: i64, duration_nanos: i64, period: i64) -> Profile {
        let period_type = Some(self.value_type("cpu", "nanoseconds"));
        Profile { tables: Tables { time_nanos, duration_nanos, period_type, period, ..self.tables } }
    }
}
