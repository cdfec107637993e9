//! The 33-bit integers of WebAssembly.

use super::for_each_hostile_input;
use crate::support::guard_pages::{Edge, Guarded};
use crate::support::oracle::ErrorAt;
use crate::support::sleb128_grammar::{check_s33, forms};
use crate::support::strategies::{Sample, check_random, samples, values};
use crate::support::streams::breakpoints;
use zigzag_varint::ErrorKind::{NonCanonical, Overflow, Truncated};
use zigzag_varint::{Canonical, S33, Signed, Varint};

/// WebAssembly Core, section 5.3: block types and heap types.
#[test]
fn types_of_the_webassembly_specification_are_decoded() {
    let table: [(i64, &[u8]); 7] = [
        (-64, &[0x40]), // the empty block type
        (-1, &[0x7f]),  // i32
        (-4, &[0x7c]),  // f64
        (-16, &[0x70]), // funcref
        (0, &[0x00]),   // the first type index
        (64, &[0xc0, 0x00]),
        (u32::MAX.into(), &[0xff, 0xff, 0xff, 0xff, 0x0f]),
    ];
    for (value, bytes) in table {
        assert_eq!(S33::decode(bytes), Ok((value, bytes.len())));
        assert_eq!(Canonical::<S33>::decode(bytes), Ok((value, bytes.len())));
        assert_eq!(*S33(value).encode(), *bytes);
        assert_eq!(*Signed(value).encode(), *bytes);
    }
}

/// Encodes an `i64`. If it has more than 33 bits, decoding it as an `s33` fails at the fifth byte.
fn check_i64(value: i64) {
    let bytes = Signed(value).encode();
    let in_range = (-(1i64 << 32)..1 << 32).contains(&value);
    let overflow = ErrorAt { kind: Overflow, offset: 4 };
    let expected = if in_range { Ok((value, bytes.len())) } else { Err(overflow) };
    assert_eq!(S33::decode(&bytes).map_err(ErrorAt::from), expected, "{value}");
    assert_eq!(Canonical::<S33>::decode(&bytes).map_err(ErrorAt::from), expected, "{value}");

    for form in forms(64, value.into()) {
        let len = form.len();
        let lenient = if in_range && len <= 5 { Ok((value, len)) } else { Err(overflow) };
        assert_eq!(S33::decode(&form).map_err(ErrorAt::from), lenient, "{form:02x?}");
        let redundant = Err(ErrorAt { kind: NonCanonical, offset: len - 1 });
        let canonical = if lenient.is_ok() && len > bytes.len() { redundant } else { lenient };
        assert_eq!(Canonical::<S33>::decode(&form).map_err(ErrorAt::from), canonical, "{form:02x?}");
        for cut in 0..len.min(5) {
            let truncated = Err(ErrorAt { kind: Truncated, offset: cut });
            assert_eq!(S33::decode(&form[..cut]).map_err(ErrorAt::from), truncated);
            assert_eq!(Canonical::<S33>::decode(&form[..cut]).map_err(ErrorAt::from), truncated);
        }
    }
}

#[test]
fn i64_values_of_33_bits_are_decoded_and_others_overflow_at_the_fifth_byte() {
    breakpoints::<i64>().into_iter().for_each(check_i64);
    for limit in
        [-(1i64 << 32), 1 << 32, i64::from(i32::MIN), i64::from(i32::MAX), i64::MIN + 3, i64::MAX - 3]
    {
        (limit - 3..=limit + 3).for_each(check_i64);
    }
    check_random(values::<i64>(), &|values| values.into_iter().take(20).for_each(check_i64));
}

#[test]
fn hostile_and_random_bytes_match_the_grammar() {
    let mut pages = Guarded::new(16);
    for_each_hostile_input(6, |bytes| {
        for (edge, canonical) in [(Edge::Back, false), (Edge::Back, true), (Edge::Front, false)] {
            let src = pages.slice::<u8>(edge, bytes.len());
            src.copy_from_slice(bytes);
            check_s33(src, canonical);
        }
    });
    check_random(samples::<i32>(), &|Sample { bytes, canonical, .. }| check_s33(&bytes, canonical));
    check_random(samples::<i64>(), &|Sample { bytes, canonical, .. }| check_s33(&bytes, canonical));
}
