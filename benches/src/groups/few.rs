//! `few`: calls for 1 to 8 values, which append to a vector: values alone, and packed fields of Protocol
//! Buffers. prost and `plain` loop over the values.

use std::cell::LazyCell;
use std::hint::black_box;

use criterion::Criterion;
use prost::encoding::{decode_varint, encode_varint};
use zigzag_varint::{decode_append, encode_append};
use zigzag_varint_results::measurement;

use crate::contender::VALID;
use crate::corpus::{Int, LONG, Set, Stream};
use crate::libraries::{BUFFA, OURS, PROST, PROTOBUF};
use crate::measure::Group;
use crate::peers::decode_one;

/// The numbers of values of a call.
const COUNTS: [usize; 4] = [1, 2, 4, 8];

pub(crate) fn run(criterion: &mut Criterion) {
    let encoders: [Contender<u64, u8>; 3] = [
        (measurement::OURS, each(|values, dst| _ = encode_append(values, dst))),
        ("prost", each(|values: &[u64], dst| values.iter().for_each(|&value| encode_varint(value, dst)))),
        ("plain", each(encode_plain)),
    ];
    let decoders: [Contender<u8, u64>; 3] = [
        (measurement::OURS, each(|bytes, dst| _ = decode_append(bytes, dst).expect(VALID))),
        (
            "prost",
            each(|mut bytes, dst| {
                while !bytes.is_empty() {
                    dst.push(decode_varint(&mut bytes).expect(VALID));
                }
            }),
        ),
        ("plain", each(decode_plain)),
    ];
    compare(criterion, "append", false, &encoders, &decoders);
    // A closure for each function, because a call of a pointer takes longer.
    macro_rules! fields {
        ($($field:ident)*) => {$({
            let encoders = [
                (measurement::OURS, each(|values, field| (OURS.$field.encode)(values, field))),
                ("prost", each(|values, field| (PROST.$field.encode)(values, field))),
                ("protobuf", each(|values, field| (PROTOBUF.$field.encode)(values, field))),
                ("buffa", each(|values, field| (BUFFA.$field.encode)(values, field))),
                ("plain", each(encode_plain_field)),
            ];
            let decoders = [
                (measurement::OURS, each(|field, values| (OURS.$field.decode)(field, values))),
                ("prost", each(|field, values| (PROST.$field.decode)(field, values))),
                ("protobuf", each(|field, values| (PROTOBUF.$field.decode)(field, values))),
                ("buffa", each(|field, values| (BUFFA.$field.decode)(field, values))),
                ("plain", each(decode_plain_field)),
            ];
            compare(criterion, stringify!($field), true, &encoders, &decoders);
        })*};
    }
    fields! { uint64 sint64 }
}

/// What is encoded or decoded by one call after another.
#[derive(Default)]
struct Calls<I> {
    input: Vec<I>,
    /// The end of each call's part of the input.
    ends: Vec<usize>,
}

/// Appends the results of all calls.
type Operation<I, O> = Box<dyn Fn(&Calls<I>, &mut Vec<O>)>;
type Contender<I, O> = (&'static str, Operation<I, O>);

fn each<I: 'static, O: 'static>(call: impl Fn(&[I], &mut Vec<O>) + 'static) -> Operation<I, O> {
    Box::new(move |calls, dst| {
        let mut start = 0;
        for &end in &calls.ends {
            call(&calls.input[start..end], dst);
            start = end;
        }
    })
}

/// Calls and their results.
struct Case<T> {
    encode: Calls<T>,
    encoded: Vec<u8>,
    decode: Calls<u8>,
}

impl<T: Int> Case<T> {
    /// Divides a stream into calls for `count` values. Encoded fields begin with a tag, and decoded ones with
    /// the length, because programs have read the tag before.
    fn new(Stream { values, .. }: Stream<T>, count: usize, are_fields: bool) -> Self {
        let mut case = Self { encode: Calls::default(), encoded: Vec::new(), decode: Calls::default() };
        for part in values.chunks(count) {
            let mut bytes = Vec::new();
            if are_fields {
                encode_plain_field(part, &mut bytes)
            } else {
                encode_plain(part, &mut bytes)
            };
            case.encoded.extend_from_slice(&bytes);
            case.decode.input.extend_from_slice(&bytes[usize::from(are_fields)..]);
            case.decode.ends.push(case.decode.input.len());
            case.encode.input.extend_from_slice(part);
            case.encode.ends.push(case.encode.input.len());
        }
        case
    }
}

/// Compares contenders on all counts and sets.
fn compare<T: Int>(
    criterion: &mut Criterion,
    name: &str,
    are_fields: bool,
    encoders: &[Contender<T, u8>],
    decoders: &[Contender<u8, T>],
) {
    for set in [Set::Bytes(1), Set::Mix] {
        for count in COUNTS {
            let cases: LazyCell<Vec<Case<T>>, _> = LazyCell::new(|| {
                let streams = Stream::several(set, LONG).into_iter();
                streams.map(|stream| Case::new(stream, count, are_fields)).collect()
            });
            let set = format!("{}-{count}", set.name());
            let encode = || cases.iter().map(|case| (&case.encode, &case.encoded[..])).collect();
            measure(criterion, &format!("few/encode-{name}/{set}"), encode, encoders);
            let decode = || cases.iter().map(|case| (&case.decode, &case.encode.input[..])).collect();
            measure(criterion, &format!("few/decode-{name}/{set}"), decode, decoders);
        }
    }
}

/// Measures contenders on calls, which take turns, with their right results.
fn measure<'a, I: Copy + Default + 'a, O: PartialEq + 'a>(
    criterion: &mut Criterion,
    name: &str,
    work: impl FnOnce() -> Vec<(&'a Calls<I>, &'a [O])>,
    contenders: &[Contender<I, O>],
) {
    let mut group = Group::new(criterion, name, LONG);
    let work = LazyCell::new(work);
    // The inputs are copied to the same place in turn, where they are cached.
    let take = |(index, src, _): &mut (usize, Calls<I>, Vec<O>)| {
        let Calls { input, ends } = work[*index].0;
        src.input.clone_from(input);
        src.ends.clone_from(ends);
    };
    let mut memory = (0, Calls::default(), Vec::new());
    for (name, operation) in contenders {
        group.bench(
            name,
            &mut memory,
            |memory| {
                memory.0 = 0;
                take(memory);
                memory.2.clear();
                memory.2.reserve(LONG * 20); // of the longest tags, lengths and values
            },
            |memory| {
                memory.0 = (memory.0 + 1) % work.len();
                take(memory);
                work.len() > 1
            },
            |(_, src, dst)| {
                dst.clear();
                operation(black_box(src), black_box(dst));
            },
            |(_, _, dst), ()| dst == work[0].1,
        );
    }
}

fn encode_plain<T: Int>(values: &[T], dst: &mut Vec<u8>) {
    for &value in values {
        put_plain(value.to_wire(), dst);
    }
}

fn put_plain(mut rest: u64, dst: &mut Vec<u8>) {
    while rest >= 0x80 {
        dst.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    dst.push(rest as u8);
}

fn decode_plain<T: Int>(bytes: &[u8], dst: &mut Vec<T>) {
    let mut at = 0;
    while at < bytes.len() {
        dst.push(T::from_wire(decode_one::<T>(bytes, &mut at).expect(VALID)));
    }
}

fn encode_plain_field<T: Int>(values: &[T], field: &mut Vec<u8>) {
    field.push(1 << 3 | 2); // field 1, with a length
    let len: u32 = values.iter().map(|value| 1 + (value.to_wire() | 1).ilog2() / 7).sum();
    put_plain(len.into(), field);
    encode_plain(values, field);
}

fn decode_plain_field<T: Int>(field: &[u8], values: &mut Vec<T>) {
    let mut at = 0;
    let len = decode_one::<u64>(field, &mut at).expect(VALID) as usize;
    decode_plain(&field[at..at + len], values);
}
