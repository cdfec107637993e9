//! The checks that every bulk codec must pass: each is compared with the oracle.

use zigzag_varint::{
    self as codec, BufferTooSmall, BulkError, Canonical, DecodeError, Kernel, Progress, Varint as _,
};

use super::faulty_kernels::InjectedFault;
use super::guard_pages::{Edge, Guarded};
use super::oracle::{self, ErrorAt, Int};

/// The calls under test: those of a kernel, or of one with an injected fault.
pub trait Bulk {
    fn name(&self) -> &str;
    fn encode<T: Int>(&self, src: &[T], dst: &mut [u8]) -> Result<usize, BufferTooSmall>;
    fn decode<T: Int>(&self, src: &[u8], dst: &mut [T], canonical: bool) -> Result<Progress, BulkError>;
    fn encoded_len<T: Int>(&self, src: &[T]) -> usize;
    fn count(&self, src: &[u8]) -> usize;
    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError>;
}

impl Bulk for Kernel {
    fn name(&self) -> &str {
        Kernel::name(*self)
    }

    fn encode<T: Int>(&self, src: &[T], dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
        self.encode_slice::<T>(src, dst)
    }

    fn decode<T: Int>(&self, src: &[u8], dst: &mut [T], canonical: bool) -> Result<Progress, BulkError> {
        if canonical { self.decode_slice::<Canonical<T>>(src, dst) } else { self.decode_slice::<T>(src, dst) }
    }

    fn encoded_len<T: Int>(&self, src: &[T]) -> usize {
        self.encoded_len_slice::<T>(src)
    }

    fn count(&self, src: &[u8]) -> usize {
        Kernel::count(*self, src)
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        Kernel::skip_values(*self, src, n)
    }
}

/// The free functions, which have loops of their own for short slices.
pub struct FreeFunctions;

impl Bulk for FreeFunctions {
    fn name(&self) -> &str {
        "free functions"
    }

    fn encode<T: Int>(&self, src: &[T], dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
        codec::encode_slice(src, dst)
    }

    fn decode<T: Int>(&self, src: &[u8], dst: &mut [T], canonical: bool) -> Result<Progress, BulkError> {
        if canonical { Canonical::<T>::decode_slice(src, dst) } else { codec::decode_slice(src, dst) }
    }

    fn encoded_len<T: Int>(&self, src: &[T]) -> usize {
        codec::encoded_len_slice(src)
    }

    fn count(&self, src: &[u8]) -> usize {
        codec::count(src)
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        codec::skip_values(src, n)
    }
}

/// A codec under test. One type for all of them, so that the checks are compiled once for each
/// integer type, and compute the expected result once for all codecs.
pub enum Tested {
    Kernel(Kernel),
    FreeFunctions,
    Faulty(InjectedFault),
}

/// Evaluates an expression with the codec under test.
macro_rules! with_tested {
    ($tested:expr, $codec:ident => $result:expr) => {
        match $tested {
            Tested::Kernel($codec) => $result,
            Tested::FreeFunctions => {
                let $codec = &FreeFunctions;
                $result
            }
            Tested::Faulty($codec) => $result,
        }
    };
}

impl Bulk for Tested {
    fn name(&self) -> &str {
        with_tested!(self, codec => Bulk::name(codec))
    }

    fn encode<T: Int>(&self, src: &[T], dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
        with_tested!(self, codec => codec.encode(src, dst))
    }

    fn decode<T: Int>(&self, src: &[u8], dst: &mut [T], canonical: bool) -> Result<Progress, BulkError> {
        with_tested!(self, codec => codec.decode(src, dst, canonical))
    }

    fn encoded_len<T: Int>(&self, src: &[T]) -> usize {
        with_tested!(self, codec => codec.encoded_len(src))
    }

    fn count(&self, src: &[u8]) -> usize {
        with_tested!(self, codec => Bulk::count(codec, src))
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        with_tested!(self, codec => Bulk::skip(codec, src, n))
    }
}

/// Checks codecs on slices next to a guard page: first after one, then before one.
pub struct Checker {
    codecs: Vec<Tested>,
    src: Guarded,
    dst: Guarded,
}

impl Checker {
    /// Creates a checker for slices of up to `bytes` bytes.
    pub fn new(codecs: Vec<Tested>, bytes: usize) -> Self {
        Self { codecs, src: Guarded::new(bytes), dst: Guarded::new(bytes) }
    }

    /// Decodes `src` into `capacity` values, leniently and canonically, and compares values,
    /// progress, error kind and offset.
    pub fn decode<T: Int>(&mut self, src: &[u8], capacity: usize) {
        for (canonical, expected) in [false, true].into_iter().zip(oracle::decode_both::<T>(src, capacity)) {
            for (codec, edge) in each(&self.codecs) {
                let bytes = self.src.slice::<u8>(edge, src.len());
                bytes.copy_from_slice(src);
                let values = self.dst.slice::<T>(edge, capacity);
                values.fill(previous_content(edge));
                let (progress, error) = match codec.decode(bytes, values, canonical) {
                    Ok(progress) => (progress, None),
                    Err(failed) => (failed.progress, Some(ErrorAt::from(failed.error))),
                };
                let same = progress.values == expected.values.len()
                    && progress.bytes == expected.bytes
                    && error == expected.error
                    && values.starts_with(&expected.values);
                assert!(
                    same,
                    "{} decodes {} wrongly (canonical: {canonical}, edge: {edge:?}, capacity: {capacity})\n     src: {src:02x?}\n     \
                     got: {progress:?} {error:?} {:?}\nexpected: {expected:?}",
                    codec.name(),
                    T::NAME,
                    &values[..progress.values.min(capacity)],
                );
            }
        }
    }

    /// Encodes `src` into `capacity` bytes, and checks the encoded length.
    pub fn encode<T: Int>(&mut self, src: &[T], capacity: usize) {
        let expected = oracle::encode_all(src);
        for (codec, edge) in each(&self.codecs) {
            let values = self.src.slice::<T>(edge, src.len());
            values.copy_from_slice(src);
            let bytes = self.dst.slice::<u8>(edge, capacity);
            bytes.fill(previous_content(edge));
            let outcome = codec.encode(values, bytes);
            let len = codec.encoded_len(values);
            let same = match outcome {
                Ok(len) => len == expected.len() && bytes.starts_with(&expected),
                Err(BufferTooSmall { needed, available }) => {
                    capacity < expected.len() && needed == expected.len() && available == capacity
                }
            };
            assert!(
                same && len == expected.len(),
                "{} encodes {} wrongly (edge: {edge:?}, capacity: {capacity})\n     src: {src:?}\n     \
                 got: {outcome:?} {bytes:02x?}, length {len}\nexpected: {expected:02x?}, length {}",
                codec.name(),
                T::NAME,
                expected.len(),
            );
        }
    }

    /// Counts the varints of `src` and skips the first `n`.
    pub fn scan(&mut self, src: &[u8], n: usize) {
        for (codec, edge) in each(&self.codecs) {
            let bytes = self.src.slice::<u8>(edge, src.len());
            bytes.copy_from_slice(src);
            let counted = codec.count(bytes);
            assert_eq!(counted, oracle::count(src), "{} counts in {src:02x?}", codec.name());
            let skipped = codec.skip(bytes, n).map_err(ErrorAt::from);
            assert_eq!(skipped, oracle::skip(src, n), "{} skips {n} of {src:02x?}", codec.name());
        }
    }

    /// Decodes `src` from every offset within a cache line.
    pub fn decode_unaligned<T: Int>(&mut self, src: &[u8]) {
        for offset in 0..64.min(src.len()) {
            let expected = oracle::decode_all::<T>(&src[offset..], src.len(), false);
            let done = Progress { values: expected.values.len(), bytes: expected.bytes };
            for (codec, edge) in each(&self.codecs) {
                let bytes = self.src.slice::<u8>(Edge::Front, src.len());
                bytes.copy_from_slice(src);
                let values = self.dst.slice::<T>(edge, done.values);
                values.fill(previous_content(edge));
                let progress = codec.decode(&bytes[offset..], values, false);
                assert_eq!(progress, Ok(done), "{} decodes {} at {offset}", codec.name(), T::NAME);
                assert_eq!(values, expected.values, "{} decodes {} at {offset}", codec.name(), T::NAME);
            }
        }
    }
}

/// Pairs every codec with both edges.
fn each(codecs: &[Tested]) -> impl Iterator<Item = (&Tested, Edge)> {
    codecs.iter().flat_map(|codec| Edge::BOTH.map(|edge| (codec, edge)))
}

/// Returns the content of a destination before the call. It is all zeros at one edge and all ones
/// at the other, so that a value that is not written differs from the expected one.
fn previous_content<T: Int>(edge: Edge) -> T {
    let wire = match edge {
        Edge::Front => 0,
        Edge::Back => T::WIRE_MAX,
    };
    T::from_wire(wire).expect("within the type")
}
