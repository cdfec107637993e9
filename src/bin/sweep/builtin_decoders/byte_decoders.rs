//! What the engine calls: [`ByteDecoder`] for functions of the crate.

use varint_sweep::Integer;
use varint_sweep::byte_strings::{BulkOutcome, ByteDecoder, DecodingError, Outcome};
use zigzag_varint::DecodeError;

use super::outcomes::convert_error;

/// A function that decodes one value.
pub(super) type DecodeOne<T> = fn(&[u8]) -> Result<(T, usize), DecodeError>;

/// A decoder that decodes one value, as a lenient and a canonical function.
pub(super) struct One<T> {
    pub(super) name: &'static str,
    pub(super) first: [DecodeOne<T>; 2],
}

impl<T> ByteDecoder<T> for One<T> {
    fn name(&self) -> &str {
        self.name
    }

    #[inline]
    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        self.first[usize::from(canonical)](src).map_err(convert_error)
    }
}

/// A function that decodes one value, with the errors of the engine.
pub(super) type First<T> = fn(&[u8]) -> Outcome<T>;

/// A decoder that decodes many values.
pub(super) struct Many<T, F> {
    pub(super) name: &'static str,
    pub(super) kernel: Option<&'static str>,
    pub(super) is_bulk: bool,
    /// Decode one value, leniently and canonically. If this is `None`, `all` decodes it into a
    /// slice of length one.
    pub(super) first: Option<[First<T>; 2]>,
    pub(super) all: F,
}

pub(super) fn many<T, F: Fn(&[u8], &mut [T], bool) -> BulkOutcome>(name: &'static str, all: F) -> Many<T, F> {
    Many { name, kernel: None, is_bulk: false, first: None, all }
}

impl<T: Integer, F: Fn(&[u8], &mut [T], bool) -> BulkOutcome + Sync> ByteDecoder<T> for Many<T, F> {
    fn name(&self) -> &str {
        self.name
    }

    fn kernel(&self) -> Option<&str> {
        self.kernel
    }

    #[inline]
    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        if let Some(first) = self.first {
            return first[usize::from(canonical)](src);
        }
        let mut slot = [T::from_i128(0)];
        match (self.all)(src, &mut slot, canonical) {
            BulkOutcome { error: Some(error), .. } => Err(error),
            BulkOutcome { values: 0, .. } => Err(DecodingError::EMPTY_INPUT),
            BulkOutcome { bytes, .. } => Ok((slot[0], bytes)),
        }
    }

    #[inline]
    fn decode_all(&self, src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
        (self.all)(src, values, canonical)
    }

    fn is_bulk(&self) -> bool {
        self.is_bulk
    }
}
