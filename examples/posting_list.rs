//! A posting list, as search engines keep them: sorted document numbers, stored as differences. Prints its size, and the speed of
//! building and reading it.
//!
//! The list is sorted, so its differences are plain unsigned numbers. Sequences that fall as well as rise are what
//! `zigzag_varint::delta` is for.
//!
//! `cargo run --release --example posting_list`

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use zigzag_varint::{Kernel, Reader, Varint, decode_slice, encode_slice, encoded_len_slice};

/// Postings in the list.
const POSTINGS: usize = 1 << 20;

/// Document numbers that a word might have: dense here, sparse there, sorted.
fn postings() -> Vec<u32> {
    let mut random = 0x9e37_79b9u32;
    let mut document = 0;
    (0..POSTINGS)
        .map(|at| {
            random ^= random << 13; // xorshift
            random ^= random >> 17;
            random ^= random << 5;
            let widest = if at / 4096 % 2 == 0 { 40 } else { 4000 };
            document += 1 + random % widest;
            document
        })
        .collect()
}

/// Each number less the one before it.
fn differences(documents: &[u32], gaps: &mut [u32]) {
    let mut previous = 0;
    for (gap, &document) in gaps.iter_mut().zip(documents) {
        *gap = document.wrapping_sub(previous);
        previous = document;
    }
}

/// What [`differences`] did, undone in place.
fn sums(gaps: &mut [u32]) {
    let mut document = 0u32;
    for gap in gaps {
        document = document.wrapping_add(*gap);
        *gap = document;
    }
}

/// The best of some runs.
fn time(mut work: impl FnMut()) -> Duration {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..10).map(run).min().unwrap_or_default()
}

fn told(what: &str, took: Duration) {
    let nanoseconds = took.as_secs_f64() * 1e9 / POSTINGS as f64;
    println!("{what:<34}{nanoseconds:6.2} ns a posting");
}

fn main() -> Result<(), Box<dyn Error>> {
    let documents = postings();
    let mut gaps = vec![0; documents.len()];
    differences(&documents, &mut gaps);

    let plain = size_of_val(&documents[..]);
    let varints = encoded_len_slice(&documents);
    let mut list = vec![0; encoded_len_slice(&gaps)];
    println!("{POSTINGS} postings up to document {}, kernel {}", documents[POSTINGS - 1], Kernel::detect());
    for (what, bytes) in [("u32", plain), ("varints", varints), ("differences as varints", list.len())] {
        println!("{what:<24}{bytes:>10} bytes, {:.2} a posting", bytes as f64 / POSTINGS as f64);
    }
    assert!(list.len() < plain / 2);

    told(
        "build: differences, encode_slice",
        time(|| {
            differences(black_box(&documents), &mut gaps);
            assert_eq!(encode_slice(&gaps, &mut list), Ok(list.len()));
        }),
    );
    let mut read = vec![0; documents.len()];
    told(
        "read: decode_slice, sums",
        time(|| {
            assert_eq!(decode_slice(black_box(&list), &mut read).map(|done| done.values), Ok(POSTINGS));
            sums(&mut read);
        }),
    );
    assert_eq!(read, documents);

    told(
        "read: one at a time by Reader",
        time(|| {
            let mut reader = Reader::new(black_box(&list));
            let mut document = 0;
            for slot in &mut read {
                document += reader.read::<u32>().expect("as many as were written");
                *slot = document;
            }
        }),
    );
    assert_eq!(read, documents);

    // A list is searched without being unpacked: the first document from a number on.
    let wanted = documents[POSTINGS / 2] - 1;
    let (mut at, mut document) = (0, 0);
    while document < wanted {
        let (gap, used) = u32::decode(&list[at..])?;
        document += gap;
        at += used;
    }
    println!("the first document from {wanted} on is {document}, at byte {at}");
    assert!(documents.binary_search(&document).is_ok());
    Ok(())
}
