//! Related wire formats, compared with established crates: signed LEB128 with `leb128` and
//! `leb128fmt`, protobuf's integers with `prost`.

use prost::encoding::{self, DecodeContext, WireType};
use zigzag_varint::protobuf::{Bool, Int32, Int64, Sint32, Sint64, Uint32, Uint64};
use zigzag_varint::{Canonical, Signed, Varint as _};

use crate::support::random_values::Rng;

const RUNS: usize = 50_000;

/// Returns a random number of any length, extended by its sign.
fn number(rng: &mut Rng) -> i64 {
    let shift = rng.below(64);
    rng.next() as i64 >> shift
}

/// Returns up to eleven random bytes, most of which are continuation bytes.
fn bytes(rng: &mut Rng) -> Vec<u8> {
    let (len, fill) = (rng.below(12), rng.next());
    let byte = |index: usize| match (fill >> (2 * index)) % 4 {
        0 => 0x80,
        1 => 0xff,
        _ => rng.next() as u8 | if index + 1 < len { 0x80 } else { 0 },
    };
    (0..len).map(byte).collect()
}

#[test]
fn signed_leb128_matches_the_crates_for_dwarf_and_webassembly() {
    let mut rng = Rng(7);
    for _ in 0..RUNS {
        let value = number(&mut rng);
        let mut theirs = Vec::new();
        leb128::write::signed(&mut theirs, value).expect("writing to a vector cannot fail");
        assert_eq!(*Signed(value).encode(), theirs);
        assert_eq!(Canonical::<Signed<i64>>::decode(&theirs), Ok((value, theirs.len())));
        let (fixed, len) = leb128fmt::encode_s64(value).expect("fits");
        assert_eq!(fixed[..len], theirs);
        let mut padded = [0; 10];
        Signed(value).encode_padded(&mut padded).expect("ten bytes are enough for any value");
        assert_eq!(Some(padded), leb128fmt::encode_fixed_s64(value));
        let narrow = value as i32;
        let mut padded = [0; 5];
        Signed(narrow).encode_padded(&mut padded).expect("five bytes are enough for any value");
        assert_eq!(Some(padded), leb128fmt::encode_fixed_s32(narrow));
        let number = narrow as u32;
        number.encode_padded(&mut padded).expect("five bytes are enough for any value");
        assert_eq!(Some(padded), leb128fmt::encode_fixed_u32(number));
    }
    for _ in 0..RUNS {
        let src = bytes(&mut rng);
        let ours = Signed::<i64>::decode(&src);
        let mut input = &src[..];
        let theirs = leb128::read::signed(&mut input);
        match (ours, theirs) {
            (Ok((value, len)), theirs) => {
                assert_eq!(theirs.ok(), Some(value), "{src:02x?}");
                assert_eq!(len, src.len() - input.len(), "{src:02x?}");
            }
            (Err(_), theirs) => assert!(theirs.is_err(), "{src:02x?}"),
        }
        let mut at = 0;
        let fmt = leb128fmt::decode_sint_slice::<i32, 32>(&src, &mut at).ok().map(|value| (value, at));
        assert_eq!(Signed::<i32>::decode(&src).ok(), fmt, "{src:02x?}");
    }
}

/// Decodes random bytes as each field type. The result must be prost's value and length, or an
/// error if prost returns one.
#[test]
fn random_bytes_give_the_same_values_or_errors() {
    macro_rules! agree {
        ($src:ident: $($field:ident $Field:ident)*) => {$({
            let mut input = &$src[..];
            let mut value = Default::default();
            let merged = encoding::$field::merge(WireType::Varint, &mut value, &mut input, DecodeContext::default());
            let theirs = merged.ok().map(|()| (value, $src.len() - input.len()));
            assert_eq!($Field::decode(&$src).ok(), theirs, "{} {:02x?}", stringify!($field), $src);
        })*};
    }
    let mut rng = Rng(7);
    let mut read = 0;
    for _ in 0..RUNS {
        let src = bytes(&mut rng);
        agree!(src: int32 Int32 int64 Int64 uint32 Uint32 uint64 Uint64);
        agree!(src: sint32 Sint32 sint64 Sint64 bool Bool);
        read += usize::from(Bool::decode(&src).is_ok());
    }
    assert!(
        read > RUNS / 10 && read < RUNS - RUNS / 10,
        "{read} of {RUNS} were decoded; both outcomes must be frequent"
    );
}
