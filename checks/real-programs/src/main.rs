//! Measures functions of published crates that read or write many varints. Prints for each case, with
//! tabs between: its group, its nanoseconds per value, and a checksum of the input or the output. The
//! variable `KERNEL` names the kernel of this crate to use, or is `all`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

use prost::Message;
use protobuf::{CodedInputStream, CodedOutputStream};

/// Runs `operation` for 30 ms, and prints its least time.
fn case(group: &str, values: usize, result: &impl Hash, mut operation: impl FnMut()) {
    let mut hasher = DefaultHasher::new();
    result.hash(&mut hasher);
    let mut least = Duration::MAX;
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(30) || least == Duration::MAX {
        let start = Instant::now();
        operation();
        least = least.min(start.elapsed());
    }
    println!("{group}\t{}\t{:x}", least.as_nanos() as f64 / values as f64, hasher.finish());
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// Returns numbers of one byte, or of lengths as in messages: 70 % of one byte, 20 % of two, 8 % of
/// three and four, 2 % of more.
fn numbers(is_mixed: bool, count: usize) -> Vec<u64> {
    let mut random = Random(1);
    let number = |_| {
        let bytes = match random.below(100) {
            90..98 if is_mixed => 3 + random.below(2),
            98.. if is_mixed => 5 + random.below(5),
            70.. if is_mixed => 2,
            _ => return random.below(128),
        };
        let least = 1 << (7 * (bytes - 1));
        least + random.below((1 << (7 * bytes)) - least)
    };
    (0..count).map(number).collect()
}

/// Measures prost's derived code, and the functions that the generated code of rust-protobuf calls, for
/// a message with one packed field.
macro_rules! packed {
    ($module:ident $int:ident $field:tt $write:ident $read:ident |$number:ident| $value:expr) => {
        mod $module {
            use super::*;

            #[derive(Clone, PartialEq, Message)]
            struct Packed {
                #[prost($field, repeated, tag = "1")]
                values: Vec<$int>,
            }

            pub(super) fn measure(is_mixed: bool, len: usize) {
                let count = (65_536 / len).max(1);
                let numbers = numbers(is_mixed, count * len);
                let of = |$number: u64| $value;
                let packed =
                    |part: &[u64]| Packed { values: part.iter().map(|&number| of(number)).collect() };
                let messages: Vec<Packed> = numbers.chunks(len).map(packed).collect();
                let encoded: Vec<Vec<u8>> = messages.iter().map(Message::encode_to_vec).collect();
                for (bytes, message) in encoded.iter().zip(&messages) {
                    assert_eq!(Packed::decode(&bytes[..]).as_ref(), Ok(message));
                }
                case(&format!("prost, decode packed fields of {len} values"), count * len, &encoded, || {
                    for bytes in &encoded {
                        black_box(Packed::decode(black_box(&bytes[..])).expect("valid"));
                    }
                });
                let mut bytes = Vec::new();
                case(&format!("prost, encode packed fields of {len} values"), count * len, &encoded, || {
                    bytes.clear();
                    messages.iter().for_each(|message| message.encode(&mut bytes).expect("a vector grows"));
                    black_box(&bytes);
                });
                case(
                    &format!("protobuf, decode packed fields of {len} values"),
                    count * len,
                    &encoded,
                    || {
                        for (bytes, message) in encoded.iter().zip(&messages) {
                            let mut values = Vec::new();
                            let mut input = CodedInputStream::from_bytes(black_box(&bytes[1..])); // without the tag
                            input.$read(&mut values).expect("valid");
                            assert_eq!(values.len(), message.values.len());
                            black_box(values);
                        }
                    },
                );
                let field = protobuf_message(|output| output.$write(1, &messages[0].values));
                assert_eq!(field, encoded[0]);
            }
        }
    };
}
packed!(uint64 u64 uint64 write_repeated_packed_uint64 read_repeated_packed_uint64_into |number| number);
packed!(sint64 i64 sint64 write_repeated_packed_sint64 read_repeated_packed_sint64_into
    |number| (number >> 1) as i64 ^ -((number & 1) as i64));
packed!(int32 i32 int32 write_repeated_packed_int32 read_repeated_packed_int32_into
    |number| (number & 0x7fff_ffff) as i32);
packed!(boolean bool bool write_repeated_packed_bool read_repeated_packed_bool_into |number| number % 2 == 1);

fn protobuf_message(write: impl FnOnce(&mut CodedOutputStream) -> protobuf::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut output = CodedOutputStream::vec(&mut bytes);
    write(&mut output).and_then(|()| output.flush()).expect("a vector grows");
    drop(output);
    bytes
}

/// Measures osmpbf, which reads OpenStreetMap files with rust-protobuf, with blocks of 8,000 nodes.
fn osmpbf(is_compressed: bool) {
    const NODES: usize = 8_000;
    let mut random = Random(1);
    let mut deltas = |limit: u64| -> Vec<i64> {
        (0..NODES).map(|_| random.below(2 * limit) as i64 - limit as i64).collect()
    };
    let dense = protobuf_message(|output| {
        output.write_repeated_packed_sint64(1, &deltas(3))?;
        output.write_repeated_packed_sint64(8, &deltas(5_000))?;
        output.write_repeated_packed_sint64(9, &deltas(5_000))?;
        output.write_repeated_packed_int32(10, &[0; NODES])
    });
    let group = protobuf_message(|output| output.write_bytes(2, &dense));
    let block = protobuf_message(|output| {
        output.write_bytes(1, &[10, 0])?; // a table of strings with one empty string
        output.write_bytes(2, &group)
    });
    let header = protobuf_message(|output| output.write_string(4, "OsmSchema-V0.6"));
    let mut file = Vec::new();
    for (kind, contents) in [("OSMHeader", &header), ("OSMData", &block), ("OSMData", &block)] {
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        zlib.write_all(contents).and_then(|()| zlib.try_finish()).expect("a vector grows");
        let blob = protobuf_message(|output| {
            if !is_compressed {
                return output.write_bytes(1, contents);
            }
            output.write_int32(2, contents.len() as i32)?;
            output.write_bytes(3, zlib.get_ref())
        });
        let start = protobuf_message(|output| {
            output.write_string(1, kind)?;
            output.write_int32(3, blob.len() as i32)
        });
        file.extend((start.len() as u32).to_be_bytes());
        file.extend([start, blob].concat());
    }
    let compression = if is_compressed { "zlib" } else { "not compressed" };
    let mut read = 0;
    case(&format!("osmpbf, read nodes, {compression}"), 2 * NODES, &file, || {
        read = 0;
        let count = |element: osmpbf::Element<'_>| match element {
            osmpbf::Element::DenseNode(node) => read += usize::from(black_box(node.nano_lat()) != i64::MAX),
            _ => panic!("another element"),
        };
        osmpbf::ElementReader::new(black_box(&file[..])).for_each(count).expect("a valid file");
    });
    assert_eq!(read, 2 * NODES);
}

/// Measures mlt-core: all columns of a map tile with contour lines are decoded.
fn mlt_core() {
    let mut random = Random(1);
    let mut layer = mlt_core::TileLayer::builder("contours", 4096).expect("a valid name");
    for id in 0..400 {
        let mut point = (random.below(4096) as i32, random.below(4096) as i32);
        let line: Vec<(i32, i32)> = (0..200)
            .map(|_| {
                point.0 += random.below(41) as i32 - 20;
                point.1 += random.below(41) as i32 - 20;
                point
            })
            .collect();
        let mut feature = layer.feature(geo_types::Geometry::LineString(line.into()));
        feature.id(Some(id * 3));
        feature.finish().expect("a feature");
    }
    let config = mlt_core::encoder::EncoderConfig::default().with_fastpfor(false);
    let tile = layer.finish().encode(config).expect("a valid layer");
    let mut decoder = mlt_core::Decoder::with_max_size(u32::MAX);
    case("mlt-core, decode contour lines", tile.len(), &tile, || {
        decoder.reset_budget();
        let layers =
            mlt_core::Parser::with_max_size(u32::MAX).parse_layers(black_box(&tile)).expect("a valid tile");
        assert_eq!(decoder.decode_all(layers).expect("a valid tile").len(), 1);
    });
}

fn main() {
    if let Some(kernel) = std::env::var("KERNEL").ok().and_then(|name| zigzag_varint::Kernel::by_name(&name))
    {
        zigzag_varint::Kernel::set_default(kernel).expect("no slice was processed before");
    }
    for is_mixed in [false, true] {
        for len in [1, 4, 16, 100, 1_000_000] {
            [uint64::measure, sint64::measure, int32::measure, boolean::measure]
                .map(|measure| measure(is_mixed, len));
        }
    }
    osmpbf(false);
    osmpbf(true);
    mlt_core();
}
