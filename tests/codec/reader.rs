//! The `Reader`: bulk reads, iterators that own it, and signed LEB128 between varints.

use crate::support::oracle::{self, ErrorAt, Int};
use crate::support::sleb128_grammar;
use crate::support::strategies::{Run, Sample, check_random, runs, samples};
use zigzag_varint::{BulkError, Canonical, Progress, Reader, S33, Signed, Varint};

fn check_into_values<T: Int>() {
    check_into_values_of::<T>();
    check_into_values_of::<Canonical<T>>();
}

fn check_into_values_of<W: Varint>()
where
    W::Value: Int,
{
    check_random(samples::<W::Value>(), &|Sample { bytes, more, n, .. }| {
        // From any position, with any look-ahead.
        let src = [&[0x07; 3], &bytes[..], &more].concat();
        let mut reader = Reader::new(&src);
        for _ in 0..n % 4 {
            assert_eq!(reader.read::<u8>(), Ok(7));
        }
        let mut owned = reader.clone().into_values::<W>();
        let mut borrowed = reader.values::<W>();
        let mut copy = owned.clone();
        loop {
            let item = borrowed.next();
            assert_eq!(owned.next(), item);
            assert_eq!(copy.next(), item, "a clone continues from the same position");
            copy = owned.clone();
            if item.is_none() {
                break;
            }
        }
        assert!((0..3).all(|_| owned.next().is_none()), "the iterator is fused");
    });
}
for_types!(an_owning_iterator_returns_the_same_items_as_a_borrowing_one, check_into_values);

/// Reads up to `dst.len()` values one by one.
fn read_one_by_one<T: Int>(reader: &mut Reader, dst: &mut [T], canonical: bool) -> Result<usize, BulkError> {
    let begin = reader.position();
    for (values, slot) in dst.iter_mut().enumerate() {
        if reader.is_empty() {
            return Ok(values);
        }
        let progress = Progress { values, bytes: reader.position() - begin };
        let read = if canonical { reader.read::<Canonical<T>>() } else { reader.read::<T>() };
        *slot = read.map_err(|error| BulkError { progress, error })?;
    }
    Ok(dst.len())
}

/// Compares bulk reads of `lens` values with reads of single values: values, results and positions.
fn check_bulk_reads<T: Int>(src: &[u8], lens: impl Iterator<Item = usize>, canonical: bool) {
    let (mut bulk, mut single) = (Reader::new(src), Reader::new(src));
    for len in lens {
        let (mut values, mut expected) = (vec![T::default(); len], vec![T::default(); len]);
        let read = match canonical {
            false => bulk.read_slice::<T>(&mut values),
            true => bulk.read_slice::<Canonical<T>>(&mut values),
        };
        assert_eq!(read, read_one_by_one(&mut single, &mut expected, canonical), "{} {src:02x?}", T::NAME);
        let count = read.unwrap_or_else(|failed| failed.progress.values);
        assert_eq!(values[..count], expected[..count], "{} {src:02x?}", T::NAME);
        assert_eq!(bulk.position(), single.position(), "{} {src:02x?}", T::NAME);
        // A single read after the bulk read, with a look-ahead for the next one.
        assert_eq!(bulk.read::<T>(), single.read::<T>(), "{} {src:02x?}", T::NAME);
    }
}

fn check_read_slice<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, more, n, canonical }| {
        let lens = more.iter().map(|byte| usize::from(byte % 12)).chain([n, 0, 1]);
        check_bulk_reads::<T>(&bytes, lens, canonical);
    });
    check_random(runs::<T>(), &|(runs, n): (Vec<Run<T>>, usize)| {
        let bytes: Vec<u8> = runs.iter().flat_map(Run::bytes).collect();
        check_bulk_reads::<T>(&bytes, [n / 3, 1, n / 3, n].into_iter(), n % 2 == 0);
    });
}
for_types!(a_bulk_read_equals_reads_of_single_values, check_read_slice);

/// Mixes varints, signed LEB128, `s33` and bulk reads, so that each starts where another one ended.
fn check_mixed_formats<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, more, canonical, .. }| {
        let mut reader = Reader::new(&bytes);
        for byte in more.iter().chain([&0, &1, &2, &3, &0]) {
            let at = reader.position();
            let rest = &bytes[at..];
            let consumed = match byte % 4 {
                0 => {
                    let expected = oracle::decode::<T>(rest, canonical);
                    let read = if canonical { reader.read::<Canonical<T>>() } else { reader.read::<T>() };
                    check_read(read.map_err(ErrorAt::from), expected, at)
                }
                1 => {
                    let expected = sleb128_grammar::decode::<i32>(rest, canonical);
                    let read = match canonical {
                        true => reader.read::<Canonical<Signed<i32>>>(),
                        false => reader.read::<Signed<i32>>(),
                    };
                    check_read(read.map_err(ErrorAt::from), expected, at)
                }
                2 => {
                    let expected = sleb128_grammar::decode_s33(rest, canonical);
                    let read = if canonical { reader.read::<Canonical<S33>>() } else { reader.read::<S33>() };
                    check_read(read.map_err(ErrorAt::from), expected, at)
                }
                _ => {
                    let mut values = [T::default(); 3];
                    let expected = oracle::decode_all::<T>(rest, values.len(), false);
                    let read =
                        reader.read_slice::<T>(&mut values).unwrap_or_else(|failed| failed.progress.values);
                    assert_eq!(values[..read], expected.values);
                    expected.bytes
                }
            };
            assert_eq!(reader.position(), at + consumed);
        }
    });
}
for_types!(reads_of_several_formats_continue_from_the_current_position, check_mixed_formats, u8 i32 u64 i64);

/// Compares a read with the outcome for the rest of the input, and returns the expected number of
/// bytes consumed.
fn check_read<T: PartialEq + std::fmt::Debug>(
    read: Result<T, ErrorAt>,
    expected: Result<(T, usize), ErrorAt>,
    at: usize,
) -> usize {
    match expected {
        Ok((value, len)) => {
            assert_eq!(read, Ok(value));
            len
        }
        Err(error) => {
            assert_eq!(read, Err(error.shifted(at)), "offsets count from the start of the slice");
            0
        }
    }
}
