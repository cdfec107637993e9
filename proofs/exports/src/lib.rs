//! The crate's functions under names that the proofs find, and with the calling convention of Rust. Each wrapper is so
//! thin that a proof about it is a proof about the crate's code.

use zigzag_varint::{
    BufferTooSmall, BulkError, Canonical, Const, DecodeError, Encoded, ErrorKind, Kernel, Progress, Reader,
    Varint,
};

/// The outcome of decoding one value: 0, its length and the value, or the kind of the error and its offset.
#[repr(C)]
pub struct Outcome<T> {
    kind: u64,
    at: usize,
    value: T,
}

impl<T: Default> From<Result<(T, usize), DecodeError>> for Outcome<T> {
    fn from(result: Result<(T, usize), DecodeError>) -> Self {
        let error = match result {
            Ok((value, len)) => return Self { kind: 0, at: len, value },
            Err(error) => error,
        };
        let kind = match error.kind() {
            ErrorKind::Truncated => 1,
            ErrorKind::Overflow => 2,
            ErrorKind::TooLong => 3,
            ErrorKind::NonCanonical => 4,
            _ => 5,
        };
        Self { kind, at: error.offset(), value: T::default() }
    }
}

macro_rules! decoders {
    ($int:ident, $wire:ty, $kind:literal) => {
        const _: () = {
            #[unsafe(export_name = concat!("decode_", $kind, stringify!($int)))]
            pub fn decode(src: &[u8], out: &mut Outcome<$int>) {
                *out = <$wire>::decode(src).into();
            }

            /// Reads the next value of a `Reader`, in whatever state it is.
            #[unsafe(export_name = concat!("read_", $kind, stringify!($int)))]
            pub fn read(reader: &mut Reader, out: &mut Outcome<$int>) {
                let begin = reader.position();
                let value = reader.read::<$wire>();
                *out = value.map(|value| (value, reader.position() - begin)).into();
            }

            #[unsafe(export_name = concat!("decode_slice_", $kind, stringify!($int)))]
            pub fn decode_slice(src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                <$wire>::decode_slice(src, dst)
            }

            #[unsafe(export_name = concat!("decode_append_", $kind, stringify!($int)))]
            pub fn decode_append(src: &[u8], dst: &mut Vec<$int>) -> Result<usize, BulkError> {
                <$wire>::decode_append(src, dst)
            }

            /// Contains the steps of all kernels, as `kernel_encode` does.
            #[unsafe(export_name = concat!("kernel_decode_", $kind, stringify!($int)))]
            pub fn kernel_decode(
                kernel: &Kernel,
                src: &[u8],
                dst: &mut [$int],
            ) -> Result<Progress, BulkError> {
                kernel.decode_slice::<$wire>(src, dst)
            }
        };
    };
}

macro_rules! exports {
    ($($int:ident)*) => {$(
        decoders!($int, $int, "");
        decoders!($int, Canonical<$int>, "canonical_");
        const _: () = {
            /// Encodes one value with the trait: by words or with BMI2, depending on the CPU.
            #[unsafe(export_name = concat!("encode_", stringify!($int)))]
            pub fn encode(value: $int, encoded: &mut Encoded<[u8; <$int>::MAX_LEN]>) -> &[u8] {
                *encoded = <$int>::encode(value);
                encoded
            }

            #[unsafe(export_name = concat!("encode_to_slice_", stringify!($int)))]
            pub fn encode_to_slice(value: $int, dst: &mut [u8]) -> Option<usize> {
                <$int>::encode_to_slice(value, dst).ok()
            }

            #[unsafe(export_name = concat!("encode_slice_", stringify!($int)))]
            pub fn encode_slice(src: &[$int], dst: &mut [u8]) -> Result<usize, BufferTooSmall> {
                zigzag_varint::encode_slice(src, dst)
            }

            #[unsafe(export_name = concat!("encoded_len_slice_", stringify!($int)))]
            pub fn encoded_len_slice(src: &[$int]) -> usize {
                zigzag_varint::encoded_len_slice(src)
            }

            #[unsafe(export_name = concat!("kernel_encode_", stringify!($int)))]
            pub fn kernel_encode(kernel: &Kernel, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                kernel.encode_slice::<$int>(src, dst).ok()
            }
        };
    )*};
}

exports!(u64 i64 u32 i32 u16 i16);

/// Encodes one value with the `const` function, which is the scalar code.
#[unsafe(no_mangle)]
pub fn encode_const_u64(value: u64, encoded: &mut Encoded<[u8; 10]>) -> &[u8] {
    *encoded = Const::<u64>::encode(value);
    encoded
}

#[unsafe(no_mangle)]
pub fn reader_new<'a>(src: &'a [u8], reader: &mut Reader<'a>) {
    *reader = Reader::new(src);
}
