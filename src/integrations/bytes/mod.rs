//! The buffers of the crate `bytes`.

mod buf;
mod buf_mut;

pub use self::buf::BufVarint;
pub use self::buf_mut::BufMutVarint;
