//! A profile in memory: tables that refer to each other by index, as in the file.

/// Samples of a program: what it was doing how often, or what cost how much.
///
/// The kinds of values, their units and the order of the frames are those of
/// [pprof's format](https://github.com/google/pprof/blob/main/proto/profile.proto).
///
/// ```
/// use zigzag_varint::sweep::profile::Profile;
///
/// // pprof's format: the sample type "cpu" in "nanoseconds", and one sample of 7 ns with an empty stack.
/// let bytes = b"\x0a\x04\x08\x01\x10\x02\x12\x03\x12\x01\x07\x32\x00\x32\x03cpu\x32\x0bnanoseconds";
/// let profile = Profile::from_bytes(bytes)?;
/// assert_eq!(profile.sample_types().collect::<Vec<_>>(), [("cpu", "nanoseconds")]);
/// assert_eq!(profile.total(0), 7);
/// # Ok::<(), zigzag_varint::sweep::profile::ProfileError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    pub(super) strings: Strings,
    pub(super) types: Vec<ValueType>,
    pub(super) samples: Samples,
    pub(super) mappings: Vec<Mapping>,
    pub(super) locations: Vec<Location>,
    pub(super) lines: Vec<Line>,
    pub(super) functions: Vec<Function>,
    pub(super) header: Header,
}

/// Index of a string.
pub(super) type Text = u32;

/// What a sample's value measures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ValueType {
    pub(super) kind: Text,
    pub(super) unit: Text,
}

/// A file that is mapped into memory: the program, or a library.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Mapping {
    pub(super) start: u64,
    pub(super) limit: u64,
    pub(super) offset: u64,
    pub(super) file: Text,
    pub(super) build_id: Text,
    pub(super) symbolized: bool,
}

/// A place in the machine code: the lines from `first` to before `end`, inlined ones first. At least one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Location {
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) address: u64,
    pub(super) mapping: Option<u32>,
}

/// A line of a function. Line 0: unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Line {
    pub(super) function: Option<u32>,
    pub(super) line: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Function {
    pub(super) name: Text,
    /// As the linker knows it.
    pub(super) system_name: Text,
    pub(super) file: Text,
    pub(super) start_line: i64,
}

/// What concerns the profile as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Header {
    pub(super) time_nanos: i64,
    pub(super) duration_nanos: i64,
    pub(super) period_type: ValueType,
    pub(super) period: i64,
    pub(super) default_type: Text,
    pub(super) comments: Vec<Text>,
    pub(super) doc_url: Text,
    pub(super) drop_frames: Text,
    pub(super) keep_frames: Text,
}

/// Many strings in one piece of memory, so that a short one costs little. The first is empty.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Default for Strings {
    fn default() -> Self {
        Self { text: String::new(), ends: vec![0] }
    }
}

impl Strings {
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32); // far below 2^32: the limits of profiles say so
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, index: Text) -> &str {
        let index = index as usize;
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).and_then(|&end| self.text.get(start as usize..end as usize)).unwrap_or("")
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index as Text))
    }
}

/// All samples, in one piece of memory each for the stacks and the values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Samples {
    /// Where each sample's stack ends, with the name of its thread.
    ends: Vec<(u32, Text)>,
    stacks: Vec<u32>,
    values: Vec<i64>,
}

/// One sample: locations, the innermost first, and a value for each type.
pub(super) struct Sample<'p> {
    pub(super) stack: &'p [u32],
    pub(super) values: &'p [i64],
    pub(super) thread: Text,
}

impl Samples {
    /// As many values for each as the profile has types.
    pub(super) fn push(&mut self, stack: impl IntoIterator<Item = u32>, values: &[i64], thread: Text) {
        self.stacks.extend(stack);
        self.ends.push((self.stacks.len() as u32, thread));
        self.values.extend(values);
    }

    /// Leaves out the innermost frames of each stack, as many as `inner` says of it.
    pub(super) fn cut(&mut self, inner: impl Fn(&[u32]) -> usize) {
        let (mut start, mut kept) = (0, 0);
        for (end, _) in &mut self.ends {
            let stack = start..*end as usize;
            start = stack.end;
            let rest = stack.start + inner(&self.stacks[stack.clone()])..stack.end;
            self.stacks.copy_within(rest.clone(), kept);
            kept += rest.len();
            *end = kept as u32;
        }
        self.stacks.truncate(kept);
    }
}

impl Profile {
    pub(super) fn text(&self, index: Text) -> &str {
        self.strings.get(index)
    }

    pub(super) fn samples(&self) -> impl Iterator<Item = Sample<'_>> {
        let Samples { ends, stacks, values } = &self.samples;
        let starts = std::iter::once(0).chain(ends.iter().map(|&(end, _)| end));
        let values = values.chunks_exact(self.types.len().max(1));
        starts.zip(ends).zip(values).map(|((start, &(end, thread)), values)| Sample {
            stack: &stacks[start as usize..end as usize],
            values,
            thread,
        })
    }

    pub(super) fn lines_of(&self, location: &Location) -> &[Line] {
        &self.lines[location.first as usize..location.end as usize]
    }

    /// The kinds of values that every sample has, each with its unit.
    pub fn sample_types(&self) -> impl Iterator<Item = (&str, &str)> {
        self.types.iter().map(|value_type| (self.text(value_type.kind), self.text(value_type.unit)))
    }

    /// Samples with a stack of their own.
    pub fn len(&self) -> usize {
        self.samples.ends.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sum of the values of the sample type with that number, regardless of their signs. 0 where there is no such type.
    pub fn total(&self, sample_type: usize) -> i64 {
        let values = self.samples().filter_map(|sample| sample.values.get(sample_type).copied());
        values.fold(0, |sum, value| sum.saturating_add(value.saturating_abs()))
    }

    /// Nanoseconds of wall-clock time that the profile covers; 0 where it does not say.
    pub fn duration_nanos(&self) -> i64 {
        self.header.duration_nanos
    }
}
