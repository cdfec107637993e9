//! The children of a sweep. They are started when needed, one for each concurrent request, until
//! too many were lost.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::child::{Cause, Child, Loss, REMEDY};
use super::protocol::{MAX_INPUTS, Task, strings};
use crate::check::codec::Breakdown;
use crate::check::function::Fault;
use crate::check::panics::lock;
use crate::error::SweepError;

/// The number of children that crash or violate the protocol after which no more are started.
const MAX_CRASHES: u32 = 100;
/// The same for children that hang. The limit is lower, because each costs the whole timeout.
const MAX_HANGS: u32 = 20;

pub(super) struct Pool {
    words: Vec<String>,
    /// The task of the first request, which has no inputs.
    first: Task,
    /// The type of all numbers.
    type_name: &'static str,
    timeout: Duration,
    idle: Mutex<Vec<Child>>,
    lost: Mutex<Lost>,
}

#[derive(Default)]
struct Lost {
    crashes: u32,
    hangs: u32,
    last: String,
}

/// Why the results of a request cannot be used.
pub(super) enum Problem {
    /// The violation of the protocol as a noun phrase.
    Violation(String),
    /// A wrong result, or none, of a child that works.
    Wrong(Fault),
}

/// Reads the results of a request.
type Read<'r> = dyn FnMut(&mut dyn Iterator<Item = &[u8]>) -> Result<(), Problem> + 'r;

impl Problem {
    /// The problem that a child refuses an input, as a noun phrase.
    pub(super) fn refusal(missing: String) -> Self {
        Self::Wrong(Fault::new("", missing))
    }
}

impl From<String> for Problem {
    fn from(violation: String) -> Self {
        Self::Violation(violation)
    }
}

impl Pool {
    /// Returns a pool with one child that has answered a request without inputs.
    pub(super) fn start(
        command: &str,
        first: Task,
        type_name: &'static str,
        timeout: Duration,
    ) -> Result<Self, SweepError> {
        let words = shell_words::split(command).map_err(|error| {
            SweepError::Usage(format!("cannot split '{command}' into words ({error}); close every quote"))
        })?;
        if words.is_empty() {
            return Err(SweepError::Usage("empty command; name a program".into()));
        }
        let pool = Self { words, first, type_name, timeout, idle: Mutex::default(), lost: Mutex::default() };
        let child = pool.child().map_err(|loss| SweepError::Usage(loss.message + &loss.stderr))?;
        lock(&pool.idle).push(child);
        Ok(pool)
    }

    /// Starts a child, and asks it for the results of no inputs.
    fn child(&self) -> Result<Child, Loss> {
        let program = &self.words[0];
        let mut child = Child::start(&self.words).map_err(|error| {
            let message =
                format!("cannot start '{program}' ({error}); name a program in the PATH, or give its path");
            Loss { message, cause: Cause::End, stderr: String::new() }
        })?;
        child.request.set(self.first, self.type_name, 0, &|_| ());
        match child.ask(self.timeout) {
            Ok(_) => Ok(child),
            Err(Loss { message, cause, stderr }) => {
                let task = String::from_utf8_lossy(&child.request.bytes[4..]);
                let remedy = if cause == Cause::Violation { "" } else { REMEDY };
                let message = format!(
                    "'{program}' does not answer the request \"{}\" without inputs: expected four zero bytes, got \
                     {message}{remedy}",
                    task.trim_end()
                );
                Err(Loss { message, cause, stderr })
            }
        }
    }

    /// Sends a request for `count` inputs, which `inputs` appends, to a child, and reads the results
    /// with `read`. Returns a fault that `read` found, with what the child wrote to standard error.
    pub(super) fn ask(
        &self,
        task: Task,
        count: usize,
        inputs: &dyn Fn(&mut Vec<u8>),
        read: &mut Read<'_>,
    ) -> Result<Result<(), Fault>, Breakdown> {
        if count > MAX_INPUTS {
            let problem =
                format!("block too large (at most {MAX_INPUTS} inputs per request); use smaller blocks");
            return Ok(Err(Fault::new("", problem)));
        }
        if let Some(message) = lock(&self.lost).limit_reached() {
            return Err(Breakdown::new(message).permanent());
        }
        let idle = lock(&self.idle).pop();
        let mut child = idle.map_or_else(|| self.child(), Ok).map_err(|loss| self.lose(loss))?;
        child.request.set(task, self.type_name, count, inputs);
        let results = child.ask(self.timeout).map_err(|loss| self.lose(loss))?;
        let strings = strings(results, count).map_err(Problem::from);
        let result = match strings.and_then(|strings| read(&mut strings.into_iter())) {
            Ok(()) => Ok(()),
            Err(Problem::Wrong(mut fault)) => {
                fault.got += &child.stderr_excerpt();
                Err(fault)
            }
            Err(Problem::Violation(violation)) => {
                return Err(self.lose(child.loss(violation, Cause::Violation)));
            }
        };
        lock(&self.idle).push(child);
        Ok(result)
    }

    fn lose(&self, loss: Loss) -> Breakdown {
        let Loss { message, cause, stderr } = loss;
        let mut lost = lock(&self.lost);
        let count = if cause == Cause::Hang { &mut lost.hangs } else { &mut lost.crashes };
        *count += 1;
        lost.last.clone_from(&message);
        Breakdown::new(message + &stderr)
    }
}

impl Lost {
    /// Returns a message if no more children are started.
    fn limit_reached(&self) -> Option<String> {
        let Self { crashes, hangs, last } = self;
        (*crashes >= MAX_CRASHES || *hangs >= MAX_HANGS).then(|| {
            format!(
                "no child: {crashes} crashed and {hangs} hung, and no more are started (last failure: {last}); correct \
                 the program, or raise its time limit"
            )
        })
    }
}

impl Drop for Pool {
    /// Asks all children to exit, waits up to a second for all of them, and kills the rest.
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        idle.iter_mut().for_each(Child::close_input);
        let deadline = Instant::now() + Duration::from_secs(1);
        for child in idle {
            child.ends_by(deadline);
        }
    }
}
