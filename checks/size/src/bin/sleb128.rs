//! `sleb128::encode_to_slice` and `decode` of `i64`

#![no_std]
#![no_main]

use zigzag_varint::sleb128;

size::program!(i64, |bytes, values| match sleb128::decode(bytes) {
    Ok((value, len)) => {
        values[0] = value;
        sleb128::encode_to_slice(values[1], bytes).map_or(0, |written| (len + written) as u64)
    }
    Err(error) => error.offset() as u64,
});
