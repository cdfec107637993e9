//! The peers: published crates for the same wire format, each used as its documentation recommends
//! for streams. A peer that lacks a type, or has another format for it, is left out.

use bytes_varint::{VarIntSupport, VarIntSupportMut};
use integer_encoding::VarInt;
use leb128fmt::{decode_uint_slice, encode_uint_slice};
use prost::encoding::{decode_varint, encode_varint};
use varing::{encode_sequence, sequence_decoder};

use crate::contender::{Contender, VALID, get_each, put_each, read_each, write_each};
use crate::corpus::Int;

/// A type with its peers.
pub(crate) trait Peers: Int {
    fn peers() -> Vec<Contender<Self>>;
}

/// Returns the peers that have every type. They use zigzag for signed ones.
fn for_all_types<T: Int + VarInt + varing::Varint>() -> Vec<Contender<T>> {
    vec![
        Contender::new("plain", encode_plain, decode_plain),
        Contender::new(
            "integer-encoding",
            put_each(|value: T, dst| value.encode_var(dst)),
            get_each(|src| T::decode_var(src).expect(VALID)),
        ),
        // prost has 64-bit varints only. Its generated code applies zigzag first too.
        Contender::new(
            "prost",
            write_each(|value: T, output| encode_varint(value.to_wire(), output)),
            read_each(|input| T::from_wire(decode_varint(input).expect(VALID))),
        ),
        Contender::new(
            "varing",
            |src, dst| encode_sequence(src.iter(), dst).expect(VALID),
            |src, dst| {
                let mut values = sequence_decoder::<T>(src);
                for (slot, value) in dst.iter_mut().zip(&mut values) {
                    (_, *slot) = value.expect(VALID);
                }
                values.position()
            },
        ),
    ]
}

macro_rules! peers {
    ($int:ident: $($peer:expr,)*) => {
        impl Peers for $int {
            fn peers() -> Vec<Contender<Self>> {
                let mut peers = for_all_types();
                peers.extend([$($peer),*]);
                #[cfg(target_arch = "x86_64")]
                peers.extend(varint_simd::$int());
                peers
            }
        }
    };
}

macro_rules! bytes_varint {
    ($put:ident, $get:ident) => {
        Contender::new(
            "bytes-varint",
            write_each(|value, output: &mut &mut [u8]| output.$put(value)),
            read_each(|input| input.$get().expect(VALID)),
        )
    };
}

macro_rules! leb128fmt {
    ($int:ident) => {
        Contender::new(
            "leb128fmt",
            |src, dst| {
                let mut at = 0;
                for &value in src {
                    encode_uint_slice::<$int, { $int::BITS }>(value, dst, &mut at).expect(VALID);
                }
                at
            },
            |src, dst| {
                let mut at = 0;
                for slot in dst {
                    *slot = decode_uint_slice::<$int, { $int::BITS }>(src, &mut at).expect(VALID);
                }
                at
            },
        )
    };
}

// Encodes into an array, which here is part of the stream. Decodes canonical forms only.
macro_rules! unsigned_varint {
    ($int:ident) => {
        Contender::new(
            "unsigned-varint",
            put_each(|value, dst| {
                unsigned_varint::encode::$int(value, dst.first_chunk_mut().expect(VALID)).len()
            }),
            |src, dst| {
                let mut rest = src;
                for slot in dst {
                    (*slot, rest) = unsigned_varint::decode::$int(rest).expect(VALID);
                }
                src.len() - rest.len()
            },
        )
    };
}

peers! {
    u64:
    Contender::new(
        "leb128",
        write_each(|value, output| _ = leb128::write::unsigned(output, value).expect(VALID)),
        read_each(|input| leb128::read::unsigned(input).expect(VALID)),
    ),
    leb128fmt!(u64),
    unsigned_varint!(u64),
    bytes_varint!(put_u64_varint, try_get_u64_varint),
}

peers! {
    u32:
    leb128fmt!(u32),
    unsigned_varint!(u32),
    bytes_varint!(put_u32_varint, try_get_u32_varint),
}

// leb128 and leb128fmt have another format for signed integers, and unsigned-varint has none.
peers! {
    i64:
    bytes_varint!(put_i64_varint, try_get_i64_varint),
}

/// The loop that programs without such a crate contain (postcard has a similar one).
pub(crate) fn encode_plain<T: Int>(src: &[T], dst: &mut [u8]) -> usize {
    let mut at = 0;
    for &value in src {
        let mut rest = value.to_wire();
        for slot in &mut dst[at..] {
            at += 1;
            if rest < 0x80 {
                *slot = rest as u8;
                break;
            }
            *slot = rest as u8 | 0x80;
            rest >>= 7;
        }
    }
    at
}

pub(crate) fn decode_plain<T: Int>(src: &[u8], dst: &mut [T]) -> usize {
    let mut at = 0;
    for slot in dst {
        *slot = T::from_wire(decode_one::<T>(src, &mut at).expect(VALID));
    }
    at
}

/// Decodes the number at `at` and advances `at` past it. Returns `None` if the input is truncated
/// or the number does not fit the type.
#[inline]
pub(crate) fn decode_one<T: Int>(src: &[u8], at: &mut usize) -> Option<u64> {
    let last = T::MAX_LEN - 1;
    let mut wire = 0;
    for index in 0..last {
        let byte = *src.get(*at)?;
        *at += 1;
        wire |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Some(wire);
        }
    }
    let byte = u64::from(*src.get(*at)?);
    *at += 1;
    (byte <= T::WIRE_MAX >> (7 * last)).then_some(wire | byte << (7 * last))
}

/// varint-simd: one value per call with SSE instructions. Its decoders of several values at once
/// need a build for SSSE3, which the default build is not.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // the fastest function of this peer is unsafe
mod varint_simd {
    use varint_simd::{SignedVarIntTarget, decode, decode_unsafe, decode_zigzag, encode, encode_zigzag};

    use crate::contender::{Contender, VALID, get_each, put_each};

    /// The number of bytes that the crate reads or returns at once.
    const VECTOR: usize = 16;

    /// Stores a whole vector if it fits.
    #[inline]
    fn store((vector, len): ([u8; VECTOR], u8), dst: &mut [u8]) -> usize {
        let len = usize::from(len);
        match dst.first_chunk_mut() {
            Some(slot) => *slot = vector,
            None => dst[..len].copy_from_slice(&vector[..len]),
        }
        len
    }

    macro_rules! varint_simd {
        ($($int:ident $wire:ident $encode:ident $decode:ident $from_wire:expr;)*) => {$(
            pub(super) fn $int() -> [Contender<$int>; 2] {
                [
                    Contender::new(
                        "varint-simd",
                        put_each(|value: $int, dst| store($encode(value), dst)),
                        get_each(|src| $decode::<$int>(src).expect(VALID)),
                    ),
                    // Checks nothing. The last bytes, which it would read past, are for the safe
                    // function.
                    Contender::decoder("varint-simd-unsafe", get_each(|src| {
                        if src.len() < VECTOR {
                            return $decode::<$int>(src).expect(VALID);
                        }
                        // SAFETY: `src` has at least the 16 readable bytes that `decode_unsafe`
                        // requires.
                        let (wire, len) = unsafe { decode_unsafe::<$wire>(src.as_ptr()) };
                        ($from_wire(wire), len)
                    })),
                ]
            }
        )*};
    }

    varint_simd! {
        u64 u64 encode decode std::convert::identity;
        u32 u32 encode decode std::convert::identity;
        i64 u64 encode_zigzag decode_zigzag <i64 as SignedVarIntTarget>::unzigzag;
    }
}
