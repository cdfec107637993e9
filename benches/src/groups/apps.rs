//! `apps`: whole tasks of programs, from the bytes of a message or a file to vectors and back, by
//! the public functions of each crate. New vectors are part of the task.

use std::cell::LazyCell;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;

use criterion::Criterion;
use integer_encoding::{VarInt, VarIntReader, VarIntWriter};
use prost::encoding::{decode_varint, encode_varint};
use tempfile::{TempDir, tempdir};
use zigzag_varint::{Delta, LengthPrefix, WriteVarint, decode_to_vec, zigzag};
use zigzag_varint_results::measurement;

use crate::contender::VALID;
use crate::corpus::{LONG, Set, Stream};
use crate::libraries::{BUFFA, Library, OURS, PROST, PROTOBUF};
use crate::measure::Group;

pub(crate) fn run(criterion: &mut Criterion) {
    let ours = measurement::OURS;
    for (len, set) in [(16, "16"), (100, "100"), (1_000_000, "1e6")] {
        messages(criterion, ours, len, set);
    }
    postings(criterion, ours);
    tile(criterion, ours);
}

/// A name, and a task on data, which replaces the result.
type Task<'a, D, R> = (&'a str, fn(&D, &mut R));

/// Compares tasks, which replace a result, on data of `values` values. The data are made when the
/// first task is measured.
fn compare<D, R: Default>(
    criterion: &mut Criterion,
    name: &str,
    values: usize,
    data: &LazyCell<D, impl FnOnce() -> D>,
    is_right: fn(&D, &R) -> bool,
    tasks: impl IntoIterator<Item = (impl AsRef<str>, impl Fn(&D, &mut R))>,
) {
    let mut group = Group::new(criterion, name, values).with_allocations();
    for (name, task) in tasks {
        group.bench(
            name.as_ref(),
            &mut R::default(),
            |_| _ = LazyCell::force(data),
            |_| false,
            |result| task(data, result),
            |result, ()| is_right(data, result),
        );
    }
}

/// Messages with four packed fields of `len` values, all with the same number in their tags.
fn messages(criterion: &mut Criterion, ours: &str, len: usize, set: &str) {
    let count = (LONG / len).max(1);
    let data = LazyCell::new(|| {
        let messages = Message::several(count, len);
        let encoded = messages.iter().map(|message| message.encode(&PROST)).collect::<Vec<_>>();
        (messages, encoded)
    });
    let libraries = [(ours, OURS), ("prost", PROST), ("protobuf", PROTOBUF), ("buffa", BUFFA)];
    type Data = (Vec<Message>, Vec<Vec<u8>>);
    let decode = libraries.map(|(name, library)| {
        (name, move |(_, encoded): &Data, messages: &mut Vec<_>| {
            *messages = encoded.iter().map(|bytes| Message::decode(bytes, &library)).collect();
        })
    });
    let encode = libraries.map(|(name, library)| {
        (name, move |(messages, _): &Data, encoded: &mut Vec<_>| {
            *encoded = messages.iter().map(|message| message.encode(&library)).collect();
        })
    });
    let values = 4 * len * count;
    compare(criterion, &format!("apps/decode/message-{set}"), values, &data, |data, r| data.0 == *r, decode);
    compare(criterion, &format!("apps/encode/message-{set}"), values, &data, |data, r| data.1 == *r, encode);
}

#[derive(Default, PartialEq)]
struct Message {
    uint64: Vec<u64>,
    sint64: Vec<i64>,
    int32: Vec<i32>,
    bool: Vec<bool>,
}

impl Message {
    fn several(count: usize, len: usize) -> Vec<Self> {
        let uint64 = Stream::<u64>::new(Set::Mix, count * len).values;
        let sint64 = Stream::<i64>::new(Set::Mix, count * len).values;
        // `int32` takes ten bytes for a negative value, so that messages have `sint32` for those.
        let numbers = Stream::<u32>::new(Set::Mix, count * len).values.into_iter();
        let int32: Vec<_> = numbers.map(|value| (value & 0x7fff_ffff) as i32).collect();
        let bool: Vec<_> = uint64.iter().map(|value| value % 2 == 1).collect();
        (0..count)
            .map(|index| index * len..(index + 1) * len)
            .map(|part| Self {
                uint64: uint64[part.clone()].to_vec(),
                sint64: sint64[part.clone()].to_vec(),
                int32: int32[part.clone()].to_vec(),
                bool: bool[part].to_vec(),
            })
            .collect()
    }

    fn decode(bytes: &[u8], library: &Library) -> Self {
        let mut message = Self::default();
        let mut rest = bytes;
        let mut next = || {
            let (_, len) = LengthPrefix::without_limit().decode(&rest[1..]).expect(VALID);
            let (field, others) = rest[1..].split_at(len);
            rest = others;
            field
        };
        (library.uint64.decode)(next(), &mut message.uint64);
        (library.sint64.decode)(next(), &mut message.sint64);
        (library.int32.decode)(next(), &mut message.int32);
        (library.bool.decode)(next(), &mut message.bool);
        message
    }

    fn encode(&self, library: &Library) -> Vec<u8> {
        let mut bytes = Vec::new();
        (library.uint64.encode)(&self.uint64, &mut bytes);
        (library.sint64.encode)(&self.sint64, &mut bytes);
        (library.int32.encode)(&self.int32, &mut bytes);
        (library.bool.encode)(&self.bool, &mut bytes);
        bytes
    }
}

/// A posting list on disk: a file with the gaps between a million sorted document numbers, in the
/// page cache.
struct Postings {
    path: PathBuf,
    documents: Vec<u64>,
    bytes: Vec<u8>,
    _folder: TempDir,
}

impl Postings {
    const DOCUMENTS: usize = 1_000_000;

    fn new() -> Self {
        let Stream { values: mut documents, bytes } = Stream::new(Set::Tile, Self::DOCUMENTS);
        add_up(&mut documents);
        let folder = tempdir().expect("a temporary folder");
        let path = folder.path().join("postings");
        fs::write(&path, &bytes).expect("a writable file");
        Self { path, documents, bytes, _folder: folder }
    }

    fn open(&self) -> BufReader<File> {
        BufReader::new(File::open(&self.path).expect("a readable file"))
    }

    fn create(&self) -> BufWriter<File> {
        BufWriter::new(File::create(&self.path).expect("a writable file"))
    }

    fn gaps(&self) -> impl Iterator<Item = u64> {
        let before = [0].into_iter().chain(self.documents.iter().copied());
        self.documents.iter().zip(before).map(|(document, before)| document - before)
    }
}

fn add_up(gaps: &mut [u64]) {
    let mut sum = 0;
    for gap in gaps {
        sum += *gap;
        *gap = sum;
    }
}

fn postings(criterion: &mut Criterion, ours: &str) {
    let data = LazyCell::new(Postings::new);
    let values = Postings::DOCUMENTS;
    let decode: [Task<Postings, Vec<u64>>; 3] = [
        (ours, |list, documents| {
            *documents = decode_to_vec(&fs::read(&list.path).expect(VALID)).expect(VALID);
            add_up(documents);
        }),
        ("integer-encoding", |list, documents| {
            let mut file = list.open();
            *documents = (0..Postings::DOCUMENTS).map(|_| file.read_varint().expect(VALID)).collect();
            add_up(documents);
        }),
        ("leb128", |list, documents| {
            let mut file = list.open();
            let mut next = || leb128::read::unsigned(&mut file).expect(VALID);
            *documents = (0..Postings::DOCUMENTS).map(|_| next()).collect();
            add_up(documents);
        }),
    ];
    compare(criterion, "apps/decode/postings", values, &data, |data, r| data.documents == *r, decode);
    let encode: [Task<Postings, ()>; 3] = [
        (ours, |list, ()| {
            let gaps: Vec<_> = list.gaps().collect();
            let mut file = list.create();
            file.write_varints::<u64>(&gaps).expect(VALID);
            file.flush().expect(VALID);
        }),
        ("integer-encoding", |list, ()| {
            let mut file = list.create();
            list.gaps().for_each(|gap| _ = VarIntWriter::write_varint(&mut file, gap).expect(VALID));
            file.flush().expect(VALID);
        }),
        ("leb128", |list, ()| {
            let mut file = list.create();
            list.gaps().for_each(|gap| _ = leb128::write::unsigned(&mut file, gap).expect(VALID));
            file.flush().expect(VALID);
        }),
    ];
    let is_right = |list: &Postings, _: &_| fs::read(&list.path).expect(VALID) == list.bytes;
    compare(criterion, "apps/encode/postings", values, &data, is_right, encode);
}

/// The coordinates of a map tile: x, y, x, y, as zigzag varints of the differences to the point
/// before. 86 % of them take one byte, 13 % two and 1 % three.
fn tile(criterion: &mut Criterion, ours: &str) {
    let values = 2 * LONG;
    let data = LazyCell::new(|| {
        let Stream { values: mut coordinates, bytes } = Stream::<i64>::new(Set::Tile, values);
        for index in 2..values {
            coordinates[index] += coordinates[index - 2];
        }
        Stream { values: coordinates, bytes }
    });
    let decode: [Task<Stream<i64>, Vec<i64>>; 3] = [
        (ours, |tile, coordinates| {
            *coordinates = Vec::new();
            Delta::zigzag([0; 2]).decode_append(&tile.bytes, coordinates).expect(VALID);
        }),
        ("integer-encoding", |tile, coordinates| {
            *coordinates = decode_each(&tile.bytes, |rest| {
                let (step, len) = i64::decode_var(rest).expect(VALID);
                *rest = &rest[len..];
                step
            });
        }),
        ("prost", |tile, coordinates| {
            *coordinates =
                decode_each(&tile.bytes, |rest| zigzag::u64_to_i64(decode_varint(rest).expect(VALID)));
        }),
    ];
    compare(criterion, "apps/decode/tile", values, &data, |tile, r| tile.values == *r, decode);
    let encode: [Task<Stream<i64>, Vec<u8>>; 3] = [
        (ours, |tile, bytes| {
            *bytes = Vec::new();
            Delta::zigzag([0; 2]).encode_append(&tile.values, bytes).expect(VALID);
        }),
        ("integer-encoding", |tile, bytes| {
            *bytes = encode_each(&tile.values, |step, bytes| {
                let mut buffer = [0; 10];
                let len = step.encode_var(&mut buffer);
                bytes.extend_from_slice(&buffer[..len]);
            });
        }),
        ("prost", |tile, bytes| {
            *bytes = encode_each(&tile.values, |step, bytes| encode_varint(zigzag::i64_to_u64(step), bytes));
        }),
    ];
    compare(criterion, "apps/encode/tile", values, &data, |tile, r| tile.bytes == *r, encode);
}

fn decode_each(bytes: &[u8], next: impl Fn(&mut &[u8]) -> i64) -> Vec<i64> {
    let (mut rest, mut x, mut y) = (bytes, 0, 0);
    let mut coordinates = Vec::new();
    while !rest.is_empty() {
        for sum in [&mut x, &mut y] {
            *sum += next(&mut rest);
            coordinates.push(*sum);
        }
    }
    coordinates
}

fn encode_each(coordinates: &[i64], put: impl Fn(i64, &mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut before = [0; 2];
    for point in coordinates.chunks(2) {
        for (value, before) in point.iter().zip(&mut before) {
            put(value - *before, &mut bytes);
            *before = *value;
        }
    }
    bytes
}
