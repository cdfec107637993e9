//! One child process: started, asked, and always killed and reaped.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{self, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::protocol::{Answer, Request, open};
use super::stderr::Lines;

/// How long a child may take to end after its input or output was closed, before it is killed.
const GRACE: Duration = Duration::from_secs(1);

/// The children alive, for [`kill_children`].
static ALIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// A running child.
pub(super) struct Child {
    process: process::Child,
    group: Pid,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    lines: Lines,
    pub(super) request: Request,
    output: Vec<u8>,
}

/// Why a child is of no more use.
#[derive(Debug)]
pub(super) struct Loss {
    pub(super) message: String,
    /// It cost a timeout.
    pub(super) hung: bool,
}

impl Child {
    /// Starts a program with its arguments.
    pub(super) fn start(words: &[String]) -> io::Result<Self> {
        let (program, arguments) = words.split_first().ok_or(ErrorKind::InvalidInput)?;
        // A group of its own: Ctrl-C in a terminal is for the sweep, which still has blocks to finish.
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let group = Pid::from_child(&process);
        alive().push(group);
        let (stdin, stderr) = (process.stdin.take(), process.stderr.take());
        let stdout = process.stdout.take().ok_or(ErrorKind::BrokenPipe)?;
        let child = Self {
            process,
            group,
            stdin,
            stdout,
            stderr,
            lines: Lines::default(),
            request: Request::default(),
            output: Vec::new(),
        };
        rustix::io::ioctl_fionbio(&child.stdout, true)?;
        child.stdin.as_ref().map_or(Ok(()), |pipe| rustix::io::ioctl_fionbio(pipe, true))?;
        child.stderr.as_ref().map_or(Ok(()), |pipe| rustix::io::ioctl_fionbio(pipe, true))?;
        Ok(child)
    }

    /// Sends the request and waits for the answer to it.
    ///
    /// Writes and reads whatever is possible at the moment, so that neither side can wait for the other forever.
    pub(super) fn ask(&mut self, timeout: Duration) -> Result<Answer<'_>, Loss> {
        let deadline = Instant::now().checked_add(timeout);
        self.lines.clear();
        self.output.resize(self.request.capacity(), 0);
        let (mut sent, mut got) = (0, 0);
        loop {
            sent += self.send(sent);
            if !self.wait(sent, deadline) {
                let message = format!("no answer within {}", humantime::format_duration(timeout));
                return Err(self.loss(message, true));
            }
            match self.stdout.read(&mut self.output[got..]) {
                Ok(0) => return Err(self.ended(got)),
                Ok(more) => got += more,
                Err(error) if is_transient(&error) => continue,
                Err(error) => return Err(self.loss(format!("its output cannot be read: {error}"), false)),
            }
            match self.request.is_answered(&self.output[..got]) {
                Ok(false) => {}
                Err(violation) => return Err(self.loss(violation, false)),
                Ok(true) if sent < self.request.bytes.len() => {
                    return Err(self.loss("it answered before it had read the request".into(), false));
                }
                Ok(true) => return Ok(open(&self.output[..got])),
            }
        }
    }

    /// Sends what the pipe takes of the request; how much. To a child that closed its input, all is sent: its answer, if
    /// any, may tell why.
    fn send(&mut self, sent: usize) -> usize {
        let rest = &self.request.bytes[sent..];
        match self.stdin.as_mut().map(|stdin| if rest.is_empty() { Ok(0) } else { stdin.write(rest) }) {
            Some(Ok(more)) => more,
            Some(Err(error)) if is_transient(&error) => 0,
            Some(Err(_)) | None => {
                self.stdin = None;
                rest.len()
            }
        }
    }

    /// Waits until there is something to read or to write, and reads what stands on stderr; `false`: not in time.
    fn wait(&mut self, sent: usize, deadline: Option<Instant>) -> bool {
        let left = deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return false;
        }
        // Some systems take no longer times; the caller asks again.
        let left = left.min(Duration::from_secs(3600));
        let left = Timespec { tv_sec: left.as_secs() as _, tv_nsec: left.subsec_nanos() as _ };
        let mut pipes = Vec::with_capacity(3);
        pipes.push(PollFd::new(&self.stdout, PollFlags::IN));
        pipes.extend(self.stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        if sent < self.request.bytes.len() {
            pipes.extend(self.stdin.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        }
        // An interrupted call is as good as one without an event.
        let _ = poll(&mut pipes, Some(&left));
        if self.stderr.is_some() && pipes.get(1).is_some_and(|pipe| !pipe.revents().is_empty()) {
            self.listen();
        }
        true
    }

    /// Reads some of what stands on stderr; whether there may be more.
    fn listen(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match self.stderr.as_mut().map(|stderr| stderr.read(&mut bytes)) {
            Some(Ok(more @ 1..)) => {
                self.lines.push(&bytes[..more]);
                true
            }
            Some(Err(error)) if is_transient(&error) => false,
            _ => {
                self.stderr = None;
                false
            }
        }
    }

    /// The loss of a child that closed its output.
    fn ended(&mut self, got: usize) -> Loss {
        let place = if got > 0 { format!(" after {got} bytes of an answer") } else { String::new() };
        let message = if self.ends_by(Instant::now() + GRACE) {
            match self.reap() {
                Ok(status) => format!("it ended{place}: {status}"),
                Err(error) => format!("it ended{place}, how is not known: {error}"),
            }
        } else {
            format!("it closed its output{place}")
        };
        self.loss(message, false)
    }

    fn loss(&mut self, message: String, hung: bool) -> Loss {
        // Bounded, for whoever inherited the pipe may go on writing.
        for _ in 0..64 {
            if !self.listen() {
                break;
            }
        }
        Loss { message: message + &self.lines.told(), hung }
    }

    /// Closes its input, which asks it to end.
    pub(super) fn dismiss(&mut self) {
        self.stdin = None;
    }

    /// Waits for its end; whether it came.
    pub(super) fn ends_by(&mut self, deadline: Instant) -> bool {
        let mut pause = Duration::from_micros(100);
        // Not reaped yet, so that its group can still be killed by number.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(self.group), options), Ok(None)) {
            if Instant::now() >= deadline {
                return false;
            }
            sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        true
    }

    /// Kills it, unless it has ended, with all that it started; its status.
    fn reap(&mut self) -> io::Result<process::ExitStatus> {
        if forget(self.group) {
            let _ = kill_process_group(self.group, Signal::KILL); // none may be left
            let _ = self.process.kill(); // should it have left the group
        }
        self.process.wait()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.reap(); // nobody to tell
    }
}

/// Kills the children of all sweeps in this process. For programs that end by [`std::process::exit`], which drops nothing.
pub fn kill_children() {
    for group in alive().iter() {
        let _ = kill_process_group(*group, Signal::KILL); // it may have ended
    }
}

fn alive() -> MutexGuard<'static, Vec<Pid>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether it was known.
fn forget(group: Pid) -> bool {
    let mut alive = alive();
    let at = alive.iter().position(|other| *other == group);
    at.map(|at| alive.swap_remove(at)).is_some()
}

fn is_transient(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
