//! OpenStreetMap files, which osmpbf reads with rust-protobuf: it is rust-protobuf that is patched. The
//! files are made here: 20 blocks of 8,000 dense nodes, and ways.

use std::hint::black_box;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use measure::{Random, case, limit_kernel};
use osmpbf::{Element, ElementReader};
use protobuf::CodedOutputStream;

const BLOCKS: usize = 20;
const NODES: usize = 8_000;
const WAYS: usize = 2_000;

fn main() {
    limit_kernel();
    let mut random = Random(1);
    let nodes: Vec<Vec<u8>> = (0..BLOCKS).map(|_| block(&dense_nodes(&mut random))).collect();
    let ways: Vec<Vec<u8>> = (0..BLOCKS).map(|_| block(&ways(&mut random))).collect();
    for (name, elements, blocks) in [("nodes", NODES, &nodes), ("ways", WAYS, &ways)] {
        for (compression, compress) in [("not compressed", false), ("zlib", true)] {
            let file = file(blocks, compress);
            let mut read = 0;
            case(&format!("read {name}, {compression}"), BLOCKS * elements, &file, || {
                read = 0;
                let count = |element: Element<'_>| {
                    read += 1;
                    match element {
                        Element::DenseNode(node) => {
                            _ = black_box((node.id(), node.nano_lat(), node.nano_lon()))
                        }
                        Element::Way(way) => _ = black_box(way.refs().sum::<i64>()),
                        _ => panic!("another element"),
                    }
                };
                ElementReader::new(black_box(&file[..])).for_each(count).expect("a valid file");
            });
            assert_eq!(read, BLOCKS * elements);
        }
    }
}

/// Returns a message that `write` writes.
fn message(write: impl FnOnce(&mut CodedOutputStream) -> protobuf::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut output = CodedOutputStream::vec(&mut bytes);
    write(&mut output).and_then(|()| output.flush()).expect("a vector grows");
    drop(output);
    bytes
}

/// Returns a `PrimitiveGroup` of dense nodes, as neighbours on a map.
fn dense_nodes(random: &mut Random) -> Vec<u8> {
    let mut deltas = |limit: u64| -> Vec<i64> {
        (0..NODES).map(|_| random.below(2 * limit) as i64 - limit as i64).collect()
    };
    let (lat, lon, timestamp, changeset) = (deltas(5_000), deltas(5_000), deltas(1_000_000), deltas(100_000));
    let (uid, user) = (deltas(1_000), deltas(20));
    let narrow = |values: Vec<i64>| -> Vec<i32> { values.into_iter().map(|value| value as i32).collect() };
    let info = message(|output| {
        output.write_repeated_packed_int32(1, &[1; NODES])?;
        output.write_repeated_packed_sint64(2, &timestamp)?;
        output.write_repeated_packed_sint64(3, &changeset)?;
        output.write_repeated_packed_sint32(4, &narrow(uid))?;
        output.write_repeated_packed_sint32(5, &narrow(user))
    });
    let ids: Vec<i64> = (0..NODES).map(|_| 1 + random.below(3) as i64).collect();
    let dense = message(|output| {
        output.write_repeated_packed_sint64(1, &ids)?;
        output.write_bytes(5, &info)?;
        output.write_repeated_packed_sint64(8, &lat)?;
        output.write_repeated_packed_sint64(9, &lon)?;
        output.write_repeated_packed_int32(10, &[0; NODES])
    });
    message(|output| output.write_bytes(2, &dense))
}

/// Returns a `PrimitiveGroup` of ways with 2 to 21 nodes.
fn ways(random: &mut Random) -> Vec<u8> {
    message(|output| {
        for id in 0..WAYS {
            let mut refs = vec![random.below(1 << 33) as i64];
            refs.extend((0..1 + random.below(20)).map(|_| random.below(400) as i64 - 40));
            let way = message(|output| {
                output.write_int64(1, id as i64)?;
                output.write_repeated_packed_uint32(2, &[1, 2])?;
                output.write_repeated_packed_uint32(3, &[2, 1])?;
                output.write_repeated_packed_sint64(8, &refs)
            });
            output.write_bytes(3, &way)?;
        }
        Ok(())
    })
}

/// Returns a `PrimitiveBlock` with that group.
fn block(group: &[u8]) -> Vec<u8> {
    let strings = message(|output| {
        ["", "highway", "path"].iter().try_for_each(|text| output.write_bytes(1, text.as_bytes()))
    });
    message(|output| {
        output.write_bytes(1, &strings)?;
        output.write_bytes(2, group)
    })
}

/// Returns a file with a header and those blocks.
fn file(blocks: &[Vec<u8>], compress: bool) -> Vec<u8> {
    let header = message(|output| {
        output.write_string(4, "OsmSchema-V0.6")?;
        output.write_string(4, "DenseNodes")
    });
    let mut file = Vec::new();
    let header = [("OSMHeader", &header)];
    for (kind, contents) in header.into_iter().chain(blocks.iter().map(|block| ("OSMData", block))) {
        let blob = message(|output| {
            if !compress {
                return output.write_bytes(1, contents);
            }
            let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
            zlib.write_all(contents)?;
            output.write_int32(2, contents.len() as i32)?;
            output.write_bytes(3, &zlib.finish()?)
        });
        let header = message(|output| {
            output.write_string(1, kind)?;
            output.write_int32(3, blob.len() as i32)
        });
        file.extend((header.len() as u32).to_be_bytes());
        file.extend(header);
        file.extend(blob);
    }
    file
}
