//! `length`, `count` and `skip`: the encoded length of values, the number of values in bytes, and
//! the length of a number of values.

use std::hint::black_box;

use criterion::Criterion;

use crate::compare::{Work, compare, streams};
use crate::contender::VALID;
use crate::corpus::{LONG, Set, Stream};
use crate::ours::kernels;

pub(crate) fn run(criterion: &mut Criterion) {
    for set in [Set::OneByte, Set::Mix, Set::Rand] {
        let stream = streams(move || vec![Stream::<u64>::new(set, LONG)]);
        let set = set.name();
        let work = || measure(&stream[0].values, stream[0].bytes.len());
        compare(criterion, &format!("length/u64/{set}"), LONG, work, length());
        let work = || measure(&stream[0].bytes, LONG);
        compare(criterion, &format!("count/bytes/{set}"), LONG, work, count());
        let work = || measure(&stream[0].bytes, stream[0].bytes.len());
        compare(criterion, &format!("skip/bytes/{set}"), LONG, work, skip());
    }
}

/// Returns the work of measuring `input` without writing anything.
fn measure<I>(input: &[I], result: usize) -> Work<'_, I, ()> {
    Work { inputs: vec![input], returned: result, output: &[], capacity: 0 }
}

/// A name and a function on a slice.
type Contender<I> = (String, Box<dyn Fn(&[I], &mut [()]) -> usize>);

fn contender<I>(name: impl Into<String>, measure: impl Fn(&[I]) -> usize + 'static) -> Contender<I> {
    (name.into(), Box::new(move |input, _| measure(input)))
}

fn length() -> Vec<Contender<u64>> {
    use integer_encoding::VarInt as _;
    use leb128::write::unsigned_len;
    use prost::encoding::encoded_len_varint;
    use varing::encoded_sequence_len;

    kernels()
        .map(|(name, kernel)| contender(name, move |values| kernel.encoded_len_slice::<u64>(values)))
        .chain([
            contender("integer-encoding", |values: &[u64]| {
                values.iter().map(|value| value.required_space()).sum()
            }),
            contender("leb128", |values| values.iter().map(|&value| unsigned_len(value)).sum()),
            contender("prost", |values| values.iter().map(|&value| encoded_len_varint(value)).sum()),
            contender("varing", |values| encoded_sequence_len(values.iter())),
        ])
        .collect()
}

fn count() -> Vec<Contender<u8>> {
    kernels()
        .map(|(name, kernel)| contender(name, move |bytes| kernel.count(bytes)))
        .chain([contender("plain", |bytes| bytes.iter().filter(|&&byte| byte < 0x80).count())])
        .collect()
}

fn skip() -> Vec<Contender<u8>> {
    kernels()
        .map(|(name, kernel)| {
            contender(name, move |bytes| kernel.skip_values(bytes, black_box(LONG)).expect(VALID))
        })
        .chain([
            contender("plain", |bytes| {
                let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte < 0x80);
                ends.map(|(at, _)| at + 1).nth(black_box(LONG) - 1).expect(VALID)
            }),
            #[cfg(target_arch = "x86_64")]
            contender("varint-simd", |bytes| {
                use varint_simd::decode_len;
                (0..black_box(LONG)).fold(0, |at, _| at + decode_len::<u64>(&bytes[at..]).expect(VALID))
            }),
        ])
        .collect()
}
