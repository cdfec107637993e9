//! A posting list on disk: a file with the gaps between a million sorted document numbers. The file is
//! in the page cache.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use criterion::Criterion;
use integer_encoding::{VarIntReader, VarIntWriter};
use tempfile::tempdir;
use zigzag_varint::{WriteVarint, decode_to_vec};

use super::task::{bench, ours};
use crate::contender::VALID;
use crate::corpus::{Set, Stream};

const DOCUMENTS: usize = 1_000_000;
const WRITABLE: &str = "a writable file";

pub(super) fn run(criterion: &mut Criterion) {
    let Stream { values: gaps, bytes } = Stream::<u64>::new(Set::Tile, DOCUMENTS);
    let mut documents = gaps;
    add_up(&mut documents);
    let size = (DOCUMENTS, bytes.len());
    let folder = tempdir().expect("a temporary folder");
    let path = folder.path().join("postings");
    fs::write(&path, &bytes).expect(WRITABLE);
    bench(
        criterion,
        "apps/decode/postings".into(),
        size,
        &documents,
        &[
            (&ours(), &|documents| {
                *documents = decode_to_vec(&fs::read(&path).expect(VALID)).expect(VALID);
                add_up(documents);
            }),
            ("integer-encoding", &|documents| {
                let mut file = BufReader::new(File::open(&path).expect(VALID));
                *documents = (0..DOCUMENTS).map(|_| file.read_varint().expect(VALID)).collect();
                add_up(documents);
            }),
            ("leb128", &|documents| {
                let mut file = BufReader::new(File::open(&path).expect(VALID));
                *documents =
                    (0..DOCUMENTS).map(|_| leb128::read::unsigned(&mut file).expect(VALID)).collect();
                add_up(documents);
            }),
        ],
    );
    bench(
        criterion,
        "apps/encode/postings".into(),
        size,
        &(),
        &[
            (&ours(), &|()| {
                let gaps: Vec<u64> = gaps_of(&documents).collect();
                write(&path, |file| {
                    file.write_varints(&gaps).expect(WRITABLE);
                });
            }),
            ("integer-encoding", &|()| {
                write(&path, |file| {
                    gaps_of(&documents)
                        .for_each(|gap| _ = VarIntWriter::write_varint(file, gap).expect(WRITABLE));
                });
            }),
            ("leb128", &|()| {
                write(&path, |file| {
                    gaps_of(&documents)
                        .for_each(|gap| _ = leb128::write::unsigned(file, gap).expect(WRITABLE));
                });
            }),
        ],
    );
    assert!(!path.exists() || fs::read(&path).expect(VALID) == bytes);
}

fn add_up(gaps: &mut [u64]) {
    let mut sum = 0;
    for gap in gaps {
        sum += *gap;
        *gap = sum;
    }
}

fn gaps_of(documents: &[u64]) -> impl Iterator<Item = u64> {
    let before = [0].into_iter().chain(documents.iter().copied());
    documents.iter().zip(before).map(|(document, before)| document - before)
}

fn write(path: &Path, write: impl FnOnce(&mut BufWriter<File>)) {
    let mut file = BufWriter::new(File::create(path).expect(WRITABLE));
    write(&mut file);
    file.flush().expect(WRITABLE);
}
