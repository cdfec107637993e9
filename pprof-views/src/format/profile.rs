//! A profile in memory.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint, int64, message, uint32};

use super::samples::{Sample, Samples};
use super::strings::Strings;
use super::wire::{LABEL, LOCATION_ID, Location, SAMPLE, STRING, Tables, VALUE};

/// A profile: samples of a program, each with a stack and one value for each sample type.
///
/// The terms are those of [pprof's
/// format](https://github.com/google/pprof/blob/main/proto/profile.proto).
/// [`Capture::finish`](crate::Capture::finish), [`read`](Self::read) and
/// [`from_bytes`](Self::from_bytes) return profiles.
///
/// # Examples
///
/// ```
/// use pprof_views::Profile;
///
/// // pprof's format: the sample type "cpu" in "nanoseconds", and one sample of 7 ns with an empty stack.
/// let bytes = b"\x0a\x04\x08\x01\x10\x02\x12\x03\x12\x01\x07\x32\x00\x32\x03cpu\x32\x0bnanoseconds";
/// let profile = Profile::from_bytes(bytes)?;
/// assert_eq!(profile.sample_types().collect::<Vec<_>>(), [("cpu", "nanoseconds")]);
/// assert_eq!(profile.total(0), 7);
/// # Ok::<(), pprof_views::ProfileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Profile {
    pub(crate) tables: Tables,
    pub(crate) samples: Samples,
    pub(crate) strings: Strings,
    /// The names of functions to show, by the indices of the mangled ones in the string table. They are
    /// set when they are first needed.
    pub(crate) demangled: OnceLock<HashMap<i64, String>>,
}

impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        (&self.tables, &self.samples, &self.strings) == (&other.tables, &other.samples, &other.strings)
    }
}

impl Profile {
    pub(crate) fn new(tables: Tables, samples: Samples, strings: Strings) -> Self {
        Self { tables, samples, strings, demangled: OnceLock::new() }
    }

    /// Returns a string of the string table.
    pub(crate) fn text(&self, index: i64) -> &str {
        self.strings.get(index as usize).unwrap_or("")
    }

    /// Returns for each location the positions of its lines among those of all locations.
    pub(crate) fn line_ranges(&self) -> Vec<Range<usize>> {
        let mut end = 0;
        let range = |location: &Location| {
            let start = end;
            end += location.lines().len();
            start..end
        };
        self.tables.location.iter().map(range).collect()
    }

    /// Returns the name and the unit of each sample type, such as `cpu` and `nanoseconds`.
    pub fn sample_types(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tables.sample_type.iter().map(|it| (self.text(it.kind), self.text(it.unit)))
    }

    /// Returns the number of sample entries. A captured profile has one for each distinct stack of
    /// each thread.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Returns `true` if the profile has no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the sum of the absolute values of the sample type with this index, in its unit.
    ///
    /// The sum saturates at [`i64::MAX`]. It is 0 if there is no such sample type.
    pub fn total(&self, sample_type: usize) -> i64 {
        let values = self.samples.iter().filter_map(|sample| sample.value.get(sample_type));
        values.fold(0, |sum, value| sum.saturating_add(value.saturating_abs()))
    }

    /// Returns the wall-clock time that the profile covers in nanoseconds, or 0 if it is unknown.
    pub fn duration_nanos(&self) -> i64 {
        self.tables.duration_nanos
    }

    /// Returns the profile in pprof's format without compression: the content of a `.pb` file.
    ///
    /// Reading these bytes returns an equal profile.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.tables.encode_to_vec();
        let mut content = vec![];
        for Sample { location_id, value, label } in self.samples.iter() {
            content.clear();
            uint32::encode_packed(LOCATION_ID, location_id, &mut content);
            int64::encode_packed(VALUE, value, &mut content);
            label.iter().for_each(|label| message::encode(LABEL, label, &mut content));
            field(SAMPLE, &content, &mut bytes);
        }
        self.strings.iter().for_each(|text| field(STRING, text.as_bytes(), &mut bytes));
        bytes
    }

    /// Returns the profile in pprof's format, compressed with gzip: the content of a `.pb.gz` file.
    ///
    /// # Errors
    ///
    /// Does not fail in practice, because it writes to memory.
    pub fn to_gzip(&self) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(vec![], Compression::default());
        encoder.write_all(&self.to_bytes())?;
        encoder.finish()
    }
}

/// Appends a field of this content.
fn field(tag: u32, content: &[u8], bytes: &mut Vec<u8>) {
    encode_key(tag, WireType::LengthDelimited, bytes);
    encode_varint(content.len() as u64, bytes);
    bytes.extend(content);
}
