//! `article`: the round trip of an article of 2015, step by step. docs/article.md has the results.
//!
//! Each step encodes a value, decodes it again, and goes on to the next one. The first three do what
//! the Go programs of the article do, written anew. They have one difference: they also decode varints
//! of ten bytes, at which the article's faster decoder panics.

use std::any::Any;
use std::cell::LazyCell;
use std::hint::black_box;
use std::io::{self, ErrorKind, Read, Write};
use std::slice;

use criterion::Criterion;
use zigzag_varint::{Varint, decode_slice, encode_slice, zigzag};

use crate::compare::{Work, compare};
use crate::contender::VALID;
use crate::corpus::{LONG, SHORT, Set, Stream};
use crate::peers::{decode_plain, encode_plain};

/// Encodes and decodes all of a slice into another one. Returns the number of bytes of all varints.
type RoundTrip = fn(&[i64], &mut [i64]) -> usize;

/// Reads a varint. Returns its number and its length.
type ReadVarint = fn(&mut dyn Read) -> io::Result<(u64, usize)>;

pub(crate) fn run(criterion: &mut Criterion) {
    let steps: [(&str, RoundTrip); 6] = [
        ("1-first", |src, dst| with_one_buffer(src, dst, by_conversion)),
        ("2-arrays", |src, dst| with_one_buffer(src, dst, by_array)),
        ("3-new-buffer", |src, dst| each(src, dst, |value| by_streams(value, &mut Vec::new(), by_array))),
        ("4-plain", |src, dst| {
            let mut buffer = [0; 10];
            each(src, dst, |value| {
                let len = encode_plain(&[value], &mut buffer);
                let mut decoded = 0;
                let len = decode_plain(black_box(&buffer[..len]), slice::from_mut(&mut decoded));
                (decoded, len)
            })
        }),
        ("ours-single", |src, dst| {
            let mut buffer = [0; 10];
            each(src, dst, |value| {
                let len = i64::encode_to_slice(value, &mut buffer).expect(VALID);
                i64::decode(black_box(&buffer[..len])).expect(VALID)
            })
        }),
        ("ours-slices", |src, dst| {
            let mut buffer = [0; 10 * SHORT];
            let blocks = src.chunks(SHORT).zip(dst.chunks_mut(SHORT));
            let lengths = blocks.map(|(src, dst)| {
                let len = encode_slice(src, &mut buffer).expect(VALID);
                decode_slice(black_box(&buffer[..len]), dst).expect(VALID).bytes
            });
            lengths.sum()
        }),
    ];
    for set in [Set::From1e8, Set::Mix, Set::Log] {
        let streams = LazyCell::new(|| Stream::several(set, LONG));
        let work = || Work {
            inputs: streams.iter().map(|stream| &stream.values[..]).collect(),
            returned: streams[0].bytes.len(),
            output: &streams[0].values,
            capacity: LONG,
        };
        compare(criterion, &format!("article/round-trip/{}", set.name()), LONG, work, steps);
    }
}

/// Applies a round trip, which returns the value and its encoded length, to one value after another.
fn each(src: &[i64], dst: &mut [i64], mut round_trip: impl FnMut(i64) -> (i64, usize)) -> usize {
    let mut bytes = 0;
    for (&value, slot) in src.iter().zip(dst) {
        let (decoded, len) = round_trip(value);
        *slot = decoded;
        bytes += len;
    }
    bytes
}

/// Clears one buffer for each value.
fn with_one_buffer(src: &[i64], dst: &mut [i64], read_varint: ReadVarint) -> usize {
    let mut buffer = Vec::new();
    each(src, dst, |value| {
        buffer.clear();
        by_streams(value, &mut buffer, read_varint)
    })
}

/// Encodes into a buffer through a writer, and decodes from it through a reader. `black_box` hides their
/// types, so that the calls go through the vtable.
fn by_streams(value: i64, buffer: &mut Vec<u8>, read_varint: ReadVarint) -> (i64, usize) {
    write_varint(black_box(buffer as &mut dyn Write), zigzag::i64_to_u64(value)).expect(VALID);
    let mut input = &buffer[..];
    let (number, len) = read_varint(black_box(&mut input as &mut dyn Read)).expect(VALID);
    (zigzag::u64_to_i64(number), len)
}

/// Writes a varint, a byte at a time.
#[inline(never)]
fn write_varint(writer: &mut dyn Write, mut value: u64) -> io::Result<()> {
    while value >= 0x80 {
        writer.write_all(&[value as u8 | 0x80])?;
        value >>= 7;
    }
    writer.write_all(&[value as u8])
}

/// Reads the groups of a varint, a byte at a time. Returns how many there are.
#[inline(never)]
fn read_groups(reader: &mut dyn Read, groups: &mut [u8; 11]) -> io::Result<usize> {
    for len in 1..groups.len() {
        let mut byte = [0];
        reader.read_exact(&mut byte)?;
        groups[len - 1] = byte[0];
        if byte[0] < 0x80 {
            return Ok(len);
        }
    }
    Err(ErrorKind::InvalidData.into())
}

/// Returns the bytes of the number in `len` groups of seven bits, after which there is a zero. Each byte
/// has bits of two groups, and byte 6 all bits of group 7.
fn packed(groups: &[u8; 11], len: usize) -> impl Iterator<Item = u8> {
    let pairs = groups[..=len].windows(2).enumerate().filter(|(index, _)| *index != 7);
    pairs.map(|(index, pair)| (pair[0] & 0x7f) >> (index % 8) | pair[1] << (7 - index % 8))
}

/// The first version: a second buffer, and a conversion of its content that finds out the type.
#[inline(never)]
fn by_conversion(reader: &mut dyn Read) -> io::Result<(u64, usize)> {
    let mut groups = [0; 11];
    let len = read_groups(reader, &mut groups)?;
    let mut buffer = Vec::new();
    for byte in packed(&groups, len) {
        buffer.push(byte);
    }
    while buffer.len() < 8 {
        buffer.push(0);
    }
    let mut value = 0u64;
    convert(black_box(&mut &buffer[..] as &mut dyn Read), black_box(&mut value as &mut dyn Any))?;
    Ok((value, len))
}

/// Reads a number of any type, as `binary.Read` of Go does.
#[inline(never)]
fn convert(reader: &mut dyn Read, number: &mut dyn Any) -> io::Result<()> {
    macro_rules! types {
        ($($int:ident)*) => {$(
            if let Some(number) = number.downcast_mut::<$int>() {
                let mut bytes = vec![0; size_of::<$int>()];
                reader.read_exact(&mut bytes)?;
                *number = $int::from_le_bytes(*bytes.first_chunk().ok_or(ErrorKind::InvalidData)?);
                return Ok(());
            }
        )*};
    }
    types! { u8 u16 u32 u64 }
    Err(ErrorKind::Unsupported.into())
}

/// The first change: an array, whose eight bytes are the number.
#[inline(never)]
fn by_array(reader: &mut dyn Read) -> io::Result<(u64, usize)> {
    let mut groups = [0; 11];
    let len = read_groups(reader, &mut groups)?;
    let mut bytes = [0; 8];
    for (slot, byte) in bytes.iter_mut().zip(packed(&groups, len)) {
        *slot = byte;
    }
    Ok((u64::from_le_bytes(bytes), len))
}
