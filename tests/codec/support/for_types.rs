//! Generic tests, once for each integer type.

/// Defines a test for each type given, by default for all twelve: `for_types!(module, function)`.
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
