//! The APIs of optional features, which `apis` compares with the oracle.

use super::oracle::{Int, Outcome};

/// Decodes the first value of `src` with each API.
pub fn decode<T: Int>(src: &[u8], canonical: bool) -> Vec<(&'static str, Outcome<T>)> {
    #[allow(unused_mut)] // without these features it stays empty
    let mut outcomes = Vec::new();
    #[cfg(feature = "bytes")]
    {
        use bytes::Buf;

        outcomes.push(("bytes", by_bytes(&mut &*src, canonical)));
        let (head, tail) = src.split_at(src.len() / 2);
        outcomes.push(("bytes, split", by_bytes(&mut head.chain(tail), canonical)));
    }
    #[cfg(feature = "embedded-io")]
    outcomes.push(("embedded-io", by_embedded_io(src, canonical)));
    #[cfg(feature = "tokio-util")]
    outcomes.push(("tokio-util", by_tokio_util(src, canonical)));
    _ = (src, canonical);
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
fn by_bytes<T: Int>(buf: &mut impl bytes::Buf, canonical: bool) -> Outcome<T> {
    use zigzag_varint::BufVarint;

    let before = buf.remaining();
    let value = if canonical { buf.try_get_varint_canonical() } else { buf.try_get_varint::<T>() }?;
    Ok((value, before - buf.remaining()))
}

#[cfg(feature = "embedded-io")]
fn by_embedded_io<T: Int>(mut src: &[u8], canonical: bool) -> Outcome<T> {
    use zigzag_varint::embedded_io::{Error, ReadVarint};

    let before = src.len();
    let read = if canonical { src.read_varint_canonical() } else { src.read_varint::<T>() };
    match read {
        Ok(value) => Ok((value, before - src.len())),
        Err(Error::Data(error)) => Err(error.into()),
        Err(Error::Io(never)) => match never {},
    }
}

#[cfg(feature = "tokio-util")]
fn by_tokio_util<T: Int>(src: &[u8], canonical: bool) -> Outcome<T> {
    use tokio_util::codec::Decoder;
    use zigzag_varint::codec::VarintCodec;

    let mut codec = if canonical { VarintCodec::<T>::canonical() } else { VarintCodec::new() };
    let mut buffer = bytes::BytesMut::from(src);
    match codec.decode_eof(&mut buffer) {
        Ok(Some(value)) => Ok((value, src.len() - buffer.len())),
        Ok(None) => Err(super::reported_errors::MISSING),
        Err(error) => Err(super::reported_errors::decode_error_in(error)),
    }
}
