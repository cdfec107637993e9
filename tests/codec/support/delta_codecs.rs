//! `Delta` as a table: a row of functions on numbers for each integer type, so that a check is
//! compiled once. A number is the place of a value in the order of its type: 0 is the least value.

use zigzag_varint::{BufferTooSmall, BulkError, Delta, DeltaError, ErrorKind, Kernel, Progress};
use zigzag_varint_oracle::{self as oracle, BulkOutcome, ErrorAt, Format as WireFormat};

use super::delta_oracle::{Format, Scheme};
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

type Encode = fn(Call, &[u128], usize) -> (Result<usize, DeltaError>, Vec<u8>);
type Decode = fn(Call, &[u8], usize) -> BulkOutcome<u128>;
type EncodeAppend = fn(Call, &[u128], &mut Vec<u8>) -> Result<usize, DeltaError>;
type DecodeAppend = fn(Call, &[u8], &mut Vec<u128>) -> Result<usize, BulkError>;

/// The functions for sequences of one type.
#[derive(Clone, Copy)]
pub struct Row {
    pub name: &'static str,
    pub bits: u32,
    encode: Encode,
    decode: Decode,
    pub encode_append: EncodeAppend,
    pub decode_append: DecodeAppend,
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
        encode_append: |call, values, dst| {
            delta!(T, call, |delta| delta.encode_append(&values_at::<T>(values), dst))
        },
        decode_append: |call, src, dst| {
            let mut values = values_at::<T>(dst);
            let decoded = delta!(T, call, |delta| delta.decode_append(src, &mut values));
            *dst = places(&values);
            decoded
        },
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

fn encode<T: Int>(call: Call, values: &[u128], capacity: usize) -> (Result<usize, DeltaError>, Vec<u8>) {
    MEMORY.with_borrow_mut(|[src, dst]| {
        let src = src.copy(call.edge, &values_at::<T>(values));
        let dst = dst.filled(call.edge, capacity, 0xaa);
        (delta!(T, call, |delta| delta.encode_slice(src, dst)), dst.to_vec())
    })
}

fn decode<T: Int>(call: Call, bytes: &[u8], capacity: usize) -> BulkOutcome<u128> {
    MEMORY.with_borrow_mut(|[src, dst]| {
        let src = src.copy(call.edge, bytes);
        let dst = dst.filled(call.edge, capacity, T::of(call.edge.content()));
        let decoded = delta!(T, call, |delta| delta.decode_slice(src, dst));
        let Progress { values, bytes } = decoded.unwrap_or_else(|failed| failed.progress);
        let error = decoded.err().map(|failed| ErrorAt::from(failed.error));
        BulkOutcome { values: places(&dst[..values]), bytes, error }
    })
}

/// The functions of a row as the checks call them: with one kernel, or with a fault.
#[derive(Clone, Copy)]
pub struct Codec {
    pub row: Row,
    pub kernel: Option<Kernel>,
    pub fault: Option<Fault>,
}

listed! {
    /// An injected fault, which the checks must detect.
    Fault {
        /// Each block of an encoder or decoder starts from the `previous` of the call.
        EncoderRestartsPerBlock,
        DecoderRestartsPerBlock,
        PreviousIgnored,
        /// On an error, the values before it are not the sums of the differences.
        ValuesLostOnError,
        /// Error offsets are relative to the block.
        OffsetWithinBlock,
        /// `BufferTooSmall` reports the needed length of the first block only.
        NeededLengthOfBlock,
        OverlongAccepted,
        UnsortedAccepted,
        UnsortedWritten,
        UnsortedIndexOfPrevious,
        /// Equal neighbours have a strict gap of zero.
        EqualAccepted,
        SumWrapsAround,
        GreatestValueRejected,
        /// The offset of a sum that is too large is that of the last byte of the gap.
        OffsetOfLastByte,
    }
}

impl Codec {
    pub fn name(&self) -> String {
        let kernel = self.kernel.map_or("the choice by length".into(), |kernel| kernel.to_string());
        self.fault.map_or(kernel, |fault| format!("injected fault {fault:?}"))
    }

    pub fn encode(
        &self,
        call: Call,
        values: &[u128],
        capacity: usize,
    ) -> (Result<usize, DeltaError>, Vec<u8>) {
        let zeros = vec![0; call.previous.len()];
        let ignored = self.fault == Some(Fault::PreviousIgnored);
        let call = Call { previous: if ignored { &zeros } else { call.previous }, ..call };
        let (mut encoded, mut bytes) = (self.row.encode)(call, values, capacity);
        match (self.fault, encoded) {
            (Some(Fault::EncoderRestartsPerBlock), Ok(_)) => {
                bytes.clear();
                values.chunks(256).for_each(|block| {
                    _ = (self.row.encode_append)(call, block, &mut bytes);
                });
                encoded = Ok(bytes.len());
            }
            (
                Some(Fault::NeededLengthOfBlock),
                Err(DeltaError::BufferTooSmall(BufferTooSmall { available, .. })),
            ) => {
                let (encoded, _) = (self.row.encode)(call, &values[..values.len().min(256)], 5200);
                return (Err(BufferTooSmall { needed: encoded.unwrap_or(0), available }.into()), bytes);
            }
            (Some(Fault::UnsortedAccepted), Err(DeltaError::Unsorted { .. })) => encoded = Ok(0),
            (Some(Fault::UnsortedWritten), Err(DeltaError::Unsorted { .. })) => bytes.fill(0),
            (Some(Fault::UnsortedIndexOfPrevious), Err(DeltaError::Unsorted { index })) => {
                encoded = Err(DeltaError::Unsorted { index: index.saturating_sub(1) });
            }
            (Some(Fault::EqualAccepted), Err(DeltaError::Unsorted { .. })) => {
                (encoded, bytes) = (self.row.encode)(Call { scheme: Scheme::Gaps, ..call }, values, capacity);
            }
            _ => {}
        }
        (encoded, bytes)
    }

    pub fn decode(&self, call: Call, src: &[u8], capacity: usize) -> BulkOutcome<u128> {
        let canonical = call.canonical && self.fault != Some(Fault::OverlongAccepted);
        let zeros = vec![0; call.previous.len()];
        let ignored = self.fault == Some(Fault::PreviousIgnored);
        let call = Call { canonical, previous: if ignored { &zeros } else { call.previous }, ..call };
        let mut outcome = (self.row.decode)(call, src, capacity);
        let format = Format { scheme: call.scheme, bits: self.row.bits };
        match self.fault {
            Some(Fault::DecoderRestartsPerBlock) if outcome.values.len() > 1024 => {
                let at = oracle::skip(src, 1024).unwrap_or_default();
                outcome.values.truncate(1024);
                outcome.values.extend((self.row.decode)(call, &src[at..], capacity - 1024).values);
            }
            Some(Fault::ValuesLostOnError) if outcome.error.is_some() => outcome.values.fill(0),
            Some(Fault::OffsetWithinBlock) if outcome.values.len() > 1024 => {
                let at = oracle::skip(src, 1024).unwrap_or_default();
                outcome.error.iter_mut().for_each(|error| error.offset -= at);
            }
            Some(Fault::SumWrapsAround) => {
                let numbers = oracle::decode_all(src, self.row.bits, capacity, canonical);
                outcome =
                    BulkOutcome { values: format.wrapping_sums(call.previous, &numbers.values), ..numbers };
            }
            Some(Fault::GreatestValueRejected) => {
                if let Some(index) = outcome.values.iter().position(|&value| value == format.greatest()) {
                    let offset = oracle::skip(src, index).unwrap_or_default();
                    outcome.values.truncate(index);
                    let error = Some(ErrorAt { kind: ErrorKind::Overflow, offset });
                    outcome = BulkOutcome { bytes: offset, error, ..outcome };
                }
            }
            Some(Fault::OffsetOfLastByte) => {
                let next = oracle::skip(&src[outcome.bytes..], 1).unwrap_or(1);
                let of_sum = |error: &&mut ErrorAt| error.offset == outcome.bytes;
                outcome.error.iter_mut().filter(of_sum).for_each(|error| error.offset += next - 1);
            }
            _ => {}
        }
        outcome
    }
}
