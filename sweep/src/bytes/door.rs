//! What can be swept: any decoder.

use super::verdict::{Ended, Fault, Verdict};

/// A decoder under test. Called from several threads at once; a call that panics is a disagreement about its bytes, and the
/// sweep goes on.
///
/// ```
/// use zigzag_varint::VarInt;
/// use varint_sweep::bytes::{ByteSweep, Door, Verdict};
///
/// /// A decoder that takes `80 00` for canonical.
/// struct Mine;
///
/// impl Door<u32> for Mine {
///     fn name(&self) -> &str {
///         "mine"
///     }
///
///     fn first(&self, src: &[u8], canonical: bool) -> Verdict<u32> {
///         let strict = canonical && !src.starts_with(&[0x80, 0x00]);
///         let decoded = if strict { u32::decode_canonical(src) } else { u32::decode(src) };
///         decoded.map_err(|error| error.into())
///     }
/// }
///
/// let report = ByteSweep::<u32>::new().len(2).door(Mine).run()?;
/// assert_eq!(report.first_disagreements[0].bytes, "8000");
/// assert_eq!(report.first_disagreements[0].expected, "NonCanonical at byte 1");
/// # Ok::<(), varint_sweep::SweepError>(())
/// ```
pub trait Door<T>: Sync {
    /// The name in the report.
    fn name(&self) -> &str;

    /// The kernel in the report, where the decoder has several.
    fn kernel(&self) -> Option<&str> {
        None
    }

    /// Decodes the first value of `src`, by the verdicts at [`VarInt`](crate::VarInt#verdicts). An empty `src` is
    /// `Truncated` at offset 0. `canonical` asks to reject overlong forms.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes.
    fn first(&self, src: &[u8], canonical: bool) -> Verdict<T>;

    /// Decodes values until `src` ends, `values` is full or something is wrong.
    ///
    /// By itself it takes the first value again and again.
    #[inline]
    fn all(&self, src: &[u8], values: &mut [T], canonical: bool) -> Ended {
        let mut bytes = 0;
        for (count, slot) in values.iter_mut().enumerate() {
            let rest = match src.get(bytes..) {
                Some(rest @ [_, ..]) => rest,
                _ => return Ended { values: count, bytes, fault: None },
            };
            match self.first(rest, canonical) {
                Ok((value, len)) => {
                    *slot = value;
                    bytes += len;
                }
                Err(fault) => {
                    let fault = Fault { offset: bytes.saturating_add(fault.offset), ..fault };
                    return Ended { values: count, bytes, fault: Some(fault) };
                }
            }
        }
        Ended { values: values.len(), bytes, fault: None }
    }

    /// Whether [`all`](Self::all) looks at many bytes at once, so that a value's neighbours could matter. Such decoders
    /// meet every string in more surroundings.
    fn is_bulk(&self) -> bool {
        false
    }
}
