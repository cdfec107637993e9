//! Injected faults: a kernel with one fault each, which the checks must detect.

use zigzag_varint::ErrorKind::{Overflow, Truncated};
use zigzag_varint::{self as codec, BufferTooSmall, DecodeError, Kernel};
use zigzag_varint_oracle::BulkOutcome;

use super::{WireType, pair};
use crate::support::guard_pages::{Edge, Guarded};

/// What is called: a kernel, or the functions that choose one, with or without a fault.
#[derive(Clone, Copy)]
pub struct Codec {
    pub kernel: Option<Kernel>,
    pub fault: Option<Fault>,
}

listed! {
    /// A fault of slices of `u32`.
    Fault {
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
}

/// The value that some faults affect: the smallest one of five bytes.
const AFFECTED: u128 = 1 << 28;

impl Fault {
    fn corrupt(self, outcome: &mut BulkOutcome<u128>, aligned: bool, edge: Edge) {
        let BulkOutcome { values, bytes, error } = outcome;
        let kind = error.map(|error| error.kind);
        match self {
            Self::OneValueDecoded => {
                values.iter_mut().filter(|value| **value == AFFECTED).for_each(|value| *value ^= 1);
            }
            Self::OneLane => values.iter_mut().skip(63).take(1).for_each(|value| *value ^= 1),
            Self::OneAlignment if aligned => values.iter_mut().for_each(|value| *value ^= 1),
            Self::ValueNotWritten if values.len() == 129 => values[128] = edge.content() & 0xffff_ffff,
            Self::OverflowAccepted if kind == Some(Overflow) => {
                *bytes = error.take().map_or(0, |error| error.offset + 1);
                values.push(0);
            }
            Self::WrongErrorKind if kind == Some(Overflow) => {
                error.iter_mut().for_each(|error| error.kind = Truncated);
            }
            Self::WrongErrorOffset if kind == Some(Truncated) => {
                error.iter_mut().for_each(|error| error.offset += 1);
            }
            Self::ProgressTooShort if kind.is_some() => _ = values.pop(),
            Self::WrongByteCount if kind.is_none() && values.len() > 128 => *bytes += 1,
            _ => {}
        }
    }
}

impl Codec {
    pub fn name(&self) -> String {
        let kernel = self.kernel.map_or("a function that chooses a kernel", Kernel::name);
        self.fault.map_or(kernel.into(), |fault| format!("injected fault {fault:?}"))
    }

    pub fn decode_slice(
        &self,
        wire_type: &dyn WireType,
        src: &[u8],
        dst: &mut Guarded,
        edge: Edge,
        capacity: usize,
    ) -> BulkOutcome<u128> {
        let wire_type = match self.fault {
            Some(Fault::OverlongAccepted) => pair::<u32>()[0],
            Some(Fault::OverlongRejected) => pair::<u32>()[1],
            _ => wire_type,
        };
        let mut outcome = wire_type.decode_slice(self.kernel, src, dst, edge, capacity);
        if let Some(fault) = self.fault {
            fault.corrupt(&mut outcome, src.as_ptr().addr() % 64 == 17, edge);
        }
        outcome
    }

    /// Returns the result, and the length that the same kernel calculates.
    pub fn encode_slice(
        &self,
        wire_type: &dyn WireType,
        values: &[u128],
        src: &mut Guarded,
        edge: Edge,
        dst: &mut [u8],
    ) -> (Result<usize, BufferTooSmall>, usize) {
        let spare = if self.fault == Some(Fault::SpareBytesRequired) { 16 } else { 0 };
        let capacity = dst.len().saturating_sub(spare);
        let (mut encoded, mut len) =
            wire_type.encode_slice(self.kernel, values, src, edge, &mut dst[..capacity]);
        match (self.fault, &mut encoded) {
            (Some(Fault::WrongByte), Ok(100..)) => dst[99] ^= 0x80,
            (Some(Fault::WrongNeededLength), Err(error)) => error.needed += 1,
            (Some(Fault::SpareBytesRequired), Err(error)) => error.available = dst.len(),
            (Some(Fault::WrongEncodedLength), _) => len -= usize::from(values.contains(&AFFECTED)),
            _ => {}
        }
        (encoded, len)
    }

    pub fn count(&self, src: &[u8]) -> usize {
        let end = if self.fault == Some(Fault::CountStopsEarly) { src.len().min(128) } else { src.len() };
        self.kernel.map_or_else(|| codec::count(&src[..end]), |kernel| kernel.count(&src[..end]))
    }

    pub fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        let late = usize::from(self.fault == Some(Fault::SkipStopsLate) && n == 64);
        let skipped =
            self.kernel.map_or_else(|| codec::skip_values(src, n), |kernel| kernel.skip_values(src, n));
        skipped.map(|bytes| bytes + late)
    }
}
