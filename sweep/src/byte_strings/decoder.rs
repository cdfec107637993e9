//! The decoders that can be checked.

use super::outcome::{BulkOutcome, Outcome};

/// A decoder under test.
///
/// It is called from several threads at once. A call that panics is a disagreement about its bytes, and the check goes
/// on.
///
/// ```
/// use varint_sweep::byte_strings::{ByteDecoder, ByteSweep, ErrorKind, Fault, Outcome};
///
/// /// A decoder that accepts `80 00` as canonical.
/// struct Mine;
///
/// impl ByteDecoder<u8> for Mine {
///     fn name(&self) -> &str {
///         "mine"
///     }
///
///     fn first(&self, src: &[u8], canonical: bool) -> Outcome<u8> {
///         match *src {
///             [byte @ ..0x80, ..] => Ok((byte, 1)),
///             [0x81..=0xff, 0x00, ..] if canonical => Err(Fault { kind: ErrorKind::NonCanonical, offset: 1 }),
///             [low, high @ ..0x02, ..] => Ok((low - 0x80 + high * 0x80, 2)),
///             [_, _, ..] => Err(Fault { kind: ErrorKind::Overflow, offset: 1 }),
///             [] | [_] => Err(Fault { kind: ErrorKind::Truncated, offset: src.len() }),
///         }
///     }
/// }
///
/// let report = ByteSweep::<u8>::new().len(2).decoder(Mine).run()?;
/// assert_eq!(report.first_disagreements[0].bytes, "8000");
/// assert_eq!(report.first_disagreements[0].expected, "NonCanonical at byte 1");
/// # Ok::<(), varint_sweep::SweepError>(())
/// ```
pub trait ByteDecoder<T>: Sync {
    /// Returns the name for the report.
    fn name(&self) -> &str;

    /// Returns the name of the kernel for the report, if the decoder has several.
    fn kernel(&self) -> Option<&str> {
        None
    }

    /// Decodes the first value of `src`. With `canonical`, overlong encodings are errors.
    ///
    /// # Errors
    ///
    /// - `Truncated` at offset `src.len()` if the value does not end in `src`;
    /// - `Overflow` at the first byte with which the value no longer fits its type, or at the last byte that an encoding
    ///   can have if the value continues after it;
    /// - `NonCanonical` at the last byte if the encoding is overlong and `canonical` is set.
    fn first(&self, src: &[u8], canonical: bool) -> Outcome<T>;

    /// Decodes values until `src` is exhausted, `values` is full or an error occurs.
    ///
    /// The default implementation calls [`first`](Self::first) repeatedly.
    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
        let mut bytes = 0;
        for (count, slot) in values.iter_mut().enumerate() {
            let rest = match src.get(bytes..) {
                Some(rest @ [_, ..]) => rest,
                _ => return BulkOutcome { values: count, bytes, fault: None },
            };
            match self.first(rest, canonical) {
                Ok((value, len)) => {
                    *slot = value;
                    bytes += len;
                }
                Err(fault) => return BulkOutcome { values: count, bytes, fault: Some(fault.after(bytes)) },
            }
        }
        BulkOutcome { values: values.len(), bytes, fault: None }
    }

    /// Returns whether [`all`](Self::all) reads many bytes at once, so that the neighbours of a value could matter. Such
    /// decoders get every string in more placements.
    fn is_bulk(&self) -> bool {
        false
    }
}
