//! `Delta` as a table: a row of functions on numbers for each integer type, so that a check is
//! compiled once. A number is the place of a value in the order of its type: 0 is the least value.

use zigzag_varint::{BufferTooSmall, BulkError, Delta, DeltaError, ErrorKind, Kernel, Progress};
use zigzag_varint_oracle::{self as oracle, BulkOutcome, ErrorAt};

use super::delta_oracle::{Format, Scheme};
use super::guard_pages::{Edge, Guarded};
use super::int::Int;

/// Memory next to guard pages, where sources and destinations are.
pub struct Memory {
    pub values: Guarded,
    pub bytes: Guarded,
    pub edge: Edge,
}

impl Memory {
    pub fn new(values: usize) -> Self {
        let new = |size| Guarded::new(values * size);
        Self { values: new(size_of::<u128>()), bytes: new(20), edge: Edge::Back }
    }
}

/// What is called: a scheme with its rule, and the kernel, or `None` for the choice by length.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    pub scheme: Scheme,
    pub canonical: bool,
    pub kernel: Option<Kernel>,
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
type Encode = fn(&mut Memory, Call, &[u128], usize) -> (Result<usize, DeltaError>, Vec<u8>);
type Decode = fn(&mut Memory, Call, &[u8], usize) -> BulkOutcome<u128>;
type EncodeAppend = fn(Call, &[u128], &mut Vec<u8>) -> Result<usize, DeltaError>;
type DecodeAppend = fn(Call, &[u8], &mut Vec<u128>) -> Result<usize, BulkError>;

/// The functions for sequences of one type.
#[derive(Clone, Copy)]
pub struct Row {
    pub name: &'static str,
    pub bits: u32,
    pub longest: usize,
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
pub fn row<T: Place>() -> Row {
    Row {
        name: T::NAME,
        bits: T::BITS,
        longest: T::LONGEST,
        encode: encode::<T>,
        decode: decode::<T>,
        encode_append: |call, values, dst| {
            delta!(T, call, |delta| delta.encode_append(&typed::<T>(values), dst))
        },
        decode_append: |call, src, dst| {
            let mut values = typed::<T>(dst);
            let decoded = delta!(T, call, |delta| delta.decode_append(src, &mut values));
            *dst = values.into_iter().map(T::place).collect();
            decoded
        },
    }
}

/// An integer type whose values have places.
pub trait Place: Int {
    fn at(place: u128) -> Self;
    fn place(self) -> u128;
}

macro_rules! places {
    ($($int:ident $unsigned:ident)*) => {$(
        impl Place for $int {
            fn at(place: u128) -> Self {
                (place as $int).wrapping_add($int::MIN)
            }

            fn place(self) -> u128 {
                self.wrapping_sub($int::MIN) as $unsigned as u128
            }
        }
    )*};
}

places! {
    u8 u8 u16 u16 u32 u32 u64 u64 u128 u128 usize usize
    i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize
}

fn delta_of<T: Place, const N: usize>(call: Call) -> Delta<T, N> {
    let previous = std::array::from_fn(|index| T::at(call.previous[index]));
    let delta = match call.scheme {
        Scheme::Zigzag => Delta::zigzag(previous),
        Scheme::Gaps => Delta::gaps(previous),
        Scheme::StrictGaps => Delta::strict_gaps(previous),
    };
    let delta = if call.canonical { delta.canonical() } else { delta };
    call.kernel.map_or(delta, |kernel| delta.with_kernel(kernel))
}

fn typed<T: Place>(values: &[u128]) -> Vec<T> {
    values.iter().map(|&place| T::at(place)).collect()
}

fn encode<T: Place>(
    memory: &mut Memory,
    call: Call,
    values: &[u128],
    capacity: usize,
) -> (Result<usize, DeltaError>, Vec<u8>) {
    let src = memory.values.slice::<T>(memory.edge, values.len());
    src.copy_from_slice(&typed::<T>(values));
    let dst = memory.bytes.slice::<u8>(memory.edge, capacity);
    dst.fill(0xaa);
    (delta!(T, call, |delta| delta.encode_slice(src, dst)), dst.to_vec())
}

fn decode<T: Place>(memory: &mut Memory, call: Call, bytes: &[u8], capacity: usize) -> BulkOutcome<u128> {
    let src = memory.bytes.slice::<u8>(memory.edge, bytes.len());
    src.copy_from_slice(bytes);
    let dst = memory.values.slice::<T>(memory.edge, capacity);
    dst.fill(T::default());
    let decoded = delta!(T, call, |delta| delta.decode_slice(src, dst));
    let Progress { values, bytes } = decoded.unwrap_or_else(|failed| failed.progress);
    let error = decoded.err().map(|failed| ErrorAt::from(failed.error));
    BulkOutcome { values: dst[..values].iter().map(|value| value.place()).collect(), bytes, error }
}

/// The functions of a row as the checks call them: with one kernel, or with a fault.
#[derive(Clone, Copy)]
pub struct Codec {
    pub row: Row,
    pub kernel: Option<Kernel>,
    pub fault: Option<Fault>,
}

/// An injected fault, which the checks must detect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
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

impl Fault {
    pub const ALL: [Self; 14] = [
        Self::EncoderRestartsPerBlock,
        Self::DecoderRestartsPerBlock,
        Self::PreviousIgnored,
        Self::ValuesLostOnError,
        Self::OffsetWithinBlock,
        Self::NeededLengthOfBlock,
        Self::OverlongAccepted,
        Self::UnsortedAccepted,
        Self::UnsortedWritten,
        Self::UnsortedIndexOfPrevious,
        Self::EqualAccepted,
        Self::SumWrapsAround,
        Self::GreatestValueRejected,
        Self::OffsetOfLastByte,
    ];
}

impl Codec {
    pub fn name(&self) -> String {
        let kernel = self.kernel.map_or("the choice by length".into(), |kernel| kernel.to_string());
        self.fault.map_or(kernel, |fault| format!("injected fault {fault:?}"))
    }

    pub fn encode(
        &self,
        memory: &mut Memory,
        call: Call,
        values: &[u128],
        capacity: usize,
    ) -> (Result<usize, DeltaError>, Vec<u8>) {
        let zeros = vec![0; call.previous.len()];
        let ignored = self.fault == Some(Fault::PreviousIgnored);
        let call = Call { previous: if ignored { &zeros } else { call.previous }, ..call };
        let (mut encoded, mut bytes) = (self.row.encode)(memory, call, values, capacity);
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
                let (encoded, _) = (self.row.encode)(memory, call, &values[..values.len().min(256)], 5200);
                return (Err(BufferTooSmall { needed: encoded.unwrap_or(0), available }.into()), bytes);
            }
            (Some(Fault::UnsortedAccepted), Err(DeltaError::Unsorted { .. })) => encoded = Ok(0),
            (Some(Fault::UnsortedWritten), Err(DeltaError::Unsorted { .. })) => bytes.fill(0),
            (Some(Fault::UnsortedIndexOfPrevious), Err(DeltaError::Unsorted { index })) => {
                encoded = Err(DeltaError::Unsorted { index: index.saturating_sub(1) });
            }
            (Some(Fault::EqualAccepted), Err(DeltaError::Unsorted { .. })) => {
                (encoded, bytes) =
                    (self.row.encode)(memory, Call { scheme: Scheme::Gaps, ..call }, values, capacity);
            }
            _ => {}
        }
        (encoded, bytes)
    }

    pub fn decode(&self, memory: &mut Memory, call: Call, src: &[u8], capacity: usize) -> BulkOutcome<u128> {
        let canonical = call.canonical && self.fault != Some(Fault::OverlongAccepted);
        let zeros = vec![0; call.previous.len()];
        let ignored = self.fault == Some(Fault::PreviousIgnored);
        let call = Call { canonical, previous: if ignored { &zeros } else { call.previous }, ..call };
        let mut outcome = (self.row.decode)(memory, call, src, capacity);
        let format = Format { scheme: call.scheme, bits: self.row.bits };
        match self.fault {
            Some(Fault::DecoderRestartsPerBlock) if outcome.values.len() > 1024 => {
                let at = oracle::skip(src, 1024).unwrap_or_default();
                outcome.values.truncate(1024);
                outcome.values.extend((self.row.decode)(memory, call, &src[at..], capacity - 1024).values);
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
