//! What the adapters have in common.

/// The items of an adapter that writes as the wire type inside does.
///
/// The functions evaluate `ENCODED_MAX`, so that a program with an adapter that is out of range is
/// not compiled even if it only writes.
macro_rules! writes_as_inner {
    ($wrap:expr) => {
        type Value = W::Value;
        type Buffer = W::Buffer;
        const WRITTEN_MAX: usize = W::WRITTEN_MAX;
        const SIGN_PADDED: bool = W::SIGN_PADDED;
        type Partial = W::Partial;
        const EMPTY: W::Partial = W::EMPTY;

        #[inline(always)]
        fn wrap(value: W::Value) -> Self {
            $wrap(W::wrap(value))
        }

        #[inline(always)]
        fn unwrap(self) -> W::Value {
            const { assert!(Self::ENCODED_MAX > 0) };
            self.0.unwrap()
        }

        #[inline(always)]
        fn len_on_wire(self) -> usize {
            const { assert!(Self::ENCODED_MAX > 0) };
            self.0.len_on_wire()
        }

        #[inline(always)]
        fn to_array(self) -> (W::Buffer, usize) {
            const { assert!(Self::ENCODED_MAX > 0) };
            self.0.to_array()
        }

        #[inline(always)]
        fn store(self, dst: &mut [u8]) -> Option<usize> {
            const { assert!(Self::ENCODED_MAX > 0) };
            self.0.store(dst)
        }

        #[inline(always)]
        fn store_all(kernel: Option<Kernel>, src: &[W::Value], dst: &mut [u8]) -> Option<usize> {
            const { assert!(Self::ENCODED_MAX > 0) };
            W::store_all(kernel, src, dst)
        }

        #[cfg(feature = "alloc")]
        #[inline(always)]
        fn append(src: &[W::Value], dst: &mut alloc::vec::Vec<u8>) -> usize {
            const { assert!(Self::ENCODED_MAX > 0) };
            W::append(src, dst)
        }

        #[inline(always)]
        fn len_of_all(kernel: Option<Kernel>, src: &[W::Value]) -> usize {
            const { assert!(Self::ENCODED_MAX > 0) };
            W::len_of_all(kernel, src)
        }
    };
}
pub(super) use writes_as_inner;
