//! `u64::encode_to_slice`

#![no_std]
#![no_main]

use zigzag_varint::Varint;

size::program!(u64, |bytes, values| match values[0].encode_to_slice(bytes) {
    Ok(len) => len as u64,
    Err(error) => error.needed as u64,
});
