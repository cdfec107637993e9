//! Builds a profile from the samples that were taken.

use std::collections::HashMap;

use crate::format::model::{Function, Header, Line, Location, Mapping, Profile, Text, ValueType};

/// A profile under construction, in which each string and function is stored once.
pub(super) struct Builder {
    profile: Profile,
    strings: HashMap<String, Text>,
    functions: HashMap<Function, u32>,
}

impl Builder {
    /// Creates a builder for samples with one value for each of `types`, each a kind and a unit.
    pub(super) fn new(types: &[(&str, &str)]) -> Self {
        let strings = HashMap::from([(String::new(), 0)]);
        let mut builder = Self { profile: Profile::default(), strings, functions: HashMap::new() };
        builder.profile.types = types.iter().map(|&(kind, unit)| builder.value_type(kind, unit)).collect();
        builder.text("thread"); // the key of the label with the thread's name
        builder
    }

    pub(super) fn text(&mut self, text: &str) -> Text {
        if let Some(&index) = self.strings.get(text) {
            return index;
        }
        let index = self.profile.strings.len() as Text;
        self.profile.strings.push(text);
        self.strings.insert(text.to_owned(), index);
        index
    }

    pub(super) fn value_type(&mut self, kind: &str, unit: &str) -> ValueType {
        ValueType { kind: self.text(kind), unit: self.text(unit) }
    }

    pub(super) fn function(&mut self, name: &str, system_name: &str, file: &str) -> u32 {
        let (name, system_name, file) = (self.text(name), self.text(system_name), self.text(file));
        let function = Function { name, system_name, file, start_line: 0 };
        let functions = &mut self.profile.functions;
        *self.functions.entry(function).or_insert_with(|| {
            functions.push(function);
            functions.len() as u32 - 1
        })
    }

    pub(super) fn mapping(&mut self, mapping: Mapping) {
        self.profile.mappings.push(mapping);
    }

    /// Adds a location in the machine code, with its lines from the innermost inlined function
    /// outwards.
    pub(super) fn location(&mut self, address: u64, lines: &[Line]) -> u32 {
        let profile = &mut self.profile;
        let mapping =
            profile.mappings.iter().position(|mapping| (mapping.start..mapping.limit).contains(&address));
        let first = profile.lines.len() as u32;
        const UNKNOWN: &[Line] = &[Line { function: None, line: 0 }];
        profile.lines.extend(if lines.is_empty() { UNKNOWN } else { lines });
        let (end, mapping) = (profile.lines.len() as u32, mapping.map(|index| index as u32));
        profile.locations.push(Location { first, end, address, mapping });
        profile.locations.len() as u32 - 1
    }

    /// Adds a sample with one value for each sample type.
    pub(super) fn sample(&mut self, stack: Vec<u32>, values: &[i64], thread: &str) {
        let thread = self.text(thread);
        self.profile.samples.push(stack, values, thread);
    }

    pub(super) fn finish(self, header: Header) -> Profile {
        Profile { header, ..self.profile }
    }
}
