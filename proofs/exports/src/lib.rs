//! The crate's entry points behind a C interface, each so thin that what is proved of it is proved of the crate's code.
//!
//! # Safety
//!
//! For every function: pointers are valid for the lengths that stand beside them.
#![allow(clippy::missing_safety_doc)]

#[cfg(feature = "mutants")]
mod mutants;
mod verdict;

use core::slice::{from_raw_parts, from_raw_parts_mut};

use verdict::{BulkVerdict, Bytes, Verdict};
use zigzag_varint::{Encoded, Kernel, Reader, Varint};

/// The kernel of that name; 0 where the CPU has none such.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kernel(name: *const u8, len: usize, out: *mut Kernel) -> usize {
    let name = unsafe { from_raw_parts(name, len) };
    let found = str::from_utf8(name).ok().and_then(Kernel::by_name);
    if let Some(kernel) = found {
        unsafe { out.write(kernel) };
    }
    found.is_some().into()
}

/// What `encode_to_slice` and `encode_slice` say where there is no room.
pub(crate) const NO_ROOM: usize = usize::MAX;

macro_rules! exports {
    ($($int:ident)*) => {$(
        const _: () = {
            /// One value by the `const` twin: the scalar code.
            #[unsafe(export_name = concat!("encode_const_", stringify!($int)))]
            pub unsafe extern "C" fn encode_const(value: $int, encoded: *mut Encoded<$int>, out: *mut Bytes) {
                let encoded = unsafe { put(encoded, scalar::$int(value)) };
                unsafe { out.write(Bytes::of(encoded)) };
            }

            /// One value by the trait: by words or by BMI2, as the CPU has it.
            #[unsafe(export_name = concat!("encode_", stringify!($int)))]
            pub unsafe extern "C" fn encode(value: $int, encoded: *mut Encoded<$int>, out: *mut Bytes) {
                let encoded = unsafe { put(encoded, value.encode()) };
                unsafe { out.write(Bytes::of(encoded)) };
            }

            #[unsafe(export_name = concat!("encode_to_slice_", stringify!($int)))]
            pub unsafe extern "C" fn encode_to_slice(value: $int, dst: *mut u8, room: usize) -> usize {
                value.encode_to_slice(unsafe { from_raw_parts_mut(dst, room) }).unwrap_or(NO_ROOM)
            }

            #[unsafe(export_name = concat!("decode_", stringify!($int)))]
            pub unsafe extern "C" fn decode(src: *const u8, len: usize, out: *mut Verdict<$int>) {
                unsafe { out.write($int::decode(from_raw_parts(src, len)).into()) };
            }

            #[unsafe(export_name = concat!("decode_canonical_", stringify!($int)))]
            pub unsafe extern "C" fn decode_canonical(src: *const u8, len: usize, out: *mut Verdict<$int>) {
                unsafe { out.write($int::decode_canonical(from_raw_parts(src, len)).into()) };
            }

            /// The first value of a `Reader`: by words or BMI2, where the input is long enough for a window.
            #[unsafe(export_name = concat!("read_", stringify!($int)))]
            pub unsafe extern "C" fn read(src: *const u8, len: usize, out: *mut Verdict<$int>) {
                let mut reader = Reader::new(unsafe { from_raw_parts(src, len) });
                let value = reader.read::<$int>();
                unsafe { out.write(value.map(|value| (value, reader.position())).into()) };
            }

            #[unsafe(export_name = concat!("read_canonical_", stringify!($int)))]
            pub unsafe extern "C" fn read_canonical(src: *const u8, len: usize, out: *mut Verdict<$int>) {
                let mut reader = Reader::new(unsafe { from_raw_parts(src, len) });
                let value = reader.read_canonical::<$int>();
                unsafe { out.write(value.map(|value| (value, reader.position())).into()) };
            }

            #[unsafe(export_name = concat!("kernel_encode_", stringify!($int)))]
            pub unsafe extern "C" fn kernel_encode(
                kernel: &Kernel,
                src: *const $int,
                values: usize,
                dst: *mut u8,
                room: usize,
            ) -> usize {
                let (src, dst) = unsafe { (from_raw_parts(src, values), from_raw_parts_mut(dst, room)) };
                kernel.encode_slice(src, dst).unwrap_or(NO_ROOM)
            }

            #[unsafe(export_name = concat!("kernel_decode_", stringify!($int)))]
            pub unsafe extern "C" fn kernel_decode(
                kernel: &Kernel,
                src: *const u8,
                len: usize,
                dst: *mut $int,
                room: usize,
                out: *mut BulkVerdict,
            ) {
                let (src, dst) = unsafe { (from_raw_parts(src, len), from_raw_parts_mut(dst, room)) };
                unsafe { out.write(kernel.decode_slice(src, dst).into()) };
            }

            #[unsafe(export_name = concat!("kernel_decode_canonical_", stringify!($int)))]
            pub unsafe extern "C" fn kernel_decode_canonical(
                kernel: &Kernel,
                src: *const u8,
                len: usize,
                dst: *mut $int,
                room: usize,
                out: *mut BulkVerdict,
            ) {
                let (src, dst) = unsafe { (from_raw_parts(src, len), from_raw_parts_mut(dst, room)) };
                unsafe { out.write(kernel.decode_slice_canonical(src, dst).into()) };
            }
        };
    )*};
}

exports!(u64 i64 u32 i32);

/// The `const` twins by type.
mod scalar {
    pub(crate) use zigzag_varint::varint::{
        encode_i32 as i32, encode_i64 as i64, encode_u32 as u32, encode_u64 as u64,
    };
}

/// Moves a value to `room`, so that what borrows from it outlives the call.
pub(crate) unsafe fn put<'a, T>(room: *mut T, value: T) -> &'a T {
    unsafe {
        room.write(value);
        &*room
    }
}
