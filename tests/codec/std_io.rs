//! Varints over `std::io`: short and interrupted reads and writes do not change the results, and no
//! byte after the value is read.

use std::io::{self, BufRead, Read, Write};

use crate::support::oracle::{self, ErrorAt, Int, Outcome};
use crate::support::reported_errors::decode_error_in;
use crate::support::sleb128_grammar::{self, Sleb};
use crate::support::strategies::{Sample, check_random, samples, values};
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{Canonical, DecodeError, Integer, ReadVarint, Signed, Varint, WriteVarint};

/// A pipe that transfers one byte at a time. Most calls are interrupted, and the pipe fails after
/// `fails_after` bytes.
struct Pipe {
    bytes: Vec<u8>,
    done: usize,
    fails_after: usize,
    calls: usize,
}

impl Pipe {
    fn new(bytes: Vec<u8>, fails_after: usize) -> Self {
        Self { bytes, done: 0, fails_after, calls: 0 }
    }

    /// Returns an error if no byte can be transferred now.
    fn check_transfer(&mut self) -> io::Result<()> {
        self.calls += 1;
        if self.calls % 3 != 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.done == self.fails_after {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(buffer)?;
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Pipe {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.done < self.bytes.len() {
            self.check_transfer()?;
        }
        Ok(&self.bytes[self.done..self.bytes.len().min(self.done + 1)])
    }

    fn consume(&mut self, n: usize) {
        self.done += n;
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(&byte) = bytes.first() else { return Ok(0) };
        self.check_transfer()?;
        self.done += 1;
        self.bytes.push(byte);
        Ok(1)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn next<T: Integer>(input: &mut impl BufRead, canonical: bool) -> io::Result<Option<T>> {
    if canonical { input.next_varint::<Canonical<T>>() } else { input.next_varint::<T>() }
}

/// Reads all values through a pipe, and compares them with the expected outcomes for the slice.
fn check_pipe<T: Int>(
    bytes: &[u8],
    expected: impl Fn(&[u8]) -> Outcome<T>,
    next: impl Fn(&mut Pipe) -> io::Result<Option<T>>,
) {
    let mut input = Pipe::new(bytes.to_vec(), usize::MAX);
    let mut at = 0;
    loop {
        match (next(&mut input), expected(&bytes[at..])) {
            (Ok(None), _) => break assert_eq!(at, bytes.len(), "the clean end"),
            (Ok(Some(value)), expected) => {
                assert_eq!(expected, Ok((value, input.done - at)), "nothing is read past the value");
                at = input.done;
            }
            (Err(error), expected) => {
                let error = decode_error_in(error);
                assert_eq!(expected, Err(error));
                let read = error.offset + usize::from(error.kind != Truncated);
                break assert_eq!(input.done - at, read, "nothing is read past the error");
            }
        }
    }
}

fn check_short_reads<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, canonical, .. }| {
        check_pipe::<T>(&bytes, |src| oracle::decode(src, canonical), |input| next(input, canonical));
    });
}
for_types!(short_and_interrupted_reads_decode_like_a_slice, check_short_reads);

fn check_short_reads_of_sleb128<T: Sleb>() {
    check_random(samples::<T>(), &|Sample { bytes, canonical, .. }| {
        check_pipe::<T>(
            &bytes,
            |src| sleb128_grammar::decode(src, canonical),
            |input| {
                if canonical {
                    input.next_varint::<Canonical<Signed<T>>>()
                } else {
                    input.next_varint::<Signed<T>>()
                }
            },
        );
    });
}
for_types!(short_and_interrupted_reads_of_sleb128_match_the_grammar, check_short_reads_of_sleb128, i8 i64);

fn check_reader_errors<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, n, canonical, .. }| {
        let fails_after = n.min(bytes.len());
        let mut input = Pipe::new(bytes.clone(), fails_after);
        let whole = oracle::decode_all::<T>(&bytes[..fails_after], usize::MAX, canonical);
        for expected in whole.values {
            assert_eq!(next(&mut input, canonical).unwrap(), Some(expected));
        }
        let ended = next::<T>(&mut input, canonical);
        match whole.error {
            Some(error) if error.kind != Truncated => {
                assert_eq!(
                    decode_error_in(ended.unwrap_err()),
                    ErrorAt { offset: error.offset - whole.bytes, ..error }
                );
            }
            _ if fails_after == bytes.len() => assert_eq!(ended.is_ok(), whole.error.is_none()),
            _ => assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::ConnectionReset),
        }
    });
}
for_types!(values_before_a_reader_error_are_returned_first, check_reader_errors, u8 i32 u64 i128);

fn check_short_writes<T: Int>() {
    check_random(values::<T>(), &|values| {
        let expected = oracle::encode_all(&values);
        let mut output = Pipe::new(Vec::new(), usize::MAX);
        for &value in &values {
            assert_eq!(output.write_varint(value).unwrap(), value.encoded_len());
        }
        assert_eq!(output.bytes, expected);
    });
}
for_types!(short_and_interrupted_writes_lose_no_bytes, check_short_writes, u8 i32 u64 i128);

fn check_short_writes_of_sleb128<T: Sleb>() {
    check_random(values::<T>(), &|values| {
        let mut output = Pipe::new(Vec::new(), usize::MAX);
        for &value in &values {
            assert_eq!(output.write_varint(Signed(value)).unwrap(), Signed(value).encoded_len());
        }
        assert_eq!(
            output.bytes,
            values.into_iter().flat_map(|value| Signed(value).encode()).collect::<Vec<u8>>()
        );
    });
}
for_types!(short_and_interrupted_writes_of_sleb128_lose_no_bytes, check_short_writes_of_sleb128, i8 i64);

#[test]
fn writer_errors_are_returned() {
    let mut output = Pipe::new(Vec::new(), 2);
    assert_eq!(output.write_varint(300u32).unwrap(), 2);
    assert_eq!(output.write_varint(300u32).unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    let mut full = &mut [0; 2][..];
    assert_eq!(full.write_varint(u32::MAX).unwrap_err().kind(), io::ErrorKind::WriteZero);
}

#[test]
fn a_clean_end_differs_from_a_truncated_value() {
    let mut end: &[u8] = &[];
    assert_eq!(end.next_varint::<u64>().unwrap(), None);
    assert_eq!(end.next_varint::<Canonical<u64>>().unwrap(), None);
    for missing in [end.read_varint::<u64>(), end.read_varint::<Canonical<u64>>()] {
        assert_eq!(decode_error_in(missing.unwrap_err()), ErrorAt { kind: Truncated, offset: 0 });
    }
    let mut cut: &[u8] = &[0x80];
    assert_eq!(
        decode_error_in(cut.next_varint::<u64>().unwrap_err()),
        ErrorAt { kind: Truncated, offset: 1 }
    );
}

#[test]
fn trait_objects_read_and_write() {
    let mut bytes = Vec::new();
    let output: &mut dyn Write = &mut bytes;
    output.write_varint(-1i8).unwrap();
    output.write_varint(300usize).unwrap();
    output.write_varint(Signed(-129i32)).unwrap();
    let mut slice = &bytes[..];
    let input: &mut dyn BufRead = &mut slice;
    assert_eq!(input.read_varint::<i8>().unwrap(), -1);
    assert_eq!(input.read_varint::<Canonical<usize>>().unwrap(), 300);
    assert_eq!(input.read_varint::<Signed<i32>>().unwrap(), -129);
    assert!(slice.is_empty());
}

#[test]
fn an_io_error_contains_the_decode_error() {
    let mut input: &[u8] = &[0xff, 0x7f];
    let error = input.read_varint::<u8>().unwrap_err();
    let inside: &DecodeError = error.get_ref().and_then(|inside| inside.downcast_ref()).expect("inside");
    assert_eq!(*inside, u8::decode(&[0xff, 0x7f]).unwrap_err());
    assert_eq!(error.to_string(), inside.to_string());
}
