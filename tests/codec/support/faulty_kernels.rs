//! Injected faults: the scalar kernel with one thing wrong, which the checks must notice.

use zigzag_varint::{BufferTooSmall, BulkError, DecodeError, ErrorKind, Kernel, Progress};

use super::kernel_checks::Bulk;
use super::oracle::Int;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedFault {
    /// One number is decoded as its neighbour.
    OneValueDecoded,
    /// The value in one lane of a long call has its lowest bit turned.
    OneLane,
    /// The same at one address of the source within a cache line.
    OneAlignment,
    /// The last slot of one length of call is not written.
    SlotLeftOut,
    /// A value too great is cut to zero instead of refused.
    OverflowCut,
    /// `Overflow` is reported as `Truncated`.
    KindConfused,
    /// Faults are placed one byte late.
    OffsetLate,
    OverlongPasses,
    OverlongRefused,
    /// A fault takes the value before it along.
    ProgressShort,
    /// One byte too many is said to be read, in long calls alone.
    BytesMiscounted,
    /// One byte of a long encoding says that another follows, or that none does.
    OneByteWrong,
    /// Encoding asks for spare capacity after the last byte.
    SlackDemanded,
    NeedMisstated,
    /// One number's length is off by one.
    OneLengthWrong,
    /// The count misses what follows the first two windows.
    CountStops,
    /// Passing over one number of values stops a byte late.
    SkipLate,
}

/// The number that `One..` faults are about: the least one of five bytes.
const ODD_ONE: u128 = 1 << 28;

impl InjectedFault {
    pub const ALL: [Self; 17] = [
        Self::OneValueDecoded,
        Self::OneLane,
        Self::OneAlignment,
        Self::SlotLeftOut,
        Self::OverflowCut,
        Self::KindConfused,
        Self::OffsetLate,
        Self::OverlongPasses,
        Self::OverlongRefused,
        Self::ProgressShort,
        Self::BytesMiscounted,
        Self::OneByteWrong,
        Self::SlackDemanded,
        Self::NeedMisstated,
        Self::OneLengthWrong,
        Self::CountStops,
        Self::SkipLate,
    ];

    fn spoil_values<T: Int>(self, values: &mut [T], aligned: bool, stale: Option<T>) {
        let neighbour = |value: T| T::from_wire(value.wire() ^ 1).expect("within the type");
        match self {
            Self::OneValueDecoded => {
                let odd = values.iter_mut().filter(|value| value.wire() == ODD_ONE);
                odd.for_each(|value| *value = neighbour(*value));
            }
            Self::OneLane => values.iter_mut().skip(63).take(1).for_each(|value| *value = neighbour(*value)),
            Self::OneAlignment if aligned => values.iter_mut().for_each(|value| *value = neighbour(*value)),
            Self::SlotLeftOut if values.len() == 129 => {
                values.last_mut().into_iter().zip(stale).for_each(|(value, stale)| *value = stale);
            }
            _ => {}
        }
    }

    fn spoil_outcome(self, outcome: Result<Progress, BulkError>) -> Result<Progress, BulkError> {
        match outcome {
            Ok(mut progress) => {
                progress.bytes += usize::from(self == Self::BytesMiscounted && progress.values > 128);
                Ok(progress)
            }
            Err(BulkError { mut progress, mut error }) => {
                let overflow = error.kind() == ErrorKind::Overflow;
                match self {
                    Self::OverflowCut if overflow => {
                        return Ok(Progress { values: progress.values + 1, bytes: error.offset() + 1 });
                    }
                    Self::KindConfused if overflow => error = truncated_at(error.offset()),
                    Self::OffsetLate if error.is_incomplete() => error = truncated_at(error.offset() + 1),
                    Self::ProgressShort => progress.values = progress.values.saturating_sub(1),
                    _ => {}
                }
                Err(BulkError { progress, error })
            }
        }
    }
}

impl Bulk for InjectedFault {
    fn name(&self) -> &str {
        "injected fault"
    }

    fn encode<T: Int>(&self, src: &[T], dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
        let available = dst.len();
        let capacity = if *self == Self::SlackDemanded { available.saturating_sub(16) } else { available };
        let mut encoded = Kernel::SCALAR.encode_slice(src, &mut dst[..capacity]);
        match (&mut encoded, self) {
            (Ok(len), Self::OneByteWrong) if *len > 100 => dst[99] ^= 0x80,
            (Err(error), Self::NeedMisstated) => error.needed += 1,
            (Err(error), _) => error.available = available,
            _ => {}
        }
        encoded
    }

    fn decode<T: Int>(&self, src: &[u8], dst: &mut [T], canonical: bool) -> Result<Progress, BulkError> {
        let canonical = match self {
            Self::OverlongPasses => false,
            Self::OverlongRefused => true,
            _ => canonical,
        };
        let stale = dst.get(128).copied();
        let outcome = Kernel::SCALAR.decode(src, dst, canonical);
        let done = outcome.map_or_else(|failed| failed.progress.values, |progress| progress.values);
        self.spoil_values(&mut dst[..done], src.as_ptr().addr() % 64 == 17, stale);
        self.spoil_outcome(outcome)
    }

    fn encoded_len<T: Int>(&self, src: &[T]) -> usize {
        let odd = *self == Self::OneLengthWrong && src.iter().any(|value| value.wire() == ODD_ONE);
        Kernel::SCALAR.encoded_len_slice(src) - usize::from(odd)
    }

    fn count(&self, src: &[u8]) -> usize {
        let stop = if *self == Self::CountStops { 128 } else { usize::MAX };
        Kernel::SCALAR.count(&src[..src.len().min(stop)])
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        let late = usize::from(*self == Self::SkipLate && n == 64);
        Kernel::SCALAR.skip(src, n).map(|bytes| bytes + late)
    }
}

/// A `DecodeError` of the crate's own making, for its fields are private.
fn truncated_at(offset: usize) -> DecodeError {
    let src = [&vec![0x00; offset - 1][..], &[0x80]].concat();
    let failed = Kernel::SCALAR.decode_slice(&src, &mut vec![0u8; offset]).expect_err("cut short");
    failed.error
}
