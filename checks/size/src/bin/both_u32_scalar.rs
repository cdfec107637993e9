//! the same with `Kernel::SCALAR`

#![no_std]
#![no_main]

use zigzag_varint::Kernel;

size::program!(u32, |bytes, values| match Kernel::SCALAR.decode_slice(bytes, values) {
    Ok(done) => match Kernel::SCALAR.encode_slice(&values[..done.values], bytes) {
        Ok(len) => len as u64,
        Err(error) => error.needed as u64,
    },
    Err(failed) => failed.error.offset() as u64,
});
