//! A profile in memory: tables that refer to each other by index, where the file uses ids.

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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    pub(crate) strings: Strings,
    pub(crate) types: Vec<ValueType>,
    pub(crate) samples: Samples,
    pub(crate) mappings: Vec<Mapping>,
    pub(crate) locations: Vec<Location>,
    pub(crate) lines: Vec<Line>,
    pub(crate) functions: Vec<Function>,
    pub(crate) header: Header,
}

/// The index of a string in the string table.
pub(crate) type Text = u32;

/// A sample type: what a value measures, such as `cpu`, and its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ValueType {
    pub(crate) kind: Text,
    pub(crate) unit: Text,
}

/// A file that is mapped into memory: the program, or a library.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mapping {
    pub(crate) start: u64,
    pub(crate) limit: u64,
    pub(crate) offset: u64,
    pub(crate) file: Text,
    pub(crate) build_id: Text,
    pub(crate) symbolized: bool,
}

/// An address in the machine code, with the lines `first..end`, from the innermost inlined function
/// outwards. There is at least one line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Location {
    pub(crate) first: u32,
    pub(crate) end: u32,
    pub(crate) address: u64,
    pub(crate) mapping: Option<u32>,
}

/// A line of a function. Line 0 is an unknown line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    pub(crate) function: Option<u32>,
    pub(crate) line: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Function {
    pub(crate) name: Text,
    /// The linker name.
    pub(crate) system_name: Text,
    pub(crate) file: Text,
    pub(crate) start_line: i64,
}

/// The fields that describe the profile as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Header {
    pub(crate) time_nanos: i64,
    pub(crate) duration_nanos: i64,
    pub(crate) period_type: ValueType,
    pub(crate) period: i64,
    pub(crate) default_type: Text,
    pub(crate) comments: Vec<Text>,
    pub(crate) doc_url: Text,
    pub(crate) drop_frames: Text,
    pub(crate) keep_frames: Text,
}

/// Strings in one allocation, so that short strings need little memory. The first is empty.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Default for Strings {
    fn default() -> Self {
        Self { text: String::new(), ends: vec![0] }
    }
}

impl Strings {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32); // fits: the budget allows far less than 4 GiB of strings
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, index: Text) -> &str {
        let index = index as usize;
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).and_then(|&end| self.text.get(start as usize..end as usize)).unwrap_or("")
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index as Text))
    }
}

/// All samples, with one allocation for the stacks and one for the values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Samples {
    /// The end of each sample's stack in `stacks`, and the name of its thread.
    ends: Vec<(u32, Text)>,
    stacks: Vec<u32>,
    values: Vec<i64>,
}

/// One sample: its locations from the innermost outwards, and a value for each sample type.
pub(crate) struct Sample<'p> {
    pub(crate) stack: &'p [u32],
    pub(crate) values: &'p [i64],
    pub(crate) thread: Text,
}

impl Samples {
    /// Adds a sample with one value for each sample type of the profile.
    pub(crate) fn push(&mut self, stack: impl IntoIterator<Item = u32>, values: &[i64], thread: Text) {
        self.stacks.extend(stack);
        self.ends.push((self.stacks.len() as u32, thread));
        self.values.extend(values);
    }

    /// Removes the `count(stack)` innermost frames of each stack.
    pub(crate) fn remove_innermost(&mut self, count: impl Fn(&[u32]) -> usize) {
        let (mut start, mut kept) = (0, 0);
        for (end, _) in &mut self.ends {
            let stack = start..*end as usize;
            start = stack.end;
            let rest = stack.start + count(&self.stacks[stack.clone()])..stack.end;
            self.stacks.copy_within(rest.clone(), kept);
            kept += rest.len();
            *end = kept as u32;
        }
        self.stacks.truncate(kept);
    }
}

impl Profile {
    pub(crate) fn text(&self, index: Text) -> &str {
        self.strings.get(index)
    }

    pub(crate) fn samples(&self) -> impl Iterator<Item = Sample<'_>> {
        let Samples { ends, stacks, values } = &self.samples;
        let starts = std::iter::once(0).chain(ends.iter().map(|&(end, _)| end));
        let values = values.chunks_exact(self.types.len().max(1));
        starts.zip(ends).zip(values).map(|((start, &(end, thread)), values)| Sample {
            stack: &stacks[start as usize..end as usize],
            values,
            thread,
        })
    }

    pub(crate) fn lines_of(&self, location: &Location) -> &[Line] {
        &self.lines[location.first as usize..location.end as usize]
    }

    /// Returns the name and the unit of each sample type, such as `cpu` and `nanoseconds`.
    pub fn sample_types(&self) -> impl Iterator<Item = (&str, &str)> {
        self.types.iter().map(|value_type| (self.text(value_type.kind), self.text(value_type.unit)))
    }

    /// Returns the number of sample entries. A captured profile has one for each distinct stack of
    /// each thread.
    pub fn len(&self) -> usize {
        self.samples.ends.len()
    }

    /// Returns `true` if the profile has no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the sum of the absolute values of the sample type with this index, in its unit.
    ///
    /// The sum saturates at [`i64::MAX`]. It is 0 if there is no such sample type.
    pub fn total(&self, sample_type: usize) -> i64 {
        let values = self.samples().filter_map(|sample| sample.values.get(sample_type).copied());
        values.fold(0, |sum, value| sum.saturating_add(value.saturating_abs()))
    }

    /// Returns the wall-clock time that the profile covers in nanoseconds, or 0 if it is unknown.
    pub fn duration_nanos(&self) -> i64 {
        self.header.duration_nanos
    }
}
