//! The comparison of contenders that do the same work on slices.

use std::cell::LazyCell;
use std::hint::black_box;

use criterion::Criterion;

use crate::contender::Contender;
use crate::corpus::{Int, Stream};
use crate::measure::Group;

/// The inputs of contenders, and the right result for the first one.
pub(crate) struct Work<'a, I, O> {
    /// Each iteration takes the next one, so that the CPU cannot learn the branches of one.
    pub(crate) inputs: Vec<&'a [I]>,
    /// The number that is returned.
    pub(crate) returned: usize,
    /// What is written.
    pub(crate) output: &'a [O],
    /// The length of the destination.
    pub(crate) capacity: usize,
}

fn to_encode<T: Int>(streams: &[Stream<T>]) -> Work<'_, T, u8> {
    let Stream { values, bytes } = &streams[0];
    let inputs = streams.iter().map(|stream| &stream.values[..]).collect();
    Work { inputs, returned: bytes.len(), output: bytes, capacity: Stream::<T>::max_len(values.len()) }
}

fn to_decode<T: Int>(streams: &[Stream<T>]) -> Work<'_, u8, T> {
    let Stream { values, bytes } = &streams[0];
    let inputs = streams.iter().map(|stream| &stream.bytes[..]).collect();
    Work { inputs, returned: bytes.len(), output: values, capacity: values.len() }
}

/// Compares contenders in a group of benchmarks with this name. Each handles `values` values per
/// iteration. The work is made when the first contender is measured.
pub(crate) fn compare<'a, I: Copy + 'a, O: Clone + Default + PartialEq + 'a>(
    criterion: &mut Criterion,
    name: &str,
    values: usize,
    work: impl FnOnce() -> Work<'a, I, O>,
    contenders: impl IntoIterator<Item = (impl AsRef<str>, impl Fn(&[I], &mut [O]) -> usize)>,
) {
    let mut group = Group::new(criterion, name, values);
    let mut memory = Memory { work: LazyCell::new(work), index: 0, src: Vec::new(), dst: Vec::new() };
    for (name, operation) in contenders {
        group.bench(
            name.as_ref(),
            &mut memory,
            Memory::reset,
            Memory::take_next,
            |memory| {
                let (start, len) = (memory.start(), memory.work.capacity);
                operation(black_box(&memory.src), black_box(&mut memory.dst[start..][..len]))
            },
            |memory, returned| {
                let output = &memory.dst[memory.start()..];
                returned == memory.work.returned && output.starts_with(memory.work.output)
            },
        );
    }
}

/// Compares contenders in two groups, which encode and decode streams of `count` values. The streams are made
/// when the first contender is measured.
pub(crate) fn compare_both<T: Int>(
    criterion: &mut Criterion,
    [encode, decode]: &[String; 2],
    count: usize,
    streams: &LazyCell<Vec<Stream<T>>, impl FnOnce() -> Vec<Stream<T>>>,
    contenders: &[Contender<T>],
) {
    let encoders = contenders.iter().filter_map(|one| Some((&one.name, one.encode.as_ref()?)));
    compare(criterion, encode, count, || to_encode(streams), encoders);
    let decoders = contenders.iter().filter_map(|one| Some((&one.name, one.decode.as_ref()?)));
    compare(criterion, decode, count, || to_decode(streams), decoders);
}

/// CPUs take two addresses for the same if their distance is a multiple of this number of bytes.
const ALIAS: usize = 4096;

/// The memory of all contenders of a group. The inputs are copied to the same place in turn, where
/// they are cached as if they were always the same one.
struct Memory<'a, I, O, F> {
    work: LazyCell<Work<'a, I, O>, F>,
    index: usize,
    src: Vec<I>,
    dst: Vec<O>,
}

impl<'a, I: Copy, O: Clone + Default, F: FnOnce() -> Work<'a, I, O>> Memory<'a, I, O, F> {
    /// Takes the first input and clears the destination.
    fn reset(&mut self) {
        self.take(0);
        self.dst.clear();
        self.dst.resize(self.work.capacity + ALIAS / size_of::<O>(), O::default());
    }

    /// Returns the start of the destination in `dst`, half of [`ALIAS`] from the source. If the number of bytes
    /// that are read is that of those that are written, loads can wait for the stores before them otherwise,
    /// because large vectors begin at the same offset in a page.
    fn start(&self) -> usize {
        let distance = self.src.as_ptr().addr().wrapping_sub(self.dst.as_ptr().addr());
        distance.wrapping_add(ALIAS / 2) % ALIAS / size_of::<O>()
    }

    /// Takes the next input, or the first one after the last. Returns whether it is another one.
    fn take_next(&mut self) -> bool {
        let count = self.work.inputs.len();
        if count > 1 {
            self.take((self.index + 1) % count);
        }
        count > 1
    }

    fn take(&mut self, index: usize) {
        self.index = index;
        self.src.clear();
        self.src.extend_from_slice(self.work.inputs[index]);
    }
}
