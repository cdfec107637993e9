//! The children of a sweep. They are started when needed, one for each concurrent request, until
//! too many were lost.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::child::{Cause, Child, Loss, REMEDY};
use super::protocol::{MAX_INPUTS, Task, strings};
use crate::check::codec::Breakdown;
use crate::check::function::Fault;
use crate::check::losses::Losses;
use crate::check::panics::lock;
use crate::error::SweepError;

pub(super) struct Pool {
    words: Vec<String>,
    /// The task of the first request, which has no inputs.
    first: Task,
    /// The type of all numbers.
    type_name: &'static str,
    timeout: Duration,
    idle: Mutex<Vec<Child>>,
    pub(super) losses: Losses,
    /// Whether a child ended or hung when it was asked without inputs a second time.
    asks_once: AtomicBool,
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
        let (idle, losses, asks_once) = (Mutex::default(), Losses::default(), AtomicBool::new(false));
        let pool = Self { words, first, type_name, timeout, idle, losses, asks_once };
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
        if let Some((_, message)) = self.losses.limit() {
            return Err(Breakdown::new(message).permanent());
        }
        let mut child = self.idle(true).map_or_else(|| self.child(), Ok).map_err(|loss| self.lose(loss))?;
        child.next_request();
        child.request.set(task, self.type_name, count, inputs);
        let answered = child.ask(self.timeout).map(|results| {
            strings(results, count).map_err(Problem::from).and_then(|strings| read(&mut strings.into_iter()))
        });
        let mut is_usable = true;
        let result = match answered {
            Ok(Ok(())) => Ok(Ok(())),
            Ok(Err(Problem::Wrong(mut fault))) => {
                fault.got += &child.stderr_excerpt();
                is_usable = self.is_confirmed(&mut child)?;
                Ok(Err(fault))
            }
            Ok(Err(Problem::Violation(violation))) => Err(child.loss(violation, Cause::Violation)),
            Err(loss) => Err(loss),
        };
        let is_violated = result.as_ref().is_err_and(|loss: &Loss| loss.cause == Cause::Violation);
        if is_violated && child.can_be_asked() {
            self.is_confirmed(&mut child)?;
        }
        let result = result.map_err(|loss| self.lose(loss))?;
        if is_usable {
            self.put(child);
        }
        Ok(result)
    }

    /// Confirms that the last results on this thread are of their request, after they were wrong.
    pub(super) fn confirm(&self) -> Result<(), Breakdown> {
        if let Some(mut child) = self.idle(false)
            && self.is_confirmed(&mut child)?
        {
            self.put(child);
        }
        Ok(())
    }

    /// Asks a child for the results of no inputs. If it answers otherwise, it has answered an earlier
    /// request twice, and the last answer was of another request. Returns whether the child goes on.
    fn is_confirmed(&self, child: &mut Child) -> Result<bool, Breakdown> {
        if self.asks_once.load(Relaxed) {
            return Ok(true);
        }
        let before = child.before();
        child.next_request();
        child.request.set(self.first, self.type_name, 0, &|_| ());
        match child.ask(self.timeout) {
            Ok(_) => Ok(true),
            Err(Loss { cause: Cause::Violation, stderr, .. }) => {
                let message = format!(
                    "an answer to another request: the child answered one twice, or late{before}{REMEDY}"
                );
                Err(self.lose(Loss { message, cause: Cause::Violation, stderr }))
            }
            // It may have expected no such request after the first.
            Err(_) => {
                self.asks_once.store(true, Relaxed);
                Ok(false)
            }
        }
    }

    /// Returns the idle child that worked for this thread last, or else any.
    fn idle(&self, or_any: bool) -> Option<Child> {
        let (user, mut idle) = (thread::current().id(), lock(&self.idle));
        let own = idle.iter().position(|child| child.user == user);
        own.or_else(|| idle.len().checked_sub(1).filter(|_| or_any)).map(|at| idle.swap_remove(at))
    }

    fn put(&self, mut child: Child) {
        child.user = thread::current().id();
        lock(&self.idle).push(child);
    }

    fn lose(&self, loss: Loss) -> Breakdown {
        let Loss { message, cause, stderr } = loss;
        self.losses.add(cause == Cause::Hang, &message);
        Breakdown::new(message + &stderr)
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
