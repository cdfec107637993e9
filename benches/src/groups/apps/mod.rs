//! `apps`: whole tasks of programs, from the bytes of a message, file or socket
//! to vectors and back, by the public functions of each crate. New vectors are part of the task.

#[cfg(unix)]
mod frames;
mod message;
mod postings;
mod series;
mod tile;

use criterion::Criterion;
use integer_encoding::VarInt;
use prost::encoding::{decode_varint, encode_varint};
use zigzag_varint::{Kernel, zigzag};

use crate::contender::VALID;
use crate::measure::Group;

pub(crate) fn run(criterion: &mut Criterion) {
    message::run(criterion);
    postings::run(criterion);
    series::run(criterion);
    tile::run(criterion);
    #[cfg(unix)]
    frames::run(criterion);
}

/// A name and the task, which replaces the result.
type Contender<'a, R> = (&'a str, &'a dyn Fn(&mut R));

/// Measures a task on `values` values of `bytes` bytes. Each contender must have the expected result.
fn bench<R: Default + PartialEq>(
    criterion: &mut Criterion,
    name: String,
    (values, bytes): (usize, usize),
    expected: &R,
    contenders: &[Contender<'_, R>],
) {
    let mut group = Group::new(criterion, name, values).with_bytes(values, bytes).with_allocations();
    for (name, task) in contenders {
        group.bench(name, &mut R::default(), |_| (), |result| task(result), |result, ()| result == expected);
    }
    group.finish();
}

/// Returns the name of this crate's contender: the kernel that its free functions use.
fn ours() -> String {
    format!("ours-{}", Kernel::detect())
}

/// A crate with functions for single zigzag varints.
trait OneByOne {
    /// Returns the value at the start of `src`, and its length.
    fn decode(src: &[u8]) -> (i64, usize);
    fn encode(value: i64, dst: &mut Vec<u8>);
}

struct IntegerEncoding;

impl OneByOne for IntegerEncoding {
    fn decode(src: &[u8]) -> (i64, usize) {
        i64::decode_var(src).expect(VALID)
    }

    fn encode(value: i64, dst: &mut Vec<u8>) {
        let mut bytes = [0; 10];
        let len = value.encode_var(&mut bytes);
        dst.extend_from_slice(&bytes[..len]);
    }
}

struct Prost;

impl OneByOne for Prost {
    fn decode(src: &[u8]) -> (i64, usize) {
        let mut rest = src;
        let number = decode_varint(&mut rest).expect(VALID);
        (zigzag::u64_to_i64(number), src.len() - rest.len())
    }

    fn encode(value: i64, dst: &mut Vec<u8>) {
        encode_varint(zigzag::i64_to_u64(value), dst);
    }
}
