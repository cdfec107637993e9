//! Codecs in other wire formats than LEB128, and round trips without an expectation of the bytes.

use every_input::{
    Codec, CodecError, FailureKind, Interval, List, NoOracle, Oracle, Report, RoundTrip, Scalars, Sweep,
    Wire, all, codec_from_fns,
};

use crate::ranges_of;

/// Reads a `PrefixVarint` of at most eight bytes. In three bytes, the highest bit is ignored.
fn decode(src: &[u8]) -> Result<(u32, usize), CodecError> {
    let len = src[0].trailing_zeros() as usize + 1;
    let word =
        src.get(..len).ok_or("truncated")?.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let value = (word >> len) as u32;
    Ok((if len == 3 { value & 0x0f_ffff } else { value }, len))
}

/// Returns a codec with a fault in three bytes: the decoder ignores a bit, or the encoder and the
/// decoder share another last byte.
fn faulty(shared: bool) -> impl Codec<u32> {
    let encode = move |value: u32, dst: &mut [u8]| {
        let len = (32 - (value | 1).leading_zeros()).div_ceil(7) as usize;
        let word = (2 * u64::from(value) + 1) << (len - 1);
        dst.get_mut(..len).ok_or("dst is too small")?.copy_from_slice(&word.to_le_bytes()[..len]);
        if shared && len == 3 {
            dst[2] ^= 0xff;
        }
        Ok(len)
    };
    codec_from_fns("prefix", encode, move |src: &[u8]| {
        if !shared || src[0].trailing_zeros() != 2 {
            return decode(src);
        }
        let word = u32::from_le_bytes([src[0], src[1], src[2] ^ 0xff, 0]);
        Ok((word >> 3, 3))
    })
}

/// Around the values of three bytes.
fn sweep() -> Sweep<Scalars<u32>> {
    let ranges = [0x3000, 0x1f_0000].map(|first| Interval { first, last: first + 0x1_ffff });
    Sweep::of(all::<u32>()).ranges(ranges).exhaustive().max_failures(0)
}

fn report(codec: &dyn Codec<u32>, oracle: impl Oracle<u32>) -> Report {
    sweep().report(codec.name(), &RoundTrip::new(codec, oracle)).unwrap()
}

#[test]
fn a_fault_at_one_length_is_caught_by_the_round_trip_or_the_bytes() {
    let assert_fails = |report: Report, kind, ranges: &[(&str, Option<&str>)]| {
        assert_eq!(ranges_of(&report), ranges);
        assert!(report.first_failures.iter().all(|one| one.kind == kind), "{report}");
    };
    let any = NoOracle { max_len: 5 };
    let in_value = [("2031616", Some("2097151"))];
    assert_fails(report(&faulty(false), Wire::PrefixVarint), FailureKind::WrongValue, &in_value);
    assert_fails(report(&faulty(false), any), FailureKind::WrongValue, &in_value);
    let in_bytes = [("16384", Some("143359")), ("2031616", Some("2097151"))];
    assert_fails(report(&faulty(true), Wire::PrefixVarint), FailureKind::WrongBytes, &in_bytes);
    assert_fails(report(&faulty(true), any), FailureKind::WrongBytes, &[]);
    // All values before those of three bytes fail too.
    assert_eq!(report(&faulty(true), Wire::Leb128).failures, 4 * 0x1_0000);
}

#[test]
fn a_round_trip_must_stay_within_the_maximum_length() {
    let report = report(&faulty(true), NoOracle { max_len: 3 });
    let failures: Vec<_> = report.first_failures.iter().map(|one| (one.kind, &*one.value)).collect();
    assert_eq!(failures, [(FailureKind::EncodeError, "2097152")]);
    let text = report.to_string();
    assert!(text.starts_with("sweep of u32 by codec prefix, round trip only\n"), "{text}");
    assert!(text.contains("LEB128 bytes"), "{text}");
}

#[test]
fn a_result_with_the_text_of_the_expected_one_is_said_to_differ() {
    let encode = |value: f32, dst: &mut [u8]| {
        dst[..4].copy_from_slice(&value.to_le_bytes());
        Ok(4)
    };
    let decode = |src: &[u8]| Ok((f32::from_le_bytes(src[..4].try_into()?), 4));
    let codec = codec_from_fns("bits", encode, decode);
    let check = RoundTrip::new(&codec, NoOracle { max_len: 4 });
    let report = Sweep::of(List::new([0.0, f32::NAN])).report("bits", &check).unwrap();
    let [nan] = &report.first_failures[..] else { panic!("{report}") };
    assert_eq!((&*nan.expected, &*nan.got), ("NaN", "NaN, which is not equal to it"));
}
