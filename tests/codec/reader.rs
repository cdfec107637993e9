//! The `Reader` on streams, next to guard pages. The property `reader` makes all calls in any order.

use std::iter::from_fn;

use crate::support::guard_pages::{Edge, Guarded};
use crate::support::wire_types::check_bytes::gather;
use crate::support::wire_types::{AnyWireType, wire_types};
use crate::support::wires::{THREE_WINDOWS, backgrounds};
use zigzag_varint::Reader;
use zigzag_varint_oracle::{self as oracle, BulkOutcome};

/// Reads all of `src` next to either guard page.
fn read_all(wire_type: AnyWireType, pages: &mut Guarded, src: &[u8]) {
    let expected = wire_type.rule().decode_all(src, usize::MAX);
    for edge in Edge::BOTH {
        let mut reader = Reader::new(pages.copy(edge, src));
        let (values, error) = gather(from_fn(wire_type.values(&mut reader)));
        let read = BulkOutcome { values, bytes: reader.position(), error };
        assert_eq!(read, expected, "{} ({edge:?}) from {src:02x?}", wire_type.name());
    }
}

#[test]
fn inputs_of_every_length_match_the_oracle() {
    let mut pages = Guarded::new(THREE_WINDOWS);
    for wire_type in wire_types() {
        for numbers in backgrounds(wire_type.rule().wire_bits(), THREE_WINDOWS) {
            let bytes = oracle::encode_all(&numbers);
            for len in 0..=THREE_WINDOWS {
                read_all(*wire_type, &mut pages, &bytes[..len]);
            }
        }
    }
}
