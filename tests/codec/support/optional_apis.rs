//! The APIs of optional features, which `apis` compares with the oracle.

use zigzag_varint::Varint;

use super::oracle::{Int, Outcome};

/// Decodes the first value of `src` with each API.
pub fn decode<T: Int, W: Varint<Value = T>>(src: &[u8]) -> Vec<(&'static str, Outcome<T>)> {
    #[allow(unused_mut)] // without these features it stays empty
    let mut outcomes = Vec::new();
    #[cfg(feature = "bytes")]
    {
        use bytes::Buf;

        outcomes.push(("bytes", by_bytes::<W>(&mut &*src)));
        let (head, tail) = src.split_at(src.len() / 2);
        outcomes.push(("bytes, split", by_bytes::<W>(&mut head.chain(tail))));
    }
    #[cfg(feature = "embedded-io")]
    outcomes.push(("embedded-io", by_embedded_io::<W>(src)));
    _ = src;
    outcomes
}

/// Encodes `value` with each API: the bytes, and the returned length.
pub fn encode<T: Int>(value: T) -> Vec<(&'static str, Vec<u8>, usize)> {
    #[allow(unused_mut)] // without these features it stays empty
    let mut encodings = Vec::new();
    #[cfg(feature = "bytes")]
    {
        use zigzag_varint::BufMutVarint;

        let (mut bytes, mut tried) = (Vec::new(), bytes::BytesMut::new());
        let len = bytes.put_varint(value);
        encodings.push(("bytes", bytes, len));
        let len = tried.try_put_varint(value).expect("a BytesMut grows");
        encodings.push(("bytes, tried", tried.to_vec(), len));
    }
    #[cfg(feature = "embedded-io")]
    {
        use zigzag_varint::embedded_io::WriteVarint;

        let mut bytes = [0; 20];
        let mut output = &mut bytes[..];
        let len = output.write_varint(value).expect("enough space");
        let written = 20 - output.len();
        encodings.push(("embedded-io", bytes[..written].to_vec(), len));
    }
    _ = value;
    encodings
}

#[cfg(feature = "bytes")]
fn by_bytes<W: Varint>(buf: &mut impl bytes::Buf) -> Outcome<W::Value> {
    use zigzag_varint::BufVarint;

    let before = buf.remaining();
    let value = buf.try_get_varint::<W>()?;
    Ok((value, before - buf.remaining()))
}

#[cfg(feature = "embedded-io")]
fn by_embedded_io<W: Varint>(mut src: &[u8]) -> Outcome<W::Value> {
    use zigzag_varint::embedded_io::{Error, ReadVarint};

    let before = src.len();
    match src.read_varint::<W>() {
        Ok(value) => Ok((value, before - src.len())),
        Err(Error::Data(error)) => Err(error.into()),
        Err(Error::Io(never)) => match never {},
    }
}
