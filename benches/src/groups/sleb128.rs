//! `sleb128-encode` and `sleb128-decode`: signed LEB128, one value at a time, and crates for DWARF
//! and WebAssembly.

use criterion::Criterion;
use zigzag_varint::{Signed, Varint as _};

use crate::compare::{compare_both, streams};
use crate::contender::{Contender, VALID, get_each, put_each, read_each, write_each};
use crate::corpus::{LONG, Set, Stream};

pub(crate) fn run(criterion: &mut Criterion) {
    // The encoding of a value is as long as its zigzag varint.
    for set in [Set::OneByte, Set::Mix, Set::Log, Set::Rand] {
        let names = ["encode", "decode"].map(|name| format!("sleb128-{name}/i64/{}", set.name()));
        let streams = streams(move || Stream::several(set, LONG).into_iter().map(in_signed_leb128).collect());
        compare_both(criterion, &names, LONG, &streams, &contenders());
    }
}

fn in_signed_leb128(stream: Stream<i64>) -> Stream<i64> {
    let mut bytes = Vec::new();
    for &value in &stream.values {
        leb128::write::signed(&mut bytes, value).expect(VALID);
    }
    Stream { bytes, ..stream }
}

fn contenders() -> [Contender<i64>; 3] {
    [
        Contender::new(
            "ours-single",
            put_each(|value, dst| Signed(value).encode_to_slice(dst).expect(VALID)),
            get_each(|src| Signed::decode(src).expect(VALID)),
        ),
        Contender::new(
            "leb128",
            write_each(|value, output| _ = leb128::write::signed(output, value).expect(VALID)),
            read_each(|input| leb128::read::signed(input).expect(VALID)),
        ),
        Contender::new(
            "leb128fmt",
            |src, dst| {
                let mut at = 0;
                for &value in src {
                    leb128fmt::encode_sint_slice::<i64, 64>(value, dst, &mut at).expect(VALID);
                }
                at
            },
            |src, dst| {
                let mut at = 0;
                for slot in dst {
                    *slot = leb128fmt::decode_sint_slice::<i64, 64>(src, &mut at).expect(VALID);
                }
                at
            },
        ),
    ]
}
