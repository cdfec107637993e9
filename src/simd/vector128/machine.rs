//! The operations on vectors of 16 bytes that differ between machines.

/// The vectors of a machine. A value proves that the CPU has the instructions, so that only methods
/// that access memory are unsafe.
///
/// Numbers are little-endian. Lanes are those of the whole vector.
pub(super) trait Machine: Copy {
    /// A vector of 16 bytes.
    type V: Copy;

    /// Loads 16 bytes.
    ///
    /// # Safety
    ///
    /// `from` must be valid for reads of 16 bytes. It need not be aligned.
    unsafe fn load(self, from: *const u8) -> Self::V;
    /// Stores 16 bytes.
    ///
    /// # Safety
    ///
    /// `to` must be valid for writes of 16 bytes. It need not be aligned.
    unsafe fn store(self, to: *mut u8, x: Self::V);
    /// Stores the low 8 bytes.
    ///
    /// # Safety
    ///
    /// `to` must be valid for writes of 8 bytes. It need not be aligned.
    unsafe fn store_low(self, to: *mut u8, x: Self::V);

    /// Returns `x` in both lanes of 64 bits.
    fn splat(self, x: u64) -> Self::V;
    /// Returns both lanes of 64 bits.
    fn halves(self, x: Self::V) -> [u64; 2];

    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns `a & !b`.
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;
    /// Subtracts one from lanes of 32 bits.
    fn minus_one32(self, x: Self::V) -> Self::V;
    /// Subtracts one from lanes of 64 bits.
    fn minus_one64(self, x: Self::V) -> Self::V;
    /// Sets all bits of the lanes of 64 bits that are zero, and clears the others.
    fn is_zero64(self, x: Self::V) -> Self::V;
    /// Sets all bits of the bytes that are equal to `byte`, and clears the others.
    fn equal8(self, x: Self::V, byte: u8) -> Self::V;
    /// Sets all bits of the bytes that are greater than `byte`, and clears the others.
    fn above8(self, x: Self::V, byte: u8) -> Self::V;

    /// Returns the top bit of byte k of all four in bit k.
    fn mask(self, bytes: [Self::V; 4]) -> u64;
    /// Returns the bytes at `indices`. Each index is below 16, or 0xff for zero.
    fn swizzle(self, bytes: Self::V, indices: Self::V) -> Self::V;

    /// Returns the low lanes of 64 bits of both, and the high ones.
    fn zip64(self, a: Self::V, b: Self::V) -> [Self::V; 2];
    /// Returns the low 8 bytes in lanes of 16 bits.
    fn widen8(self, x: Self::V) -> Self::V;
    /// Returns eight numbers of 16 bits in lanes of 32.
    fn widen16(self, x: Self::V) -> [Self::V; 2];
    /// Returns four numbers of 32 bits in lanes of 64, with their signs if `SIGNED` is set.
    fn widen32<const SIGNED: bool>(self, x: Self::V) -> [Self::V; 2];
    /// Returns the low 32 bits of four lanes of 64.
    fn narrow64(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns eight numbers below 2^16 in lanes of 16 bits. What others become is not specified.
    fn narrow32(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns sixteen numbers below 2^7, from lanes of 32 bits, in a byte each.
    fn narrow32_twice(self, x: [Self::V; 4]) -> Self::V;

    /// Returns the zigzag form of signed lanes of `BYTES` bytes: 4 or 8.
    fn zigzag<const BYTES: usize>(self, x: Self::V) -> Self::V;
    /// Returns the signed numbers of which these are the zigzag forms.
    fn unzigzag<const BYTES: usize>(self, x: Self::V) -> Self::V;

    /// Joins two groups of 7 bits in each lane of 16 bits. The continuation bit of the first is
    /// ignored. That of the last one may remain above the number.
    fn squeeze2(self, x: Self::V) -> Self::V;
    /// Does the same with four groups in each lane of 32 bits.
    fn squeeze4(self, x: Self::V) -> Self::V;
    /// Does the same with eight groups in each lane of 64 bits.
    fn squeeze8(self, x: Self::V) -> Self::V;
    /// Inserts the lowest byte of each `ninth` above the low 56 bits. The bits above may hold what
    /// `squeeze8` leaves there.
    fn with_ninth(self, low: Self::V, ninth: Self::V) -> Self::V;

    /// Spreads the low 56 bits of each lane of 64 bits, 7 to a byte, and clears the continuation bits.
    fn spread8(self, x: Self::V) -> Self::V;

    /// Encodes eight numbers below 2^14, in lanes of 16 bits: their bytes with continuation bits, to
    /// be packed by `PACK_WORDS`.
    fn encode_words(self, x: Self::V) -> (Self::V, Packing);
    /// Encodes eight numbers below 2^28, in lanes of 32 bits: the bytes of each vector with
    /// continuation bits, to be packed by `PACK_DWORDS`.
    fn encode_dwords(self, x: [Self::V; 2]) -> [(Self::V, Packing); 2];
}

/// How the bytes of a vector are packed.
#[derive(Clone, Copy)]
pub(super) struct Packing {
    /// The row of the table.
    pub(super) key: u8,
    /// The number of bytes that are kept.
    pub(super) len: usize,
}

/// Defines methods of a [`Machine`] that evaluate intrinsics.
macro_rules! operations {
    ($($(<const $constant:ident: $of:ty>)? $name:ident($($arg:tt: $type:ty),*) -> $result:ty = $body:expr;)*) => {$(
        #[inline(always)]
        #[allow(unused_unsafe)] // the intrinsics of WebAssembly are safe
        fn $name $(<const $constant: $of>)? (self, $($arg: $type),*) -> $result {
            // SAFETY: `self` exists, so the CPU has the instructions.
            unsafe { $body }
        }
    )*};
}

pub(super) use operations;
