//! Sequences whose neighbours are close: each value is written as its difference from the one before.
//!
//! Typical sequences are timestamps, sorted identifiers and coordinates.
//!
//! ```
//! use zigzag_varint::delta;
//!
//! let timestamps = [1_700_000_000u64, 1_700_000_060, 1_700_000_058, 1_700_000_121];
//! let mut bytes = [0; 40];
//! let len = delta::encode_slice([0], &timestamps, &mut bytes)?;
//! assert_eq!(len, 5 + 1 + 1 + 1); // as plain varints: 20
//!
//! let mut decoded = [0; 4];
//! delta::decode_slice([0], &bytes[..len], &mut decoded)?;
//! assert_eq!(decoded, timestamps);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The differences are written as zigzag varints, as [`encode_slice`](crate::encode_slice) writes signed
//! integers of the same width. Every sequence of every type makes the round trip, sorted or not:
//! differences wrap around at the width of the type, so that the difference from `u64::MAX` to 0 is 1. The
//! [decoding rules](crate::Varint#decoding-rules) are those of all varints.
//!
//! The first argument of the functions, `previous`, is an array with the value before the first one: `[0]`
//! at the start of a sequence, or any value that encoder and decoder agree on. To continue a sequence, pass
//! its last value.
//!
//! # Interleaved components
//!
//! An array of `N` values, at most 32, stands for `N` interleaved sequences. Each value is then written as its
//! difference from the one `N` values before it, as map tiles and OpenStreetMap store coordinates:
//!
//! ```
//! use zigzag_varint::delta;
//!
//! let points = [100u32, 9_000, 103, 9_001, 101, 9_003]; // x, y, x, y, x, y
//! let mut bytes = [0; 30];
//! let len = delta::encode_slice([0, 0], &points, &mut bytes)?;
//! assert_eq!(len, 2 + 3 + 1 + 1 + 1 + 1); // 100, 9000, +3, +1, -2, +2
//!
//! let mut decoded = [0; 6];
//! delta::decode_slice([0, 0], &bytes[..len], &mut decoded)?;
//! assert_eq!(decoded, points);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To continue such sequences, pass their last `N` values in order. The number of values need not be a multiple
//! of `N`.
//!
//! The functions do not allocate, except those that write to a `Vec`. Encoding stores up to 1,024
//! differences on the stack, or 256 without the feature `std`.

mod kernel;
mod slice;
#[cfg(feature = "alloc")]
mod vec;

pub use self::slice::{decode_slice, decode_slice_canonical, encode_slice, encoded_len_slice};
#[cfg(feature = "alloc")]
pub use self::vec::{
    decode_append, decode_append_canonical, decode_to_vec, decode_to_vec_canonical, encode_append,
    encode_to_vec,
};
