//! `decode_slice::<u32>`

#![no_std]
#![no_main]

size::program!(u32, |bytes, values| match zigzag_varint::decode_slice(bytes, values) {
    Ok(done) => done.values as u64,
    Err(failed) => failed.error.offset() as u64,
});
