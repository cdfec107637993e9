//! Checks docs/migrating.md: runs each pair of calls in its tables side by side, and checks each
//! listed difference.

use std::io;
use std::panic::catch_unwind;

use unsigned_varint::decode::Error;
use zigzag_varint::protobuf::{Int32, Sint32, Tag, TagType};
use zigzag_varint::{BufferTooSmall, Canonical, DecodeError, ErrorKind, Reader, Signed, Varint};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const VALUES: [u64; 7] = [0, 1, 127, 128, 300, 1 << 35, u64::MAX];
const SIGNED: [i64; 8] = [0, -1, 63, 64, -64, -65, i64::MAX, i64::MIN];

/// Nine continuation bytes and `last`.
fn ten(last: u8) -> [u8; 10] {
    let mut bytes = [0xff; 10];
    bytes[9] = last;
    bytes
}

/// Valid and invalid encodings of 0 to 12 bytes.
fn inputs() -> Vec<Vec<u8>> {
    let fills = [0x80, 0xff];
    let lasts = [0x00, 0x01, 0x02, 0x40, 0x7e, 0x7f, 0x80];
    let all =
        (0..12).flat_map(|len| fills.map(|fill| lasts.map(|last| [&vec![fill; len][..], &[last]].concat())));
    all.flatten().chain([vec![]]).collect()
}

fn kind(error: DecodeError) -> ErrorKind {
    error.kind()
}

/// Asserts that another crate's function decodes each input to the same value and length, or to none.
fn assert_same(theirs: impl Fn(&[u8]) -> Option<(u64, usize)>) {
    for src in inputs() {
        assert_eq!(theirs(&src), u64::decode(&src).ok(), "{src:02x?}");
    }
}

/// Returns the value and the length of a function that advances a slice.
fn advanced<E>(src: &[u8], read: impl Fn(&mut &[u8]) -> Result<u64, E>) -> Option<(u64, usize)> {
    let mut input = src;
    let value = read(&mut input).ok()?;
    Some((value, src.len() - input.len()))
}

/// Returns `code` without white space, and without the commas that rustfmt puts before a closing
/// parenthesis.
fn normalized(code: &str) -> String {
    code.chars().filter(|c| !c.is_whitespace()).collect::<String>().replace(",)", ")")
}

/// A trait of another crate with methods of any names, for references as in wasm-encoder.
trait Other {
    fn encode(&self, sink: &mut Vec<u8>) {
        sink.push(0xaa);
    }

    fn encoded_len(&self) -> &'static str {
        "of the other trait"
    }

    fn value(&self) -> &'static str {
        "of the other trait"
    }
}

impl Other for u32 {}

#[test]
fn an_import_of_the_trait_leaves_the_methods_of_other_traits() {
    let (number, mut sink) = (300u64, Vec::new());
    (number as u32).encode(&mut sink);
    assert_eq!((300u32.encoded_len(), 300u32.value()), ("of the other trait", "of the other trait"));
    assert_eq!((sink, u64::encoded_len(number)), (vec![0xaa], 2));
    assert_eq!(<u32 as Varint>::encode(300), [0xac, 0x02]);
}

#[test]
fn every_table_cell_is_run_in_this_file() {
    let guide = include_str!("../../docs/migrating.md");
    let (_, calls) = include_str!("migrating.rs").split_once("mod calls").expect("this file");
    let (mut cells, code) = (0, normalized(calls));
    for row in guide.lines().filter(|line| line.starts_with("| `")) {
        for cell in row.split('|').map(str::trim).filter(|cell| !cell.is_empty()) {
            assert!(code.contains(&normalized(cell.trim_matches('`'))), "{cell} is not run");
            cells += 1;
        }
    }
    assert!(cells >= 30, "only {cells} cells were found");
}

/// Returns the vector to which a call appends.
macro_rules! appended {
    ($output:ident, $call:expr) => {{
        let mut $output = Vec::new();
        _ = $call;
        $output
    }};
}

/// Returns the result of a call that reads all bytes.
macro_rules! read {
    ($input:ident, $bytes:expr, $call:expr) => {{
        let mut $input = &$bytes[..];
        let result = $call;
        assert!($input.is_empty());
        result
    }};
}

mod calls {
    use super::*;

    #[test]
    fn many_values_at_once() -> Outcome {
        use zigzag_varint::{
            BufMutVarint as _, BufVarint as _, ReadVarint as _, WriteVarint as _, decode_slice,
            decode_to_vec, encode_append, encode_slice,
        };
        let bytes: Vec<u8> = VALUES.iter().flat_map(|&value| u64::encode(value)).collect();
        let src = &bytes[..];
        assert_eq!(decode_to_vec::<u64>(src)?, VALUES);
        let mut values = [0; VALUES.len()];
        decode_slice(src, &mut values)?;
        assert_eq!(values, VALUES);
        let mut dst = [0; 70];
        let len = encode_slice(&values, &mut dst)?;
        assert_eq!(dst[..len], *src);
        assert_eq!(appended!(output, encode_append(&values, &mut output)), src);
        assert_eq!(appended!(output, output.write_varints::<u64>(&values)?), src);
        assert_eq!(appended!(output, output.put_varints::<u64>(&values)), src);
        values.fill(0);
        read!(input, src, input.read_varints::<u64>(&mut values)?);
        assert_eq!(values, VALUES);
        values.fill(0);
        read!(input, src, input.try_get_varints::<u64>(&mut values)?);
        assert_eq!(values, VALUES);
        Ok(())
    }

    #[test]
    fn integer_encoding() -> Outcome {
        use integer_encoding::VarInt as _;
        for value in VALUES {
            let mut dst = [0; 10];
            let theirs = (value.encode_var(&mut dst), dst);
            let mut dst = [0; 10];
            assert_eq!((u64::encode_to_slice(value, &mut dst)?, dst), theirs);
            assert_eq!(value.encode_var_vec(), u64::encode(value).to_vec());
            assert_eq!(value.required_space(), u64::encoded_len(value));
            let src = &dst[..];
            assert_eq!(u64::decode_var(src), u64::decode(src).ok());
            let theirs = {
                use integer_encoding::{VarIntReader as _, VarIntWriter as _};
                let bytes = appended!(output, output.write_varint(value)?);
                assert_eq!(read!(input, bytes, input.read_varint::<u64>()?), value);
                bytes
            };
            {
                use zigzag_varint::{ReadVarint as _, WriteVarint as _};
                assert_eq!(appended!(output, output.write_varint(value)?), theirs);
                assert_eq!(read!(input, theirs, input.read_varint::<u64>()?), value);
            }
        }
        for value in SIGNED {
            assert_eq!(value.encode_var_vec(), i64::encode(value).to_vec());
        }
        Ok(())
    }

    #[test]
    fn leb128() -> Outcome {
        use zigzag_varint::{ReadVarint as _, WriteVarint as _};
        for value in VALUES {
            let theirs = appended!(output, leb128::write::unsigned(&mut output, value)?);
            assert_eq!(appended!(output, output.write_varint(value)?), theirs);
            assert_eq!(read!(input, theirs, leb128::read::unsigned(&mut input)?), value);
            assert_eq!(read!(input, theirs, input.read_varint::<u64>()?), value);
        }
        for signed in SIGNED {
            let theirs = appended!(output, leb128::write::signed(&mut output, signed)?);
            assert_eq!(appended!(output, output.write_varint(Signed(signed))?), theirs);
            assert_eq!(read!(input, theirs, leb128::read::signed(&mut input)?), signed);
            assert_eq!(read!(input, theirs, input.read_varint::<Signed<i64>>()?), signed);
        }
        assert_ne!(*i64::encode(64), *Signed::encode(64i64));
        Ok(())
    }

    #[test]
    fn unsigned_varint() -> Outcome {
        for value in VALUES {
            let ours = u64::encode(value);
            assert_eq!(
                unsigned_varint::encode::u64(value, &mut unsigned_varint::encode::u64_buffer()),
                &*ours
            );
            let src = &[&*ours, &[7]].concat()[..];
            let theirs =
                unsigned_varint::decode::u64(src).map(|(value, rest)| (value, src.len() - rest.len()));
            assert_eq!(theirs.ok(), Canonical::<u64>::decode(src).ok());
        }
        let both = |src| {
            (unsigned_varint::decode::u64(src).map(|_| ()), Canonical::<u64>::decode(src).map_err(kind))
        };
        assert_eq!(both(&[0x80]), (Err(Error::Insufficient), Err(ErrorKind::Truncated)));
        assert_eq!(both(&[0x80; 10]), (Err(Error::Overflow), Err(ErrorKind::TooLong)));
        assert_eq!(both(&[0x80, 0x00]), (Err(Error::NotMinimal), Err(ErrorKind::NonCanonical)));
        Ok(())
    }

    #[test]
    fn prost() -> Outcome {
        use zigzag_varint::ReadVarint as _;
        for value in VALUES {
            let theirs = appended!(output, prost::encoding::encode_varint(value, &mut output));
            assert_eq!(appended!(output, output.extend_from_slice(&u64::encode(value))), theirs);
            assert_eq!(prost::encoding::encoded_len_varint(value), u64::encoded_len(value));
            assert_eq!(read!(input, theirs, prost::encoding::decode_varint(&mut input)?), value);
            assert_eq!(read!(input, theirs, input.read_varint::<u64>()?), value);
        }
        let tag = Tag::new(1, TagType::Len).expect("a valid number");
        let wire_type = prost::encoding::WireType::LengthDelimited;
        let mut theirs = appended!(output, prost::encoding::encode_key(1, wire_type, &mut output));
        assert_eq!(appended!(output, output.extend_from_slice(&tag.encode())), theirs);
        assert_eq!(read!(input, theirs, prost::encoding::decode_key(&mut input)?), (1, wire_type));
        let value = b"\x02hi";
        read!(input, value, prost::encoding::skip_field(wire_type, 1, &mut input, Default::default())?);
        theirs.extend_from_slice(value);
        let mut reader = Reader::new(&theirs);
        assert_eq!(Tag::read(&mut reader)?, tag);
        tag.skip(&mut reader)?;
        assert!(reader.is_empty());
        Ok(())
    }
}

#[test]
fn differences_from_integer_encoding() {
    use integer_encoding::{VarInt as _, VarIntReader as _};
    assert_same(u64::decode_var);
    assert!(catch_unwind(|| 300u64.encode_var(&mut [0; 1])).is_err());
    assert_eq!(u64::encode_to_slice(300, &mut [0; 1]), Err(BufferTooSmall { needed: 2, available: 1 }));
    let six = [0x80, 0x80, 0x80, 0x80, 0x80, 0x00];
    assert_eq!(u32::decode_var(&six), Some((0, 6)));
    assert_eq!(u32::decode(&six).map_err(kind), Err(ErrorKind::TooLong));
    assert_eq!((&ten(2)[..]).read_varint::<u64>().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    let ours = zigzag_varint::ReadVarint::read_varint::<u64>(&mut &ten(2)[..]);
    assert_eq!(ours.unwrap_err().kind(), io::ErrorKind::InvalidData);
    let cut = zigzag_varint::ReadVarint::read_varint::<u64>(&mut &[0x80][..]);
    assert_eq!(cut.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn differences_from_leb128() {
    assert_same(|src| advanced(src, |input| leb128::read::unsigned(input)));
    let run = [&[0x80; 500][..], &[0x00]].concat();
    let mut input = &run[..];
    assert!(matches!(leb128::read::unsigned(&mut input), Err(leb128::read::Error::Overflow)));
    assert!(input.is_empty(), "all continuation bytes are consumed");
    let ours = u64::decode(&run).unwrap_err();
    assert_eq!((ours.kind(), ours.offset()), (ErrorKind::TooLong, 9));
    assert!(matches!(leb128::read::unsigned(&mut &[0x80][..]), Err(leb128::read::Error::IoError(_))));
}

#[test]
fn differences_from_unsigned_varint() {
    assert_eq!(unsigned_varint::decode::u64(&[0xac, 0x02, 0x07]), Ok((300, &[0x07][..])));
    assert_eq!(Canonical::<u64>::decode(&[0xac, 0x02, 0x07]), Ok((300, 2)));
    assert_eq!(unsigned_varint::decode::u64(&ten(2)), Ok((9_223_372_036_854_775_807, &[][..])));
    assert_eq!(Canonical::<u64>::decode(&ten(2)).map_err(kind), Err(ErrorKind::Overflow));
    let five = [0xff, 0xff, 0xff, 0xff, 0x7f];
    assert_eq!(unsigned_varint::decode::u32(&five), Ok((u32::MAX, &[][..])));
    assert_eq!(Canonical::<u32>::decode(&five).map_err(kind), Err(ErrorKind::Overflow));
    assert_eq!(unsigned_varint::decode::u64(&ten(1)), Ok((u64::MAX, &[][..])));
    for src in inputs() {
        if let Ok(ours) = Canonical::<u64>::decode(&src) {
            let theirs =
                unsigned_varint::decode::u64(&src).map(|(value, rest)| (value, src.len() - rest.len()));
            assert_eq!(theirs, Ok(ours), "{src:02x?}");
        }
    }
}

#[test]
fn differences_from_prost() {
    assert_same(|src| advanced(src, |input| prost::encoding::decode_varint(input)));
    let is_unchanged = |src: &[u8]| {
        let mut input = src;
        assert!(prost::encoding::decode_varint(&mut input).is_err());
        input.len() == src.len()
    };
    assert!(is_unchanged(&ten(2)) != is_unchanged(&[0x80]), "the position depends on the error");
    assert!(catch_unwind(|| prost::encoding::encode_varint(300, &mut &mut [0; 1][..])).is_err());
    assert_eq!(Int32::encoded_len(-1), 10);
    assert_eq!(*i32::encode(-1), *Sint32::encode(-1));
}

/// The table of crates in README.md states what it accepts.
#[cfg(target_arch = "x86_64")]
#[test]
fn varint_simd_accepts_the_same_bytes() {
    assert_same(|src| varint_simd::decode::<u64>(src).ok());
}
