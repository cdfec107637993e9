//! `std::io`.

mod errors;
mod read;
mod write;

pub use self::read::ReadVarint;
pub use self::write::WriteVarint;
