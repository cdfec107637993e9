//! The integer types on the command line.

use clap::ValueEnum;

/// An integer type that can be swept.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IntegerType {
    I64,
    U64,
    I32,
    U32,
    I16,
    U16,
    I8,
    U8,
}

/// Calls a function that is generic over the integer type with the type of an [`IntegerType`].
macro_rules! with_type {
    ($type:expr, $function:ident($($argument:expr),*)) => {
        match $type {
            $crate::program::integer_type::IntegerType::I64 => $function::<i64>($($argument),*),
            $crate::program::integer_type::IntegerType::U64 => $function::<u64>($($argument),*),
            $crate::program::integer_type::IntegerType::I32 => $function::<i32>($($argument),*),
            $crate::program::integer_type::IntegerType::U32 => $function::<u32>($($argument),*),
            $crate::program::integer_type::IntegerType::I16 => $function::<i16>($($argument),*),
            $crate::program::integer_type::IntegerType::U16 => $function::<u16>($($argument),*),
            $crate::program::integer_type::IntegerType::I8 => $function::<i8>($($argument),*),
            $crate::program::integer_type::IntegerType::U8 => $function::<u8>($($argument),*),
        }
    };
}
pub(crate) use with_type;
