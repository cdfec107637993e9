//! `Delta`: values as differences from their predecessors.

mod blocks;
mod gaps;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use self::blocks::MAX_COMPONENTS;
use self::gaps::Gaps;
use crate::dispatch::FEW_VALUES;
use crate::error::{BufferTooSmall, BulkError, DeltaError, Progress, all_of};
use crate::kernel::Kernel;
use crate::simd::lane::{cast, cast_mut};
use crate::simd::slices::Slices as _;
use crate::wire_types::Integer;
use crate::wire_types::integers::Primitive as _;

/// A format for sequences whose neighbours are close: each value is written as its difference from
/// the one before.
///
/// Typical sequences are timestamps, sorted identifiers and coordinates.
///
/// ```
/// use zigzag_varint::Delta;
///
/// let documents = [1_000_000u32, 1_000_007, 1_000_008, 1_000_150];
/// let mut bytes = [0; 20];
/// let len = Delta::gaps([0]).encode_slice(&documents, &mut bytes)?;
/// assert_eq!(len, 3 + 1 + 1 + 2); // as plain varints: 12
///
/// let mut decoded = [0u32; 4];
/// Delta::gaps([0]).decode_slice(&bytes[..len], &mut decoded)?;
/// assert_eq!(decoded, documents);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// | scheme | a value is written as | sequences |
/// |---|---|---|
/// | [`zigzag`](Self::zigzag) | its difference, a zigzag varint | all |
/// | [`gaps`](Self::gaps) | its difference, an unsigned varint | sorted: no value is less than the one before |
/// | [`strict_gaps`](Self::strict_gaps) | its difference minus one, an unsigned varint | strictly increasing |
///
/// The varints have the width of `T`, and the [decoding rules](crate::Varint#decoding-rules) of all
/// varints.
///
/// The argument `previous` of the constructors is an array with the value before the first one:
/// `[0]` at the start of a sequence, or any value that encoder and decoder agree on. To continue a
/// sequence, pass its last value.
///
/// # Interleaved components
///
/// An array of `N` values, at most 32, stands for `N` interleaved sequences. Each value is then
/// written as its difference from the one `N` values before it, as map tiles and OpenStreetMap store
/// coordinates:
///
/// ```
/// use zigzag_varint::Delta;
///
/// let points = [100u32, 9_000, 103, 9_001, 101, 9_003]; // x, y, x, y, x, y
/// let mut bytes = [0; 30];
/// let len = Delta::zigzag([0, 0]).encode_slice(&points, &mut bytes)?;
/// assert_eq!(len, 2 + 3 + 1 + 1 + 1 + 1); // 100, 9000, +3, +1, -2, +2
///
/// let mut decoded = [0; 6];
/// Delta::zigzag([0, 0]).decode_slice(&bytes[..len], &mut decoded)?;
/// assert_eq!(decoded, points);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// To continue such sequences, pass their last `N` values in order. The number of values need not be
/// a multiple of `N`. Other numbers of components than 1 to 32 do not compile.
///
/// The functions on slices do not allocate. Encoding stores up to 1,024 differences on the stack, or
/// 256 without the feature `std`.
#[derive(Clone, Copy, Debug)]
pub struct Delta<T, const N: usize> {
    previous: [T; N],
    scheme: Scheme,
    canonical: bool,
    kernel: Option<Kernel>,
}

/// What is written for a value.
#[derive(Clone, Copy, Debug)]
enum Scheme {
    Zigzag,
    Gaps { strict: bool },
}

/// Calls a function of `blocks` with the differences of a scheme, by the kernel that was set or the one
/// for that number of values.
macro_rules! by_scheme {
    ($delta:expr, $len:expr, |$slices:ident| $result:expr) => {{
        let kernel = match $delta.kernel {
            Some(kernel) => kernel,
            None if $len < FEW_VALUES => Kernel::SCALAR,
            None => Kernel::detect(),
        };
        match $delta.scheme {
            Scheme::Zigzag => {
                let $slices = T::Format::slices(kernel);
                $result
            }
            Scheme::Gaps { strict } => {
                let $slices = Gaps { kernel, strict };
                $result
            }
        }
    }};
}

impl<T: Integer, const N: usize> Delta<T, N> {
    /// Creates the format of differences with a sign, in zigzag form.
    ///
    /// Every sequence of every type makes the round trip, sorted or not: differences wrap around at
    /// the width of the type, so that the difference from `u64::MAX` to 0 is 1.
    ///
    /// ```
    /// use zigzag_varint::Delta;
    ///
    /// let mut bytes = [0; 8];
    /// let len = Delta::zigzag([0]).encode_slice(&[100u32, 103, 101], &mut bytes)?;
    /// assert_eq!(bytes[..len], [0xc8, 0x01, 0x06, 0x03]); // +100, +3, -2
    /// # Ok::<(), zigzag_varint::DeltaError>(())
    /// ```
    #[must_use]
    pub const fn zigzag(previous: [T; N]) -> Self {
        Self::new(previous, Scheme::Zigzag)
    }

    /// Creates the format of unsigned gaps between sorted values, as PMTiles stores the numbers of
    /// tiles.
    ///
    /// A value may be equal to the one before. When decoding, a gap that leads past the greatest
    /// value of `T` is an `Overflow` at the first byte of the gap.
    ///
    /// ```
    /// use zigzag_varint::{Delta, DeltaError};
    ///
    /// let mut bytes = [0; 8];
    /// assert_eq!(Delta::gaps([0]).encode_slice(&[100u32, 103, 103], &mut bytes), Ok(3));
    /// assert_eq!(bytes[..3], [0x64, 0x03, 0x00]);
    ///
    /// let unsorted = Delta::gaps([0]).encode_slice(&[100u32, 103, 101], &mut bytes);
    /// assert_eq!(unsorted, Err(DeltaError::Unsorted { index: 2 }));
    /// ```
    #[must_use]
    pub const fn gaps(previous: [T; N]) -> Self {
        Self::new(previous, Scheme::Gaps { strict: false })
    }

    /// Creates the format of unsigned gaps minus one between strictly increasing values, as in
    /// posting lists without duplicates.
    ///
    /// The first value must be greater than `previous` too. Nothing is less than an unsigned 0, so
    /// a sequence that may begin with 0 has its first value written by itself. When decoding, a gap
    /// that leads past the greatest value of `T` is an `Overflow` at the first byte of the gap.
    ///
    /// ```
    /// use zigzag_varint::{Delta, Reader, Varint};
    ///
    /// let documents = [0u32, 1, 5, 130];
    /// let mut bytes = u32::encode(documents[0]).to_vec();
    /// Delta::strict_gaps([documents[0]]).encode_append(&documents[1..], &mut bytes)?;
    /// assert_eq!(bytes, [0, 0, 3, 124]);
    ///
    /// let mut reader = Reader::new(&bytes);
    /// let mut decoded = vec![reader.read::<u32>()?];
    /// Delta::strict_gaps([decoded[0]]).decode_append(reader.remaining(), &mut decoded)?;
    /// assert_eq!(decoded, documents);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn strict_gaps(previous: [T; N]) -> Self {
        Self::new(previous, Scheme::Gaps { strict: true })
    }

    const fn new(previous: [T; N], scheme: Scheme) -> Self {
        const { assert!(0 < N && N <= MAX_COMPONENTS, "Delta: the number of components must be 1 to 32") };
        Self { previous, scheme, canonical: false, kernel: None }
    }

    fn previous(&self) -> &[T::Format] {
        cast(&self.previous)
    }

    /// Rejects overlong encodings when decoding, as [`Canonical`](crate::Canonical) does.
    ///
    /// ```
    /// use zigzag_varint::{Delta, ErrorKind};
    ///
    /// let failed = Delta::gaps([0u32]).canonical().decode_slice(&[0x06, 0x83, 0x00], &mut [0; 8]).unwrap_err();
    /// assert_eq!((failed.progress.values, failed.error.kind()), (1, ErrorKind::NonCanonical));
    /// ```
    #[must_use]
    pub const fn canonical(mut self) -> Self {
        self.canonical = true;
        self
    }

    /// Uses this kernel. By default the number of values decides.
    ///
    /// ```
    /// use zigzag_varint::{Delta, Kernel};
    ///
    /// let mut bytes = [0; 2];
    /// for kernel in Kernel::available() {
    ///     let delta = Delta::zigzag([100u32]).with_kernel(kernel);
    ///     assert_eq!(delta.encode_slice(&[103, 101], &mut bytes), Ok(2));
    ///     assert_eq!(bytes, [0x06, 0x03], "{kernel}");
    /// }
    /// ```
    #[must_use]
    pub const fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = Some(kernel);
        self
    }

    /// Encodes the differences of all of `src` into `dst`, and returns the number of bytes written.
    /// O(n).
    ///
    /// `src.len() * T::MAX_LEN` bytes are always enough. The contents of `dst` past the returned
    /// length are unspecified.
    ///
    /// # Errors
    ///
    /// [`DeltaError::Unsorted`] if a gap would be negative, or zero for strict gaps; nothing is
    /// written then. [`DeltaError::BufferTooSmall`] with the exact length needed if `dst` is too
    /// short; the contents of `dst` are unspecified then.
    ///
    /// ```
    /// use zigzag_varint::{BufferTooSmall, Delta, DeltaError};
    ///
    /// let short = Delta::gaps([0]).encode_slice(&[100u64, 300], &mut [0; 2]);
    /// assert_eq!(short, Err(DeltaError::BufferTooSmall(BufferTooSmall { needed: 3, available: 2 })));
    /// ```
    #[inline]
    pub fn encode_slice(&self, src: &[T], dst: &mut [u8]) -> Result<usize, DeltaError> {
        let (previous, src, available) = (self.previous(), cast(src), dst.len());
        by_scheme!(self, src.len(), |slices| {
            // In a pass of its own, so that nothing is written before this error.
            if let Some(index) = slices.first_wrong(previous, src) {
                return Err(DeltaError::Unsorted { index });
            }
            let encoded = blocks::encode(slices, previous, src, dst);
            let needed = || blocks::encoded_len(slices, previous, src);
            encoded.ok_or_else(|| BufferTooSmall { needed: needed(), available }.into())
        })
    }

    /// Decodes values from `src` until `src` is exhausted or `dst` is full, and returns how many
    /// values were decoded and how many bytes were consumed. O(n).
    ///
    /// To continue, pass the last values as `previous`. An empty `src` contains no values. The
    /// contents of `dst` past the decoded values are unspecified.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint, or the first gap that leads past the greatest
    /// value of `T`. The values before it are in `dst`. The offset counts from the start of `src`.
    ///
    /// ```
    /// use zigzag_varint::{Delta, Progress};
    ///
    /// let bytes = [0xc8, 0x01, 0x06, 0x03];
    /// let mut values = [0u32; 2];
    /// let progress = Delta::zigzag([0]).decode_slice(&bytes, &mut values)?;
    /// assert_eq!((progress, values), (Progress { values: 2, bytes: 3 }, [100, 103]));
    ///
    /// let progress = Delta::zigzag([103]).decode_slice(&bytes[progress.bytes..], &mut values)?;
    /// assert_eq!((progress.values, values[0]), (1, 101));
    ///
    /// let failed = Delta::gaps([250]).decode_slice(&[5, 1, 0], &mut [0u8; 3]).unwrap_err();
    /// assert_eq!((failed.progress.values, failed.error.offset()), (1, 1)); // 256 is no u8
    /// # Ok::<(), zigzag_varint::BulkError>(())
    /// ```
    #[inline]
    pub fn decode_slice(&self, src: &[u8], dst: &mut [T]) -> Result<Progress, BulkError> {
        by_scheme!(self, src.len().min(dst.len()), |slices| {
            blocks::decode(slices, self.previous(), src, cast_mut(dst), self.canonical)
        })
    }

    /// Decodes exactly as many values as `dst` has, and returns the number of bytes consumed. O(n).
    ///
    /// # Errors
    ///
    /// Those of [`decode_slice`](Self::decode_slice), and `Truncated` at `src.len()` if `src` has fewer
    /// values. Those before the error are in `dst`.
    ///
    /// ```
    /// use zigzag_varint::Delta;
    ///
    /// let mut tiles = [0u64; 2];
    /// assert_eq!(Delta::gaps([0]).decode_exact(&[100, 3, 7], &mut tiles), Ok(2));
    /// assert_eq!(tiles, [100, 103]);
    /// assert!(Delta::gaps([103]).decode_exact(&[7], &mut tiles).unwrap_err().error.is_incomplete());
    /// ```
    pub fn decode_exact(&self, src: &[u8], dst: &mut [T]) -> Result<usize, BulkError> {
        all_of(dst.len(), src, self.decode_slice(src, dst)?)
    }

    /// Appends the encoded differences of all of `src` to `dst`, and returns the number of bytes
    /// appended. O(n).
    ///
    /// # Errors
    ///
    /// [`DeltaError::Unsorted`] as in [`encode_slice`](Self::encode_slice); `dst` is unchanged then.
    ///
    /// ```
    /// use zigzag_varint::Delta;
    ///
    /// let mut bytes = vec![0x02]; // the number of values
    /// assert_eq!(Delta::gaps([0]).encode_append(&[100u32, 103], &mut bytes), Ok(2));
    /// assert_eq!(bytes, [0x02, 0x64, 0x03]);
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn encode_append(&self, src: &[T], dst: &mut Vec<u8>) -> Result<usize, DeltaError> {
        by_scheme!(self, src.len(), |slices| {
            let appended = blocks::encode_append(slices, self.previous(), cast(src), dst);
            appended.map_err(|index| DeltaError::Unsorted { index })
        })
    }

    /// Decodes all of `src`, appends the values to `dst`, and returns their number. O(n).
    ///
    /// It reserves space for at most as many values as `src` has bytes.
    ///
    /// # Errors
    ///
    /// Those of [`decode_slice`](Self::decode_slice). The values before the error are appended.
    ///
    /// ```
    /// use zigzag_varint::Delta;
    ///
    /// let mut values = vec![100u32];
    /// assert_eq!(Delta::zigzag([100]).decode_append(&[0x06, 0x03], &mut values), Ok(2));
    /// assert_eq!(values, [100, 103, 101]);
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_append(&self, src: &[u8], dst: &mut Vec<T>) -> Result<usize, BulkError> {
        by_scheme!(self, src.len(), |slices| {
            let max = blocks::max_values(src);
            let appended = blocks::append(slices, self.previous(), src, max, dst, self.canonical);
            appended.map(|progress| progress.values)
        })
    }

    /// Decodes exactly `n` values, appends them to `dst`, and returns the number of bytes consumed.
    /// O(n).
    ///
    /// It reserves space for at most as many values as `src` has bytes, so `n` may come from the
    /// input.
    ///
    /// # Errors
    ///
    /// Those of [`decode_slice`](Self::decode_slice), and `Truncated` at `src.len()` if `src` has fewer
    /// values. Those before the error are appended.
    ///
    /// ```
    /// use zigzag_varint::Delta;
    ///
    /// let mut values = Vec::new();
    /// assert_eq!(Delta::gaps([0u32]).append_exact(&[100, 3, 7], 2, &mut values), Ok(2));
    /// assert!(Delta::gaps([103]).append_exact(&[7], usize::MAX, &mut values).is_err());
    /// assert_eq!(values, [100, 103, 110]);
    /// ```
    #[cfg(feature = "alloc")]
    pub fn append_exact(&self, src: &[u8], n: usize, dst: &mut Vec<T>) -> Result<usize, BulkError> {
        let max = n.min(src.len());
        let appended = by_scheme!(self, max, |slices| blocks::append(
            slices,
            self.previous(),
            src,
            max,
            dst,
            self.canonical
        ));
        all_of(n, src, appended?)
    }
}
