//! `std::io`.

mod buf_read;
mod errors;
mod read;
mod write;

pub use self::buf_read::BufReadVarint;
pub use self::read::ReadVarint;
pub use self::write::WriteVarint;
