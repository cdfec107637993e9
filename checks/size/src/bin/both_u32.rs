//! `decode_slice::<u32>` and `encode_slice::<u32>`

#![no_std]
#![no_main]

size::program!(u32, |bytes, values| match zigzag_varint::decode_slice(bytes, values) {
    Ok(done) => match zigzag_varint::encode_slice(&values[..done.values], bytes) {
        Ok(len) => len as u64,
        Err(error) => error.needed as u64,
    },
    Err(failed) => failed.error.offset() as u64,
});
