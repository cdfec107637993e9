//! `u64::decode`

#![no_std]
#![no_main]

use zigzag_varint::Varint;

size::program!(u64, |bytes, values| match u64::decode(bytes) {
    Ok((value, len)) => value + len as u64 + values[0],
    Err(error) => error.offset() as u64,
});
