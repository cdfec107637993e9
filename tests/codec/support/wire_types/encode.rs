//! The APIs that encode.

use zigzag_varint::embedded_io as embedded;
use zigzag_varint::{BufMutVarint, BufferTooSmall, PaddedWidthError, Unlimited, WriteVarint};

use super::Row;
use super::check_kernels::Codec;
use super::rule::{Number, Ruled, values_of};
use crate::support::guard_pages::Guarded;

/// A way to append encodings to a vector. The first two are of wire types without limits.
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

    /// Those that write a wrapped value, which may have a limit.
    pub const OF_WRAPPED: [Self; 4] = [Self::Write, Self::Put, Self::TryPut, Self::EmbeddedWrite];
}

/// The result of encoding values, and the length that the same codec calculates.
pub type Encoded = (Result<usize, BufferTooSmall>, usize);

/// The functions of every wire type that encode.
pub trait EncodeOne {
    /// Appends one encoding by a sink of wrapped values, and returns the number of bytes that the API reports,
    /// or `None` if the wire type does not accept the value.
    fn append_wrapped(&self, sink: Sink, number: u128, dst: &mut Vec<u8>) -> Option<usize>;

    /// Returns the functions that encode any value, unless the wire type has a limit.
    fn encoder(&self) -> Option<&'static dyn Encode>;
}

/// The functions of a wire type without limits.
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

impl<W: Ruled> EncodeOne for Row<W> {
    fn append_wrapped(&self, sink: Sink, number: u128, dst: &mut Vec<u8>) -> Option<usize> {
        let value = W::wrapping(W::Value::of(number))?;
        assert_eq!(W::value(value).number(), number);
        Some(match sink {
            Sink::Encode | Sink::Append => unreachable!("they take plain values"),
            Sink::Write => dst.write_varint(value).expect("a vector grows"),
            Sink::Put => dst.put_varint(value),
            Sink::TryPut => dst.try_put_varint(value).expect("a vector grows"),
            Sink::EmbeddedWrite => to_slice(1, dst, &mut |output| {
                embedded::WriteVarint::write_varint(output, value).expect("enough space")
            }),
        })
    }

    fn encoder(&self) -> Option<&'static dyn Encode> {
        W::ENCODER
    }
}

impl<W: Ruled + Unlimited> Encode for Row<W> {
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
            _ => self.append_wrapped(sink, number, dst).expect("every value is accepted"),
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
