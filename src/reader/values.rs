//! The iterators over the values of a `Reader`.

use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::error::DecodeError;
use crate::simd::cursor::Cursor;
use crate::varint_trait::Varint;
use crate::wire::Wire;

macro_rules! values {
    ($(#[$attribute:meta])* $Values:ident<$($lifetime:lifetime),*> $cursor:ty) => {
        $(#[$attribute])*
        #[derive(Debug)]
        #[must_use = "iterators are lazy and do nothing unless consumed"]
        pub struct $Values<$($lifetime,)* W> {
            cursor: $cursor,
            failed: bool,
            item: PhantomData<fn() -> W>,
        }

        impl<$($lifetime,)* W> $Values<$($lifetime,)* W> {
            pub(crate) const fn new(cursor: $cursor) -> Self {
                Self { cursor, failed: false, item: PhantomData }
            }
        }

        impl<$($lifetime,)* W: Varint> Iterator for $Values<$($lifetime,)* W> {
            type Item = Result<W::Value, DecodeError>;

            #[inline(always)]
            fn next(&mut self) -> Option<Self::Item> {
                if self.failed || self.cursor.is_at_end() {
                    return None;
                }
                let item = W::Format::read(&mut self.cursor, false);
                self.failed = item.is_err();
                Some(item)
            }
        }

        impl<$($lifetime,)* W: Varint> FusedIterator for $Values<$($lifetime,)* W> {}
    };
}

values! {
    /// An iterator over the values of a [`Reader`](crate::Reader), which it borrows; see [`Reader::values`](crate::Reader::values).
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let mut reader = Reader::new(&[0x01, 0xac, 0x02]);
    /// let values: Result<Vec<_>, _> = reader.values::<u64>().collect();
    /// assert_eq!(values, Ok(vec![1, 300]));
    /// ```
    Values<'r, 'a> &'r mut Cursor<'a>
}

values! {
    /// An iterator over the values of a [`Reader`](crate::Reader), which it owns; see
    /// [`Reader::into_values`](crate::Reader::into_values).
    ///
    /// ```
    /// use zigzag_varint::Reader;
    ///
    /// let values: Result<Vec<_>, _> = Reader::new(&[0x01, 0xac, 0x02]).into_values::<u64>().collect();
    /// assert_eq!(values, Ok(vec![1, 300]));
    /// ```
    #[derive(Clone)]
    IntoValues<'a> Cursor<'a>
}
