//! Checks the references of a profile.

use std::collections::HashMap;

use super::profile::Profile;
use super::samples::push;
use super::wire::Line;

/// Checks all references, and makes ids the positions in the tables. `locations` has the ids of samples.
/// The error is the problem.
pub(super) fn validate(profile: &mut Profile, mut locations: Ids) -> Result<(), String> {
    let Profile { tables, samples, strings, .. } = profile;
    let types = &tables.sample_type;
    if strings.get(0).is_none_or(|first| !first.is_empty()) {
        return Err("the string table does not start with an empty string".into());
    }
    if types.is_empty() {
        return Err("no sample types".into());
    }
    let text = |index: i64| match usize::try_from(index) {
        Ok(at) if at < strings.len() => Ok(()),
        _ => Err(format!("no string {index} in the table of {} strings", strings.len())),
    };
    for value_type in types.iter().chain(&tables.period_type) {
        text(value_type.kind).and(text(value_type.unit))?;
    }
    [tables.default_sample_type, tables.doc_url, tables.drop_frames, tables.keep_frames]
        .iter()
        .chain(&tables.comment)
        .try_for_each(|&index| text(index))?;

    let mut mappings = Ids::new("mapping");
    for mapping in &mut tables.mapping {
        text(mapping.filename).and(text(mapping.build_id))?;
        mappings.add(&mut mapping.id)?;
    }
    let mut functions = Ids::new("function");
    for function in &mut tables.function {
        text(function.name).and(text(function.system_name)).and(text(function.filename))?;
        functions.add(&mut function.id)?;
    }
    for location in &mut tables.location {
        if mappings.find(&mut location.mapping_id).is_err() {
            location.mapping_id = 0; // pprof shows a location without its mapping
        }
        location.line.iter_mut().try_for_each(|line| functions.find(&mut line.function_id))?;
        if location.line == [Line::default()] {
            location.line.clear(); // an unknown line; pprof refuses lines without a function
        }
        locations.add(&mut location.id)?;
    }
    if samples.len() > 0 && samples.types() != types.len() {
        return Err(wrong_count(samples.types(), types.len()));
    }
    samples.locations_mut().iter_mut().try_for_each(|location| locations.resolve(location))?;
    samples.retain_labels(|label| {
        text(label.key).and(text(label.text)).and(text(label.unit))?;
        // Other empty strings than the first one are no text and no unit either.
        for index in [&mut label.text, &mut label.unit] {
            *index = if strings.get(*index as usize) == Some("") { 0 } else { *index };
        }
        if label.text != 0 {
            (label.number, label.unit) = (0, 0); // pprof ignores the number of a label with a text
        }
        Ok((label.text, label.number, label.unit) != (0, 0, 0)) // as pprof does
    })
}

/// Describes a sample with another number of values than there are sample types.
pub(super) fn wrong_count(values: usize, types: usize) -> String {
    format!("sample with {values} values in a profile with {types} sample types")
}

/// The positions of the entries of one table, from 1 on, by their ids in the file.
pub(super) struct Ids {
    entry: &'static str,
    /// The number of each id that has been seen.
    numbers: HashMap<u64, u32>,
    /// The position of each number, or 0 if it is not known.
    positions: Vec<u32>,
    len: u32,
}

impl Ids {
    pub(super) fn new(entry: &'static str) -> Self {
        Self { entry, numbers: HashMap::new(), positions: vec![], len: 0 }
    }

    /// Returns the number of an id, whose position may follow later.
    pub(super) fn number(&mut self, id: u64) -> u32 {
        *self.numbers.entry(id).or_insert_with(|| {
            push(&mut self.positions, 0);
            self.positions.len() as u32 - 1 // fits: an entry has two bytes or more
        })
    }

    /// Replaces the number of an entry by its position.
    fn resolve(&self, number: &mut u32) -> Result<(), String> {
        let position = self.positions[*number as usize];
        if position == 0 {
            let id = self.numbers.iter().find(|(_, known)| *known == number).map_or(0, |(id, _)| *id);
            return Err(format!("unknown {} id {id}", self.entry));
        }
        *number = position;
        Ok(())
    }

    /// Replaces the id of the next entry by its position.
    fn add(&mut self, id: &mut u64) -> Result<(), String> {
        let entry = self.entry;
        if *id == 0 {
            return Err(format!("{entry} with the reserved id 0"));
        }
        self.len += 1;
        let number = self.number(*id) as usize;
        if self.positions[number] != 0 {
            return Err(format!("duplicate {entry} id {id}, as in two concatenated profiles"));
        }
        self.positions[number] = self.len;
        *id = self.len.into();
        Ok(())
    }

    /// Replaces the id of an entry by its position. The id 0, which means no entry, remains.
    fn find(&self, id: &mut u64) -> Result<(), String> {
        if *id != 0 {
            let number = self.numbers.get(id).ok_or_else(|| format!("unknown {} id {id}", self.entry))?;
            *id = self.positions[*number as usize].into();
        }
        Ok(())
    }
}
