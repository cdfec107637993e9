//! Wire types: the integers, signed LEB128, integers of any number of bits, and adapters that restrict what
//! is accepted.

mod adapter;
mod bits;
mod canonical;
pub(crate) mod integers;
mod max_len;
mod signed;

pub use self::bits::{Bits, S33};
pub use self::canonical::Canonical;
pub use self::integers::Integer;
pub use self::max_len::MaxLen;
pub use self::signed::{Signed, SignedInteger};
