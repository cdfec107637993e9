//! The children of a sweep. They are started when needed, one for each concurrent request, until
//! too many were lost.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::child::{Child, Loss};
use super::protocol::{Answer, Request, check_hello};
use crate::check::codec::{Breakdown, CodecError};

/// The number of children that crash or violate the protocol after which no more are started.
const MAX_CRASHES: u32 = 100;
/// The same for children that hang. The limit is lower, because each costs the whole timeout.
const MAX_HANGS: u32 = 20;
/// The timeout of the greeting in multiples of the timeout: virtual machines and compilers start
/// slowly.
const GREETING_TIMEOUTS: u32 = 3;

/// The error of a command that cannot run as a codec. The message names the remedy.
#[derive(Debug)]
pub struct ExecError {
    message: String,
}

impl ExecError {
    pub(super) fn new(message: String) -> Self {
        Self { message }
    }
}

impl fmt::Display for ExecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExecError {}

pub(super) struct Pool {
    words: Vec<String>,
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

impl Pool {
    /// Returns a pool with one child that has answered the greeting.
    pub(super) fn start(
        words: Vec<String>,
        type_name: &'static str,
        timeout: Duration,
    ) -> Result<Self, ExecError> {
        let pool = Self { words, type_name, timeout, idle: Mutex::default(), lost: Mutex::default() };
        let first = pool.child().map_err(|loss| ExecError::new(loss.message))?;
        lock(&pool.idle).push(first);
        Ok(pool)
    }

    /// Starts a child and exchanges greetings with it.
    fn child(&self) -> Result<Child, Loss> {
        let crash = |message| Loss { message, hung: false };
        let program = &self.words[0];
        let mut child = Child::start(&self.words).map_err(|error| {
            crash(format!("cannot start '{program}' ({error}); name a program in the PATH, or give its path"))
        })?;
        child.request.hello(self.type_name);
        let answered = match child.ask(self.timeout.saturating_mul(GREETING_TIMEOUTS)) {
            Ok(Answer::Payload(payload)) => check_hello(payload).map_err(crash),
            Ok(Answer::Refusal(message)) => {
                let type_name = self.type_name;
                return Err(crash(format!("'{program}' refuses the type {type_name}: {message}")));
            }
            Err(loss) => Err(loss),
        };
        match answered {
            Ok(()) => Ok(child),
            Err(Loss { message, hung }) => {
                let message = format!(
                    "'{program}' does not answer the greeting: expected the magic and the version, got {message}; \
                     examples/exec/README.md describes the protocol"
                );
                Err(Loss { message, hung })
            }
        }
    }

    /// Sends a request to a child and reads the answer with `read`, whose error is a violation of
    /// the protocol.
    pub(super) fn ask<R>(
        &self,
        request: impl FnOnce(&mut Request),
        read: impl FnOnce(&[u8]) -> Result<R, String>,
    ) -> Result<R, CodecError> {
        if let Some(message) = lock(&self.lost).limit_reached() {
            return Err(Breakdown::new(message).permanent().into());
        }
        let idle = lock(&self.idle).pop();
        let mut child = idle.map_or_else(|| self.child(), Ok).map_err(|loss| self.lose(loss))?;
        request(&mut child.request);
        let result = match child.ask(self.timeout) {
            Ok(Answer::Payload(payload)) => {
                read(payload).map_err(|message| self.lose(Loss { message, hung: false }))?
            }
            Ok(Answer::Refusal(message)) => {
                lock(&self.idle).push(child);
                return Err(message.into());
            }
            Err(loss) => return Err(self.lose(loss).into()),
        };
        lock(&self.idle).push(child);
        Ok(result)
    }

    fn lose(&self, loss: Loss) -> Breakdown {
        let mut lost = lock(&self.lost);
        lost.crashes += u32::from(!loss.hung);
        lost.hangs += u32::from(loss.hung);
        lost.last.clone_from(&loss.message);
        Breakdown::new(loss.message)
    }
}

impl Lost {
    /// Returns a message if no more children are started.
    fn limit_reached(&self) -> Option<String> {
        let Self { crashes, hangs, last } = self;
        (*crashes >= MAX_CRASHES || *hangs >= MAX_HANGS).then(|| {
            format!(
                "no child: {crashes} crashed and {hangs} hung, and no more are started (last failure: {last})"
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
