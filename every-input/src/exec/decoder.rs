//! A decoder that runs as child processes.

use std::marker::PhantomData;
use std::time::Duration;

use crate::byte_strings::decoder::{DecodingError, describe_first};
use crate::byte_strings::reference;
use crate::check::codec::Breakdown;
use crate::check::failure::FailureKind;
use crate::check::function::{Check, Fault};
use crate::check::losses::Losses;
use crate::error::SweepError;
use crate::exec::pool::{Pool, Problem};
use crate::exec::protocol::{Task, decoded, push_string};
use crate::plan::byte_strings::ByteString;
use crate::plan::integer::Integer;

/// A decoder that runs as child processes like an [`ExecCodec`](crate::ExecCodec), and is checked on
/// byte strings as those of [`byte_strings`](crate::byte_strings) are, each string alone.
///
/// A child may return an error without its kind and offset, which is accepted for every invalid
/// string.
///
/// # Examples
///
/// ```no_run
/// use std::time::Duration;
/// use every_input::{ByteStrings, ExecDecoder, Sweep};
///
/// let decoder = ExecDecoder::<u64>::start("node examples/exec/child.js", Duration::from_secs(10))?;
/// let report = Sweep::of(ByteStrings::structured(3)).report("mine", &decoder)?;
/// assert_eq!(report.failures, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExecDecoder<T> {
    pool: Pool,
    canonical: bool,
    integer: PhantomData<fn() -> T>,
}

impl<T: Integer> ExecDecoder<T> {
    /// Starts the first child, as [`ExecCodec::start`](crate::ExecCodec::start) does.
    ///
    /// # Errors
    ///
    /// Returns the errors of that function.
    pub fn start(command: &str, timeout: Duration) -> Result<Self, SweepError> {
        let pool = Pool::start(command, Task::Decode, T::NAME, timeout)?;
        Ok(Self { pool, canonical: false, integer: PhantomData })
    }

    /// Declares whether overlong encodings must be errors. By default they must be accepted.
    pub fn canonical(self, canonical: bool) -> Self {
        Self { canonical, ..self }
    }
}

impl<T: Integer> Check<ByteString> for ExecDecoder<T> {
    type Memory = ();

    fn explain(&self, strings: &[ByteString], (): &mut ()) -> Result<Option<Fault>, Breakdown> {
        let inputs = |bytes: &mut Vec<u8>| strings.iter().for_each(|string| push_string(bytes, string));
        let checked = self.pool.ask(Task::Decode, strings.len(), &inputs, &mut |results| {
            for (at, (string, result)) in strings.iter().zip(results).enumerate() {
                let expected = reference::decode::<T>(string, self.canonical).map_err(Some);
                let got = decoded(result)?;
                let is_right = got == expected || (got == Err(None) && expected.is_err());
                if !is_right {
                    let fault = Fault::new(
                        describe_first(expected.map_err(reason)),
                        describe_first(got.map_err(reason)),
                    );
                    return Err(Problem::Wrong(fault.at(at).kind(FailureKind::Disagreement)));
                }
            }
            Ok(())
        })?;
        Ok(checked.err())
    }

    fn noun(&self) -> &'static str {
        "decoder"
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn losses(&self) -> Vec<&Losses> {
        vec![&self.pool.losses]
    }
}

fn reason(error: Option<DecodingError>) -> String {
    error.map_or_else(|| "an error without a reason".into(), |error| error.to_string())
}
