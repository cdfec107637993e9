//! What the tests share: an independent oracle, streams that hurt, and buffers with a guard page on either side.

#![allow(dead_code, unreachable_pub, unused_macros)] // each test program takes the part that it needs

/// `module::function::<WIDTH>(value)` for a width that is known at run time alone.
macro_rules! at_width {
    ($module:ident $function:ident($value:expr), $width:expr) => {
        at_width!($module $function($value), $width, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)
    };
    ($module:ident $function:ident($value:expr), $width:expr, $($n:literal)*) => {
        match $width {
            $($n => $module::$function::<$n>($value).ok().map(|bytes| bytes.to_vec()),)*
            _ => None,
        }
    };
}

pub mod doors;
pub mod draw;
pub mod effort;
pub mod features;
pub mod fields;
pub mod frames;
pub mod grammar;
pub mod guard;
pub mod naive;
pub mod padded;
pub mod plain;
pub mod planted;
pub mod planted_sequences;
pub mod sequences;
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
