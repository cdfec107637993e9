//! `stream-decode` and `stream-encode`: the streams of `decode` and `encode` through readers and
//! writers, in chunks. `ours-slice` is the limit: one call for the whole stream.

use std::io::{self, BufRead, Read};

use bytes::Buf;
use criterion::Criterion;
use integer_encoding::{VarIntReader, VarIntWriter};
use zigzag_varint::{BufVarint, Decoder, ReadVarint, WriteVarint, decode_slice, encode_slice};

use crate::compare::{Work, compare, streams, to_decode, to_encode};
use crate::contender::VALID;
use crate::corpus::{LONG, Set, Stream};

pub(crate) fn run(criterion: &mut Criterion) {
    for set in [Set::OneByte, Set::TwoBytes, Set::Mix, Set::Log, Set::Rand] {
        let streams = streams(move || Stream::<u64>::several(set, LONG));
        let set = set.name();
        for chunk_len in [1000, 4096, 65_536] {
            let name = format!("stream-decode/u64-{chunk_len}/{set}");
            let decoders = DECODERS.map(|(name, decode)| {
                (name, move |bytes: &[u8], dst: &mut [u64]| decode(Chunks::new(bytes, chunk_len), dst))
            });
            let work = || Work { returned: LONG, ..to_decode(&streams) };
            compare(criterion, &name, LONG, work, decoders);
        }
        let name = format!("stream-encode/u64/{set}");
        compare(criterion, &name, LONG, || to_encode(&streams), ENCODERS);
    }
}

/// Decodes from chunks until the slice is full, and returns the number of values.
type Decode = fn(Chunks, &mut [u64]) -> usize;

const DECODERS: [(&str, Decode); 7] = [
    ("ours-slice", |input, dst| decode_slice(input.rest, dst).expect(VALID).values),
    ("ours-chunks", |input, dst| {
        let (mut decoder, mut values) = (Decoder::<u64>::new(), 0);
        for chunk in input.rest.chunks(input.chunk_len) {
            values += decoder.decode_slice(chunk, &mut dst[values..]).expect(VALID).values;
        }
        values
    }),
    ("ours-read-bulk", |mut input, dst| input.read_varints::<u64>(dst).expect(VALID)),
    ("ours-buf", |mut input, dst| input.try_get_varints::<u64>(dst).expect(VALID)),
    ("ours-read", |mut input, dst| fill(dst, || ReadVarint::read_varint::<u64>(&mut input).expect(VALID))),
    ("integer-encoding", |mut input, dst| fill(dst, || VarIntReader::read_varint(&mut input).expect(VALID))),
    ("leb128", |mut input, dst| fill(dst, || leb128::read::unsigned(&mut input).expect(VALID))),
];

/// Writes the values to the slice, and returns the number of bytes.
type Encode = fn(&[u64], &mut [u8]) -> usize;

const ENCODERS: [(&str, Encode); 5] = [
    ("ours-slice", |values, dst| encode_slice(values, dst).expect(VALID)),
    ("ours-write-bulk", |values, mut dst| dst.write_varints::<u64>(values).expect(VALID)),
    ("ours-write", |values, dst| write_all(values, dst, |dst, value| WriteVarint::write_varint(dst, value))),
    ("integer-encoding", |values, dst| {
        write_all(values, dst, |dst, value| VarIntWriter::write_varint(dst, value))
    }),
    ("leb128", |values, dst| write_all(values, dst, |dst, value| leb128::write::unsigned(dst, value))),
];

fn fill(dst: &mut [u64], mut next: impl FnMut() -> u64) -> usize {
    for slot in &mut *dst {
        *slot = next();
    }
    dst.len()
}

fn write_all(
    values: &[u64],
    mut dst: &mut [u8],
    write: impl Fn(&mut &mut [u8], u64) -> io::Result<usize>,
) -> usize {
    let mut len = 0;
    for &value in values {
        len += write(&mut dst, value).expect(VALID);
    }
    len
}

/// A reader whose buffer holds a chunk at a time, without copying it.
struct Chunks<'a> {
    rest: &'a [u8],
    chunk_len: usize,
    /// The number of bytes that are left of the chunk.
    left: usize,
}

impl<'a> Chunks<'a> {
    fn new(rest: &'a [u8], chunk_len: usize) -> Self {
        Self { rest, chunk_len, left: chunk_len.min(rest.len()) }
    }

    fn remove(&mut self, n: usize) {
        self.rest = &self.rest[n..];
        self.left -= n;
        if self.left == 0 {
            self.left = self.chunk_len.min(self.rest.len());
        }
    }
}

impl BufRead for Chunks<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(&self.rest[..self.left])
    }

    fn consume(&mut self, n: usize) {
        self.remove(n);
    }
}

impl Read for Chunks<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let n = self.left.min(dst.len());
        dst[..n].copy_from_slice(&self.rest[..n]);
        self.remove(n);
        Ok(n)
    }
}

impl Buf for Chunks<'_> {
    fn remaining(&self) -> usize {
        self.rest.len()
    }

    fn chunk(&self) -> &[u8] {
        &self.rest[..self.left]
    }

    fn advance(&mut self, n: usize) {
        self.remove(n);
    }
}
