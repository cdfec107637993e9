//! Reads pprof's format, with or without gzip compression. Invalid input is an error, never a
//! panic.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use prost::Message;

use super::budget::{self, Budget};
use super::error::{ProfileError, malformed};
use super::fields::{Field, fields, max_values};
use super::model::{Function, Header, Line, Location, Mapping, Profile, Strings, Text, ValueType};
use super::wire;
use crate::names::printable;

impl Profile {
    /// Reads a profile of any program from a file in pprof's format, with or without gzip
    /// compression.
    ///
    /// Reading and showing a profile uses less than 256 MiB of memory for any input. Frames that
    /// match the profile's own `drop_frames` are dropped, as in pprof.
    ///
    /// # Errors
    ///
    /// - [`ProfileError::Io`] if the file cannot be read.
    /// - [`ProfileError::Gzip`] if the gzip stream is damaged.
    /// - [`ProfileError::Empty`] or [`ProfileError::Malformed`] if the file is not a complete
    ///   profile in pprof's format.
    /// - [`ProfileError::TooLarge`] if the profile has more than 32 MiB uncompressed.
    /// - [`ProfileError::TooMuchMemory`] if its tables would use more than 192 MiB of memory.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        let mut file = BufReader::new(File::open(path)?);
        // Decompressed while it is read, so that only the uncompressed bytes are in memory.
        let bytes = match file.fill_buf()?.starts_with(&GZIP) {
            true => limited(MultiGzDecoder::new(file), ProfileError::Gzip)?,
            false => limited(file, ProfileError::Io)?,
        };
        decode(&bytes)
    }

    /// Reads a profile from memory, as [`read`](Self::read) does from a file.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read) except [`ProfileError::Io`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProfileError> {
        if bytes.starts_with(&GZIP) {
            decode(&limited(MultiGzDecoder::new(bytes), ProfileError::Gzip)?)
        } else {
            decode(bytes)
        }
    }
}

/// The first two bytes of every gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

fn limited(source: impl Read, to_error: fn(std::io::Error) -> ProfileError) -> Result<Vec<u8>, ProfileError> {
    let mut bytes = vec![];
    source.take(budget::UNCOMPRESSED_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(to_error)?;
    if bytes.len() > budget::UNCOMPRESSED_BYTES {
        Err(ProfileError::TooLarge(budget::UNCOMPRESSED_BYTES))
    } else {
        Ok(bytes)
    }
}

/// Decodes the tables in an order in which each refers only to the previous ones.
fn decode(bytes: &[u8]) -> Result<Profile, ProfileError> {
    match bytes.len() {
        0 => return Err(ProfileError::Empty),
        len if len > budget::UNCOMPRESSED_BYTES => {
            return Err(ProfileError::TooLarge(budget::UNCOMPRESSED_BYTES));
        }
        _ => {}
    }
    let memory = &mut Budget::new();
    let mut profile = Profile { strings: strings(bytes, memory)?, ..Profile::default() };
    profile.header = header(bytes, &profile.strings)?;
    table(bytes, 1, |raw: wire::ValueType, offset| {
        if profile.types.len() == budget::SAMPLE_TYPES {
            return Err(malformed(offset, format!("more than {} sample types", budget::SAMPLE_TYPES)));
        }
        profile.types.push(value_type(raw, offset, &profile.strings)?);
        Ok(())
    })?;
    if profile.types.is_empty() {
        return Err(malformed(0, "no sample types"));
    }
    let mut functions = Ids::new("function");
    table(bytes, 5, |raw: wire::Function, offset| {
        memory.charge(1, budget::FUNCTION)?;
        functions.add(raw.id, offset)?;
        profile.functions.push(function(&raw, offset, &profile.strings)?);
        Ok(())
    })?;
    let mut mappings = Ids::new("mapping");
    table(bytes, 3, |raw: wire::Mapping, offset| {
        memory.charge(1, budget::MAPPING)?;
        mappings.add(raw.id, offset)?;
        profile.mappings.push(mapping(&raw, offset, &profile.strings)?);
        Ok(())
    })?;
    let mut locations = Ids::new("location");
    table(bytes, 4, |raw: wire::Location, offset| {
        memory.charge(1, budget::LOCATION)?;
        memory.charge(raw.line.len().max(1), budget::LINE)?;
        locations.add(raw.id, offset)?;
        let first = profile.lines.len() as u32;
        for line in &raw.line {
            profile
                .lines
                .push(Line { function: functions.optional(line.function_id, offset)?, line: line.line });
        }
        if raw.line.is_empty() {
            profile.lines.push(Line::default()); // every location has at least one line
        }
        let (end, mapping) = (profile.lines.len() as u32, mappings.optional(raw.mapping_id, offset)?);
        profile.locations.push(Location { first, end, address: raw.address, mapping });
        Ok(())
    })?;
    let (values, mut frames) = (profile.types.len(), 0);
    table(bytes, 2, |raw: wire::Sample, offset| {
        if raw.value.len() != values {
            let reason = format!("a sample has {} values for {values} sample types", raw.value.len());
            return Err(malformed(offset, reason));
        }
        memory.charge(1, budget::SAMPLE)?;
        memory.charge(values, budget::VALUE)?;
        memory.charge(raw.location_id.len(), budget::FRAME)?;
        let stack: Vec<u32> =
            raw.location_id.iter().map(|&id| locations.find(id, offset)).collect::<Result<_, _>>()?;
        frames += stack
            .iter()
            .map(|&index| profile.lines_of(&profile.locations[index as usize]).len())
            .sum::<usize>();
        if frames > budget::FRAMES {
            return Err(malformed(offset, format!("more than {} frames in all stacks", budget::FRAMES)));
        }
        profile.samples.push(stack, &raw.value, thread(&raw.label, offset, &profile.strings)?);
        Ok(())
    })?;
    profile.prune();
    Ok(profile)
}

/// Calls `store` for each message in the field with this number.
fn table<M: Message + Default>(
    bytes: &[u8],
    number: u64,
    mut store: impl FnMut(M, usize) -> Result<(), ProfileError>,
) -> Result<(), ProfileError> {
    for field in fields(bytes) {
        let Field { number: found, bytes, offset } = field?;
        if found == number {
            if bytes.len() > budget::ENTRY_BYTES {
                return Err(too_long("entry", bytes.len(), budget::ENTRY_BYTES, offset));
            }
            let message = M::decode(bytes).map_err(|error| malformed(offset, error.to_string()))?;
            store(message, offset)?;
        }
    }
    Ok(())
}

fn strings(bytes: &[u8], memory: &mut Budget) -> Result<Strings, ProfileError> {
    let mut strings = None;
    for field in fields(bytes) {
        let Field { number, bytes, offset } = field?;
        if number == 6 {
            match &mut strings {
                _ if bytes.len() > budget::STRING_BYTES => return Err(too_long_string(bytes.len(), offset)),
                None if bytes.is_empty() => strings = Some(Strings::default()),
                None => return Err(malformed(offset, "the first string is not empty")),
                Some(strings) => {
                    let text = String::from_utf8_lossy(bytes);
                    // It can be longer than `bytes`: invalid UTF-8 is replaced by U+FFFD.
                    if text.len() > budget::STRING_BYTES {
                        return Err(too_long_string(text.len(), offset));
                    }
                    memory.charge(1, budget::string(printable(&text).len()))?;
                    strings.push(&text);
                }
            }
        }
    }
    strings.ok_or_else(|| malformed(bytes.len(), "no string table"))
}

fn too_long_string(len: usize, offset: usize) -> ProfileError {
    too_long("string", len, budget::STRING_BYTES, offset)
}

fn too_long(what: &str, len: usize, limit: usize, offset: usize) -> ProfileError {
    malformed(offset, format!("{what} of {} KiB exceeds the limit of {} KiB", len >> 10, limit >> 10))
}

fn header(bytes: &[u8], strings: &Strings) -> Result<Header, ProfileError> {
    let too_many = || malformed(0, format!("more than {} comments", budget::COMMENTS));
    // This is checked before prost decodes them into memory. There are fewer than 2^28 strings, so
    // that an index has at most four bytes.
    if max_values(bytes, 13)? > 4 * budget::COMMENTS {
        return Err(too_many());
    }
    let raw = wire::Header::decode(bytes).map_err(|error| malformed(0, error.to_string()))?;
    if raw.comment.len() > budget::COMMENTS {
        return Err(too_many());
    }
    let text = |index| text(index, 0, strings);
    Ok(Header {
        time_nanos: raw.time_nanos,
        duration_nanos: raw.duration_nanos,
        period_type: raw.period_type.map_or(Ok(ValueType::default()), |raw| value_type(raw, 0, strings))?,
        period: raw.period,
        default_type: text(raw.default_sample_type)?,
        comments: raw.comment.iter().map(|&index| text(index)).collect::<Result<_, _>>()?,
        doc_url: text(raw.doc_url)?,
        drop_frames: text(raw.drop_frames)?,
        keep_frames: text(raw.keep_frames)?,
    })
}

fn text(index: i64, offset: usize, strings: &Strings) -> Result<Text, ProfileError> {
    match Text::try_from(index) {
        Ok(index) if (index as usize) < strings.len() => Ok(index),
        _ => Err(malformed(offset, format!("no string {index} in the table of {} strings", strings.len()))),
    }
}

fn value_type(raw: wire::ValueType, offset: usize, strings: &Strings) -> Result<ValueType, ProfileError> {
    Ok(ValueType { kind: text(raw.kind, offset, strings)?, unit: text(raw.unit, offset, strings)? })
}

fn function(raw: &wire::Function, offset: usize, strings: &Strings) -> Result<Function, ProfileError> {
    Ok(Function {
        name: text(raw.name, offset, strings)?,
        system_name: text(raw.system_name, offset, strings)?,
        file: text(raw.filename, offset, strings)?,
        start_line: raw.start_line,
    })
}

fn mapping(raw: &wire::Mapping, offset: usize, strings: &Strings) -> Result<Mapping, ProfileError> {
    Ok(Mapping {
        start: raw.memory_start,
        limit: raw.memory_limit,
        offset: raw.file_offset,
        file: text(raw.filename, offset, strings)?,
        build_id: text(raw.build_id, offset, strings)?,
        symbolized: raw.has_functions,
    })
}

/// Returns the name of the thread from the label `thread`. Other labels are ignored.
fn thread(labels: &[wire::Label], offset: usize, strings: &Strings) -> Result<Text, ProfileError> {
    let mut thread = 0;
    for label in labels {
        let (key, value) = (text(label.key, offset, strings)?, text(label.text, offset, strings)?);
        if strings.get(key) == "thread" {
            thread = value;
        }
    }
    Ok(thread)
}

/// The indices of the entries of one table by their ids in the file.
struct Ids {
    entry: &'static str,
    indices: HashMap<u64, u32>,
}

impl Ids {
    fn new(entry: &'static str) -> Self {
        Self { entry, indices: HashMap::new() }
    }

    fn add(&mut self, id: u64, offset: usize) -> Result<(), ProfileError> {
        let index = self.indices.len() as u32; // fits: every entry takes at least two bytes of the file
        if id == 0 {
            return Err(malformed(offset, format!("{} with the reserved id 0", self.entry)));
        }
        match self.indices.insert(id, index) {
            None => Ok(()),
            Some(_) => {
                let reason = format!("duplicate {} id {id}, as in two concatenated profiles", self.entry);
                Err(malformed(offset, reason))
            }
        }
    }

    fn find(&self, id: u64, offset: usize) -> Result<u32, ProfileError> {
        let unknown = || malformed(offset, format!("unknown {} id {id}", self.entry));
        self.indices.get(&id).copied().ok_or_else(unknown)
    }

    /// Returns the index of an entry, or `None` for the id 0, which means no entry.
    fn optional(&self, id: u64, offset: usize) -> Result<Option<u32>, ProfileError> {
        if id == 0 { Ok(None) } else { self.find(id, offset).map(Some) }
    }
}
