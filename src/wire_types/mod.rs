//! Wire types: the integers, signed LEB128, and adapters that restrict what is accepted.

mod adapter;
mod canonical;
mod integers;
mod max_len;
mod signed;

pub use self::canonical::Canonical;
pub use self::max_len::MaxLen;
pub use self::signed::{S33, Signed, SignedInteger};
