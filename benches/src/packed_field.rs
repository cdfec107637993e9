//! The operations of every contender on packed fields of Protocol Buffers, and the types of fields
//! that are measured.

use crate::corpus::{Set, Stream};

/// The field number in the tags.
pub(crate) const FIELD_NUMBER: u32 = 1;

/// A type of fields.
pub(crate) trait FieldType {
    /// The name in Protocol Buffers.
    const NAME: &'static str;
    /// The type of the values.
    type Value: Copy + PartialEq;

    /// Returns `count` values as in messages.
    fn values(count: usize) -> Vec<Self::Value>;
}

/// Reads and writes packed fields of a type.
pub(crate) trait PackedField<F: FieldType> {
    /// Appends the values of a field without its tag: the length and the contents.
    fn decode(&self, field: &[u8], values: &mut Vec<F::Value>);

    /// Appends a whole field: the tag, the length and the contents.
    fn encode(&self, values: &[F::Value], field: &mut Vec<u8>);
}

macro_rules! field_types {
    ($($name:ident $int:ident $protobuf_name:literal |$count:ident| $values:expr;)*) => {$(
        pub(crate) struct $name;

        impl FieldType for $name {
            const NAME: &'static str = $protobuf_name;
            type Value = $int;

            fn values($count: usize) -> Vec<$int> {
                $values
            }
        }
    )*};
}

field_types! {
    Uint64 u64 "uint64" |count| Stream::new(Set::Mix, count).values;
    Sint64 i64 "sint64" |count| Stream::new(Set::Mix, count).values;
    // `int32` takes ten bytes for a negative value, so that messages have `sint32` for those.
    Int32 i32 "int32" |count| {
        Stream::<u32>::new(Set::Mix, count).values.iter().map(|value| (value & 0x7fff_ffff) as i32).collect()
    };
    Bool bool "bool" |count| {
        Stream::<u64>::new(Set::Mix, count).values.iter().map(|value| value % 2 == 1).collect()
    };
}
