//! Varints over `std::io`: awkward readers and writers change nothing, and not a byte too many is
//! read.

use std::io::{self, Read, Write};

use crate::support::oracle::{self, Fault, Int};
use crate::support::reported_errors::decode_error_in;
use crate::support::strategies::{Sample, check_random, samples, values};
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{DecodeError, ReadVarint, Varint, WriteVarint};

/// A pipe that gives and takes one byte at a time, is interrupted before most of them, and breaks
/// after `life` bytes.
struct Awkward {
    bytes: Vec<u8>,
    done: usize,
    life: usize,
    interrupted: usize,
}

impl Awkward {
    fn new(bytes: Vec<u8>, life: usize) -> Self {
        Self { bytes, done: 0, life, interrupted: 0 }
    }

    /// Ready for one more byte, or not.
    fn turn(&mut self) -> io::Result<()> {
        self.interrupted += 1;
        if !self.interrupted.is_multiple_of(3) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.done == self.life {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        self.done += 1;
        Ok(())
    }
}

impl Read for Awkward {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (Some(slot), Some(&byte)) = (buffer.first_mut(), self.bytes.get(self.done)) else { return Ok(0) };
        self.turn()?;
        *slot = byte;
        Ok(1)
    }
}

impl Write for Awkward {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(&byte) = bytes.first() else { return Ok(0) };
        self.turn()?;
        self.bytes.push(byte);
        Ok(1)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn next<T: Varint>(input: &mut impl Read, canonical: bool) -> io::Result<Option<T>> {
    if canonical { input.next_varint_canonical() } else { input.next_varint() }
}

fn awkward_readers<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, canonical, .. }| {
        let mut input = Awkward::new(bytes.clone(), usize::MAX);
        let mut at = 0;
        loop {
            match (next::<T>(&mut input, canonical), oracle::decode::<T>(&bytes[at..], canonical)) {
                (Ok(None), _) => break assert_eq!(at, bytes.len(), "the clean end"),
                (Ok(Some(value)), expected) => {
                    assert_eq!(expected, Ok((value, input.done - at)), "nothing is read past the value");
                    at = input.done;
                }
                (Err(error), expected) => {
                    let fault = decode_error_in(error);
                    assert_eq!(expected, Err(fault));
                    let read = fault.offset + usize::from(fault.kind != Truncated);
                    break assert_eq!(input.done - at, read, "nothing is read past the fault");
                }
            }
        }
    });
}
for_types!(a_reader_with_short_and_interrupted_reads_gives_what_a_slice_gives, awkward_readers);

fn broken_readers<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, n, canonical, .. }| {
        let life = n.min(bytes.len());
        let mut input = Awkward::new(bytes.clone(), life);
        let whole = oracle::decode_all::<T>(&bytes[..life], usize::MAX, canonical);
        for expected in whole.values {
            assert_eq!(next(&mut input, canonical).unwrap(), Some(expected));
        }
        let ended = next::<T>(&mut input, canonical);
        match whole.fault {
            Some(fault) if fault.kind != Truncated => {
                assert_eq!(
                    decode_error_in(ended.unwrap_err()),
                    Fault { offset: fault.offset - whole.bytes, ..fault }
                );
            }
            _ if life == bytes.len() => assert_eq!(ended.is_ok(), whole.fault.is_none()),
            _ => assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::ConnectionReset),
        }
    });
}
for_types!(an_error_of_the_reader_is_returned_after_the_values_before_it, broken_readers, u8 i32 u64 i128);

fn awkward_writers<T: Int>() {
    check_random(values::<T>(), &|values| {
        let expected = oracle::encode_all(&values);
        let mut output = Awkward::new(Vec::new(), usize::MAX);
        for &value in &values {
            assert_eq!(output.write_varint(value).unwrap(), value.encoded_len());
        }
        assert_eq!(output.bytes, expected);
    });
}
for_types!(a_writer_with_short_and_interrupted_writes_is_given_every_byte, awkward_writers, u8 i32 u64 i128);

#[test]
fn an_error_of_the_writer_is_returned() {
    let mut output = Awkward::new(Vec::new(), 2);
    assert_eq!(output.write_varint(300u32).unwrap(), 2);
    assert_eq!(output.write_varint(300u32).unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    let mut full = &mut [0; 2][..];
    assert_eq!(full.write_varint(u32::MAX).unwrap_err().kind(), io::ErrorKind::WriteZero);
}

#[test]
fn a_clean_end_differs_from_a_truncated_value() {
    let mut end: &[u8] = &[];
    assert_eq!(end.next_varint::<u64>().unwrap(), None);
    assert_eq!(end.next_varint_canonical::<u64>().unwrap(), None);
    for missing in [end.read_varint::<u64>(), end.read_varint_canonical()] {
        assert_eq!(decode_error_in(missing.unwrap_err()), Fault { kind: Truncated, offset: 0 });
    }
    let mut cut: &[u8] = &[0x80];
    assert_eq!(decode_error_in(cut.next_varint::<u64>().unwrap_err()), Fault { kind: Truncated, offset: 1 });
}

#[test]
fn trait_objects_read_and_write() {
    let mut bytes = Vec::new();
    let output: &mut dyn Write = &mut bytes;
    output.write_varint(-1i8).unwrap();
    output.write_varint(300usize).unwrap();
    let mut slice = &bytes[..];
    let input: &mut dyn Read = &mut slice;
    assert_eq!(input.read_varint::<i8>().unwrap(), -1);
    assert_eq!(input.read_varint_canonical::<usize>().unwrap(), 300);
    assert!(slice.is_empty());
}

#[test]
fn the_decode_error_can_be_taken_out_of_the_io_error() {
    let mut input: &[u8] = &[0xff, 0x7f];
    let error = input.read_varint::<u8>().unwrap_err();
    let inside: &DecodeError = error.get_ref().and_then(|inside| inside.downcast_ref()).expect("inside");
    assert_eq!(*inside, u8::decode(&[0xff, 0x7f]).unwrap_err());
    assert_eq!(error.to_string(), inside.to_string());
}
