//! A codec that runs as child processes.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::time::Duration;

use super::pool::{Pool, Problem};
use super::protocol::{MAX_STRING, Task, decoded, push_number, push_string};
use crate::check::codec::{Breakdown, Codec, CodecError};
use crate::check::losses::Losses;
use crate::error::SweepError;
use crate::plan::integer::Integer;

/// A codec that runs as child processes, one for each thread that calls it.
///
/// The command is split into words by the rules of a shell, with quotes and backslashes. No shell
/// runs, so there are no variables, pipes or patterns. [`PROTOCOL`](crate::PROTOCOL) describes the
/// messages.
///
/// A child that crashes, exceeds the timeout or violates the protocol is killed. The values of its
/// request are reported as failures, and a new child is started. After 100 crashes or 20 timeouts
/// no further child is started, which ends a sweep with a limit of failures. If a child refuses a
/// value, it keeps running.
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
/// use every_input::{ExecCodec, Sweep, all};
///
/// let codec = ExecCodec::<u64>::start("python3 examples/exec/child.py", Duration::from_secs(10))?;
/// let report = Sweep::of(all()).run(&codec)?;
/// assert_eq!(report.failures, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExecCodec<T> {
    name: String,
    pool: Pool,
    integer: PhantomData<fn() -> T>,
}

/// The encodings that a thread got last, with which it can separate them to decode each.
#[derive(Default)]
struct Encoded {
    bytes: Vec<u8>,
    lens: Vec<u8>,
}

thread_local! {
    static ENCODED: RefCell<Encoded> = RefCell::default();
}

impl<T: Integer> ExecCodec<T> {
    /// Starts the first child. A child must answer every request within `timeout`.
    ///
    /// # Errors
    ///
    /// Returns an error if the command is empty or has an open quote, if it cannot be started, or
    /// if it does not answer a request without values.
    pub fn start(command: &str, timeout: Duration) -> Result<Self, SweepError> {
        let pool = Pool::start(command, Task::Encode, T::NAME, timeout)?;
        Ok(Self { name: format!("exec: {command}"), pool, integer: PhantomData })
    }
}

impl<T: Integer> Codec<T> for ExecCodec<T> {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn confirm(&self) -> Result<(), Breakdown> {
        self.pool.confirm()
    }

    fn losses(&self) -> Vec<&Losses> {
        vec![&self.pool.losses]
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, CodecError> {
        let inputs = |bytes: &mut Vec<u8>| values.iter().for_each(|&value| push_number(bytes, value));
        let mut used = 0;
        let encoded = self.pool.ask(Task::Encode, values.len(), &inputs, &mut |strings| {
            ENCODED.with_borrow_mut(|Encoded { bytes, lens }| {
                lens.clear();
                for (value, string) in values.iter().zip(strings) {
                    if string.is_empty() {
                        return Err(Problem::refusal(format!("no encoding of {value}")));
                    }
                    let Some(slot) = dst.get_mut(used..used + string.len()) else {
                        let len = string.len();
                        return Err(Problem::refusal(format!(
                            "encodings that are too long ({len} bytes of {value})"
                        )));
                    };
                    slot.copy_from_slice(string);
                    used += string.len();
                    lens.push(string.len() as u8);
                }
                bytes.clear();
                bytes.extend_from_slice(&dst[..used]);
                Ok(())
            })
        })?;
        encoded.map(|()| used).map_err(|fault| fault.got.into())
    }

    /// Decodes the bytes of the last call of [`encode`](Self::encode) on this thread. Each value is
    /// decoded from a string with the bytes of the next one after it.
    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, CodecError> {
        let lens = ENCODED.with_borrow(|encoded| (encoded.bytes == src).then(|| encoded.lens.clone()));
        let lens = lens.filter(|lens| lens.len() == values.len());
        let lens =
            lens.ok_or("not the bytes of the last encode on this thread; call encode before decode")?;
        let inputs = |bytes: &mut Vec<u8>| {
            let mut rest = src;
            for (at, &len) in lens.iter().enumerate() {
                let next = lens.get(at + 1).copied().unwrap_or(0);
                push_string(bytes, &rest[..MAX_STRING.min(usize::from(len) + usize::from(next))]);
                rest = &rest[usize::from(len)..];
            }
        };
        let mut wrong = None;
        let decoded = self.pool.ask(Task::Decode, values.len(), &inputs, &mut |results| {
            for ((result, &len), slot) in results.zip(&lens).zip(&mut *values) {
                let (value, used) = match decoded(result)? {
                    Ok(value) => value,
                    Err(Some(error)) => return Err(Problem::refusal(error.to_string())),
                    Err(None) => return Err(Problem::refusal("no value".into())),
                };
                *slot = value;
                if used != usize::from(len) {
                    wrong = wrong.or(Some(src.len() - usize::from(len) + used));
                }
            }
            Ok(())
        })?;
        decoded.map(|()| wrong.unwrap_or(src.len())).map_err(|fault| fault.got.into())
    }
}
