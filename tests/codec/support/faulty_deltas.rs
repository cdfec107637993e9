//! Injected faults: codecs of differences with one fault each, which the checks must detect.

use zigzag_varint::{BufferTooSmall, BulkError, Kernel, Progress};

use super::delta_checks::{Codec, Sequence};

/// A codec with a fault.
#[derive(Clone, Copy, Debug)]
pub enum InjectedFault {
    /// The encoder starts each block from the `previous` of the call.
    EncoderRestartsPerBlock,
    /// The decoder starts each block from the `previous` of the call.
    DecoderRestartsPerBlock,
    /// `previous` is ignored and 0 is used instead.
    PreviousIgnored,
    /// On an error, the values before it are not the sums of the differences.
    ValuesLostOnError,
    /// Error offsets are relative to the block.
    OffsetWithinBlock,
    /// `BufferTooSmall` reports the needed length of the first block only.
    NeededLengthOfBlock,
    /// Canonical decoding accepts overlong encodings.
    OverlongAccepted,
}

impl InjectedFault {
    pub const ALL: [Self; 7] = [
        Self::EncoderRestartsPerBlock,
        Self::DecoderRestartsPerBlock,
        Self::PreviousIgnored,
        Self::ValuesLostOnError,
        Self::OffsetWithinBlock,
        Self::NeededLengthOfBlock,
        Self::OverlongAccepted,
    ];
}

impl Codec for InjectedFault {
    fn name(&self) -> String {
        format!("injected fault {self:?}")
    }

    fn encode<T: Sequence, const N: usize>(
        &self,
        previous: [T; N],
        src: &[T],
        dst: &mut [u8],
    ) -> Result<usize, BufferTooSmall> {
        let available = dst.len();
        match self {
            Self::EncoderRestartsPerBlock => {
                let mut bytes = 0;
                for block in src.chunks(256) {
                    bytes += Kernel::SCALAR.encode_delta_slice(previous, block, &mut dst[bytes..])?;
                }
                Ok(bytes)
            }
            Self::NeededLengthOfBlock => {
                Kernel::SCALAR.encode_delta_slice(previous, src, dst).map_err(|_| {
                    let block = &src[..src.len().min(256)];
                    BufferTooSmall {
                        needed: Kernel::SCALAR.encoded_delta_len_slice(previous, block),
                        available,
                    }
                })
            }
            Self::PreviousIgnored => Kernel::SCALAR.encode_delta_slice([T::default(); N], src, dst),
            _ => Kernel::SCALAR.encode_delta_slice(previous, src, dst),
        }
    }

    fn len<T: Sequence, const N: usize>(&self, previous: [T; N], src: &[T]) -> usize {
        Kernel::SCALAR.encoded_delta_len_slice(previous, src)
    }

    fn decode<T: Sequence, const N: usize>(
        &self,
        previous: [T; N],
        src: &[u8],
        dst: &mut [T],
        canonical: bool,
    ) -> Result<Progress, BulkError> {
        let canonical = canonical && !matches!(self, Self::OverlongAccepted);
        match self {
            Self::DecoderRestartsPerBlock | Self::OffsetWithinBlock => {
                let (mut done, mut before) = (Progress::default(), previous);
                for block in dst.chunks_mut(1024) {
                    let outcome =
                        Codec::decode(&Kernel::SCALAR, before, &src[done.bytes..], block, canonical);
                    let progress = outcome.unwrap_or_else(|failed| failed.progress);
                    done = Progress {
                        values: done.values + progress.values,
                        bytes: done.bytes + progress.bytes,
                    };
                    if let (Self::OffsetWithinBlock, Some(last)) = (self, block.last_chunk()) {
                        before = *last;
                    }
                    if let Err(failed) = outcome {
                        return Err(BulkError { progress: done, ..failed });
                    }
                }
                Ok(done)
            }
            Self::ValuesLostOnError => {
                let outcome = Codec::decode(&Kernel::SCALAR, previous, src, dst, canonical);
                if let Err(failed) = outcome {
                    dst[..failed.progress.values].fill(T::default());
                }
                outcome
            }
            Self::PreviousIgnored => Codec::decode(&Kernel::SCALAR, [T::default(); N], src, dst, canonical),
            _ => Codec::decode(&Kernel::SCALAR, previous, src, dst, canonical),
        }
    }
}
