//! Round trips at compile time. The compiler's interpreter checks every step for undefined
//! behaviour, overflow and panics, and so replaces a part of Miri on every toolchain.

use crate::support::wires::{breakpoints, edge_cases};
use zigzag_varint::{Decoder, Encoded, ErrorKind, Reader, Varint, varint, zigzag};

macro_rules! round_trips {
    ($($int:ident $encode:ident $decode:ident)*) => {$(
        /// The limits of the type, shifted by every number of bits. At run time, the functions agree
        /// with the methods of the trait.
        #[test]
        fn $int() {
            use zigzag_varint::varint::{$decode, $encode};

            const fn check(value: $int) {
                let encoded = $encode(value);
                let bytes = encoded.as_bytes();
                assert!(matches!($decode(bytes), Ok((back, len)) if back == value && len == bytes.len()));
                let mut cut = 0;
                while cut < bytes.len() {
                    let truncated = $decode(bytes.split_at(cut).0);
                    assert!(matches!(truncated, Err(error) if error.offset() == cut && error.is_incomplete()));
                    cut += 1;
                }
            }

            const {
                check($int::MAX);
                let mut shift = 0;
                while shift < $int::BITS {
                    check($int::MAX >> shift);
                    check(1 << shift);
                    shift += 1;
                }
            }

            for value in breakpoints($int::BITS).into_iter().map(|number| number as $int) {
                assert_eq!($encode(value), $int::encode(value));
            }
            for bytes in edge_cases($int::BITS) {
                for src in (0..=bytes.len()).map(|len| &bytes[..len]) {
                    assert_eq!($decode(src), $int::decode(src));
                }
            }
        }
    )*};
}

mod both_widths_round_trip_at_compile_time {
    use super::*;

    round_trips! { u64 encode_u64 decode_u64 u128 encode_u128 decode_u128 }
}

#[test]
fn encodings_and_errors_can_be_constants() {
    const MINUS_150: Encoded<[u8; 10]> = varint::encode_u64(zigzag::i64_to_u64(-150));
    const OVERFLOW: Option<(ErrorKind, usize)> = match varint::decode_u64(&[0xff; 10]) {
        Ok(_) => None,
        Err(error) => Some((error.kind(), error.offset())),
    };
    const BYTES: &[u8] = MINUS_150.as_bytes();
    assert_eq!(BYTES, [0xab, 0x02]);
    assert_eq!(OVERFLOW, Some((ErrorKind::Overflow, 9)));
    assert_eq!(format!("{MINUS_150:?}"), "Encoded([ab, 02])");
    assert_eq!(MINUS_150.as_ref(), MINUS_150.as_bytes());
    assert_eq!(*MINUS_150, *i64::encode(-150));
    assert_ne!(*MINUS_150, *i64::encode(150));
}

#[test]
fn readers_and_decoders_can_be_constants() {
    const READER: Reader<'static> = Reader::new(&[0x01, 0xac, 0x02]);
    const { assert!(READER.position() == 0 && !READER.is_empty()) };
    static DECODER: Decoder<u64> = Decoder::new();
    assert_eq!(READER.clone().values::<u64>().collect::<Result<Vec<u64>, _>>(), Ok(vec![1, 300]));
    assert_eq!(DECODER.clone().push(0x07), Ok(Some(7)));
    assert_eq!(Decoder::<u64>::default().push_slice(&[0x80, 0x00]), Ok((Some(0), 2)), "lenient, like `new`");
}
