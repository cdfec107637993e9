//! `Delta` as a table: a row of functions on numbers for each integer type, so that a check is
//! compiled once. A number is the place of a value in the order of its type: 0 is the least value.

use zigzag_varint::{BulkError, Delta, DeltaError, Kernel, Progress, Reader};
use zigzag_varint_oracle::{BulkOutcome, ErrorAt, Format as WireFormat};

use super::delta_oracle::Scheme;
use super::guard_pages::{Edge, MEMORY};
use super::wire_types::{Int, wire_type};

/// What is called: a scheme with its rule, and the kernel, or `None` for the choice by length. Sources
/// and destinations are next to a guard page.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    pub scheme: Scheme,
    pub canonical: bool,
    pub kernel: Option<Kernel>,
    pub edge: Edge,
    pub previous: &'a [u128],
}

/// Evaluates an expression with the `Delta` of a call, for its number of components.
macro_rules! delta {
    ($T:ident, $call:expr, |$delta:ident| $result:expr) => {
        delta!($T, $call, |$delta| $result, 1 2 3 4 32)
    };
    ($T:ident, $call:expr, |$delta:ident| $result:expr, $($n:literal)*) => {
        match $call.previous.len() {
            $($n => {
                let $delta = delta_of::<$T, $n>($call);
                $result
            })*
            n => panic!("no row has {n} components"),
        }
    };
}

/// The result of a call, and the bytes that it wrote.
type Encoded = (Result<usize, DeltaError>, Vec<u8>);

/// The functions for sequences of one type.
#[derive(Clone, Copy)]
pub struct Row {
    pub name: &'static str,
    pub bits: u32,
    pub encode: fn(Call, &[u128], usize) -> Encoded,
    pub decode: fn(Call, &[u8], usize) -> BulkOutcome,
    pub encode_append: fn(Call, &[u128]) -> Encoded,
    pub decode_append: fn(Call, &[u8]) -> BulkOutcome,
    /// Reads at most this number of values with a reader.
    pub read: fn(Call, &[u8], usize) -> BulkOutcome,
    /// Decodes exactly this number of values: into a slice, to the end of a vector, and with a reader.
    pub decode_exact: fn(Call, &[u8], usize) -> [BulkOutcome; 3],
}

/// Returns a row for each kind of code: lanes of 16 to 64 bits with and without a sign, and the
/// scalar loops of 8 and 128 bits.
pub fn rows() -> Vec<Row> {
    macro_rules! rows {
        ($($int:ident)*) => { vec![$(row::<$int>()),*] };
    }
    rows![u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize]
}

/// Returns the row of a type.
pub fn row<T: Int>() -> Row {
    Row {
        name: wire_type::<T>().name(),
        bits: T::RULE.bits,
        encode: encode::<T>,
        decode: decode::<T>,
        encode_append: |call, values| {
            let mut bytes = b"before".to_vec();
            let encoded = delta!(T, call, |delta| delta.encode_append(&values_at::<T>(values), &mut bytes));
            assert_eq!(bytes.drain(..6).as_slice(), b"before");
            (encoded, bytes)
        },
        decode_append: |call, src| {
            let mut values = vec![T::of(7)];
            let decoded = delta!(T, call, |delta| delta.decode_append(src, &mut values));
            assert_eq!(values.remove(0), T::of(7));
            let mut new = Vec::new();
            assert_eq!(delta!(T, call, |delta| delta.decode_append(src, &mut new)), decoded);
            assert!(
                new == values && new.capacity() <= src.len(),
                "capacity {} for {src:02x?}",
                new.capacity()
            );
            outcome(decoded.map(|values| Progress { values, bytes: src.len() }), &values)
        },
        read: |call, src, capacity| {
            let (mut reader, mut values) = (Reader::new(src), vec![T::default(); capacity]);
            let read = delta!(T, call, |delta| reader.read_delta_slice(delta, &mut values));
            outcome(read.map(|values| Progress { values, bytes: reader.position() }), &values)
        },
        decode_exact: decode_exact::<T>,
    }
}

fn delta_of<T: Int, const N: usize>(call: Call) -> Delta<T, N> {
    let previous = values_at::<T>(call.previous).try_into().expect("a value for each component");
    let delta = match call.scheme {
        Scheme::Zigzag => Delta::zigzag(previous),
        Scheme::Gaps => Delta::gaps(previous),
        Scheme::StrictGaps => Delta::strict_gaps(previous),
    };
    let delta = if call.canonical { delta.canonical() } else { delta };
    call.kernel.map_or(delta, |kernel| delta.with_kernel(kernel))
}

/// Returns the values at some places.
fn values_at<T: Int>(places: &[u128]) -> Vec<T> {
    places.iter().map(|place| T::of(place ^ zero::<T>())).collect()
}

/// Returns the places of some values.
fn places<T: Int>(values: &[T]) -> Vec<u128> {
    let greatest = u128::MAX >> (128 - T::RULE.bits);
    values.iter().map(|value| value.number() & greatest ^ zero::<T>()).collect()
}

/// Returns the place of zero: in the middle for a signed type.
fn zero<T: Int>() -> u128 {
    if T::RULE.format == WireFormat::Zigzag { 1 << (T::RULE.bits - 1) } else { 0 }
}

fn encode<T: Int>(call: Call, values: &[u128], capacity: usize) -> Encoded {
    MEMORY.with_borrow_mut(|[src, dst]| {
        let src = src.copy(call.edge, &values_at::<T>(values));
        let dst = dst.filled(call.edge, capacity, 0xaa);
        (delta!(T, call, |delta| delta.encode_slice(src, dst)), dst.to_vec())
    })
}

fn decode<T: Int>(call: Call, bytes: &[u8], capacity: usize) -> BulkOutcome {
    MEMORY.with_borrow_mut(|[src, dst]| {
        let src = src.copy(call.edge, bytes);
        let dst = dst.filled(call.edge, capacity, T::of(call.edge.content()));
        outcome(delta!(T, call, |delta| delta.decode_slice(src, dst)), dst)
    })
}

fn decode_exact<T: Int>(call: Call, src: &[u8], n: usize) -> [BulkOutcome; 3] {
    // More than one value past the input makes no difference.
    let mut values = vec![T::default(); n.min(src.len() + 1)];
    let (mut appended, mut read, mut reader) = (Vec::new(), Vec::new(), Reader::new(src));
    let by_slice = delta!(T, call, |delta| delta.decode_exact(src, &mut values));
    let by_vec = delta!(T, call, |delta| delta.append_exact(src, n, &mut appended));
    let by_reader = delta!(T, call, |delta| reader.read_delta_append(delta, n, &mut read));
    let by_reader = by_reader.map(|()| reader.position());
    [(by_slice, values), (by_vec, appended), (by_reader, read)]
        .map(|(bytes, values)| outcome(bytes.map(|bytes| Progress { values: values.len(), bytes }), &values))
}

/// Returns the outcome of a call that decoded to the start of `values`.
fn outcome<T: Int>(decoded: Result<Progress, BulkError>, values: &[T]) -> BulkOutcome {
    let progress = decoded.unwrap_or_else(|failed| failed.progress);
    let error = decoded.err().map(|failed| ErrorAt::from(failed.error));
    BulkOutcome { values: places(&values[..progress.values]), bytes: progress.bytes, error }
}
