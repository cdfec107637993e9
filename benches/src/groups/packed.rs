//! `packed-decode` and `packed-encode`: packed fields of 16, 100 and a million values, with their
//! lengths.
//!
//! With `-L1` the same few fields are repeated, and the CPU learns their branches. With `-new` the
//! result of each field is a new vector. Otherwise it replaces the contents of a vector.

use std::cell::LazyCell;
use std::hint::black_box;

use criterion::Criterion;

use crate::corpus::{SHORT, Set, Stream};
use crate::libraries::{BUFFA, Field, Library, OURS, PROST, PROTOBUF};
use crate::measure::Group;

/// The number of values of a short field.
const SHORT_FIELDS: [usize; 2] = [16, 100];
/// The number of values of the short fields together, whose branches a CPU cannot learn.
const MANY: usize = 1 << 20;
/// The number of values of the long field.
const LONG_FIELD: usize = 1_000_000;

const LIBRARIES: [(&str, Library); 4] =
    [("ours-packed", OURS), ("prost", PROST), ("protobuf", PROTOBUF), ("buffa", BUFFA)];

pub(crate) fn run(criterion: &mut Criterion) {
    run_type(criterion, "uint64", uint64, |library| library.uint64);
    run_type(criterion, "sint64", sint64, |library| library.sint64);
    run_type(criterion, "int32", int32, |library| library.int32);
    run_type(criterion, "bool", bool, |library| library.bool);
}

/// Returns `count` values of `uint64` as in messages.
pub(super) fn uint64(count: usize) -> Vec<u64> {
    Stream::new(Set::Mix, count).values
}

pub(super) fn sint64(count: usize) -> Vec<i64> {
    Stream::new(Set::Mix, count).values
}

/// `int32` takes ten bytes for a negative value, so that messages have `sint32` for those.
pub(super) fn int32(count: usize) -> Vec<i32> {
    Stream::<u32>::new(Set::Mix, count).values.iter().map(|value| (value & 0x7fff_ffff) as i32).collect()
}

pub(super) fn bool(count: usize) -> Vec<bool> {
    Stream::<u64>::new(Set::Mix, count).values.iter().map(|value| value % 2 == 1).collect()
}

fn run_type<V: Copy + PartialEq>(
    criterion: &mut Criterion,
    kind: &str,
    values: fn(usize) -> Vec<V>,
    field: fn(Library) -> Field<V>,
) {
    let decoders = LIBRARIES.map(|(name, library)| (name, field(library).decode));
    let encoders = LIBRARIES.map(|(name, library)| (name, field(library).encode));
    let short = SHORT_FIELDS.map(|len| [("", len, MANY / len), ("-L1", len, SHORT / len)]);
    for (suffix, len, count) in short.into_iter().flatten().chain([("", LONG_FIELD, 1)]) {
        // The values of each field, and its bytes.
        let fields = LazyCell::new(|| {
            let encode = |values: &[V]| {
                let mut bytes = Vec::new();
                (field(PROST).encode)(values, &mut bytes);
                (values.to_vec(), bytes)
            };
            values(count * len).chunks(len).map(encode).collect::<Vec<_>>()
        });
        let to_encode = || fields.iter().map(|(values, bytes)| (&values[..], bytes)).collect();
        let to_decode = || fields.iter().map(|(values, bytes)| (&bytes[1..], values)).collect(); // without the tag
        let name = |operation: &str, suffix: &str| format!("packed-{operation}/{kind}{suffix}/{len}");
        let values = len * count;
        compare(criterion, &name("decode", suffix), values, false, to_decode, decoders);
        if suffix.is_empty() {
            compare(criterion, &name("decode", "-new"), values, true, to_decode, decoders);
        }
        compare(criterion, &name("encode", suffix), values, false, to_encode, encoders);
    }
}

/// An operation on a field, which appends the result.
type Operation<I, O> = fn(&[I], &mut Vec<O>);

/// Compares operations on all of the inputs. `work` returns them with their results, all of which
/// are checked. Each result is in a new vector, or in one that is cleared.
fn compare<'a, I: 'a, O: PartialEq + 'a>(
    criterion: &mut Criterion,
    name: &str,
    values: usize,
    in_new_vectors: bool,
    work: impl FnOnce() -> Vec<(&'a [I], &'a Vec<O>)>,
    contenders: [(&str, Operation<I, O>); 4],
) {
    let mut group = Group::new(criterion, name, values);
    if in_new_vectors {
        group = group.with_allocations();
    }
    let work = LazyCell::new(work);
    for (name, operation) in contenders {
        group.bench(
            name,
            &mut Vec::new(),
            |result| {
                for (input, expected) in &*work {
                    result.clear();
                    operation(input, result);
                    assert!(result == *expected, "{name}: wrong result");
                }
            },
            |_| false,
            |result| {
                for (input, _) in black_box(&*work) {
                    if in_new_vectors {
                        *result = Vec::new();
                    }
                    result.clear();
                    operation(input, result);
                }
            },
            |result, ()| work.last().is_some_and(|(_, expected)| result == *expected),
        );
    }
}
