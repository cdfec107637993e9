//! Round trips at compile time. The compiler's interpreter checks every step for undefined
//! behaviour, overflow and panics, and so replaces a part of Miri on every toolchain.

use crate::support::wires::{breakpoints, edge_cases};
use zigzag_varint::{Const, Decoder, Encoded, ErrorKind, Reader, Signed, Varint};

macro_rules! round_trips {
    ($($name:ident: $W:ty, $int:ident;)*) => {$(
        /// The limits of the type, shifted by every number of bits. At run time, the functions agree
        /// with those of the trait.
        #[test]
        fn $name() {
            type Functions = Const<$W>;

            const fn check(value: $int) {
                let encoded = Functions::encode(value);
                let bytes = encoded.as_bytes();
                assert!(bytes.len() == Functions::encoded_len(value));
                let decoded = Functions::decode(bytes);
                assert!(matches!(decoded, Ok((back, len)) if back == value && len == bytes.len()));
                let mut cut = 0;
                while cut < bytes.len() {
                    let truncated = Functions::decode(bytes.split_at(cut).0);
                    assert!(matches!(truncated, Err(error) if error.offset() == cut && error.is_incomplete()));
                    cut += 1;
                }
                let mut padded = [0; <$W>::MAX_LEN];
                assert!(Functions::encode_padded(value, &mut padded).is_ok());
                let decoded = Functions::decode(&padded);
                assert!(matches!(decoded, Ok((back, <$W>::MAX_LEN)) if back == value));
            }

            const {
                check($int::MAX);
                check($int::MIN);
                let mut shift = 0;
                while shift < $int::BITS {
                    check($int::MAX >> shift);
                    check($int::MIN >> shift);
                    check(1 << shift);
                    shift += 1;
                }
            }

            for value in breakpoints($int::BITS).into_iter().map(|number| number as $int) {
                assert_eq!(Functions::encode(value), <$W>::encode(value));
                assert_eq!(Functions::encoded_len(value), <$W>::encoded_len(value));
                for width in 0..=20 {
                    let mut padded = [[0xaa; 20]; 2];
                    let [ours, theirs] = &mut padded;
                    let constant = Functions::encode_padded(value, &mut ours[..width]);
                    assert_eq!(constant, <$W>::encode_padded(value, &mut theirs[..width]));
                    assert_eq!(ours, theirs);
                }
            }
            for bytes in edge_cases($int::BITS) {
                for src in (0..=bytes.len()).map(|len| &bytes[..len]) {
                    assert_eq!(Functions::decode(src), <$W>::decode(src));
                }
            }
        }
    )*};
}

mod every_type_round_trips_at_compile_time {
    use super::*;

    round_trips! {
        u8: u8, u8; u16: u16, u16; u32: u32, u32; u64: u64, u64; u128: u128, u128; usize: usize, usize;
        i8: i8, i8; i16: i16, i16; i32: i32, i32; i64: i64, i64; i128: i128, i128; isize: isize, isize;
        signed_i8: Signed<i8>, i8; signed_i16: Signed<i16>, i16; signed_i32: Signed<i32>, i32;
        signed_i64: Signed<i64>, i64; signed_i128: Signed<i128>, i128; signed_isize: Signed<isize>, isize;
    }
}

#[test]
fn encodings_and_errors_can_be_constants() {
    const MINUS_150: Encoded<[u8; 10]> = Const::<i64>::encode(-150);
    const TOO_LONG: Option<(ErrorKind, usize)> = match Const::<u64>::decode(&[0xff; 10]) {
        Ok(_) => None,
        Err(error) => Some((error.kind(), error.offset())),
    };
    const BYTES: &[u8] = MINUS_150.as_bytes();
    assert_eq!(BYTES, [0xab, 0x02]);
    assert_eq!(TOO_LONG, Some((ErrorKind::TooLong, 9)));
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
