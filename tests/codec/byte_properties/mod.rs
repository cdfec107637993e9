//! The properties of the codec that hold for any byte string. Each serves a test and the fuzz
//! target of the same name.

#![allow(dead_code, unreachable_pub)] // each test program and fuzz target uses a part of it

/// Calls `check::<T>(arguments)` for the type that a number chooses. The types with the most vector
/// code are chosen twice as often.
macro_rules! by_type {
    ($choice:expr, $check:ident($($argument:expr),*)) => {
        match $choice % 16 {
            0 => $check::<u8>($($argument),*),
            1 => $check::<i8>($($argument),*),
            2 | 12 => $check::<u16>($($argument),*),
            3 => $check::<i16>($($argument),*),
            4 | 13 => $check::<u32>($($argument),*),
            5 => $check::<i32>($($argument),*),
            6 | 14 => $check::<u64>($($argument),*),
            7 | 15 => $check::<i64>($($argument),*),
            8 => $check::<u128>($($argument),*),
            9 => $check::<i128>($($argument),*),
            10 => $check::<usize>($($argument),*),
            _ => $check::<isize>($($argument),*),
        }
    };
}

pub mod apis;
pub mod chunks;
mod examples;
pub mod formats;
pub mod kernels;

use crate::property::Property;

pub const ALL: &[Property] = &[
    Property { name: "apis", check: apis::check, examples: apis::examples },
    Property { name: "kernels", check: kernels::check, examples: kernels::examples },
    Property { name: "chunks", check: chunks::check, examples: chunks::examples },
    Property { name: "formats", check: formats::check, examples: formats::examples },
];
