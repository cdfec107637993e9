//! Faulty variants of exports. Each wraps the crate's code and adds one fault, which the proofs
//! must refute.

use core::slice::from_raw_parts;

use zigzag_varint::{Encoded, Varint};

use crate::outcome::{Bytes, Outcome};
use crate::put;

/// One value of 2^64 is encoded as the next one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn one_wrong_value(value: u64, encoded: *mut Encoded<u64>, out: *mut Bytes) {
    let value = if value == 0x20_0000 { value + 1 } else { value };
    let encoded = unsafe { put(encoded, value.encode()) };
    unsafe { out.write(Bytes::of(encoded)) };
}

/// The tenth byte of an encoding is missing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn missing_tenth_byte(value: u64, encoded: *mut Encoded<u64>, out: *mut Bytes) {
    let encoded = unsafe { put(encoded, value.encode()) };
    unsafe { out.write(Bytes::of(&encoded[..encoded.len().min(9)])) };
}

/// Writes one byte past the end of a destination that is one byte too short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn over_write(value: u64, dst: *mut u8, capacity: usize) -> usize {
    let encoded = value.encode();
    if encoded.len() > capacity + 1 {
        return crate::TOO_SMALL;
    }
    unsafe { dst.copy_from_nonoverlapping(encoded.as_ptr(), encoded.len()) };
    encoded.len()
}

/// Reads the byte past the end of the input, and does not use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn over_read(src: *const u8, len: usize, out: *mut Outcome<u64>) {
    if len < 10 {
        unsafe { src.add(len).read_volatile() };
    }
    unsafe { out.write(u64::decode(from_raw_parts(src, len)).into()) };
}

/// Drops the other bits of a tenth byte that is greater than 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn missed_overflow(src: *const u8, len: usize, out: *mut Outcome<u64>) {
    let src = unsafe { from_raw_parts(src, len) };
    let cut = src.first_chunk::<10>().map(|ten| {
        let mut ten = *ten;
        ten[9] &= 0x81;
        ten
    });
    unsafe { out.write(cut.map_or_else(|| u64::decode(src), |ten| u64::decode(&ten)).into()) };
}

/// Returns a length of nine for values of ten bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wrong_length(src: *const u8, len: usize, out: *mut Outcome<u64>) {
    let decoded = u64::decode(unsafe { from_raw_parts(src, len) });
    unsafe { out.write(decoded.map(|(value, len)| (value, len.min(9))).into()) };
}

/// The canonical decoder accepts overlong encodings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn overlong_accepted(src: *const u8, len: usize, out: *mut Outcome<u64>) {
    unsafe { out.write(u64::decode(from_raw_parts(src, len)).into()) };
}

/// Panics: it accesses the eleventh byte without a check of the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn panic_in_a_decoder(src: *const u8, len: usize, out: *mut Outcome<u64>) {
    let src = unsafe { from_raw_parts(src, len) };
    let decoded = u64::decode(src);
    if decoded.is_err() && len == 10 && core::hint::black_box(src)[len] == 0 {
        return;
    }
    unsafe { out.write(decoded.into()) };
}
