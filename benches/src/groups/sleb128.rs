//! `sleb128-encode` and `sleb128-decode`: signed LEB128, one value at a time, and crates for DWARF
//! and WebAssembly.

use criterion::Criterion;
use zigzag_varint::sleb128;

use crate::contender::{Decode, Encode, VALID};
use crate::corpus::{LONG, Set, Stream};
use crate::inputs::Inputs;
use crate::measure::Group;

pub(crate) fn run(criterion: &mut Criterion) {
    let contenders: [(&str, &dyn Both); 3] =
        [("ours", &Ours), ("leb128", &Leb128), ("leb128fmt", &Leb128fmt)];
    // The encoding of a value is as long as its zigzag varint.
    for set in [Set::OneByte, Set::Mix, Set::Log, Set::Rand] {
        let values: Vec<_> = Stream::several(set, LONG).into_iter().map(|stream| stream.values).collect();
        let encodings: Vec<_> = values.iter().map(|values| encode(values)).collect();

        let mut group = Group::new(criterion, format!("sleb128-encode/i64/{}", set.name()), LONG);
        let mut dst = vec![0; Stream::<i64>::max_len(LONG)];
        let mut inputs = Inputs::new(values.clone());
        for (name, contender) in contenders {
            group.bench_inputs(
                name,
                &mut inputs,
                &mut dst,
                |dst| dst.fill(0),
                |values, dst| contender.encode(values, dst),
                |dst, len| dst[..len] == encodings[0],
            );
        }
        group.finish();

        let mut group = Group::new(criterion, format!("sleb128-decode/i64/{}", set.name()), LONG);
        let mut dst = vec![0; LONG];
        let mut inputs = Inputs::new(encodings.clone());
        for (name, contender) in contenders {
            group.bench_inputs(
                name,
                &mut inputs,
                &mut dst,
                |dst| dst.fill(0),
                |bytes, dst| contender.decode(bytes, dst),
                |dst, len| len == encodings[0].len() && *dst == values[0],
            );
        }
        group.finish();
    }
}

fn encode(values: &[i64]) -> Vec<u8> {
    let mut bytes = vec![0; Stream::<i64>::max_len(values.len())];
    let len = Leb128.encode(values, &mut bytes);
    bytes.truncate(len);
    bytes
}

trait Both: Encode<i64> + Decode<i64> {}

impl<C: Encode<i64> + Decode<i64>> Both for C {}

/// The functions of this crate for one value.
struct Ours;

impl Encode<i64> for Ours {
    fn encode(&self, src: &[i64], dst: &mut [u8]) -> usize {
        let mut at = 0;
        for &value in src {
            at += sleb128::encode_to_slice(value, &mut dst[at..]).expect(VALID);
        }
        at
    }
}

impl Decode<i64> for Ours {
    fn decode(&self, src: &[u8], dst: &mut [i64]) -> usize {
        let mut at = 0;
        for slot in dst {
            let (value, len) = sleb128::decode(&src[at..]).expect(VALID);
            *slot = value;
            at += len;
        }
        at
    }
}

/// The functions of leb128 over `std::io`, on slices.
struct Leb128;

impl Encode<i64> for Leb128 {
    fn encode(&self, src: &[i64], dst: &mut [u8]) -> usize {
        let len = dst.len();
        let mut output = dst;
        for &value in src {
            leb128::write::signed(&mut output, value).expect(VALID);
        }
        len - output.len()
    }
}

impl Decode<i64> for Leb128 {
    fn decode(&self, src: &[u8], dst: &mut [i64]) -> usize {
        let mut input = src;
        for slot in dst {
            *slot = leb128::read::signed(&mut input).expect(VALID);
        }
        src.len() - input.len()
    }
}

/// The functions of leb128fmt on slices.
struct Leb128fmt;

impl Encode<i64> for Leb128fmt {
    fn encode(&self, src: &[i64], dst: &mut [u8]) -> usize {
        let mut at = 0;
        for &value in src {
            leb128fmt::encode_sint_slice::<i64, 64>(value, dst, &mut at).expect(VALID);
        }
        at
    }
}

impl Decode<i64> for Leb128fmt {
    fn decode(&self, src: &[u8], dst: &mut [i64]) -> usize {
        let mut at = 0;
        for slot in dst {
            *slot = leb128fmt::decode_sint_slice::<i64, 64>(src, &mut at).expect(VALID);
        }
        at
    }
}
