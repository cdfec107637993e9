//! What the fields have in common, as a macro that the module of the types expands.

use crate::wire::Wire;

/// A field whose number on the wire is a `u64`.
pub(super) trait Field: Wire {
    /// Returns the number on the wire.
    fn to_number(value: Self::Value) -> u64;

    /// Returns the value of any number on the wire, by the rules of Protocol Buffers.
    fn from_number(number: u64) -> Self::Value;
}

/// Defines a wire type: its number on the wire, the value of any number, and the functions on
/// slices, which are those of an integer type or follow.
macro_rules! field {
    ($(#[$attribute:meta])* $Field:ident($Value:ident) like $Int:ident: $($conversions:tt)*) => {
        field! {
            $(#[$attribute])* $Field($Value): $($conversions)*

            const WRITTEN_MAX: usize = $Int::WRITTEN_MAX;
            const IN_BLOCKS: bool = $Int::BITS < 64;

            #[inline(always)]
            fn store_all(kernel: Option<Kernel>, values: &[$Value], bytes: &mut [u8]) -> Option<usize> {
                $Int::store_all(kernel, cast(values), bytes)
            }

            #[inline(always)]
            fn len_of_all(kernel: Option<Kernel>, values: &[$Value]) -> usize {
                $Int::len_of_all(kernel, cast(values))
            }

            #[inline(always)]
            fn load_all(
                kernel: Option<Kernel>,
                src: &[u8],
                dst: &mut [MaybeUninit<$Value>],
                canonical: bool,
            ) -> Result<Progress, BulkError> {
                if $Int::BITS == 64 {
                    return $Int::load_all(kernel, src, cast_mut(dst), canonical);
                }
                // Only `Canonical` rejects numbers of more bits, as the integer does.
                match canonical {
                    true => $Int::load_all(kernel, src, cast_mut(dst), true).map_err(exact::<Self>(src)),
                    false => load_numbers::<Self>(kernel, src, dst, false),
                }
            }

            #[cfg(feature = "alloc")]
            #[inline(always)]
            fn load_append(
                src: &[u8],
                dst: &mut alloc::vec::Vec<$Value>,
                canonical: bool,
            ) -> Result<usize, BulkError> {
                match canonical || $Int::BITS == 64 {
                    true => load_append::<Self>(src, dst, canonical),
                    false => append_numbers::<Self>(src, dst, false),
                }
            }
        }
    };
    (
        $(#[$attribute:meta])* $Field:ident($Value:ident): |$value:ident| $to:expr, |$number:ident| $from:expr;
        $($slices:tt)*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Field(pub $Value);

        impl Varint for $Field {
            type Value = $Value;
            type Buffer = <u64 as Wire>::Buffer;
            type Format = Self;

            #[inline(always)]
            fn value(wrapped: Self) -> $Value {
                wrapped.0
            }
        }

        impl Sealed for $Field {}
        impl Unlimited for $Field {}

        impl Field for $Field {
            #[inline(always)]
            fn to_number($value: $Value) -> u64 {
                $to
            }

            #[inline(always)]
            fn from_number($number: u64) -> $Value {
                $from
            }
        }

        impl Wire for $Field {
            type Value = $Value;
            type Buffer = <u64 as Wire>::Buffer;
            const ENCODED_MAX: usize = <u64 as Wire>::ENCODED_MAX;
            type Partial = <u64 as Wire>::Partial;
            const EMPTY: Self::Partial = <u64 as Wire>::EMPTY;

            #[inline]
            fn push(
                partial: &mut Self::Partial,
                index: usize,
                byte: u8,
                canonical: bool,
            ) -> Result<Option<$Value>, DecodeError> {
                let number = u64::push(partial, index, byte, canonical)?;
                number.map(|number| blocks::value::<Self>(number, index + 1, canonical)).transpose()
            }

            #[inline(always)]
            fn len_on_wire(value: $Value) -> usize {
                u64::len_on_wire(Self::to_number(value))
            }

            #[inline(always)]
            fn to_array(value: $Value) -> (Self::Buffer, usize) {
                u64::to_array(Self::to_number(value))
            }

            #[inline(always)]
            fn one_byte(value: $Value) -> Option<u8> {
                u64::one_byte(Self::to_number(value))
            }

            #[inline(always)]
            fn store(value: $Value, dst: &mut [u8]) -> Option<usize> {
                u64::store(Self::to_number(value), dst)
            }

            #[inline(always)]
            fn load(src: &[u8], canonical: bool) -> Result<($Value, usize), DecodeError> {
                let (number, len) = u64::load(src, canonical)?;
                Ok((blocks::value::<Self>(number, len, canonical)?, len))
            }

            #[inline(always)]
            fn read(cursor: &mut Cursor<'_>, canonical: bool) -> Result<$Value, DecodeError> {
                if canonical {
                    return read_by_load::<Self>(cursor, true);
                }
                u64::read(cursor, false).map(Self::from_number)
            }

            $($slices)*
        }
    };
}
pub(super) use field;
