//! The children of a sweep: as many as are asked at once, started when needed, and a limit to how many may be lost.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::child::{Child, Loss};
use super::protocol::{Answer, Request, check_hello};
use crate::check::codec::{Breakdown, CodecError};

/// Children that may crash or break the protocol before no more are started.
const CRASHES: u32 = 100;
/// Children that may hang: each costs the whole timeout.
const HANGS: u32 = 20;
/// A child has so many times the timeout to answer the greeting: virtual machines and compilers start slowly.
const START: u32 = 3;

/// A command that cannot serve as a codec. The message names the remedy.
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
    /// A pool with one child that has answered the greeting.
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

    /// A new child, greeted.
    fn child(&self) -> Result<Child, Loss> {
        let crash = |message| Loss { message, hung: false };
        let program = &self.words[0];
        let mut child = Child::start(&self.words).map_err(|error| {
            crash(format!("cannot start '{program}' ({error}): name a program in the PATH, or its path"))
        })?;
        child.request.hello(self.type_name);
        let answered = match child.ask(self.timeout.saturating_mul(START)) {
            Ok(Answer::Payload(payload)) => check_hello(payload).map_err(crash),
            Ok(Answer::Refusal(message)) => {
                let type_name = self.type_name;
                return Err(crash(format!("'{program}' refuses to sweep {type_name}: {message}")));
            }
            Err(loss) => Err(loss),
        };
        match answered {
            Ok(()) => Ok(child),
            Err(Loss { message, hung }) => {
                let message = format!(
                    "'{program}' does not answer the greeting of a sweep (examples/exec/README.md has the protocol): {message}"
                );
                Err(Loss { message, hung })
            }
        }
    }

    /// Asks a child and reads its answer by `read`, whose error says what is wrong with it.
    pub(super) fn ask<R>(
        &self,
        request: impl FnOnce(&mut Request),
        read: impl FnOnce(&[u8]) -> Result<R, String>,
    ) -> Result<R, CodecError> {
        if let Some(message) = lock(&self.lost).given_up() {
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
    fn given_up(&self) -> Option<String> {
        let Self { crashes, hangs, last } = self;
        (*crashes >= CRASHES || *hangs >= HANGS).then(|| {
            format!("not tried, for {crashes} children crashed and {hangs} hung, and no more are started; the last: {last}")
        })
    }
}

impl Drop for Pool {
    /// Asks all children to end, waits a moment together for them, and kills the rest.
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        idle.iter_mut().for_each(Child::dismiss);
        let deadline = Instant::now() + Duration::from_secs(1);
        for child in idle {
            child.ends_by(deadline);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
