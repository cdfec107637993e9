//! nothing used

#![no_std]
#![no_main]

use zigzag_varint as _;

size::program!(u64, |bytes, values| bytes.len() as u64 + values[0]);
