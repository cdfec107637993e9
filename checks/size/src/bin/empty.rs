//! a program without the crate

#![no_std]
#![no_main]

size::program!(u64, |bytes, values| bytes.len() as u64 + values[0]);
