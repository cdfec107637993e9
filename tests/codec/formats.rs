//! The programs in `examples/formats/`, on real files and on input that must be refused.

#[allow(unreachable_pub)] // they are pages of their own
#[path = "../../examples/formats/columns.rs"]
mod columns;
#[allow(unreachable_pub)] // they are pages of their own
#[path = "../../examples/formats/files.rs"]
mod files;
#[allow(unreachable_pub)] // they are pages of their own
#[path = "../../examples/formats/messages.rs"]
mod messages;

use std::io::{BufReader, ErrorKind, Read as _};

use columns::{InvertedIndex, avro_array, orc_decimals, sum_of_file};
use files::{Tiles, dwarf_lines, pmtiles_directory, wasm_sections};
use zigzag_varint::{Reader, encode_to_vec};

#[test]
fn the_sections_of_a_webassembly_module_are_listed() {
    let module = include_bytes!("../../examples/formats/module.wasm");
    let sections = vec![(1, 5), (3, 2), (5, 3), (7, 10), (10, 9), (11, 12)];
    assert_eq!(wasm_sections(module), Ok((sections, Some(-129))));
    assert!(wasm_sections(&module[..40]).unwrap_err().is_incomplete());
}

#[test]
fn the_directory_of_a_pmtiles_archive_is_read() {
    let archive = include_bytes!("../../examples/formats/tiles.pmtiles");
    let number = |at: usize| u64::from_le_bytes(*archive[at..].first_chunk().expect("a header")) as usize;
    let compressed = &archive[number(8)..][..number(16)];
    let mut directory = vec![];
    flate2::read::GzDecoder::new(compressed).read_to_end(&mut directory).expect("gzip");
    let tiles = [(0, 2, 0, 3), (2, 1, 3, 4), (3, 1, 0, 3), (4, 1, 7, 5), (372, 1, 12, 6)];
    let tiles = tiles.map(|(first, count, offset, len)| Tiles { first, count, offset, len });
    assert_eq!(pmtiles_directory(&directory).as_deref(), Ok(&tiles[..]));
    // A number of entries that the bytes cannot contain.
    assert!(pmtiles_directory(&encode_to_vec(&[u64::MAX, 1])).unwrap_err().is_incomplete());
}

#[test]
fn the_line_table_of_a_program_is_read() {
    let (names, rows) = dwarf_lines(include_bytes!("../../examples/formats/sum.debug_line")).expect("valid");
    assert_eq!(names, [b"sum.c"]);
    let offsets = [(0, 1), (10, 2), (21, 3), (24, 4), (26, 6), (30, 7), (45, 8)];
    assert_eq!(rows, offsets.map(|(offset, line)| (0x40_1000 + offset, line)));
}

#[test]
fn an_inverted_index_finds_documents_with_both_words() {
    let documents = ["a fast varint", "a slow loop", "fast and slow", "varint a fast loop fast"];
    let index = InvertedIndex::new(&documents).expect("in order");
    assert_eq!(index.search(["fast", "varint"]), Ok(vec![1, 4]));
    assert_eq!(index.search(["slow", "varint"]), Ok(vec![]));
    assert_eq!(index.bytes(), 3 + 3 + 2 + 2 + 2 + 1);
}

#[test]
fn avro_arrays_are_read_in_blocks() {
    let bytes = [0x04, 0x02, 0x04, 0x01, 0x02, 0x06, 0x00, 0x55];
    let mut reader = Reader::new(&bytes);
    assert_eq!(avro_array(&mut reader), Ok(vec![1, 2, 3]));
    assert_eq!(reader.remaining(), [0x55]);
    // A count that the bytes cannot contain.
    let hostile = encode_to_vec(&[i64::MAX, 5, 6]);
    assert!(avro_array(&mut Reader::new(&hostile)).unwrap_err().is_incomplete());
}

#[test]
fn decimals_of_128_bits_are_read_in_groups() {
    let column = [12_345, -1, i128::MIN, 0, i128::MAX, i128::MIN, 7, 0];
    let sums = vec![12_344 + i128::MIN, 6];
    assert_eq!(orc_decimals(&encode_to_vec(&column)), Ok(sums));
    assert!(orc_decimals(&encode_to_vec(&column[..7])).is_err());
}

#[test]
fn a_large_file_is_added_up() {
    let bytes = encode_to_vec(&(0..100_000u64).collect::<Vec<_>>());
    assert_eq!(sum_of_file(BufReader::new(&bytes[..])).expect("valid"), 4_999_950_000);
    let truncated = sum_of_file(BufReader::new(&bytes[..bytes.len() - 1])).unwrap_err();
    assert_eq!(truncated.kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn messages_identifiers_and_frames_are_read() {
    use messages::{Station, cid, frames};

    let station = Station { id: -1, altitude: -2, ready: true, samples: vec![1, 300, -3], name: "K2".into() };
    let message = station.encode().expect("within the limit");
    assert_eq!(Station::decode(&[&message[..], &[0x38, 0xac, 0x02, 0x42, 0x01, 0x07]].concat()), Ok(station));
    assert!(Station::decode(&message[..message.len() - 1]).unwrap_err().is_incomplete());

    let bytes = [&[0x01, 0x70, 0x12, 0x20][..], &[7; 32]].concat();
    assert_eq!(cid(&bytes), Ok(([1, 0x70, 0x12], &[7; 32][..])));
    assert!(cid(&[0x81, 0x00]).is_err() && cid(&[&[0xff; 9][..], &[0x01]].concat()).is_err());

    assert_eq!(frames(&["hello", "", "frames"]).expect("valid"), ["hello", "", "frames"]);
}
