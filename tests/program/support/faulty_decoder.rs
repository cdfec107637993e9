//! A decoder with a fault, for reports with disagreements.

use every_input::byte_strings::{ByteDecoder, Outcome};

/// A decoder that returns the same value for every string.
pub(crate) struct Faulty;

impl ByteDecoder<u8> for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    fn decode_first(&self, _src: &[u8], _canonical: bool) -> Outcome<u8> {
        Ok((1, 1))
    }
}
