//! A program that runs as child processes, for checks that its caller writes.

use std::ops::Deref;
use std::time::Duration;

use super::pool::Pool;
use super::protocol::{MAX_STRING, Task, push_string};
use crate::check::codec::Breakdown;
use crate::error::SweepError;

/// A program in any language that runs as child processes, for a [`Check`](crate::Check) of your own: of
/// inputs of any space, and with results of any kind.
///
/// It speaks the protocol of [`PROTOCOL`](crate::PROTOCOL). [`ExecCodec`](crate::ExecCodec),
/// [`ExecDecoder`](crate::ExecDecoder) and [`ExecFunctions`](crate::ExecFunctions) are complete checks.
///
/// # Examples
///
/// ```no_run
/// use std::time::Duration;
/// use every_input::{Breakdown, ByteString, ByteStrings, Check, ExecProgram, ExecTask, Fault, Sweep};
///
/// /// A decoder that must return an error for no bytes.
/// struct RefusesNothing(ExecProgram);
///
/// impl Check<ByteString> for RefusesNothing {
///     type Memory = ();
///
///     fn explain(&self, strings: &[ByteString], (): &mut ()) -> Result<Option<Fault>, Breakdown> {
///         let results = self.0.ask(ExecTask::Decode, strings)?;
///         let is_wrong = |at: &usize| strings[*at].is_empty() && results[*at].first().is_some_and(|&len| len > 0);
///         Ok((0..strings.len()).find(is_wrong).map(|at| Fault::new("an error", "a value").at(at)))
///     }
/// }
///
/// let program = ExecProgram::start("node examples/exec/child.js", "u64", Duration::from_secs(10))?;
/// let report = Sweep::of(ByteStrings::new(2)).report("mine", &RefusesNothing(program))?;
/// assert_eq!(report.failures, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExecProgram {
    pool: Pool,
}

impl ExecProgram {
    /// Starts the first child. All requests name this type of numbers.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`ExecCodec::start`](crate::ExecCodec::start).
    pub fn start(command: &str, type_name: &'static str, timeout: Duration) -> Result<Self, SweepError> {
        Ok(Self { pool: Pool::start(command, Task::Decode, type_name, timeout)? })
    }

    /// Returns the result for each input, by one request. There are at most 1,024 inputs of at most 255
    /// bytes.
    ///
    /// # Errors
    ///
    /// Returns a breakdown if there is no answer, or if there are more or longer inputs. The next call
    /// starts another child, unless too many were lost.
    pub fn ask(&self, task: Task, inputs: &[impl Deref<Target = [u8]>]) -> Result<Vec<Vec<u8>>, Breakdown> {
        if let Some(long) = inputs.iter().find(|input| input.len() > MAX_STRING) {
            let len = long.len();
            return Err(Breakdown::new(format!("input too long ({len} bytes, at most {MAX_STRING})")));
        }
        let (mut found, push) = (Vec::with_capacity(inputs.len()), |bytes: &mut Vec<u8>| {
            inputs.iter().for_each(|input| push_string(bytes, input));
        });
        let asked = self.pool.ask(task, inputs.len(), &push, &mut |results| {
            found.extend(results.map(<[u8]>::to_vec));
            Ok(())
        });
        asked?.map_err(|fault| Breakdown::new(fault.got))?;
        Ok(found)
    }
}
