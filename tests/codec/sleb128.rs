//! Signed LEB128, compared with the grammar of WebAssembly: on published examples, on every value
//! and byte string of the 8- and 16-bit types, and on hostile bytes.

mod decoder;
mod s33;

use crate::support::guard_pages::{Edge, Guarded};
use crate::support::oracle::{self, ErrorAt, Outcome};
use crate::support::sleb128_grammar::{self, Sleb, check_apis, check_value, decoded as decode};
use crate::support::strategies::{Sample, check_random, samples, values};
use crate::support::streams::breakpoints;
use zigzag_varint::ErrorKind::{NonCanonical, Overflow, Truncated};
use zigzag_varint::{Decoder, Reader, S33, Signed, Varint};

/// Defines a test for each of the six signed types.
macro_rules! for_signed {
    ($facts:ident, $check:ident) => {
        for_types!($facts, $check, i8 i16 i32 i64 i128 isize);
    };
}

fn error_at(kind: zigzag_varint::ErrorKind, offset: usize) -> ErrorAt {
    ErrorAt { kind, offset }
}

/// DWARF, section 7.6 "Variable Length Data": the table of signed examples.
#[test]
fn the_dwarf_standards_examples_are_encoded_and_decoded() {
    let table: [(i16, &[u8]); 8] = [
        (2, &[2]),
        (-2, &[0x7e]),
        (127, &[127 + 0x80, 0]),
        (-127, &[1 + 0x80, 0x7f]),
        (128, &[0x80, 1]),
        (-128, &[0x80, 0x7f]),
        (129, &[1 + 0x80, 1]),
        (-129, &[0x7f + 0x80, 0x7e]),
    ];
    for (value, bytes) in table {
        assert_eq!(*Signed(value).encode(), *bytes);
        assert_eq!(*Signed(i128::from(value)).encode(), *bytes);
        assert_eq!(decode(bytes, true), Ok((value, bytes.len())));
        assert_eq!(decode(bytes, true), Ok((i64::from(value), bytes.len())));
    }
}

/// WebAssembly Core, section 5.2.2: the encodings of -2 as an s16, and bytes that are malformed as
/// an s8.
#[test]
fn the_webassembly_specifications_examples_are_decoded_or_refused() {
    for (form, canonical) in [(&[0x7e][..], true), (&[0xfe, 0x7f], false), (&[0xfe, 0xff, 0x7f], false)] {
        assert_eq!(decode(form, false), Ok((-2i16, form.len())));
        assert_eq!(decode::<i16>(form, true).is_ok(), canonical);
    }
    assert_eq!(decode::<i8>(&[0x83, 0x3e], false), Err(error_at(Overflow, 1)));
    assert_eq!(decode::<i8>(&[0xff, 0x7b], false), Err(error_at(Overflow, 1)));
}

fn run<const N: usize>(byte: u8, end: &[u8]) -> Vec<u8> {
    [&[byte; N], end].concat()
}

/// WebAssembly's test suite, core/binary-leb128.wast: valid, too long and too large constants.
#[test]
fn the_webassembly_test_suites_constants_are_decoded_or_refused() {
    for (value, fill, last) in [(0, 0x80, 0x00), (-1, 0xff, 0x7f)] {
        for form in [vec![fill, last], run::<4>(fill, &[last])] {
            assert_eq!(decode(&form, false), Ok((value, form.len())));
        }
        for form in [vec![fill, last], run::<9>(fill, &[last])] {
            assert_eq!(decode(&form, false), Ok((i64::from(value), form.len())));
        }
        assert_eq!(decode::<i32>(&run::<5>(fill, &[last]), false), Err(error_at(Overflow, 4)));
        assert_eq!(decode::<i64>(&run::<10>(fill, &[last]), false), Err(error_at(Overflow, 9)));
    }
    for (fill, last) in [(0x80, 0x70), (0xff, 0x0f), (0x80, 0x1f), (0xff, 0x4f)] {
        assert_eq!(decode::<i32>(&run::<4>(fill, &[last]), false), Err(error_at(Overflow, 4)));
    }
    for (fill, last) in [(0x80, 0x7e), (0xff, 0x01), (0x80, 0x02), (0xff, 0x41)] {
        assert_eq!(decode::<i64>(&run::<9>(fill, &[last]), false), Err(error_at(Overflow, 9)));
    }
}

#[test]
fn every_8_and_16_bit_value_round_trips() {
    (i8::MIN..=i8::MAX).for_each(check_value);
    (i16::MIN..=i16::MAX).for_each(check_value);
}

fn check_limits<T: Sleb>() {
    for value in breakpoints::<T>() {
        check_value(value);
    }
    for shift in 0..T::BITS {
        for integer in [i128::MIN, i128::MAX].map(|end| end >> (128 - T::BITS) >> shift) {
            check_value(T::from_integer(integer));
        }
    }
    check_random(values::<T>(), &|values| values.into_iter().take(20).for_each(check_value));
}
for_signed!(breakpoints_and_random_values_round_trip, check_limits);

/// Every string of up to three bytes. An `i16` has at most three, an `i8` at most two.
#[test]
fn every_byte_string_for_8_and_16_bit_types_matches_the_grammar() {
    fn check<T: Sleb>(src: &[u8]) {
        for canonical in [false, true] {
            assert_eq!(decode::<T>(src, canonical), sleb128_grammar::decode(src, canonical), "{src:02x?}");
        }
    }
    check::<i8>(&[]);
    check::<i16>(&[]);
    for first in 0..=0xff {
        check::<i8>(&[first]);
        check::<i16>(&[first]);
        for second in 0..=0xff {
            check::<i8>(&[first, second]);
            check::<i8>(&[first, second, 0x00]);
            check::<i16>(&[first, second]);
            if first >= 0x80 && second >= 0x80 {
                (0..=0xff).for_each(|third| check::<i16>(&[first, second, third]));
            }
        }
    }
}

/// Runs of one continuation byte with one byte changed and any last byte, up to one byte longer
/// than the longest encoding. For 128 bits every third last byte is enough: with a moving start, all of
/// them occur.
fn for_each_hostile_input(longest: usize, mut check: impl FnMut(&[u8])) {
    check(&[]);
    for len in 1..=longest + 1 {
        for fill in [0x80, 0xff, 0xc0, 0xbf] {
            for odd in 0..len {
                for other in [0x00, 0x01, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0xbf, 0xc0, 0xff] {
                    let mut src = vec![fill; len];
                    src[odd] = other;
                    let stride = if longest > 10 { 3 } else { 1 };
                    let lasts = if odd == len - 1 { 0..=0 } else { odd % stride..=0xff };
                    for last in lasts.step_by(stride) {
                        src[len - 1] = if odd == len - 1 { other } else { last as u8 };
                        check(&src);
                    }
                }
            }
        }
    }
}

/// Compares a decoder with the grammar on hostile bytes that end at a guard page or begin after
/// one.
fn check_hostile_bytes<T: Sleb>(decode: impl Fn(&[u8], bool) -> Outcome<T>) {
    let mut pages = Guarded::new(T::LONGEST + 1);
    for_each_hostile_input(T::LONGEST, |bytes| {
        for (edge, canonical) in [(Edge::Back, false), (Edge::Back, true), (Edge::Front, false)] {
            let src = pages.slice::<u8>(edge, bytes.len());
            src.copy_from_slice(bytes);
            let expected = sleb128_grammar::decode::<T>(bytes, canonical);
            assert_eq!(decode(src, canonical), expected, "{} {bytes:02x?}, canonical: {canonical}", T::NAME);
        }
    });
}

fn hostile_bytes<T: Sleb>() {
    check_hostile_bytes::<T>(decode);
}
for_signed!(hostile_bytes_match_the_grammar, hostile_bytes);

/// `check_hostile_bytes` must fail for decoders with one fault each.
#[test]
fn injected_faults_are_detected() {
    type Decode = fn(&[u8], bool) -> Outcome<i32>;
    let faulty: [(&str, Decode); 6] = [
        ("bits beyond the width are ignored", |src, canonical| match decode::<i64>(src, canonical) {
            Ok((value, len)) if len <= 5 => Ok((value as i32, len)),
            _ => decode(src, canonical),
        }),
        ("the last byte is checked as in an unsigned value", |src, canonical| {
            match decode::<i32>(src, canonical) {
                Ok((_, 5)) if src[4] > 0x0f => Err(error_at(Overflow, 4)),
                outcome => outcome,
            }
        }),
        ("the sign bit of the last byte is ignored", |src, canonical| {
            decode::<i32>(src, canonical)
                .map(|(value, len)| if len == 1 { (value & 0x7f, 1) } else { (value, len) })
        }),
        ("any last byte of zero is redundant", |src, canonical| match decode::<i32>(src, canonical) {
            Ok((_, len)) if canonical && len > 1 && src[len - 1] == 0 => Err(error_at(NonCanonical, len - 1)),
            outcome => outcome,
        }),
        ("continuation bytes without end are reported as truncated", |src, canonical| {
            match decode::<i32>(src, canonical) {
                Err(ErrorAt { kind: Overflow, offset }) if src[offset] >= 0x80 => {
                    Err(error_at(Truncated, src.len()))
                }
                outcome => outcome,
            }
        }),
        ("redundant bytes are accepted", |src, _| decode::<i32>(src, false)),
    ];
    check_hostile_bytes::<i32>(decode);
    for (fault, faulty) in faulty {
        let outcome = std::panic::catch_unwind(|| check_hostile_bytes::<i32>(faulty));
        assert!(outcome.is_err(), "not detected: {fault}");
    }
}

fn random_bytes<T: Sleb>() {
    check_random(samples::<T>(), &|Sample { bytes, more, .. }| {
        for canonical in [false, true] {
            let outcome = sleb128_grammar::decode::<T>(&bytes, canonical);
            check_apis(&bytes, canonical, outcome);
            match outcome {
                Err(ErrorAt { kind: Truncated, offset }) => assert_eq!(offset, bytes.len()),
                outcome => assert_eq!(
                    decode(&[&bytes[..], &more].concat(), canonical),
                    outcome,
                    "the bytes after the value are ignored"
                ),
            }
        }
    });
}
for_signed!(random_bytes_match_the_grammar_whatever_follows, random_bytes);

#[test]
fn sleb128_has_the_length_of_zigzag_and_ends_like_a_varint() {
    fn check<T: Sleb>() {
        for value in breakpoints::<T>() {
            assert_eq!(Signed(value).encoded_len(), oracle::encode(value).len());
            let bytes = [&*Signed(value).encode(), &[0x05]].concat();
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.skip_values(1), Ok(Signed(value).encoded_len()));
            assert_eq!(reader.read::<u8>(), Ok(5));
        }
    }
    check::<i8>();
    check::<i32>();
    check::<i64>();
    check::<i128>();
}

#[test]
fn no_call_allocates() {
    let allocated = allocation_counter::measure(|| {
        let mut bytes = [0; 10];
        let encoded = std::hint::black_box(Signed(i64::MIN).encode());
        assert!(Signed::<i64>::decode(&encoded).is_ok() && Signed::<i64>::decode(&[0xff; 10]).is_err());
        assert!(Signed(i64::MIN).encode_to_slice(&mut bytes).is_ok());
        assert!(Signed(1i64).encode_padded(&mut bytes).is_ok());
        assert!(S33::decode(&encoded).is_err() && S33::decode(&[0x40]).is_ok());
        let mut decoder = Decoder::<Signed<i64>>::new();
        assert!(decoder.push_slice(&encoded).is_ok() && decoder.push_slice(&[0xff; 10]).is_err());
        let mut reader = Reader::new(&encoded);
        assert!(reader.read::<S33>().is_err() && reader.read::<Signed<i64>>().is_ok());
    });
    assert_eq!(allocated.count_total, 0);
}
