//! Reads pprof's format, packed by gzip or not. Bytes that are no profile are an error, never a
//! panic.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use prost::Message;

use super::budget::{self, Budget};
use super::error::{ProfileError, malformed};
use super::fields::{Field, fields, numbers};
use super::model::{Function, Header, Line, Location, Mapping, Profile, Strings, Text, ValueType};
use super::wire;
use crate::names::printable;

impl Profile {
    /// Reads a profile of any program from a file in pprof's format, packed by gzip or not.
    ///
    /// Reading and showing a profile takes less than 256 MiB of memory, whatever is in the file.
    /// Frames that the profile's own `drop_frames` matches are dropped, as pprof does.
    ///
    /// # Errors
    ///
    /// - [`ProfileError::Io`] if the file cannot be read, [`ProfileError::Gzip`] if it is damaged
    ///   gzip.
    /// - [`ProfileError::Empty`] or [`ProfileError::Malformed`] if it is not a complete profile in
    ///   pprof's format.
    /// - [`ProfileError::TooLarge`] if it has more than 32 MiB unpacked, and
    ///   [`ProfileError::TooMuch`] if its tables would take more than 192 MiB of memory.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        let mut file = BufReader::new(File::open(path)?);
        // Unpacked while it is read, so that only the unpacked bytes are in memory.
        let bytes = match file.fill_buf()?.starts_with(&GZIP) {
            true => limited(MultiGzDecoder::new(file), ProfileError::Gzip)?,
            false => limited(file, ProfileError::Io)?,
        };
        decode(&bytes)
    }

    /// Reads a profile from memory, like [`read`](Self::read) from a file.
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

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

fn limited(source: impl Read, error: fn(std::io::Error) -> ProfileError) -> Result<Vec<u8>, ProfileError> {
    let mut bytes = vec![];
    source.take(budget::UNPACKED as u64 + 1).read_to_end(&mut bytes).map_err(error)?;
    if bytes.len() > budget::UNPACKED { Err(ProfileError::TooLarge(budget::UNPACKED)) } else { Ok(bytes) }
}

/// Decodes the tables in an order in which each refers only to those before it.
fn decode(bytes: &[u8]) -> Result<Profile, ProfileError> {
    match bytes.len() {
        0 => return Err(ProfileError::Empty),
        len if len > budget::UNPACKED => return Err(ProfileError::TooLarge(budget::UNPACKED)),
        _ => {}
    }
    let memory = &mut Budget::new();
    let mut profile = Profile { strings: strings(bytes, memory)?, ..Profile::default() };
    profile.header = header(bytes, &profile.strings)?;
    table(bytes, 1, |raw: wire::ValueType, at| {
        if profile.types.len() == budget::FEW {
            return Err(malformed(at, format!("more than {} sample types", budget::FEW)));
        }
        profile.types.push(value_type(raw, at, &profile.strings)?);
        Ok(())
    })?;
    if profile.types.is_empty() {
        return Err(malformed(0, "it has no sample types"));
    }
    let mut functions = Ids::new("function");
    table(bytes, 5, |raw: wire::Function, at| {
        memory.charge(1, budget::FUNCTION)?;
        functions.add(raw.id, at)?;
        profile.functions.push(function(&raw, at, &profile.strings)?);
        Ok(())
    })?;
    let mut mappings = Ids::new("mapping");
    table(bytes, 3, |raw: wire::Mapping, at| {
        memory.charge(1, budget::MAPPING)?;
        mappings.add(raw.id, at)?;
        profile.mappings.push(mapping(&raw, at, &profile.strings)?);
        Ok(())
    })?;
    let mut locations = Ids::new("location");
    table(bytes, 4, |raw: wire::Location, at| {
        memory.charge(1, budget::LOCATION)?;
        memory.charge(raw.line.len().max(1), budget::LINE)?;
        locations.add(raw.id, at)?;
        let first = profile.lines.len() as u32;
        for line in &raw.line {
            profile.lines.push(Line { function: functions.optional(line.function_id, at)?, line: line.line });
        }
        if raw.line.is_empty() {
            profile.lines.push(Line::default()); // so that every frame has one
        }
        let (end, mapping) = (profile.lines.len() as u32, mappings.optional(raw.mapping_id, at)?);
        profile.locations.push(Location { first, end, address: raw.address, mapping });
        Ok(())
    })?;
    let (values, mut frames) = (profile.types.len(), 0);
    table(bytes, 2, |raw: wire::Sample, at| {
        if raw.value.len() != values {
            let what =
                format!("a sample has {} values where there are {values} sample types", raw.value.len());
            return Err(malformed(at, what));
        }
        memory.charge(1, budget::SAMPLE)?;
        memory.charge(values, budget::VALUE)?;
        memory.charge(raw.location_id.len(), budget::FRAME)?;
        let stack: Vec<u32> =
            raw.location_id.iter().map(|&id| locations.find(id, at)).collect::<Result<_, _>>()?;
        frames +=
            stack.iter().map(|&at| profile.lines_of(&profile.locations[at as usize]).len()).sum::<usize>();
        if frames > budget::FRAMES {
            return Err(malformed(at, format!("more than {} frames in all stacks", budget::FRAMES)));
        }
        profile.samples.push(stack, &raw.value, thread(&raw.label, at, &profile.strings)?);
        Ok(())
    })?;
    profile.prune();
    Ok(profile)
}

/// Calls `keep` for each message in the field with this number.
fn table<M: Message + Default>(
    bytes: &[u8],
    number: u64,
    mut keep: impl FnMut(M, usize) -> Result<(), ProfileError>,
) -> Result<(), ProfileError> {
    for field in fields(bytes) {
        let Field { number: found, bytes, at } = field?;
        if found == number {
            if bytes.len() > budget::MESSAGE {
                return Err(malformed(at, format!("a single entry of {} KiB", bytes.len() >> 10)));
            }
            let message = M::decode(bytes).map_err(|error| malformed(at, error.to_string()))?;
            keep(message, at)?;
        }
    }
    Ok(())
}

fn strings(bytes: &[u8], memory: &mut Budget) -> Result<Strings, ProfileError> {
    let mut strings = None;
    for field in fields(bytes) {
        let Field { number, bytes, at } = field?;
        if number == 6 {
            match &mut strings {
                _ if bytes.len() > budget::STRING => return Err(long(at, bytes.len())),
                None if bytes.is_empty() => strings = Some(Strings::default()),
                None => return Err(malformed(at, "the first string should be empty")),
                Some(strings) => {
                    let text = String::from_utf8_lossy(bytes);
                    if text.len() > budget::STRING {
                        return Err(long(at, text.len())); // bytes that are not UTF-8 were replaced by longer marks
                    }
                    memory.charge(1, budget::string(printable(&text).len()))?;
                    strings.push(&text);
                }
            }
        }
    }
    strings.ok_or_else(|| malformed(bytes.len(), "it has no strings"))
}

fn long(at: usize, bytes: usize) -> ProfileError {
    malformed(at, format!("a name of {} KiB", bytes >> 10))
}

fn header(bytes: &[u8], strings: &Strings) -> Result<Header, ProfileError> {
    let many = || malformed(0, format!("more than {} comments", budget::FEW));
    // Checked before they are in memory. There are fewer than 2^28 strings, so that an index has at
    // most four bytes.
    if numbers(bytes, 13)? > 4 * budget::FEW {
        return Err(many());
    }
    let raw = wire::Header::decode(bytes).map_err(|error| malformed(0, error.to_string()))?;
    if raw.comment.len() > budget::FEW {
        return Err(many());
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

fn text(index: i64, at: usize, strings: &Strings) -> Result<Text, ProfileError> {
    match Text::try_from(index) {
        Ok(index) if (index as usize) < strings.len() => Ok(index),
        _ => Err(malformed(at, format!("string {index} where there are {}", strings.len()))),
    }
}

fn value_type(raw: wire::ValueType, at: usize, strings: &Strings) -> Result<ValueType, ProfileError> {
    Ok(ValueType { kind: text(raw.kind, at, strings)?, unit: text(raw.unit, at, strings)? })
}

fn function(raw: &wire::Function, at: usize, strings: &Strings) -> Result<Function, ProfileError> {
    Ok(Function {
        name: text(raw.name, at, strings)?,
        system_name: text(raw.system_name, at, strings)?,
        file: text(raw.filename, at, strings)?,
        start_line: raw.start_line,
    })
}

fn mapping(raw: &wire::Mapping, at: usize, strings: &Strings) -> Result<Mapping, ProfileError> {
    Ok(Mapping {
        start: raw.memory_start,
        limit: raw.memory_limit,
        offset: raw.file_offset,
        file: text(raw.filename, at, strings)?,
        build_id: text(raw.build_id, at, strings)?,
        symbolized: raw.has_functions,
    })
}

/// Returns the name of the thread, from the label `thread`. Other labels are not kept.
fn thread(labels: &[wire::Label], at: usize, strings: &Strings) -> Result<Text, ProfileError> {
    let mut thread = 0;
    for label in labels {
        let (key, value) = (text(label.key, at, strings)?, text(label.text, at, strings)?);
        if strings.get(key) == "thread" {
            thread = value;
        }
    }
    Ok(thread)
}

/// The indices of entries by their ids in the file.
struct Ids {
    of: &'static str,
    indices: HashMap<u64, u32>,
}

impl Ids {
    fn new(of: &'static str) -> Self {
        Self { of, indices: HashMap::new() }
    }

    fn add(&mut self, id: u64, at: usize) -> Result<(), ProfileError> {
        let index = self.indices.len() as u32; // an entry has more than a byte, and there are fewer than 2^32
        if id == 0 {
            return Err(malformed(at, format!("a {} has the reserved id 0", self.of)));
        }
        match self.indices.insert(id, index) {
            None => Ok(()),
            Some(_) => {
                Err(malformed(at, format!("two {}s have the id {id}: are these two profiles?", self.of)))
            }
        }
    }

    fn find(&self, id: u64, at: usize) -> Result<u32, ProfileError> {
        self.indices.get(&id).copied().ok_or_else(|| malformed(at, format!("there is no {} {id}", self.of)))
    }

    /// The id 0 stands for no entry.
    fn optional(&self, id: u64, at: usize) -> Result<Option<u32>, ProfileError> {
        if id == 0 { Ok(None) } else { self.find(id, at).map(Some) }
    }
}
