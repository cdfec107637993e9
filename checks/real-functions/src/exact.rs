//! Functions that have one right result.

use every_input::{ByteStrings, Equal, NanEqual, agrees, all};
use half::{bf16, f16};
use micromath::F32Ext;
use simdutf8::{basic, compat};
use strength_reduce::StrengthReducedU16;
use unicode_xid::UnicodeXID;

use crate::Rows;

/// Rounds a float to a format of 16 bits by arithmetic: to the nearest, of two the even one.
/// `None` is NaN.
fn rounded(x: f32, mantissa_bits: i32, least_exponent: i32, infinity: u16) -> Option<u16> {
    const INTEGERS: f64 = (1u64 << 52) as f64; // from here on, floats are integers
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    let exponent = ((x.to_bits() >> 23 & 0xff) as i32 - 127).max(least_exponent);
    let power = f64::from_bits(((1023 + mantissa_bits - exponent) as u64) << 52);
    // The result in units in the last place. Only the sum is rounded.
    let units = f64::from(x.abs()) * power + INTEGERS - INTEGERS;
    let bits = (((exponent - least_exponent) as u32) << mantissa_bits).saturating_add(units as u32);
    (!x.is_nan()).then_some(sign | bits.min(infinity.into()) as u16)
}

/// Returns the value of an f16 by its definition.
fn value(bits: u16) -> Option<f32> {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => mantissa * 2f32.powi(-24),
        31 if mantissa > 0.0 => return None,
        31 => f32::INFINITY,
        _ => (mantissa + 1024.0) * 2f32.powi(exponent - 25),
    };
    Some(if bits >> 15 == 1 { -magnitude } else { magnitude })
}

/// Returns the bits, or `None` for NaN, whose payload is a choice.
fn bits<const INFINITY: u16>(bits: u16) -> Option<u16> {
    (bits & 0x7fff <= INFINITY).then_some(bits)
}

/// Surrounds four bytes by ASCII, since the validator leaves short strings to std.
fn surrounded(bytes: [u8; 4]) -> [u8; 128] {
    let mut text = [b'a'; 128];
    // Across the border of two vectors of 16, 32 and 64 bytes.
    text[62..66].copy_from_slice(&bytes);
    text
}

pub(crate) fn rows(rows: &Rows) {
    macro_rules! exact {
        ($($name:literal of $krate:literal, $reference:expr, $space:expr => $check:expr;)*) => {
            $(rows.exact($name, $krate, $reference, $space, $check);)*
        };
    }
    let (floats, own) = (all::<f32>(), "arithmetic on f64");
    let f16_of = |x| rounded(x, 10, -14, 0x7c00);
    exact! {
        "f16::from_f32" of "half", own, floats =>
            agrees(|x| bits::<0x7c00>(f16::from_f32(x).to_bits()), f16_of, Equal);
        "f16::from_f32_const" of "half", own, floats =>
            agrees(|x| bits::<0x7c00>(f16::from_f32_const(x).to_bits()), f16_of, Equal);
        "bf16::from_f32" of "half", own, floats =>
            agrees(|x| bits::<0x7f80>(bf16::from_f32(x).to_bits()), |x| rounded(x, 7, -126, 0x7f80), Equal);
        "f16::to_f32" of "half", own, all::<u16>() =>
            agrees(|x| Some(f16::from_bits(x).to_f32()).filter(|x| !x.is_nan()), value, Equal);
        "floor" of "micromath", "`std`", floats => agrees(|x: f32| F32Ext::floor(x), |x| x.floor(), NanEqual);
        "ceil" of "micromath", "`std`", floats => agrees(|x: f32| F32Ext::ceil(x), |x| x.ceil(), NanEqual);
        "round" of "micromath", "`std`", floats => agrees(|x: f32| F32Ext::round(x), |x| x.round(), NanEqual);
        "trunc" of "micromath", "`std`", floats => agrees(|x: f32| F32Ext::trunc(x), |x| x.trunc(), NanEqual);
        "format and parse" of "zmij", "`fast_float2` parses the same bits", floats => |x: f32| {
            let mut buffer = zmij::Buffer::new();
            let parsed = fast_float2::parse::<f32, _>(buffer.format(x)).ok();
            x.is_nan() || parsed.map(f32::to_bits) == Some(x.to_bits())
        };
        "StrengthReducedU16" of "strength_reduce", "`/`, all pairs", (1..=u16::MAX, all::<u16>()) =>
            agrees(|(d, n)| n / StrengthReducedU16::new(d), |(d, n)| n / d, Equal);
    }

    let ((major, minor, _), (other, other_minor, _)) =
        (unicode_xid::UNICODE_VERSION, unicode_ident::UNICODE_VERSION);
    let version = crate::with_version("unicode-xid");
    let xid = format!("{version}, for Unicode {major}.{minor} instead of {other}.{other_minor}");
    let is_valid = |bytes: [u8; 4]| std::str::from_utf8(&bytes).is_ok();
    exact! {
        "is_xid_start" of "unicode-ident", &xid, all::<char>() =>
            agrees(unicode_ident::is_xid_start, UnicodeXID::is_xid_start, Equal);
        "is_xid_continue" of "unicode-ident", &xid, all::<char>() =>
            agrees(unicode_ident::is_xid_continue, UnicodeXID::is_xid_continue, Equal);
        "basic::from_utf8" of "simdutf8", "`std`, four bytes within 128", [all::<u8>(); 4] =>
            agrees(|bytes| basic::from_utf8(&surrounded(bytes)).is_ok(), is_valid, Equal);
        "compat::from_utf8" of "simdutf8", "`std`, and the offset, within 128", ByteStrings::new(3) =>
            |bytes: every_input::ByteString| {
                let mut text = [b'a'; 128];
                text[62..62 + bytes.len()].copy_from_slice(&bytes);
                let offset = compat::from_utf8(&text).err().map(|error| error.valid_up_to());
                offset == std::str::from_utf8(&text).err().map(|error| error.valid_up_to())
            };
    }
}
