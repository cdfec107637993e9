//! Codecs in any language, as child processes that speak a block protocol on their standard input
//! and output.

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

/// The maximum number of values in a request, so that all lengths fit a `u32`. Blocks of a sweep
/// have 1024 values.
const MAX_VALUES: usize = 1 << 20;
const TOO_MANY: &str = "block too large (at most 1,048,576 values per request); use smaller blocks";

/// A codec that runs as child processes, one for each thread that calls it.
///
/// The command is split into words by the rules of a shell, with quotes and backslashes. No shell
/// runs, so there are no variables, pipes or patterns. `examples/exec/README.md` describes the
/// protocol and has children in Python, Go and Java.
///
/// A child that crashes, exceeds the timeout or violates the protocol is killed. The values of its
/// request are reported as failures, and a new child is started. After 100 crashes or 20 timeouts
/// no further child is started. If a child answers with an error, the values are failures and the
/// child keeps running.
///
/// Each child has its own process group, so that Ctrl-C in a terminal does not reach it. When the
/// codec is dropped, it closes the input of all children. After a second it kills those that have
/// not exited, with the processes that they started. If the sweep itself is killed, its children
/// see the end of their input.
///
/// # Examples
///
/// ```no_run
/// use std::time::Duration;
/// use every_input::{Exec, Sweep, all};
///
/// let codec = Exec::<i64>::start("python3 examples/exec/python/varint.py", Duration::from_secs(10))?;
/// let report = Sweep::of(all()).run(&codec)?;
/// assert_eq!(report.failures, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Exec<T> {
    name: String,
    pool: Pool,
    integer: PhantomData<fn() -> T>,
}

impl<T: Integer> Exec<T> {
    /// Starts the first child. A child must answer every request within `timeout`, and the greeting
    /// within three times that.
    ///
    /// # Errors
    ///
    /// Returns an error if the command is empty or has an open quote, if it cannot be started, or
    /// if it does not answer the greeting.
    pub fn start(command: &str, timeout: Duration) -> Result<Self, ExecError> {
        let words = shell_words::split(command).map_err(|error| {
            ExecError::new(format!("cannot split '{command}' into words ({error}); close every quote"))
        })?;
        if words.is_empty() {
            return Err(ExecError::new("empty command; name a program".into()));
        }
        let pool = Pool::start(words, T::NAME, timeout)?;
        Ok(Self { name: format!("exec: {command}"), pool, integer: PhantomData })
    }
}

impl<T: Integer> Codec<T> for Exec<T> {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        if values.len() > MAX_VALUES {
            return Err(TOO_MANY.into());
        }
        let capacity = dst.len();
        self.pool.ask(
            |request| request.encode(values, capacity),
            |payload| {
                // The request limits the answer to the length of `dst`.
                dst[..payload.len()].copy_from_slice(payload);
                Ok(payload.len())
            },
        )
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        if values.len() > MAX_VALUES || src.len() > MAX_VALUES * T::MAX_LEN {
            return Err(TOO_MANY.into());
        }
        let count = values.len();
        self.pool.ask(|request| request.decode(src, count), |payload| protocol::read_decoded(payload, values))
    }
}
