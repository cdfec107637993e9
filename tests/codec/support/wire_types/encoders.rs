//! The APIs that encode.

use zigzag_varint::{BufferTooSmall, Kernel, PaddedWidthError, WriteVarint};

use super::{Number, Ruled};

/// Appends the encodings to a vector, and returns the number of bytes that the API reports.
pub type Append = fn(&[u128], &mut Vec<u8>) -> usize;

/// Encodes a slice with a kernel.
pub type EncodeBy = fn(Kernel, &[u128], &mut [u8]) -> Result<usize, BufferTooSmall>;

/// Functions with their names.
type Named<F> = Vec<(&'static str, F)>;

/// The functions of a wire type that encode.
pub struct Encoders {
    pub encoded_len: fn(u128) -> usize,
    pub encode_to_slice: fn(u128, &mut [u8]) -> Result<usize, BufferTooSmall>,
    pub encode_padded: fn(u128, &mut [u8]) -> Result<(), PaddedWidthError>,
    pub encode_slice: fn(&[u128], &mut [u8]) -> Result<usize, BufferTooSmall>,
    pub encoded_len_slice: fn(&[u128]) -> usize,
    pub encode_slice_by: EncodeBy,
    pub encoded_len_slice_by: fn(Kernel, &[u128]) -> usize,
    pub append: Named<Append>,
}

impl Encoders {
    pub(super) fn of<W: Ruled>() -> Self {
        #[allow(unused_mut)] // without the features nothing is added
        let mut append: Named<Append> = vec![
            ("encode", |numbers, dst| {
                each::<W>(numbers, |value| {
                    let encoded = value.encode();
                    dst.extend_from_slice(&encoded);
                    encoded.len()
                })
            }),
            ("encode_to_vec", |numbers, dst| {
                let bytes = W::encode_to_vec(&values::<W>(numbers));
                dst.extend_from_slice(&bytes);
                bytes.len()
            }),
            ("encode_append", |numbers, dst| W::encode_append(&values::<W>(numbers), dst)),
            ("write_varint", |numbers, dst| {
                each::<W>(numbers, |value| dst.write_varint(value).expect("a vector grows"))
            }),
            ("write_varints", |numbers, dst| {
                dst.write_varints::<W>(&values::<W>(numbers)).expect("a vector grows")
            }),
        ];
        #[cfg(feature = "bytes")]
        {
            use zigzag_varint::BufMutVarint;

            append.extend::<[(&'static str, Append); 4]>([
                ("put_varint", |numbers, dst| each::<W>(numbers, |value| dst.put_varint(value))),
                ("try_put_varint", |numbers, dst| {
                    each::<W>(numbers, |value| dst.try_put_varint(value).expect("a vector grows"))
                }),
                ("put_varints", |numbers, dst| dst.put_varints::<W>(&values::<W>(numbers))),
                ("try_put_varints", |numbers, dst| {
                    dst.try_put_varints::<W>(&values::<W>(numbers)).expect("a vector grows")
                }),
            ]);
        }
        #[cfg(feature = "embedded-io")]
        {
            use zigzag_varint::embedded_io::WriteVarint;

            /// Writes to a slice with space for any encodings.
            fn to_slice(
                numbers: &[u128],
                dst: &mut Vec<u8>,
                write: impl Fn(&mut &mut [u8]) -> usize,
            ) -> usize {
                let mut bytes = vec![0xaa; 20 * numbers.len()];
                let mut output = &mut bytes[..];
                let len = write(&mut output);
                let left = output.len();
                dst.extend_from_slice(&bytes[..bytes.len() - left]);
                len
            }
            append.extend::<[(&'static str, Append); 2]>([
                ("embedded_io write_varint", |numbers, dst| {
                    to_slice(numbers, dst, |output| {
                        each::<W>(numbers, |value| {
                            WriteVarint::write_varint(output, value).expect("enough space")
                        })
                    })
                }),
                ("embedded_io write_varints", |numbers, dst| {
                    to_slice(numbers, dst, |output| {
                        WriteVarint::write_varints::<W>(output, &values::<W>(numbers)).expect("enough space")
                    })
                }),
            ]);
        }
        Self {
            encoded_len: |number| one::<W>(number).encoded_len(),
            encode_to_slice: |number, dst| one::<W>(number).encode_to_slice(dst),
            encode_padded: |number, dst| one::<W>(number).encode_padded(dst),
            encode_slice: |numbers, dst| W::encode_slice(&values::<W>(numbers), dst),
            encoded_len_slice: |numbers| W::encoded_len_slice(&values::<W>(numbers)),
            encode_slice_by: |kernel, numbers, dst| kernel.encode_slice::<W>(&values::<W>(numbers), dst),
            encoded_len_slice_by: |kernel, numbers| kernel.encoded_len_slice::<W>(&values::<W>(numbers)),
            append,
        }
    }
}

/// Returns the value of a number in its wire type. `value` gives it back.
fn one<W: Ruled>(number: u128) -> W {
    let wrapped = W::wrapping(W::Value::of(number));
    assert_eq!(wrapped.value().number(), number);
    wrapped
}

fn values<W: Ruled>(numbers: &[u128]) -> Vec<W::Value> {
    numbers.iter().map(|&number| W::Value::of(number)).collect()
}

/// Encodes one by one, and adds up the lengths.
fn each<W: Ruled>(numbers: &[u128], encode: impl FnMut(W) -> usize) -> usize {
    numbers.iter().map(|&number| one::<W>(number)).map(encode).sum()
}
