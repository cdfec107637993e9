//! Codecs in any language: child processes that are asked over a block protocol on their standard input and output.

mod child;
pub(super) mod fuzzing;
mod pool;
mod protocol;
mod stderr;

use std::marker::PhantomData;
use std::time::Duration;

use crate::check::codec::{Codec, CodecError};
use crate::plan::integer::Integer;
pub use child::kill_children;
pub use pool::ExecError;
use pool::Pool;

/// Values in a request, at most; lengths are far from the limits of `u32` then. Sweeps have a thousandth of it.
const MOST: usize = 1 << 20;
const TOO_MANY: &str = "a request holds 1,048,576 values at most: call with smaller blocks";

/// A codec that runs as child processes, one for each thread that calls it.
///
/// The command is split into words as a shell does it, quotes and backslashes included, but no shell runs: there are no
/// variables, pipes or patterns. The protocol is in `examples/exec/README.md`, with children in Python, Go and Java.
///
/// A child that crashes, does not answer in time, or answers what the protocol does not allow is killed, the values in
/// question are reported as failures, and a new child takes its place; after 100 crashes or 20 timeouts no more. An error
/// that a child answers is a failure, and the child lives on. Children run in process groups of their own, so that Ctrl-C
/// in a terminal does not reach them. When the codec is dropped their input is closed, and those that have not ended a
/// second later are killed, with whatever they started. A child that outlives a killed sweep sees the end of its input.
///
/// ```no_run
/// use std::time::Duration;
/// use varint_sweep::{Exec, Sweep};
///
/// let codec = Exec::<i64>::start("python3 examples/exec/python/varint.py", Duration::from_secs(10))?;
/// let report = Sweep::new().run(&codec)?;
/// assert_eq!(report.failures, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Exec<T> {
    name: String,
    pool: Pool,
    integer: PhantomData<fn() -> T>,
}

impl<T: Integer> Exec<T> {
    /// Starts the first child. Every request must be answered within `timeout`, the greeting within three times that.
    ///
    /// # Errors
    ///
    /// Where the command has no words or an open quote, cannot be started, or does not answer the greeting.
    pub fn start(command: &str, timeout: Duration) -> Result<Self, ExecError> {
        let words = shell_words::split(command)
            .map_err(|error| ExecError::new(format!("cannot split '{command}' into words: {error}")))?;
        if words.is_empty() {
            return Err(ExecError::new("the command is empty: name a program".into()));
        }
        let pool = Pool::start(words, T::NAME, timeout)?;
        Ok(Self { name: format!("exec: {command}"), pool, integer: PhantomData })
    }
}

impl<T: Integer> Codec<T> for Exec<T> {
    fn name(&self) -> &str {
        &self.name
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        if values.len() > MOST {
            return Err(TOO_MANY.into());
        }
        let room = dst.len();
        self.pool.ask(
            |request| request.encode(values, room),
            |payload| {
                // The answer is no longer than `dst`: the request said so.
                dst[..payload.len()].copy_from_slice(payload);
                Ok(payload.len())
            },
        )
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        if values.len() > MOST || src.len() > MOST * T::MAX_LEN {
            return Err(TOO_MANY.into());
        }
        let count = values.len();
        self.pool.ask(|request| request.decode(src, count), |payload| protocol::read_decoded(payload, values))
    }
}
