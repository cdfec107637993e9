//! Length-prefixed frames over a pair of sockets: a thread writes 10,000 frames of 1 to 400 bytes, and
//! this one reads them. Both use buffers.

use std::io::{BufReader, BufWriter, Read, Write};
use std::os::unix::net::UnixStream;
use std::thread;

use criterion::Criterion;
use integer_encoding::{VarIntReader, VarIntWriter};
use zigzag_varint::{LengthPrefix, ReadVarint, WriteVarint};

use super::task::{bench, ours};
use crate::contender::VALID;
use crate::corpus::{Set, Stream};

const FRAMES: usize = 10_000;
const PREFIX: LengthPrefix = LengthPrefix::new(1 << 20);

pub(super) fn run(criterion: &mut Criterion) {
    let lengths = Stream::<u64>::new(Set::Rand, FRAMES).values.into_iter().map(|value| 1 + value % 400);
    let frames: Vec<Vec<u8>> = lengths.map(|len| vec![len as u8; len as usize]).collect();
    let bytes = frames.iter().map(Vec::len).sum();
    bench(
        criterion,
        "apps/decode/frames".into(),
        (FRAMES, bytes),
        &frames,
        &[
            (&ours(), &|received| {
                let write = |output: &mut Output, frame: &[u8]| {
                    output.write_length_prefixed(PREFIX, frame).expect(VALID);
                };
                *received =
                    over_sockets(&frames, write, |input| input.read_length_prefixed(PREFIX).expect(VALID));
            }),
            ("integer-encoding", &|received| {
                let write = |output: &mut Output, frame: &[u8]| {
                    VarIntWriter::write_varint(output, frame.len()).expect(VALID);
                    output.write_all(frame).expect(VALID);
                };
                *received = over_sockets(&frames, write, |input| {
                    let mut frame = vec![0; VarIntReader::read_varint(input).expect(VALID)];
                    input.read_exact(&mut frame).expect(VALID);
                    frame
                });
            }),
        ],
    );
}

type Output = BufWriter<UnixStream>;

/// Writes the frames on another thread, and returns what is read.
fn over_sockets(
    frames: &[Vec<u8>],
    write: impl Fn(&mut Output, &[u8]) + Send,
    read: impl Fn(&mut BufReader<UnixStream>) -> Vec<u8>,
) -> Vec<Vec<u8>> {
    let (output, input) = UnixStream::pair().expect("a pair of sockets");
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut output = BufWriter::new(output);
            frames.iter().for_each(|frame| write(&mut output, frame));
            output.flush().expect(VALID);
        });
        let mut input = BufReader::new(input);
        frames.iter().map(|_| read(&mut input)).collect()
    })
}
