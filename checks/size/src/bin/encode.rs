//! `u64::encode`

#![no_std]
#![no_main]

use zigzag_varint::Varint;

size::program!(u64, |bytes, values| {
    let encoded = values[0].encode();
    bytes.iter_mut().zip(&*encoded).for_each(|(to, from)| *to = *from);
    encoded.len() as u64
});
