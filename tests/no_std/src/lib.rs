//! Names what the crate has without `std`, in a crate without `std`. `checks/targets/bare` calls it.

#![no_std]

pub use zigzag_varint::{
    Bits, BufferTooSmall, BulkError, Canonical, Const, DecodeError, Decoder, Delta, DeltaError, Encoded, ErrorKind, FrameError,
    Integer, IntoValues, Kernel, LengthPrefix, MaxLen, PaddedWidthError, Progress, Reader, S33, Signed, SignedInteger,
    Unlimited, Values, Varint, count, decode_slice, encode_slice, encoded_len_slice, protobuf, skip_values, zigzag,
};
#[cfg(feature = "alloc")]
pub use zigzag_varint::{decode_append, decode_to_vec, encode_append, encode_to_vec};
#[cfg(feature = "bytes")]
pub use zigzag_varint::{BufMutVarint, BufVarint};
#[cfg(feature = "embedded-io")]
pub use zigzag_varint::embedded_io::{ReadVarint, WriteVarint};

/// If a dependency used `std`, its panic handler would conflict with this one, and this crate would
/// not compile.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

pub const THREE_HUNDRED: Result<(u64, usize), DecodeError> = Const::<u64>::decode(&[0xac, 0x02]);

#[cfg(feature = "alloc")]
extern crate alloc;

/// Calls methods that need `alloc`.
#[cfg(feature = "alloc")]
pub fn with_alloc(bytes: &mut alloc::vec::Vec<u8>, values: &mut alloc::vec::Vec<u64>) -> bool {
    let delta = Delta::gaps([0]);
    delta.encode_append(values, bytes).is_ok()
        && delta.decode_append(bytes, values).is_ok()
        && u64::append_exact(bytes, 1, values).is_ok()
        && Reader::new(bytes).read_append::<u64>(1, values).is_ok()
        && LengthPrefix::new(9).encode_append(b"", bytes).is_ok()
}

#[cfg(feature = "defmt")]
pub fn every_error_is_formatted() -> usize {
    fn size<T: defmt::Format>() -> usize {
        size_of::<T>()
    }
    size::<DecodeError>() + size::<BufferTooSmall>() + size::<BulkError>() + size::<FrameError>() + size::<DeltaError>()
        + size::<PaddedWidthError>() + size::<protobuf::FieldError>()
}
