//! Injected faults: the scalar kernel with one fault each, which the checks must detect.

use zigzag_varint::{BufferTooSmall, BulkError, DecodeError, ErrorKind, Kernel, Progress};

use super::kernel_checks::Bulk;
use super::oracle::Int;

/// A kernel with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedFault {
    /// The number `AFFECTED` is decoded with its lowest bit flipped.
    OneValueDecoded,
    /// The value in one lane of a long call has its lowest bit flipped.
    OneLane,
    /// At one alignment of the source, all values have their lowest bit flipped.
    OneAlignment,
    /// Calls that decode 129 values do not write the last one.
    ValueNotWritten,
    /// Values out of range are decoded as zero instead of rejected.
    OverflowAccepted,
    /// `Overflow` is reported as `Truncated`.
    WrongErrorKind,
    /// The offset of a truncation is one too high.
    WrongErrorOffset,
    /// Canonical decoding accepts overlong encodings.
    OverlongAccepted,
    /// Lenient decoding rejects overlong encodings.
    OverlongRejected,
    /// On an error, the progress misses one value.
    ProgressTooShort,
    /// Calls that decode more than 128 values report one byte too many.
    WrongByteCount,
    /// The continuation bit of byte 99 of long encodings is flipped.
    WrongByte,
    /// Encoding requires 16 spare bytes in the destination.
    SpareBytesRequired,
    /// `BufferTooSmall` reports one byte too many as needed.
    WrongNeededLength,
    /// The encoded length of `AFFECTED` is one too low.
    WrongEncodedLength,
    /// The count misses everything after the first two windows.
    CountStopsEarly,
    /// Skipping 64 values stops one byte late.
    SkipStopsLate,
}

/// The number on the wire that some faults affect: the smallest one of five bytes.
const AFFECTED: u128 = 1 << 28;

impl InjectedFault {
    pub const ALL: [Self; 17] = [
        Self::OneValueDecoded,
        Self::OneLane,
        Self::OneAlignment,
        Self::ValueNotWritten,
        Self::OverflowAccepted,
        Self::WrongErrorKind,
        Self::WrongErrorOffset,
        Self::OverlongAccepted,
        Self::OverlongRejected,
        Self::ProgressTooShort,
        Self::WrongByteCount,
        Self::WrongByte,
        Self::SpareBytesRequired,
        Self::WrongNeededLength,
        Self::WrongEncodedLength,
        Self::CountStopsEarly,
        Self::SkipStopsLate,
    ];

    fn corrupt_values<T: Int>(self, values: &mut [T], aligned: bool, stale: Option<T>) {
        let flipped = |value: T| T::from_wire(value.wire() ^ 1).expect("within the type");
        match self {
            Self::OneValueDecoded => {
                let affected = values.iter_mut().filter(|value| value.wire() == AFFECTED);
                affected.for_each(|value| *value = flipped(*value));
            }
            Self::OneLane => values.iter_mut().skip(63).take(1).for_each(|value| *value = flipped(*value)),
            Self::OneAlignment if aligned => values.iter_mut().for_each(|value| *value = flipped(*value)),
            Self::ValueNotWritten if values.len() == 129 => {
                values.last_mut().into_iter().zip(stale).for_each(|(value, stale)| *value = stale);
            }
            _ => {}
        }
    }

    fn corrupt_outcome(self, outcome: Result<Progress, BulkError>) -> Result<Progress, BulkError> {
        match outcome {
            Ok(mut progress) => {
                progress.bytes += usize::from(self == Self::WrongByteCount && progress.values > 128);
                Ok(progress)
            }
            Err(BulkError { mut progress, mut error }) => {
                let overflow = error.kind() == ErrorKind::Overflow;
                match self {
                    Self::OverflowAccepted if overflow => {
                        return Ok(Progress { values: progress.values + 1, bytes: error.offset() + 1 });
                    }
                    Self::WrongErrorKind if overflow => error = truncated_at(error.offset()),
                    Self::WrongErrorOffset if error.is_incomplete() => {
                        error = truncated_at(error.offset() + 1)
                    }
                    Self::ProgressTooShort => progress.values = progress.values.saturating_sub(1),
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
        let capacity =
            if *self == Self::SpareBytesRequired { available.saturating_sub(16) } else { available };
        let mut encoded = Kernel::SCALAR.encode_slice::<T>(src, &mut dst[..capacity]);
        match (&mut encoded, self) {
            (Ok(len), Self::WrongByte) if *len > 100 => dst[99] ^= 0x80,
            (Err(error), Self::WrongNeededLength) => error.needed += 1,
            (Err(error), _) => error.available = available,
            _ => {}
        }
        encoded
    }

    fn decode<T: Int>(&self, src: &[u8], dst: &mut [T], canonical: bool) -> Result<Progress, BulkError> {
        let canonical = match self {
            Self::OverlongAccepted => false,
            Self::OverlongRejected => true,
            _ => canonical,
        };
        let stale = dst.get(128).copied();
        let outcome = Kernel::SCALAR.decode(src, dst, canonical);
        let done = outcome.map_or_else(|failed| failed.progress.values, |progress| progress.values);
        self.corrupt_values(&mut dst[..done], src.as_ptr().addr() % 64 == 17, stale);
        self.corrupt_outcome(outcome)
    }

    fn encoded_len<T: Int>(&self, src: &[T]) -> usize {
        let affected = *self == Self::WrongEncodedLength && src.iter().any(|value| value.wire() == AFFECTED);
        Kernel::SCALAR.encoded_len_slice::<T>(src) - usize::from(affected)
    }

    fn count(&self, src: &[u8]) -> usize {
        let stop = if *self == Self::CountStopsEarly { 128 } else { usize::MAX };
        Kernel::SCALAR.count(&src[..src.len().min(stop)])
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        let late = usize::from(*self == Self::SkipStopsLate && n == 64);
        Kernel::SCALAR.skip_values(src, n).map(|bytes| bytes + late)
    }
}

/// Obtains a `DecodeError` from the crate, because its fields are private.
fn truncated_at(offset: usize) -> DecodeError {
    let src = [&vec![0x00; offset - 1][..], &[0x80]].concat();
    let failed = Kernel::SCALAR.decode_slice::<u8>(&src, &mut vec![0; offset]).expect_err("truncated");
    failed.error
}
