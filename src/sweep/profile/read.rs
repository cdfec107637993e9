//! pprof's format, packed by gzip or not, into a profile. Whatever the bytes: an error, never a panic.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use prost::Message;

use super::error::ProfileError;
use super::fields::{Field, fields, malformed};
use super::model::{Function, Header, Line, Location, Mapping, Profile, Strings, Text, ValueType};
use super::wire;

/// Bytes of a profile, unpacked. Those of large programs have a tenth of that.
const LARGEST: usize = 64 << 20;
/// Bytes of a single sample, location or the like.
const LARGEST_MESSAGE: usize = 4 << 20;
/// Bytes of a string. Tables repeat names.
const LARGEST_STRING: usize = 64 << 10;

impl Profile {
    /// Reads a profile of any program from a file in pprof's format, packed by gzip or not.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, is damaged or of another format, or has more than 64 MiB unpacked. Memory is bounded
    /// by a small multiple of that, whatever is in the file.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        Self::from_bytes(&limited(File::open(path)?, ProfileError::Io)?)
    }

    /// As [`read`](Self::read), from memory.
    ///
    /// # Errors
    ///
    /// Likewise.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProfileError> {
        if bytes.starts_with(&[0x1f, 0x8b]) {
            decode(&limited(MultiGzDecoder::new(bytes), ProfileError::Gzip)?)
        } else {
            decode(bytes)
        }
    }
}

fn limited(source: impl Read, error: fn(std::io::Error) -> ProfileError) -> Result<Vec<u8>, ProfileError> {
    let mut bytes = vec![];
    source.take(LARGEST as u64 + 1).read_to_end(&mut bytes).map_err(error)?;
    if bytes.len() > LARGEST { Err(ProfileError::TooLarge(LARGEST)) } else { Ok(bytes) }
}

/// Each table refers to those before it.
fn decode(bytes: &[u8]) -> Result<Profile, ProfileError> {
    match bytes.len() {
        0 => return Err(ProfileError::Empty),
        len if len > LARGEST => return Err(ProfileError::TooLarge(LARGEST)),
        _ => {}
    }
    let mut profile = Profile { strings: strings(bytes)?, ..Profile::default() };
    profile.header = header(bytes, &profile.strings)?;
    profile.types = table(bytes, 1, |raw: wire::ValueType, at| value_type(raw, at, &profile.strings))?;
    if profile.types.is_empty() {
        return Err(malformed(0, "it has no sample types"));
    }
    let mut ids = Ids::new("function");
    profile.functions = table(bytes, 5, |raw: wire::Function, at| {
        ids.add(raw.id, at)?;
        function(&raw, at, &profile.strings)
    })?;
    let functions = ids;
    let mut ids = Ids::new("mapping");
    profile.mappings = table(bytes, 3, |raw: wire::Mapping, at| {
        ids.add(raw.id, at)?;
        mapping(&raw, at, &profile.strings)
    })?;
    let mappings = ids;
    let mut ids = Ids::new("location");
    let lines = &mut profile.lines;
    profile.locations = table(bytes, 4, |raw: wire::Location, at| {
        ids.add(raw.id, at)?;
        let first = lines.len() as u32;
        for line in &raw.line {
            lines.push(Line { function: functions.optional(line.function_id, at)?, line: line.line });
        }
        if raw.line.is_empty() {
            lines.push(Line::default()); // so that every frame has one
        }
        let (end, mapping) = (lines.len() as u32, mappings.optional(raw.mapping_id, at)?);
        Ok(Location { first, end, address: raw.address, mapping })
    })?;
    let strings = &profile.strings;
    let samples = &mut profile.samples;
    let values = profile.types.len();
    table(bytes, 2, |raw: wire::Sample, at| {
        if raw.value.len() != values {
            let what =
                format!("a sample has {} values where there are {values} sample types", raw.value.len());
            return Err(malformed(at, what));
        }
        let stack: Vec<u32> = raw.location_id.iter().map(|&id| ids.find(id, at)).collect::<Result<_, _>>()?;
        samples.push(stack, &raw.value, thread(&raw.label, at, strings)?);
        Ok(())
    })?;
    profile.prune();
    Ok(profile)
}

/// The messages in the field of that number, each turned into what is kept of it.
fn table<M: Message + Default, K>(
    bytes: &[u8],
    number: u64,
    mut keep: impl FnMut(M, usize) -> Result<K, ProfileError>,
) -> Result<Vec<K>, ProfileError> {
    let mut kept = vec![];
    for field in fields(bytes) {
        let Field { number: found, bytes, at } = field?;
        if found == number {
            if bytes.len() > LARGEST_MESSAGE {
                return Err(malformed(at, format!("a single entry of {} MiB", bytes.len() >> 20)));
            }
            let message = M::decode(bytes).map_err(|error| malformed(at, error.to_string()))?;
            kept.push(keep(message, at)?);
        }
    }
    Ok(kept)
}

fn strings(bytes: &[u8]) -> Result<Strings, ProfileError> {
    let mut strings = None;
    for field in fields(bytes) {
        let Field { number, bytes, at } = field?;
        if number == 6 {
            match &mut strings {
                _ if bytes.len() > LARGEST_STRING => {
                    return Err(malformed(at, format!("a name of {} KiB", bytes.len() >> 10)));
                }
                None if bytes.is_empty() => strings = Some(Strings::default()),
                None => return Err(malformed(at, "the first string should be empty")),
                Some(strings) => strings.push(&String::from_utf8_lossy(bytes)),
            }
        }
    }
    strings.ok_or_else(|| malformed(bytes.len(), "it has no strings"))
}

fn header(bytes: &[u8], strings: &Strings) -> Result<Header, ProfileError> {
    let raw = wire::Header::decode(bytes).map_err(|error| malformed(0, error.to_string()))?;
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

/// The thread's name, by the label that profilers of threads give. Other labels are not kept.
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

/// The indices behind the file's own numbers.
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

    /// 0: none.
    fn optional(&self, id: u64, at: usize) -> Result<Option<u32>, ProfileError> {
        if id == 0 { Ok(None) } else { self.find(id, at).map(Some) }
    }
}
