//! A `Reader` gives the oracle's values and errors, whatever was called before.

use std::iter::from_fn;

use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::protobuf::Tag;
use zigzag_varint::{FrameError, Reader};
use zigzag_varint_oracle::{self as oracle, ErrorAt};

use crate::property::input::Input;
use crate::support::guard_pages::{Edge, MEMORY};
use crate::support::messages::{self, fault_at};
use crate::support::wire_types::check_bytes::gather;
use crate::support::wire_types::{AnyWireType, chosen};

/// Each of the first twelve pairs of bytes chooses a call and a wire type; the rest is read.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let choices = [(); 24].map(|()| input.byte());
    MEMORY.with_borrow_mut(|[memory, _]| check_calls(memory.copy(Edge::Back, input.rest()), &choices));
}

/// Makes a call for each pair of bytes, so that each starts where another one ended, with the
/// look-ahead that the other one left.
fn check_calls(src: &[u8], choices: &[u8]) {
    let mut reader = Reader::new(src);
    for pair in choices.chunks_exact(2) {
        let (wire_type, n) = (chosen(pair[1]), usize::from(pair[0] / 7 % 8));
        let (name, at) = (wire_type.name(), reader.position());
        let rest = &src[at..];
        assert_eq!((reader.remaining(), reader.is_empty()), (rest, rest.is_empty()));
        let first = wire_type.rule().decode(rest).map_err(|error| error.shifted(at));
        let several = wire_type.rule().decode_all(rest, n);
        let error = several.error.map(|error| error.shifted(at));
        let consumed = match pair[0] % 8 {
            0 => {
                let skipped = reader.skip_values(n).map_err(ErrorAt::from);
                assert_eq!(skipped, oracle::skip(rest, n).map_err(|error| error.shifted(at)));
                skipped.unwrap_or(0)
            }
            1 => {
                let len = if n == 7 { usize::MAX } else { n };
                let raw = reader.read_bytes(len);
                let (missing, offset) = (len.saturating_sub(rest.len()), src.len());
                assert_eq!(raw, rest.get(..len).ok_or(FrameError::Truncated { len, missing, offset }));
                raw.map_or(0, <[u8]>::len)
            }
            2 => {
                let mut values = Vec::new();
                let failed = wire_type.read_slice(&mut reader, n, &mut values).err();
                let read = (values, failed.map(|failed| failed.error));
                assert_eq!(read, (several.values, error), "{name}");
                several.bytes
            }
            3 => {
                let read = gather(from_fn(wire_type.values(&mut reader)).take(n));
                assert_eq!(read, (several.values, error), "{name} {rest:02x?}");
                several.bytes
            }
            4 => {
                check_into_values(wire_type, &reader, n);
                0
            }
            5 => {
                let missing = ErrorAt { kind: Truncated, offset: at };
                let byte = reader.read_byte().map_err(ErrorAt::from);
                assert_eq!(byte, rest.first().copied().ok_or(missing));
                rest.len().min(1)
            }
            6 => {
                let field = messages::tag(src, at);
                let read = Tag::read(&mut reader).map_err(fault_at);
                let raw = field.map(|(number, of, _)| number * 8 + of);
                assert_eq!(read.map(Tag::to_u32), raw, "{rest:02x?}");
                let mut end = field.map_or(at, |(.., end)| end);
                if let (Ok(tag), Ok((number, of, begin))) = (read, field) {
                    let skipped = tag.skip(&mut reader).map_err(fault_at);
                    let value_end = messages::value_end(src, begin, number, of, 0);
                    assert_eq!(skipped, value_end.map(|_| ()), "{rest:02x?}");
                    end = value_end.unwrap_or(begin);
                }
                end - at
            }
            _ => {
                let read = wire_type.read(&mut reader).map_err(ErrorAt::from);
                assert_eq!(read, first.map(|(value, _)| value), "{name} {rest:02x?}");
                first.map_or(0, |(_, len)| len)
            }
        };
        assert_eq!(reader.position(), at + consumed, "{name} {rest:02x?}");
    }
}

/// An owning iterator, and a clone of it after `n` items, have the items left. There is nothing after
/// the end or the first error.
fn check_into_values(wire_type: AnyWireType, reader: &Reader, n: usize) {
    let all = wire_type.rule().decode_all(reader.remaining(), usize::MAX);
    let error = all.error.map(|error| error.shifted(reader.position()));
    for mut next in wire_type.owned_values(reader.clone(), n) {
        let left = all.values.get(n..).unwrap_or_default().to_vec();
        let error = error.filter(|_| n <= all.values.len());
        assert_eq!(gather(from_fn(&mut next)), (left, error), "{}", wire_type.name());
        assert!((0..3).all(|_| next().is_none()), "the iterator is fused");
    }
    let mut reader = reader.clone();
    let mut next = wire_type.values(&mut reader);
    while let Some(Ok(_)) = next() {}
    assert!((0..3).all(|_| next().is_none()), "the iterator is fused");
}

pub fn examples() -> Vec<Vec<u8>> {
    // Fields with groups, valid and not.
    let message = b"\x08\x96\x01\x0b\x13\x10\x07\x14\x0c\x1d\x00\x00\x80\x3f\x22\x02hi\x29";
    let fields = [&message[..], &message[3..], b"\x0b\x14", b"\x0c", b"\x00", b"\x07", &[0x0b; 101]];
    let fields = fields.map(|message| [&[6; 24], message].concat());
    let others = super::after(
        (0..80u8)
            .map(|n| std::array::from_fn::<_, 24, _>(|at| n.wrapping_mul(37).wrapping_add(11 * at as u8))),
    );
    fields.into_iter().chain(others).collect()
}
