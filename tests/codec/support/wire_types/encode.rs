//! The APIs that encode.

use zigzag_varint::embedded_io as embedded;
use zigzag_varint::{BufMutVarint, BufferTooSmall, PaddedWidthError, WriteVarint};

use super::Row;
use super::check_kernels::Codec;
use super::rule::{Number, Ruled, values_of};
use crate::support::guard_pages::Guarded;

/// A way to append encodings to a vector.
#[derive(Clone, Copy, Debug)]
pub enum Sink {
    Encode,
    Append,
    Write,
    Put,
    TryPut,
    EmbeddedWrite,
}

impl Sink {
    pub const ALL: [Self; 6] =
        [Self::Encode, Self::Append, Self::Write, Self::Put, Self::TryPut, Self::EmbeddedWrite];
}

/// The result of encoding values, and the length that the same codec calculates.
pub type Encoded = (Result<usize, BufferTooSmall>, usize);

/// The functions of a wire type that encode.
pub trait Encode {
    fn encoded_len(&self, number: u128) -> usize;

    fn encode_to_slice(&self, number: u128, dst: &mut [u8]) -> Result<usize, BufferTooSmall>;

    fn encode_padded(&self, number: u128, dst: &mut [u8]) -> Result<(), PaddedWidthError>;

    /// Encodes values next to a guard page.
    fn encode_slice(&self, codec: Codec, numbers: &[u128], src: &mut Guarded, dst: &mut [u8]) -> Encoded;

    /// Appends one encoding, and returns the number of bytes that the API reports.
    fn append_one(&self, sink: Sink, number: u128, dst: &mut Vec<u8>) -> usize;

    /// Appends all encodings with one call, and returns the number of bytes that the API reports.
    fn append_all(&self, sink: Sink, numbers: &[u128], dst: &mut Vec<u8>) -> usize;
}

impl<W: Ruled> Encode for Row<W> {
    fn encoded_len(&self, number: u128) -> usize {
        W::encoded_len(W::Value::of(number))
    }

    fn encode_to_slice(&self, number: u128, dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
        W::encode_to_slice(W::Value::of(number), dst)
    }

    fn encode_padded(&self, number: u128, dst: &mut [u8]) -> Result<(), PaddedWidthError> {
        W::encode_padded(W::Value::of(number), dst)
    }

    fn encode_slice(&self, codec: Codec, numbers: &[u128], src: &mut Guarded, dst: &mut [u8]) -> Encoded {
        let values = src.copy(codec.1, &values_of::<W::Value>(numbers));
        match codec.0 {
            Some(kernel) => (kernel.encode_slice::<W>(values, dst), kernel.encoded_len_slice::<W>(values)),
            None => (W::encode_slice(values, dst), W::encoded_len_slice(values)),
        }
    }

    fn append_one(&self, sink: Sink, number: u128, dst: &mut Vec<u8>) -> usize {
        let value = one::<W>(number);
        match sink {
            Sink::Encode | Sink::Append => {
                let encoded = W::encode(W::Value::of(number));
                let (mut array, len) = encoded.into_parts();
                assert_eq!(array.as_ref()[..len], *encoded);
                assert_eq!(W::encode_to_array(W::Value::of(number), &mut array), len);
                assert_eq!(array.as_ref()[..len], *encoded);
                dst.extend_from_slice(&encoded);
                encoded.len()
            }
            Sink::Write => dst.write_varint(value).expect("a vector grows"),
            Sink::Put => dst.put_varint(value),
            Sink::TryPut => dst.try_put_varint(value).expect("a vector grows"),
            Sink::EmbeddedWrite => to_slice(1, dst, &mut |output| {
                embedded::WriteVarint::write_varint(output, value).expect("enough space")
            }),
        }
    }

    fn append_all(&self, sink: Sink, numbers: &[u128], dst: &mut Vec<u8>) -> usize {
        let values = values_of::<W::Value>(numbers);
        match sink {
            Sink::Encode => {
                let bytes = W::encode_to_vec(&values);
                dst.extend_from_slice(&bytes);
                bytes.len()
            }
            Sink::Append => W::encode_append(&values, dst),
            Sink::Write => dst.write_varints::<W>(&values).expect("a vector grows"),
            Sink::Put => dst.put_varints::<W>(&values),
            Sink::TryPut => dst.try_put_varints::<W>(&values).expect("a vector grows"),
            Sink::EmbeddedWrite => to_slice(values.len(), dst, &mut |output| {
                embedded::WriteVarint::write_varints::<W>(output, &values).expect("enough space")
            }),
        }
    }
}

/// Writes to a slice with space for any `n` encodings.
fn to_slice(n: usize, dst: &mut Vec<u8>, write: &mut dyn FnMut(&mut &mut [u8]) -> usize) -> usize {
    let mut bytes = vec![0xaa; 20 * n];
    let mut output = &mut bytes[..];
    let len = write(&mut output);
    let left = output.len();
    dst.extend_from_slice(&bytes[..bytes.len() - left]);
    len
}

/// Returns the value of a number in its wire type. `value` gives it back.
fn one<W: Ruled>(number: u128) -> W {
    let wrapped = W::wrapping(W::Value::of(number));
    assert_eq!(W::value(wrapped).number(), number);
    wrapped
}
