//! The implementations of `Slices` that the kernels share.

/// Implements [`Slices`](crate::backend::Slices) of every element type for a kernel.
///
/// The given expressions are the methods for types of 16, 32 and 64 bits. A method that is not
/// given, or whose `if` is false, is the scalar loop. So is every method for types of 8 bits, whose
/// values are cheap to encode, and of 128 bits, which are rare.
///
/// The implementations are for concrete types: a generic one would be compiled in the dependent
/// crate, at that crate's optimization level.
macro_rules! slices {
    ($kernel:ident $methods:tt) => {
        slices!(@lanes $kernel $methods: u16 u32 u64 usize i16 i32 i64 isize);

        impl $crate::backend::Slices<u8> for $kernel {}
        impl $crate::backend::Slices<i8> for $kernel {}
        impl $crate::backend::Slices<u128> for $kernel {}
        impl $crate::backend::Slices<i128> for $kernel {}
    };
    (@lanes $kernel:ident $methods:tt: $($int:ident)*) => {
        $(slices!(@lane $kernel $int $methods);)*
    };
    (@lane $kernel:ident $int:ident {
        encode($encode_src:ident, $encode_dst:ident) $(if $encode_pays:expr)? => $encode:expr,
        decode::<$canonical:ident>($decode_src:ident, $decode_dst:ident) $(if $decode_pays:expr)? => $decode:expr,
        $(encoded_len($len_src:ident) => $encoded_len:expr,)?
        $(deltas($deltas_previous:ident, $deltas_src:ident, $deltas_dst:ident) => $deltas:expr,)?
        $(add_up($sums_previous:ident, $sums:ident) => $add_up:expr,)?
    }) => {
        // An expression casts from each of the types, and for one of them the cast may do nothing.
        #[allow(clippy::unnecessary_cast)]
        impl $crate::backend::Slices<$int> for $kernel {
            fn encode(&self, $encode_src: &[$int], $encode_dst: &mut [u8]) -> Option<usize> {
                $(if !$encode_pays {
                    return $crate::scalar::slice::encode($encode_src, $encode_dst, Default::default());
                })?
                $encode
            }

            slices!(@decode decode $int $canonical = false; $decode_src $decode_dst $(if $decode_pays)? => $decode);
            slices!(@decode decode_canonical $int $canonical = true; $decode_src $decode_dst $(if $decode_pays)? => $decode);

            $(fn encoded_len(&self, $len_src: &[$int]) -> usize {
                $encoded_len
            })?

            $(fn deltas(&self, $deltas_previous: $int, $deltas_src: &[$int], $deltas_dst: &mut [$int]) {
                $deltas
            })?

            $(fn add_up(&self, $sums_previous: $int, $sums: &mut [$int]) -> $int {
                $add_up
            })?
        }
    };
    (@decode $name:ident $int:ident $canonical:ident = $value:literal; $src:ident $dst:ident $(if $pays:expr)? => $decode:expr) => {
        fn $name(
            &self,
            $src: &[u8],
            $dst: &mut [core::mem::MaybeUninit<$int>],
        ) -> Result<$crate::error::Progress, $crate::error::BulkError> {
            const $canonical: bool = $value;
            $(if !$pays {
                return $crate::scalar::slice::decode::<$int, $canonical>($src, $dst, Default::default());
            })?
            $decode
        }
    };
}

pub(super) use slices;
