//! What the adapters have in common.

/// The items of an adapter that writes as the wire type inside does.
///
/// The functions evaluate `ENCODED_MAX`, so that a program with an adapter that is out of range is
/// not compiled even if it only writes.
macro_rules! writes_as_inner {
    () => {
        type Value = W::Value;
        type Buffer = W::Buffer;
        const WRITTEN_MAX: usize = W::Format::WRITTEN_MAX;
        const SIGN_PADDED: bool = W::Format::SIGN_PADDED;
        type Partial = <W::Format as Wire>::Partial;
        const EMPTY: Self::Partial = W::Format::EMPTY;

        #[inline(always)]
        fn len_on_wire(value: W::Value) -> usize {
            const { assert!(Self::ENCODED_MAX > 0) };
            W::Format::len_on_wire(value)
        }

        #[inline(always)]
        fn to_array(value: W::Value) -> (W::Buffer, usize) {
            const { assert!(Self::ENCODED_MAX > 0) };
            W::Format::to_array(value)
        }

        #[inline(always)]
        fn one_byte(value: W::Value) -> Option<u8> {
            const { assert!(Self::ENCODED_MAX > 0) };
            W::Format::one_byte(value)
        }

        #[inline(always)]
        fn store(value: W::Value, dst: &mut [u8]) -> Option<usize> {
            const { assert!(Self::ENCODED_MAX > 0) };
            W::Format::store(value, dst)
        }

        #[inline(always)]
        fn store_all(kernel: Option<Kernel>, src: &[W::Value], dst: &mut [u8]) -> Option<usize> {
            const { assert!(Self::ENCODED_MAX > 0) };
            W::Format::store_all(kernel, src, dst)
        }

        #[cfg(feature = "alloc")]
        #[inline(always)]
        fn append(src: &[W::Value], dst: &mut alloc::vec::Vec<u8>) -> usize {
            const { assert!(Self::ENCODED_MAX > 0) };
            W::Format::append(src, dst)
        }

        #[inline(always)]
        fn len_of_all(kernel: Option<Kernel>, src: &[W::Value]) -> usize {
            const { assert!(Self::ENCODED_MAX > 0) };
            W::Format::len_of_all(kernel, src)
        }
    };
}
pub(super) use writes_as_inner;
