//! Generic tests, once for each integer type.

/// A test for each type given, all twelve by default: `for_types!(module, function)`.
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
