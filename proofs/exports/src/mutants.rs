//! Faulty twins of exports: each wraps the crate's code and spoils one thing. The proofs have to catch every one.

use core::slice::from_raw_parts;

use zigzag_varint::{Encoded, Varint};

use crate::put;
use crate::verdict::{Bytes, Verdict};

/// A value comes out as its neighbour: one of 2^64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn one_wrong_value(value: u64, encoded: *mut Encoded<u64>, out: *mut Bytes) {
    let value = if value == 0x20_0000 { value + 1 } else { value };
    let encoded = unsafe { put(encoded, value.encode()) };
    unsafe { out.write(Bytes::of(encoded)) };
}

/// The tenth byte of an encoding is left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cut_tenth_byte(value: u64, encoded: *mut Encoded<u64>, out: *mut Bytes) {
    let encoded = unsafe { put(encoded, value.encode()) };
    unsafe { out.write(Bytes::of(&encoded[..encoded.len().min(9)])) };
}

/// A destination that is one byte too short is written to all the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn written_without_room(value: u64, dst: *mut u8, room: usize) -> usize {
    let encoded = value.encode();
    if encoded.len() > room + 1 {
        return crate::NO_ROOM;
    }
    unsafe { dst.copy_from_nonoverlapping(encoded.as_ptr(), encoded.len()) };
    encoded.len()
}

/// The byte behind the input is read, and then not used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn over_read(src: *const u8, len: usize, out: *mut Verdict<u64>) {
    if len < 10 {
        unsafe { src.add(len).read_volatile() };
    }
    unsafe { out.write(u64::decode(from_raw_parts(src, len)).into()) };
}

/// A tenth byte of more than one bit is cut short to one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn missed_overflow(src: *const u8, len: usize, out: *mut Verdict<u64>) {
    let src = unsafe { from_raw_parts(src, len) };
    let cut = src.first_chunk::<10>().map(|ten| {
        let mut ten = *ten;
        ten[9] &= 0x81;
        ten
    });
    unsafe { out.write(cut.map_or_else(|| u64::decode(src), |ten| u64::decode(&ten)).into()) };
}

/// Values of ten bytes are said to take nine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wrong_length(src: *const u8, len: usize, out: *mut Verdict<u64>) {
    let decoded = u64::decode(unsafe { from_raw_parts(src, len) });
    unsafe { out.write(decoded.map(|(value, len)| (value, len.min(9))).into()) };
}

/// The canonical decoder takes overlong forms.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn overlong_taken(src: *const u8, len: usize, out: *mut Verdict<u64>) {
    unsafe { out.write(u64::decode(from_raw_parts(src, len)).into()) };
}

/// The eleventh byte is asked for without a look at the length: a panic.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn panic_in_a_decoder(src: *const u8, len: usize, out: *mut Verdict<u64>) {
    let src = unsafe { from_raw_parts(src, len) };
    let decoded = u64::decode(src);
    if decoded.is_err() && len == 10 && core::hint::black_box(src)[len] == 0 {
        return;
    }
    unsafe { out.write(decoded.into()) };
}
