//! The examples of specifications and of other test suites: facts, with the place where they are
//! published.

use crate::vector::{Vector, bytes_of};
use crate::wire_type::WireType;

/// Examples of one source, by bytes or by values.
struct Source {
    name: &'static str,
    bytes: &'static [(&'static str, &'static [&'static str])],
    values: &'static [(&'static str, &'static [i128])],
}

const SOURCES: [Source; 16] = [
    Source {
        name: "Protocol Buffers, Encoding, Base 128 Varints",
        bytes: &[("protobuf-uint64", &["01", "9601"]), ("protobuf-int32", &["9601"])],
        values: &[],
    },
    Source {
        name: "Protocol Buffers, Encoding, Packed Repeated Fields",
        bytes: &[("protobuf-int32", &["03", "8e02", "9ea705"])],
        values: &[],
    },
    Source {
        name: "Protocol Buffers, Encoding, Signed Integers",
        bytes: &[
            ("protobuf-int32", &["feffffffffffffffff01"]),
            ("protobuf-int64", &["feffffffffffffffff01"]),
            ("protobuf-sint32", &["00", "01", "02", "03", "feffffff0f", "ffffffff0f", "e707"]),
            ("protobuf-sint64", &["00", "01", "02", "03", "feffffff0f", "ffffffff0f", "e707"]),
        ],
        values: &[],
    },
    Source {
        name: "Protocol Buffers, Encoding, Bools and Enums",
        bytes: &[("protobuf-bool", &["00", "01"])],
        values: &[],
    },
    Source {
        name: "Protocol Buffers, Language Guide, Updating A Message Type",
        bytes: &[
            ("protobuf-int32", &["8080808010"]),
            ("protobuf-uint32", &["8080808010"]),
            ("protobuf-sint32", &["8080808010"]),
        ],
        values: &[],
    },
    Source {
        name: "WebAssembly Core, Binary Format, Integers",
        bytes: &[
            ("unsigned-8", &["03", "8300", "8310"]),
            ("signed-16", &["7e", "fe7f", "feff7f"]),
            ("signed-8", &["833e", "ff7b"]),
        ],
        values: &[],
    },
    Source {
        name: "WebAssembly Core, Binary Format, Types",
        bytes: &[("signed-33", &["40", "7f", "7e", "7d", "7c", "7b", "70", "6f"])],
        values: &[],
    },
    Source {
        name: "WebAssembly test suite, core/binary-leb128.wast",
        bytes: &[
            ("unsigned-32", &["8200", "8000", "8a00", "8800", "8900", "8100"]),
            ("unsigned-32", &["808080808000", "828080808000", "838080808000"]),
            ("unsigned-32", &["8080808010", "8280808010", "8380808010", "8280808040", "8380808040"]),
            ("unsigned-64", &["8200", "8280808000", "828080808080808080808000"]),
            ("unsigned-64", &["82808080808080808010", "82808080808080808040", "8280808080808080808070"]),
            ("signed-32", &["8000", "ff7f", "8080808000", "ffffffff7f", "808080808000", "ffffffffff7f"]),
            ("signed-32", &["8080808070", "ffffffff0f", "808080801f", "ffffffff4f"]),
            ("signed-64", &["8000", "ff7f", "80808080808080808000", "ffffffffffffffffff7f"]),
            ("signed-64", &["8080808080808080808000", "ffffffffffffffffffff7f", "8080808080808080807e"]),
            ("signed-64", &["ffffffffffffffffff01", "80808080808080808002", "ffffffffffffffffff41"]),
        ],
        values: &[],
    },
    Source {
        name: "Go, encoding/binary, varint_test.go",
        bytes: &[
            ("unsigned-64", &["", "80", "8080", "808080", "80808080", "80808000"]),
            ("unsigned-64", &["80808080808080808002", "808080808080808080808080010000"]),
            ("unsigned-64", &["ffffffffffffffffffffff", "d7ffffffffffffffff01", "d7ffffffffffffffffff01"]),
            ("unsigned-64", &["d7ffffffffffffffff7f"]),
        ],
        values: &[
            ("unsigned-64", &[0, 1, 2, 10, 20, 63, 64, 65, 127, 128, 129, 255, 256, 257, (1 << 63) - 1]),
            ("zigzag-64", &[-1 << 63, (-1 << 63) + 1, -1, 0, 1, 2, 10, 20, 63, 64, 65, 127, 128, 129, 255]),
            ("zigzag-64", &[256, 257, (1 << 63) - 1, -2, -10, -20, -63, -64, -65, -127, -128, -129, -255]),
        ],
    },
    Source {
        name: "multiformats, unsigned-varint",
        bytes: &[("multiformats", &["01", "7f", "8001", "ff01", "ac02", "808001"])],
        values: &[],
    },
    Source {
        name: "multiformats, go-varint, varint_test.go",
        bytes: &[("multiformats", &["", "8100", "8181", "ffffffffffffffffffffff00"])],
        values: &[],
    },
    Source {
        name: "DWARF 5, Variable Length Data",
        bytes: &[
            ("unsigned-64", &["02", "7f", "8001", "8101", "b964"]),
            ("signed-64", &["02", "7e", "ff00", "817f", "8001", "807f", "8101", "ff7e"]),
        ],
        values: &[],
    },
    Source {
        name: "Android, Dalvik Executable format, LEB128",
        bytes: &[("unsigned-32", &["00", "01", "7f", "807f"]), ("signed-32", &["00", "01", "7f", "807f"])],
        values: &[],
    },
    Source {
        name: "Apache Lucene, index file formats, VInt",
        bytes: &[(
            "unsigned-32",
            &["00", "01", "02", "7f", "8001", "8101", "8201", "ff7f", "808001", "818001"],
        )],
        values: &[],
    },
    Source {
        name: "Avro, Specification, Primitive Types",
        bytes: &[("zigzag-64", &["00", "01", "02", "03", "04", "7f", "8001"])],
        values: &[],
    },
    Source {
        name: "Minecraft protocol, VarInt and VarLong",
        bytes: &[],
        values: &[
            ("minecraft-varint", &[0, 1, 2, 127, 128, 255, 25565, 2_097_151, i32::MAX as i128, -1]),
            ("minecraft-varint", &[i32::MIN as i128]),
            ("minecraft-varlong", &[0, 1, 2, 127, 128, 255, i32::MAX as i128, i64::MAX as i128, -1]),
            ("minecraft-varlong", &[i32::MIN as i128, i64::MIN as i128]),
        ],
    },
];

/// Names the sources of the vectors of a wire type, and adds the examples that no rule has made.
pub(crate) fn add(vectors: &mut Vec<Vector>, wire_type: &'static WireType) {
    for Source { name, bytes, values } in &SOURCES {
        let by_bytes = bytes.iter().filter(|(of, _)| *of == wire_type.name);
        let by_bytes = by_bytes.flat_map(|(_, bytes)| *bytes);
        let by_value = values.iter().filter(|(of, _)| *of == wire_type.name);
        let by_value = by_value.flat_map(|(_, values)| *values);
        let bytes = by_bytes.map(|digits| bytes_of(digits).expect("hexadecimal digits"));
        for bytes in bytes.chain(by_value.map(|&value| wire_type.encode(value))) {
            let known = vectors.iter().position(|vector| vector.bytes == bytes);
            let at = known.unwrap_or_else(|| {
                let why = format!("An example of {name}.");
                vectors.push(Vector::new(wire_type, "example", bytes, why));
                vectors.len() - 1
            });
            let sources = &mut vectors[at].sources;
            if !sources.iter().any(|source| source == name) {
                sources.push((*name).to_owned());
            }
        }
    }
}
