//! A posting list of a search engine: the sorted numbers of the documents that contain a word,
//! stored as differences. Prints its size, and how long it takes to build and to read.
//!
//! The list is sorted, so its differences are unsigned numbers. For sequences that are not sorted,
//! use `zigzag_varint::delta`.
//!
//! `cargo run --release --example posting_list`

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use zigzag_varint::{Kernel, Reader, Varint, decode_slice, encode_slice, encoded_len_slice};

/// The number of postings in the list.
const POSTINGS: usize = 1 << 20;

/// Returns sorted document numbers with dense and sparse sections.
fn postings() -> Vec<u32> {
    let mut random = 0x9e37_79b9u32;
    let mut document = 0;
    (0..POSTINGS)
        .map(|at| {
            random ^= random << 13; // xorshift
            random ^= random >> 17;
            random ^= random << 5;
            let max_gap = if at / 4096 % 2 == 0 { 40 } else { 4000 };
            document += 1 + random % max_gap;
            document
        })
        .collect()
}

/// Stores the difference of each number from the previous one in `gaps`.
fn differences(documents: &[u32], gaps: &mut [u32]) {
    let mut previous = 0;
    for (gap, &document) in gaps.iter_mut().zip(documents) {
        *gap = document.wrapping_sub(previous);
        previous = document;
    }
}

/// Reverses [`differences`] in place.
fn sums(gaps: &mut [u32]) {
    let mut document = 0u32;
    for gap in gaps {
        document = document.wrapping_add(*gap);
        *gap = document;
    }
}

/// Returns the shortest time of ten runs.
fn time(mut work: impl FnMut()) -> Duration {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..10).map(run).min().unwrap_or_default()
}

fn print_time(label: &str, time: Duration) {
    let nanoseconds = time.as_secs_f64() * 1e9 / POSTINGS as f64;
    println!("{label:<36}{nanoseconds:6.2} ns per posting");
}

fn main() -> Result<(), Box<dyn Error>> {
    let documents = postings();
    let mut gaps = vec![0; documents.len()];
    differences(&documents, &mut gaps);

    let plain = size_of_val(&documents[..]);
    let varints = encoded_len_slice(&documents);
    let mut list = vec![0; encoded_len_slice(&gaps)];
    println!("{POSTINGS} postings, last document {}, kernel {}", documents[POSTINGS - 1], Kernel::detect());
    for (label, bytes) in [("u32", plain), ("varints", varints), ("differences as varints", list.len())] {
        println!("{label:<24}{bytes:>10} bytes, {:.2} per posting", bytes as f64 / POSTINGS as f64);
    }
    assert!(list.len() < plain / 2);

    print_time(
        "build: differences, then encode_slice",
        time(|| {
            differences(black_box(&documents), &mut gaps);
            assert_eq!(encode_slice(&gaps, &mut list), Ok(list.len()));
        }),
    );
    let mut read = vec![0; documents.len()];
    print_time(
        "read: decode_slice, then sums",
        time(|| {
            assert_eq!(decode_slice(black_box(&list), &mut read).map(|done| done.values), Ok(POSTINGS));
            sums(&mut read);
        }),
    );
    assert_eq!(read, documents);

    print_time(
        "read: one value at a time by Reader",
        time(|| {
            let mut reader = Reader::new(black_box(&list));
            let mut document = 0;
            for slot in &mut read {
                document += reader.read::<u32>().expect("a value for every posting");
                *slot = document;
            }
        }),
    );
    assert_eq!(read, documents);

    // The list can be searched without decoding all of it: here for the first document from a
    // number on.
    let target = documents[POSTINGS / 2] - 1;
    let (mut offset, mut document) = (0, 0);
    while document < target {
        let (gap, len) = u32::decode(&list[offset..])?;
        document += gap;
        offset += len;
    }
    println!("first document from {target} on: {document}, found after {offset} of {} bytes", list.len());
    assert!(documents.binary_search(&document).is_ok());
    Ok(())
}
