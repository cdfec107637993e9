//! Generic tests, once for each integer type.

/// Defines a test for each type given: `for_types!(module, function, u8 u64)`, or for `all` twelve.
/// By default these are one type of each width: the code of the others differs by zigzag only, or
/// not at all, and the tests for all twelve types call the same APIs.
macro_rules! for_types {
    ($facts:ident, $check:ident) => {
        for_types!($facts, $check, u8 i16 i32 u64 u128);
    };
    ($facts:ident, $check:ident, all) => {
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
