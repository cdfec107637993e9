//! The wire types as a table. A row has a rule, which the oracle knows, and every API as a function
//! on numbers. So a check is compiled once for all of them, and another wire type is another row.

pub mod check_bytes;
mod check_kernels;
mod check_values;
mod decode;
mod encode;
mod push_decoder;
mod rule;

use std::any::type_name;
use std::marker::PhantomData;
use std::sync::OnceLock;

use zigzag_varint::protobuf::{Bool, Int32, Int64, Sint32, Sint64, Uint32, Uint64};
use zigzag_varint::{Bits, Canonical, MaxLen, S33, Signed};
use zigzag_varint_oracle::Rule;

pub use self::check_kernels::{Checker, Codec, check_scanning, codecs};
pub use self::decode::{Decode, Source, decode_error_in};
pub use self::encode::{Encode, EncodeOne, Sink};
pub use self::rule::{Int, Number, Ruled, values};

/// A row of the table. Values are numbers in two's complement.
pub trait WireType: Decode + EncodeOne + Sync {
    fn name(&self) -> &'static str;
    fn rule(&self) -> Rule;
    /// Returns the length of the longest encoding that the library states.
    fn max_len(&self) -> usize;
}

/// The row of a wire type.
pub struct Row<W>(PhantomData<fn() -> W>);

impl<W: Ruled> WireType for Row<W> {
    fn name(&self) -> &'static str {
        type_name::<W>()
    }

    fn rule(&self) -> Rule {
        W::RULE
    }

    fn max_len(&self) -> usize {
        W::MAX_LEN
    }
}

pub type AnyWireType = &'static dyn WireType;

pub fn wire_type<W: Ruled>() -> AnyWireType {
    &Row::<W>(PhantomData)
}

/// Returns the rows of a wire type without and with the canonical rule.
pub fn pair<W: Ruled>() -> [AnyWireType; 2] {
    [wire_type::<W>(), wire_type::<Canonical<W>>()]
}

macro_rules! rows {
    ($($Wire:ty),* $(,)?) => { [$(&Row::<$Wire>(PhantomData)),*] };
}

macro_rules! pairs {
    ($($Wire:ty),* $(,)?) => { [$([&Row::<$Wire>(PhantomData), &Row::<Canonical<$Wire>>(PhantomData)]),*] };
}

/// The integers, each without and with the canonical rule.
pub static INTEGERS: [[AnyWireType; 2]; 12] =
    pairs![u8, i8, u16, i16, u32, i32, u64, i64, u128, i128, usize, isize];

/// The other formats, each without and with the canonical rule.
pub static FORMATS: [[AnyWireType; 2]; 14] = pairs! {
    Signed<i8>, Signed<i16>, Signed<i32>, Signed<i64>, Signed<i128>, Signed<isize>, S33,
    Int32, Int64, Uint32, Uint64, Sint32, Sint64, Bool,
};

/// Rules inside of each other.
static RULES: [AnyWireType; 26] = rows! {
    MaxLen<u64, 9>, MaxLen<u64, 1>, MaxLen<u64, 10>, MaxLen<u8, 2>, MaxLen<i32, 4>, MaxLen<i128, 18>,
    MaxLen<Signed<i64>, 5>, MaxLen<S33, 4>, MaxLen<Int32, 7>,
    MaxLen<MaxLen<u32, 4>, 3>, MaxLen<Canonical<u64>, 9>, Canonical<MaxLen<u64, 9>>,
    Bits<u8, 1>, Bits<u16, 16>, Bits<u32, 28>, Bits<u64, 36>, Bits<u128, 127>, Bits<i32, 7>, Bits<i64, 33>,
    Bits<Signed<i32>, 8>, Canonical<Bits<Signed<i64>, 56>>, MaxLen<Bits<Signed<i128>, 100>, 9>,
    Canonical<Bits<u64, 64>>,
    Canonical<MaxLen<Int32, 7>>, Canonical<MaxLen<Sint32, 5>>, Canonical<Canonical<u16>>,
};

/// Returns all rows.
pub fn wire_types() -> &'static [AnyWireType] {
    static ALL: OnceLock<Vec<AnyWireType>> = OnceLock::new();
    ALL.get_or_init(|| [INTEGERS.as_flattened(), FORMATS.as_flattened(), &RULES].concat())
}

/// Returns the row that a byte chooses.
pub fn chosen(byte: u8) -> AnyWireType {
    wire_types()[usize::from(byte) % wire_types().len()]
}
