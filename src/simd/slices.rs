//! The implementations of `Slices` that the kernels share.

/// Implements [`Slices`](crate::backend::Slices) of every lane for a kernel, by the given
/// expressions. If the `if` of an expression is false, the scalar kernel is called, by the caller's
/// import of `simd::scalar`.
///
/// The implementations are for concrete types: a generic one would be compiled in the dependent
/// crate, at that crate's optimization level.
macro_rules! slices {
    ($kernel:ident $methods:tt) => {
        slices!(@lanes $kernel $methods: u16 u32 u64 i16 i32 i64);
    };
    (@lanes $kernel:ident $methods:tt: $($lane:ident)*) => {
        $(slices!(@lane $kernel $lane $methods);)*
    };
    (@lane $kernel:ident $lane:ident {
        encode($encode_src:ident, $encode_dst:ident) $(if $encode_pays:expr)? => $encode:expr,
        decode($decode_src:ident, $decode_dst:ident, $canonical:ident) $(if $decode_pays:expr)? => $decode:expr,
        encoded_len($len_src:ident) => $encoded_len:expr,
        deltas($deltas_previous:ident, $deltas_src:ident, $deltas_dst:ident) => $deltas:expr,
        add_up($sums_previous:ident, $sums:ident) => $add_up:expr,
    }) => {
        impl $crate::backend::Slices<$lane> for $kernel {
            fn encode(self, $encode_src: &[$lane], $encode_dst: &mut [u8]) -> Option<usize> {
                $(if !$encode_pays {
                    return $crate::backend::Slices::encode(scalar::ScalarKernel, $encode_src, $encode_dst);
                })?
                $encode
            }

            fn decode(
                self,
                $decode_src: &[u8],
                $decode_dst: &mut [core::mem::MaybeUninit<$lane>],
                $canonical: bool,
            ) -> Result<$crate::error::Progress, $crate::error::BulkError> {
                $(if !$decode_pays {
                    return $crate::backend::Slices::decode(
                        scalar::ScalarKernel, $decode_src, $decode_dst, $canonical,
                    );
                })?
                $decode
            }

            fn encoded_len(self, $len_src: &[$lane]) -> usize {
                $encoded_len
            }

            fn deltas(self, $deltas_previous: &[$lane], $deltas_src: &[$lane], $deltas_dst: &mut [$lane]) {
                $deltas
            }

            fn add_up(self, $sums_previous: &[$lane], $sums: &mut [$lane]) {
                $add_up
            }
        }
    };
}

pub(super) use slices;
