//! What the tests share: an independent oracle, streams that hurt, and buffers with a guard page on either side.

#![allow(dead_code, unreachable_pub)] // each test program takes the part that it needs

pub mod doors;
pub mod features;
pub mod frames;
pub mod guard;
pub mod naive;
pub mod planted;
pub mod strategies;
pub mod streams;
pub mod suite;

/// A test for each of the types named, all twelve by default: `for_types!(module, function)`.
#[allow(unused_macros)]
macro_rules! for_types {
    ($facts:ident, $check:ident) => {
        for_types!($facts, $check, u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);
    };
    ($facts:ident, $check:ident, $($int:ident)*) => {
        mod $facts {
            $(
                #[test]
                fn $int() {
                    super::$check::<$int>();
                }
            )*
        }
    };
}
