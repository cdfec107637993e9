//! Round trips at compile time: the compiler's interpreter checks every step for undefined behaviour, overflow and panics,
//! and so is a partial Miri on every toolchain.

use zigzag_varint::{Decoder, Encoded, ErrorKind, Reader, zigzag};

/// The two arrays, in a `const fn`.
const fn same(left: &[u8], right: &[u8]) -> bool {
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}

macro_rules! round_trips {
    ($($int:ident $encode:ident $encoded_len:ident $decode:ident $decode_canonical:ident)*) => {$(
        /// Both ends of the type and a shift of every size, through the four functions of the type.
        #[test]
        fn $int() {
            use zigzag_varint::{$encode, $encoded_len, $decode, $decode_canonical};

            const fn check(value: $int) {
                let encoded = $encode(value);
                let bytes = encoded.as_bytes();
                assert!(bytes.len() == $encoded_len(value));
                let lenient = matches!($decode(bytes), Ok((back, len)) if back == value && len == bytes.len());
                let canonical = matches!($decode_canonical(bytes), Ok((back, _)) if back == value);
                assert!(lenient && canonical);
                let mut cut = 0;
                while cut < bytes.len() {
                    let truncated = $decode(bytes.split_at(cut).0);
                    assert!(matches!(truncated, Err(error) if error.offset() == cut && error.is_incomplete()));
                    cut += 1;
                }
            }

            const {
                check($int::MIN);
                check($int::MAX);
                let mut shift = 0;
                while shift < $int::BITS {
                    check($int::MIN >> shift);
                    check($int::MAX >> shift);
                    check(1 << shift);
                    shift += 1;
                }
            }
        }
    )*};
}

mod every_type_makes_the_round_trip_at_compile_time {
    round_trips! {
        u8 encode_u8 encoded_len_u8 decode_u8 decode_canonical_u8
        u16 encode_u16 encoded_len_u16 decode_u16 decode_canonical_u16
        u32 encode_u32 encoded_len_u32 decode_u32 decode_canonical_u32
        u64 encode_u64 encoded_len_u64 decode_u64 decode_canonical_u64
        u128 encode_u128 encoded_len_u128 decode_u128 decode_canonical_u128
        usize encode_usize encoded_len_usize decode_usize decode_canonical_usize
        i8 encode_i8 encoded_len_i8 decode_i8 decode_canonical_i8
        i16 encode_i16 encoded_len_i16 decode_i16 decode_canonical_i16
        i32 encode_i32 encoded_len_i32 decode_i32 decode_canonical_i32
        i64 encode_i64 encoded_len_i64 decode_i64 decode_canonical_i64
        i128 encode_i128 encoded_len_i128 decode_i128 decode_canonical_i128
        isize encode_isize encoded_len_isize decode_isize decode_canonical_isize
    }
}

#[test]
fn every_8_bit_value_and_every_two_bytes_are_judged_at_compile_time() {
    const {
        let (mut first, mut read) = (0u8, 0);
        loop {
            let mut second = 0u8;
            loop {
                let src = [first, second];
                match zigzag_varint::decode_u8(&src) {
                    Ok((value, 1)) => assert!(value == first && first < 0x80),
                    Ok((value, _)) => assert!(value as u32 == (first & 0x7f) as u32 + second as u32 * 128),
                    Err(error) => assert!(first >= 0x80 && second > 1 && error.offset() == 1),
                }
                read += 1;
                if second == u8::MAX {
                    break;
                }
                second += 1;
            }
            assert!(zigzag::decode_i8(zigzag::encode_i8(first as i8)) == first as i8);
            if first == u8::MAX {
                break;
            }
            first += 1;
        }
        assert!(read == 1 << 16);
    }
}

#[test]
fn constants_hold_encodings_and_verdicts() {
    const MINUS_150: Encoded<i64> = zigzag_varint::encode_i64(-150);
    const OVERLONG: Option<(ErrorKind, usize)> =
        match zigzag_varint::decode_canonical_u16(&[0x80, 0x80, 0x00]) {
            Ok(_) => None,
            Err(error) => Some((error.kind(), error.offset())),
        };
    const { assert!(same(MINUS_150.as_bytes(), &[0xab, 0x02])) };
    assert_eq!(OVERLONG, Some((ErrorKind::NonCanonical, 2)));
    assert_eq!(format!("{MINUS_150:?}"), "Encoded([ab, 02])");
    assert_eq!(MINUS_150.as_ref(), MINUS_150.as_bytes());
    assert_eq!(MINUS_150, zigzag_varint::encode_i64(-150));
    assert_ne!(MINUS_150, zigzag_varint::encode_i64(150));
}

#[test]
fn readers_and_decoders_are_made_at_compile_time() {
    const READER: Reader<'static> = Reader::new(&[0x01, 0xac, 0x02]);
    const { assert!(READER.position() == 0 && !READER.is_empty()) };
    static DECODER: Decoder<u64> = Decoder::new();
    assert_eq!(READER.clone().values().collect::<Result<Vec<u64>, _>>(), Ok(vec![1, 300]));
    assert_eq!(DECODER.clone().push(0x07), Ok(Some(7)));
}
