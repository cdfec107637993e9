//! Round trips at compile time. The compiler's interpreter checks every step for undefined
//! behaviour, overflow and panics, and so replaces a part of Miri on every toolchain.

use zigzag_varint::{Decoder, Encoded, ErrorKind, Reader, Varint, zigzag};

/// Returns whether two byte slices are equal. Slices cannot be compared with `==` in a `const fn`.
const fn same(left: &[u8], right: &[u8]) -> bool {
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}

macro_rules! round_trips {
    ($($int:ident $encode:ident $encoded_len:ident $decode:ident $decode_canonical:ident)*) => {$(
        /// The limits of the type, shifted by every number of bits, through the four functions of
        /// the type.
        #[test]
        fn $int() {
            use zigzag_varint::varint::{$encode, $encoded_len, $decode, $decode_canonical};

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

mod every_type_round_trips_at_compile_time {
    round_trips! {
        u8 encode_u8 encoded_len_u8 decode_u8 decode_u8_canonical
        u16 encode_u16 encoded_len_u16 decode_u16 decode_u16_canonical
        u32 encode_u32 encoded_len_u32 decode_u32 decode_u32_canonical
        u64 encode_u64 encoded_len_u64 decode_u64 decode_u64_canonical
        u128 encode_u128 encoded_len_u128 decode_u128 decode_u128_canonical
        usize encode_usize encoded_len_usize decode_usize decode_usize_canonical
        i8 encode_i8 encoded_len_i8 decode_i8 decode_i8_canonical
        i16 encode_i16 encoded_len_i16 decode_i16 decode_i16_canonical
        i32 encode_i32 encoded_len_i32 decode_i32 decode_i32_canonical
        i64 encode_i64 encoded_len_i64 decode_i64 decode_i64_canonical
        i128 encode_i128 encoded_len_i128 decode_i128 decode_i128_canonical
        isize encode_isize encoded_len_isize decode_isize decode_isize_canonical
    }
}

#[test]
fn every_two_byte_string_is_decoded_at_compile_time() {
    const {
        let (mut first, mut decoded) = (0u8, 0);
        loop {
            let mut second = 0u8;
            loop {
                let src = [first, second];
                match zigzag_varint::varint::decode_u8(&src) {
                    Ok((value, 1)) => assert!(value == first && first < 0x80),
                    Ok((value, _)) => assert!(value as u32 == (first & 0x7f) as u32 + second as u32 * 128),
                    Err(error) => assert!(first >= 0x80 && second > 1 && error.offset() == 1),
                }
                decoded += 1;
                if second == u8::MAX {
                    break;
                }
                second += 1;
            }
            assert!(zigzag::u8_to_i8(zigzag::i8_to_u8(first as i8)) == first as i8);
            if first == u8::MAX {
                break;
            }
            first += 1;
        }
        assert!(decoded == 1 << 16);
    }
}

#[test]
fn encodings_and_errors_can_be_constants() {
    const MINUS_150: Encoded<i64> = zigzag_varint::varint::encode_i64(-150);
    const OVERLONG: Option<(ErrorKind, usize)> =
        match zigzag_varint::varint::decode_u16_canonical(&[0x80, 0x80, 0x00]) {
            Ok(_) => None,
            Err(error) => Some((error.kind(), error.offset())),
        };
    const { assert!(same(MINUS_150.as_bytes(), &[0xab, 0x02])) };
    assert_eq!(OVERLONG, Some((ErrorKind::NonCanonical, 2)));
    assert_eq!(format!("{MINUS_150:?}"), "Encoded([ab, 02])");
    assert_eq!(MINUS_150.as_ref(), MINUS_150.as_bytes());
    assert_eq!(MINUS_150, zigzag_varint::varint::encode_i64(-150));
    assert_ne!(MINUS_150, zigzag_varint::varint::encode_i64(150));
}

#[test]
fn an_encoding_equals_exactly_its_bytes() {
    let encoded = zigzag_varint::varint::encode_u32(300);
    for (bytes, equal) in [([0xac, 0x02], true), ([0xac, 0x03], false)] {
        assert_eq!(encoded == bytes, equal);
        assert_eq!(encoded == bytes[..], equal);
        let slice = &bytes[..];
        assert_eq!(encoded == slice, equal);
    }
    assert!(encoded != [0xac] && encoded != [0xac, 0x02, 0x00]);
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

#[test]
fn as_bytes_is_const_for_any_type() {
    const fn is_one_byte<T: Varint>(encoded: &Encoded<T>) -> bool {
        encoded.as_bytes().len() == 1
    }
    const { assert!(is_one_byte(&zigzag_varint::varint::encode_i8(-64))) };
    const { assert!(!is_one_byte(&zigzag_varint::varint::encode_u128(128))) };
}

#[test]
fn padded_encodings_can_be_constants() {
    const PADDED: [u8; 5] = match zigzag_varint::varint::encode_u32_padded(300) {
        Ok(bytes) => bytes,
        Err(_) => panic!("five bytes hold any u32"),
    };
    const { assert!(matches!(zigzag_varint::varint::decode_u32(&PADDED), Ok((300, 5)))) };
    const { assert!(zigzag_varint::varint::encode_u32_padded::<1>(300).is_err()) };
    const { assert!(zigzag_varint::varint::encode_u128_padded::<20>(0).is_err()) };
    assert_eq!(PADDED, [0xac, 0x82, 0x80, 0x80, 0x00]);
}
