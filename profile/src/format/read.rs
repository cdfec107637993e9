//! Reads pprof's format, with or without gzip compression. Invalid input is an error, never a
//! panic.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::str;

use flate2::bufread::MultiGzDecoder;
use prost::Message;

use super::ProfileError;
use super::profile::Profile;
use super::wire::{Line, Tables};

impl Profile {
    /// Reads a profile of any program from a file in pprof's format, with or without gzip
    /// compression.
    ///
    /// # Errors
    ///
    /// - [`ProfileError::Io`] if the file cannot be read.
    /// - [`ProfileError::Gzip`] if the gzip stream is damaged.
    /// - [`ProfileError::Empty`] or [`ProfileError::Malformed`] if the file is not a complete
    ///   profile in pprof's format.
    /// - [`ProfileError::TooLarge`] if the profile has more than 32 MiB uncompressed, or stacks of more
    ///   than 33,554,432 frames in all.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        Self::from_reader(File::open(path).map_err(ProfileError::Io)?)
    }

    /// Reads a profile from a stream such as standard input until its end, as [`read`](Self::read) does from
    /// a file.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read).
    pub fn from_reader(reader: impl Read) -> Result<Self, ProfileError> {
        read(BufReader::new(reader))
    }

    /// Reads a profile from memory, as [`read`](Self::read) does from a file.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read) except [`ProfileError::Io`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProfileError> {
        read(bytes)
    }
}

/// The first two bytes of every gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The maximum size of a profile in bytes, uncompressed. It is eight times the default of Grafana
/// Pyroscope, which stores the profiles of whole clusters.
const MAX_BYTES: usize = 32 << 20;
/// The maximum number of frames in all stacks. Each location of a stack may have any number of inlined
/// frames, so that the size of a file does not limit it.
const MAX_FRAMES: usize = 32 << 20;

fn read(mut source: impl BufRead) -> Result<Profile, ProfileError> {
    let mut bytes = vec![];
    let limit = MAX_BYTES as u64 + 1;
    // Decompressed while it is read, so that only the uncompressed bytes are in memory.
    if source.fill_buf().map_err(ProfileError::Io)?.starts_with(&GZIP) {
        MultiGzDecoder::new(source).take(limit).read_to_end(&mut bytes).map_err(ProfileError::Gzip)?;
    } else {
        source.take(limit).read_to_end(&mut bytes).map_err(ProfileError::Io)?;
    }
    if bytes.is_empty() {
        return Err(ProfileError::Empty);
    }
    if bytes.len() > MAX_BYTES {
        return Err(ProfileError::TooLarge);
    }
    let mut tables = Tables::decode(&*bytes).map_err(|error| ProfileError::Malformed(error.to_string()))?;
    validate(&mut tables).map_err(ProfileError::Malformed)?;
    let locations = tables.sample.iter().flat_map(|sample| &sample.location_id);
    let frames = locations.map(|&id| tables.location[id as usize - 1].lines().len());
    if frames.fold(0, usize::saturating_add) > MAX_FRAMES {
        return Err(ProfileError::TooLarge);
    }
    Ok(Profile::new(tables))
}

/// Checks all references, and makes ids the positions in the tables. The error is the problem.
fn validate(tables: &mut Tables) -> Result<(), String> {
    let Tables { sample_type: types, sample, mapping, location, function, string_table: strings, .. } =
        tables;
    if strings.first().is_none_or(|first| !first.is_empty()) {
        return Err("the string table does not start with an empty string".into());
    }
    if types.is_empty() {
        return Err("no sample types".into());
    }
    for string in strings.iter_mut().filter(|string| str::from_utf8(string).is_err()) {
        *string = String::from_utf8_lossy(string).into_owned().into_bytes();
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
    for mapping in mapping {
        text(mapping.filename).and(text(mapping.build_id))?;
        mappings.add(&mut mapping.id)?;
    }
    let mut functions = Ids::new("function");
    for function in function {
        text(function.name).and(text(function.system_name)).and(text(function.filename))?;
        functions.add(&mut function.id)?;
    }
    let mut locations = Ids::new("location");
    for location in location {
        if mappings.find(&mut location.mapping_id).is_err() {
            location.mapping_id = 0; // pprof shows a location without its mapping
        }
        location.line.iter_mut().try_for_each(|line| functions.find(&mut line.function_id))?;
        if location.line == [Line::default()] {
            location.line.clear(); // an unknown line; pprof refuses lines without a function
        }
        locations.add(&mut location.id)?;
    }
    for sample in sample {
        if sample.value.len() != types.len() {
            let (values, types) = (sample.value.len(), types.len());
            return Err(format!("sample with {values} values in a profile with {types} sample types"));
        }
        for id in &mut sample.location_id {
            locations.find(id)?;
            if *id == 0 {
                return Err("unknown location id 0".into());
            }
        }
        for label in &mut sample.label {
            text(label.key).and(text(label.text)).and(text(label.unit))?;
            // Other empty strings than the first one are no text and no unit either.
            for index in [&mut label.text, &mut label.unit] {
                *index = if strings[*index as usize].is_empty() { 0 } else { *index };
            }
            if label.text != 0 {
                (label.number, label.unit) = (0, 0); // pprof ignores the number of a label with a text
            }
        }
        sample.label.retain(|label| (label.text, label.number, label.unit) != (0, 0, 0)); // as pprof does
    }
    Ok(())
}

/// The positions of the entries of one table, from 1 on, by their ids in the file.
struct Ids {
    entry: &'static str,
    positions: HashMap<u64, u32>,
}

impl Ids {
    fn new(entry: &'static str) -> Self {
        Self { entry, positions: HashMap::from([(0, 0)]) }
    }

    /// Replaces the id of the next entry by its position.
    fn add(&mut self, id: &mut u64) -> Result<(), String> {
        let entry = self.entry;
        let position = self.positions.len() as u32; // fits: an entry has two bytes or more
        if *id == 0 {
            return Err(format!("{entry} with the reserved id 0"));
        }
        if self.positions.insert(*id, position).is_some() {
            return Err(format!("duplicate {entry} id {id}, as in two concatenated profiles"));
        }
        *id = position.into();
        Ok(())
    }

    /// Replaces the id of an entry by its position. The id 0, which means no entry, remains.
    fn find(&self, id: &mut u64) -> Result<(), String> {
        let position = self.positions.get(id).ok_or_else(|| format!("unknown {} id {id}", self.entry))?;
        *id = u64::from(*position);
        Ok(())
    }
}
