//! `Decoder::<u64>`

#![no_std]
#![no_main]

use zigzag_varint::Decoder;

size::program!(u64, |bytes, values| {
    let mut decoder = Decoder::<u64>::new();
    let mut found = 0;
    for &byte in bytes.iter() {
        match decoder.push(byte) {
            Ok(Some(value)) => values[0] ^= value,
            Ok(None) => found += 1,
            Err(error) => return error.offset() as u64,
        }
    }
    found
});
