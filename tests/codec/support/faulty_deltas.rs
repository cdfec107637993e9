//! Injected faults: deltas with one thing wrong, which the checks must notice.

use zigzag_varint::{BufferTooSmall, BulkError, Kernel, Progress};

use super::delta_checks::{Codec, Sequence};

/// What is wrong.
#[derive(Clone, Copy, Debug)]
pub enum InjectedFault {
    /// Each block of the encoder starts from the first `previous` again.
    BlockStartsAnew,
    /// So does each block of the decoder.
    DecodedBlockStartsAnew,
    /// `previous` is taken for 0.
    PreviousIgnored,
    /// Where a fault follows, the values before it are still steps.
    StepsLeftBeforeAFault,
    /// Offsets count from the block.
    OffsetOfTheBlock,
    /// The need is that of the block that did not fit.
    NeedOfTheBlock,
    /// Overlong forms pass.
    OverlongPasses,
}

impl InjectedFault {
    pub const ALL: [Self; 7] = [
        Self::BlockStartsAnew,
        Self::DecodedBlockStartsAnew,
        Self::PreviousIgnored,
        Self::StepsLeftBeforeAFault,
        Self::OffsetOfTheBlock,
        Self::NeedOfTheBlock,
        Self::OverlongPasses,
    ];
}

impl Codec for InjectedFault {
    fn name(&self) -> String {
        format!("injected fault {self:?}")
    }

    fn encode<T: Sequence>(&self, previous: T, src: &[T], dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
        let available = dst.len();
        match self {
            Self::BlockStartsAnew => {
                let mut bytes = 0;
                for block in src.chunks(256) {
                    bytes += Kernel::SCALAR.encode_delta_slice(previous, block, &mut dst[bytes..])?;
                }
                Ok(bytes)
            }
            Self::NeedOfTheBlock => Kernel::SCALAR.encode_delta_slice(previous, src, dst).map_err(|_| {
                let block = &src[..src.len().min(256)];
                BufferTooSmall { needed: Kernel::SCALAR.encoded_delta_len_slice(previous, block), available }
            }),
            Self::PreviousIgnored => Kernel::SCALAR.encode_delta_slice(T::default(), src, dst),
            _ => Kernel::SCALAR.encode_delta_slice(previous, src, dst),
        }
    }

    fn len<T: Sequence>(&self, previous: T, src: &[T]) -> usize {
        Kernel::SCALAR.encoded_delta_len_slice(previous, src)
    }

    fn decode<T: Sequence>(
        &self,
        previous: T,
        src: &[u8],
        dst: &mut [T],
        canonical: bool,
    ) -> Result<Progress, BulkError> {
        let canonical = canonical && !matches!(self, Self::OverlongPasses);
        match self {
            Self::DecodedBlockStartsAnew | Self::OffsetOfTheBlock => {
                let (mut done, mut before) = (Progress::default(), previous);
                for block in dst.chunks_mut(1024) {
                    let outcome =
                        Codec::decode(&Kernel::SCALAR, before, &src[done.bytes..], block, canonical);
                    let progress = outcome.unwrap_or_else(|failed| failed.progress);
                    done = Progress {
                        values: done.values + progress.values,
                        bytes: done.bytes + progress.bytes,
                    };
                    if let (Self::OffsetOfTheBlock, Some(last)) = (self, block.last()) {
                        before = *last;
                    }
                    if let Err(failed) = outcome {
                        return Err(BulkError { progress: done, ..failed });
                    }
                }
                Ok(done)
            }
            Self::StepsLeftBeforeAFault => {
                let outcome = Codec::decode(&Kernel::SCALAR, previous, src, dst, canonical);
                if let Err(failed) = outcome {
                    dst[..failed.progress.values].fill(T::default());
                }
                outcome
            }
            Self::PreviousIgnored => Codec::decode(&Kernel::SCALAR, T::default(), src, dst, canonical),
            _ => Codec::decode(&Kernel::SCALAR, previous, src, dst, canonical),
        }
    }
}
