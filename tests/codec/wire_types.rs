//! The wire types: every API agrees with the oracle about values, errors and offsets. The properties
//! `apis` and `chunks` have random input.

use std::iter::from_fn;

use crate::support::guard_pages::{Edge, Guarded};
use crate::support::wire_types::check_bytes::gather;
use crate::support::wire_types::{AnyWireType, wire_types};
use crate::support::wires::{Rng, THREE_WINDOWS, backgrounds, breakpoints, edge_cases, longest, mixed};
use zigzag_varint::{Bits, DecodeError, ErrorKind, Integer, Reader, Signed, SignedInteger, Varint};
use zigzag_varint_oracle::{self as oracle, BulkOutcome};

/// Last bytes at the limits of the types.
const LAST: [u8; 16] = [0, 1, 2, 3, 4, 7, 8, 0x0f, 0x10, 0x3f, 0x40, 0x70, 0x78, 0x7e, 0x80, 0xff];

/// Returns the rows of at most 16 bits.
fn narrow() -> impl Iterator<Item = &'static AnyWireType> {
    wire_types().iter().filter(|wire_type| wire_type.rule().bits <= 16)
}

/// Runs of one continuation byte with one byte changed, up to one byte longer than the longest
/// encoding. The last byte of the longest encoding is any byte.
#[test]
fn every_last_byte_after_hostile_bytes_matches_the_oracle() {
    for wire_type in wire_types() {
        let longest = longest(wire_type.rule().wire_bits());
        for len in 1..=longest + 1 {
            let limits: Vec<u8> = if len == longest { (0..=0xff).collect() } else { LAST.to_vec() };
            for fill in [0x80, 0xff, 0xc0, 0xbf] {
                for odd in 0..len.max(2) - 1 {
                    for other in [0x00, 0x01, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0xbf, 0xc0, 0xf0, 0xf8, 0xff] {
                        let mut src = vec![fill; len];
                        src[odd] = other;
                        for &last in &limits {
                            src[len - 1] = last;
                            wire_type.check_decode(&src);
                        }
                        wire_type.check_chunks(&src, || 1 + len / 2);
                    }
                }
            }
        }
    }
}

/// Every string of up to two bytes by every API. Where both are continuation bytes, also with any
/// third byte.
#[test]
fn short_strings_match_the_oracle() {
    for wire_type in narrow() {
        wire_type.check_first(&[]);
        for first in 0..=0xff {
            wire_type.check_first(&[first]);
            for second in 0..=0xff {
                wire_type.check_first(&[first, second]);
                if first >= 0x80 && second >= 0x80 {
                    (0..=0xff).for_each(|third| wire_type.check_decode(&[first, second, third]));
                }
            }
        }
    }
}

/// An edge case after values, before values, and at the end, around the lengths of blocks.
#[test]
fn errors_have_the_same_place_in_every_stream() {
    let cases = [8, 32, 64, 128].map(edge_cases).concat();
    for wire_type in wire_types() {
        let mut rng = Rng(46);
        for case in &cases {
            let before = rng.below(70);
            let start: Vec<u8> = (0..before).map(|_| rng.below(64) as u8).collect();
            wire_type.check_bytes(&[&start[..], case].concat(), before + 3);
            wire_type.check_bytes(&[&start[..], case, &[0x05; 9]].concat(), before);
        }
        for before in [255, 256, 257, 600] {
            wire_type.check_bytes(&[&vec![0x01; before][..], &[0xff; 21], &[0x01]].concat(), before + 1);
        }
    }
}

/// Numbers of values at and around multiples of 256, the number of values decoded at a time.
#[test]
fn errors_are_found_at_every_position_of_a_block() {
    for wire_type in wire_types() {
        let rule = wire_type.rule();
        let bits = rule.wire_bits();
        // A canonical field accepts only the numbers of its values.
        let numbers = mixed(bits, longest(bits), 512).into_iter();
        let values: Vec<_> = numbers.map(|number| rule.number(rule.value(number))).collect();
        for n in [0, 1, 7, 8, 255, 256, 257, 511, 512] {
            let valid = oracle::encode_all(&values[..n]);
            for edge_case in edge_cases(bits) {
                wire_type.check_slices(&[&valid[..], &edge_case].concat(), n);
                wire_type.check_slices(&[&valid[..], &edge_case, &valid].concat(), 2 * n + 2);
            }
        }
    }
}

/// A reader of inputs of every length, next to either guard page.
#[test]
fn readers_of_inputs_of_every_length_match_the_oracle() {
    let mut pages = Guarded::new(THREE_WINDOWS);
    for wire_type in wire_types() {
        for numbers in backgrounds(wire_type.rule().wire_bits(), THREE_WINDOWS) {
            let bytes = oracle::encode_all(&numbers);
            for src in (0..=THREE_WINDOWS).map(|len| &bytes[..len]) {
                let expected = wire_type.rule().decode_all(src, usize::MAX);
                for edge in Edge::BOTH {
                    let mut reader = Reader::new(pages.copy(edge, src));
                    let (values, error) = gather(from_fn(wire_type.values(&mut reader)));
                    let read = BulkOutcome { values, bytes: reader.position(), error };
                    assert_eq!(read, expected, "{} ({edge:?}) from {src:02x?}", wire_type.name());
                }
            }
        }
    }
}

#[test]
fn values_are_written_as_the_format_says() {
    for wire_type in wire_types() {
        let edges = wire_type.rule().edge_values();
        let mut rng = Rng(46);
        for len in [0, 2, 9, 31, 32, 33, 100, 255, 256, 257, 600, 5000] {
            let few: Vec<_> = (0..len).map(|_| edges[rng.below(edges.len().min(12))]).collect();
            let any: Vec<_> = (0..len).map(|_| edges[rng.below(edges.len())]).collect();
            wire_type.check_values(&few);
            wire_type.check_values(&any);
            // The only long value is the last one.
            wire_type.check_values(&[vec![0; len], vec![edges[rng.below(edges.len())]]].concat());
        }
    }
}

/// Encodes a value with every API, and decodes its bytes with every API: alone, followed by more
/// bytes, and truncated after each byte.
fn check_value(wire_type: AnyWireType, value: u128) {
    wire_type.check_values(&[value]);
    wire_type.check_padding(value);
    let bytes = wire_type.rule().encode(value);
    wire_type.check_bytes(&[&bytes, &[0xff, 0x00][..]].concat(), 3);
    (0..=bytes.len()).for_each(|cut| wire_type.check_first(&bytes[..cut]));
}

/// The limits of every encoded length and of every type, and powers of two, with their neighbours.
#[test]
fn boundary_values_are_written_and_read_by_every_api() {
    for &wire_type in wire_types() {
        let rule = wire_type.rule();
        let wires = breakpoints(rule.wire_bits()).into_iter().map(|wire| rule.value(wire));
        wires.chain(rule.edge_values()).for_each(|value| check_value(wire_type, value));
    }
}

#[test]
fn every_8_and_16_bit_value_is_written_and_read_by_every_api() {
    for &wire_type in narrow().filter(|wire_type| !wire_type.rule().canonical) {
        let rule = wire_type.rule();
        (0..1 << rule.bits).for_each(|wire| check_value(wire_type, rule.value(wire)));
    }
}

/// As in leb128fmt, whose functions take the type and the number of bits as parameters.
#[test]
fn bits_restrict_a_type_parameter() {
    fn unsigned<T: Integer, const BITS: u32>(src: &[u8]) -> Result<(T, usize), DecodeError> {
        Bits::<T, BITS>::decode(src)
    }
    fn signed<T: SignedInteger, const BITS: u32>(value: T) -> Option<Vec<u8>> {
        Bits::<Signed<T>, BITS>::new(value).map(|value| value.encode().to_vec())
    }
    assert_eq!(unsigned::<u16, 12>(&[0xff, 0x1f]), Ok((0xfff, 2)));
    assert_eq!(unsigned::<u64, 12>(&[0x80, 0x20]).unwrap_err().kind(), ErrorKind::Overflow);
    assert_eq!((signed::<i16, 12>(2047), signed::<i64, 12>(2048)), (Some(vec![0xff, 0x0f]), None));
}
