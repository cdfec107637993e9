//! One child process, which is always killed and reaped at the end.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{self, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::thread::{self, ThreadId, sleep};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::protocol::Request;
use crate::check::panics::lock;
use crate::texts::Printable;

/// The time that a child has to exit after its input or output was closed, before it is killed.
const GRACE: Duration = Duration::from_secs(1);

/// The remedy for a child that violates the protocol.
pub(super) const REMEDY: &str = "; `sweep protocol` prints the protocol and programs to start from";

/// The number of bytes of standard error that are kept.
const KEPT: usize = 64 << 10;

/// The process groups of the running children, for [`kill_children`].
static ALIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

pub(super) struct Child {
    process: process::Child,
    group: Pid,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    /// The last bytes on standard error since the last request.
    messages: VecDeque<u8>,
    pub(super) request: Request,
    /// The last request with inputs before that one.
    pub(super) previous: Request,
    output: Vec<u8>,
    /// The number of bytes of the last answer that are not read. `None` if its end is unknown.
    unread: Option<usize>,
    /// The thread that the child worked for last.
    pub(super) user: ThreadId,
}

/// Why a child can no longer be used.
#[derive(Debug)]
pub(super) struct Loss {
    /// The problem as a noun phrase, which messages put after "got".
    pub(super) message: String,
    pub(super) cause: Cause,
    /// What the child wrote to standard error since the request, as the end of a message.
    pub(super) stderr: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It ended, or could not be started.
    End,
    /// It exceeded its timeout.
    Hang,
    /// It violated the protocol.
    Violation,
}

impl Child {
    pub(super) fn start(words: &[String]) -> io::Result<Self> {
        let (program, arguments) = words.split_first().ok_or(ErrorKind::InvalidInput)?;
        // In a process group of its own, Ctrl-C in a terminal does not reach the child: the sweep
        // still has to finish its blocks.
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let group = Pid::from_child(&process);
        lock(&ALIVE).push(group);
        let (stdin, stderr) = (process.stdin.take(), process.stderr.take());
        let stdout = process.stdout.take().ok_or(ErrorKind::BrokenPipe)?;
        let child = Self {
            process,
            group,
            stdin,
            stdout,
            stderr,
            messages: VecDeque::new(),
            request: Request::default(),
            previous: Request::default(),
            output: Vec::new(),
            unread: Some(0),
            user: thread::current().id(),
        };
        rustix::io::ioctl_fionbio(&child.stdout, true)?;
        child.stdin.as_ref().map_or(Ok(()), |pipe| rustix::io::ioctl_fionbio(pipe, true))?;
        child.stderr.as_ref().map_or(Ok(()), |pipe| rustix::io::ioctl_fionbio(pipe, true))?;
        Ok(child)
    }

    /// Sends the request and returns the results.
    ///
    /// Writes and reads as much as the pipes allow at each step, so that the two sides cannot
    /// deadlock.
    pub(super) fn ask(&mut self, timeout: Duration) -> Result<&[u8], Loss> {
        let deadline = Instant::now().checked_add(timeout);
        self.messages.clear();
        let capacity = self.request.capacity();
        if self.output.len() < capacity {
            self.output.resize(capacity, 0);
        }
        let (mut sent, mut got, mut unread) = (0, 0, self.unread.take().unwrap_or(0));
        loop {
            sent += self.send(sent);
            if !self.wait(sent, deadline) {
                let message = format!("no answer within {}", humantime::format_duration(timeout));
                return Err(self.loss(message, Cause::Hang));
            }
            let end = if unread > 0 { unread.min(capacity) } else { capacity };
            match self.stdout.read(&mut self.output[got..end]) {
                Ok(0) => return Err(self.ended(got)),
                Ok(more) if unread > 0 => unread -= more,
                Ok(more) => got += more,
                Err(error) if is_transient(&error) => continue,
                Err(error) => return Err(self.loss(format!("unreadable output ({error})"), Cause::End)),
            }
            match self.request.results(&self.output[..got]).map(|results| results.is_some()) {
                Ok(false) => {}
                Err(violation) => {
                    self.unread = Request::rest_of_other(&self.output[..got]);
                    // More than an answer may be two.
                    let before = if self.unread.is_none() { self.before() } else { String::new() };
                    return Err(self.loss(violation + &before, Cause::Violation));
                }
                Ok(true) if sent < self.request.bytes.len() => {
                    let early = "an answer before the request was read".into();
                    return Err(self.loss(early, Cause::Violation));
                }
                Ok(true) => {
                    self.unread = Some(0);
                    return Ok(&self.output[4..got]);
                }
            }
        }
    }

    /// Writes as much of the request as the pipe takes, and returns the number of bytes. If the
    /// child closed its input, the whole rest counts as sent: the child may still answer with an
    /// error.
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

    /// Waits until a pipe is ready, and reads from stderr if there is anything. Returns `false` if
    /// the deadline has passed.
    fn wait(&mut self, sent: usize, deadline: Option<Instant>) -> bool {
        let left = deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return false;
        }
        // Some systems reject longer times. The caller calls again.
        let left = left.min(Duration::from_secs(3600));
        let left = Timespec { tv_sec: left.as_secs() as _, tv_nsec: left.subsec_nanos() as _ };
        let mut pipes = Vec::with_capacity(3);
        pipes.push(PollFd::new(&self.stdout, PollFlags::IN));
        pipes.extend(self.stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        if sent < self.request.bytes.len() {
            pipes.extend(self.stdin.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        }
        // An error here is an interrupted call, after which the caller calls again.
        let _ = poll(&mut pipes, Some(&left));
        if self.stderr.is_some() && pipes.get(1).is_some_and(|pipe| !pipe.revents().is_empty()) {
            self.read_stderr();
        }
        true
    }

    /// Reads a part of stderr, and returns whether there may be more.
    fn read_stderr(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match self.stderr.as_mut().map(|stderr| stderr.read(&mut bytes)) {
            Some(Ok(more @ 1..)) => {
                self.messages.extend(&bytes[..more]);
                self.messages.drain(..self.messages.len().saturating_sub(KEPT));
                true
            }
            Some(Err(error)) if is_transient(&error) => false,
            _ => {
                self.stderr = None;
                false
            }
        }
    }

    /// Returns the loss of a child that closed its output.
    fn ended(&mut self, got: usize) -> Loss {
        let place = if got > 0 { format!(" after {got} bytes of an answer") } else { String::new() };
        let message = if self.ends_by(Instant::now() + GRACE) {
            match self.reap() {
                Ok(status) => format!("end of the process{place} ({status})"),
                Err(error) => format!("end of the process{place} (unknown status: {error})"),
            }
        } else {
            format!("end of its output{place}")
        };
        self.loss(message, Cause::End)
    }

    /// Keeps the last request, if it has inputs, for messages about the next one.
    pub(super) fn next_request(&mut self) {
        if self.request.has_inputs() {
            std::mem::swap(&mut self.request, &mut self.previous);
        }
    }

    /// Returns the last request but one, which may have been answered twice, for a message.
    pub(super) fn before(&self) -> String {
        let request = self.previous.describe();
        request.map_or_else(String::new, |request| format!(" (the request before it was {request})"))
    }

    /// Returns whether the end of the last answer is known, so that the child can be asked again.
    pub(super) fn can_be_asked(&self) -> bool {
        self.unread.is_some()
    }

    pub(super) fn loss(&mut self, message: String, cause: Cause) -> Loss {
        let remedy = if cause == Cause::Violation { REMEDY } else { "" };
        Loss { message: message + remedy, cause, stderr: self.stderr_excerpt() }
    }

    /// Returns what the child wrote to standard error since the request, as the end of a message.
    pub(super) fn stderr_excerpt(&mut self) -> String {
        // Bounded, because another process that inherited the pipe may write without end.
        for _ in 0..64 {
            if !self.read_stderr() {
                break;
            }
        }
        excerpt(self.messages.make_contiguous())
    }

    /// Closes the input of the child, which asks it to exit.
    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits until the child has exited, and returns `false` if it has not by the deadline.
    pub(super) fn ends_by(&mut self, deadline: Instant) -> bool {
        let mut pause = Duration::from_micros(100);
        // The child is not reaped yet, so that the ID of its group stays valid.
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

    /// Kills the child and the processes that it started, and returns its status.
    fn reap(&mut self) -> io::Result<process::ExitStatus> {
        let was_alive = lock(&ALIVE).extract_if(.., |group| *group == self.group).next().is_some();
        if was_alive {
            let _ = kill_process_group(self.group, Signal::KILL); // the group may be empty
            let _ = self.process.kill(); // the child may have left the group
        }
        self.process.wait()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.reap(); // `drop` cannot return an error
    }
}

/// Kills the child processes of all sweeps in this process. A program needs it before
/// [`std::process::exit`], which drops nothing.
pub fn kill_children() {
    for group in lock(&ALIVE).iter() {
        let _ = kill_process_group(*group, Signal::KILL); // the child may have exited
    }
}

/// Returns the process groups of the running children.
pub(crate) fn child_groups() -> Vec<i32> {
    lock(&ALIVE).iter().map(|group| group.as_raw_pid()).collect()
}

/// Returns lines as the end of a message, or an empty string if there are none.
fn excerpt(stderr: &[u8]) -> String {
    let text = Printable(String::from_utf8_lossy(stderr).replace('\t', "    ")).to_string();
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    match &lines[..] {
        [] => String::new(),
        [line] => format!("; on stderr: {line}"),
        lines => format!("; on stderr:\n    {}", lines.join("\n    ")),
    }
}

fn is_transient(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::super::protocol::Task;
    use super::*;

    /// Asks a shell command with a request that is larger than the pipes.
    fn ask(command: &str) -> Result<usize, Loss> {
        let mut child = Child::start(&["sh", "-c", command].map(String::from)).expect("a shell");
        child.request.set(Task::Encode, "i64", 1 << 13, &|inputs| inputs.resize(1 << 20, 0));
        child.ask(Duration::from_secs(60)).map(<[u8]>::len)
    }

    #[test]
    fn the_excerpt_has_the_lines_without_control_characters() {
        assert_eq!(excerpt(b""), "");
        assert_eq!(excerpt(b"panic: index\n\n"), "; on stderr: panic: index");
        assert_eq!(
            excerpt(b"goroutine 1\n\tmain.go:5\n\n  \n\x1b[1mexit"),
            "; on stderr:\n    goroutine 1\n        main.go:5\n    \u{fffd}[1mexit"
        );
    }

    #[test]
    fn requests_and_answers_larger_than_the_pipes_cause_no_deadlock() {
        assert_eq!(ask("cat").map_err(|loss| loss.message), Ok((1 << 20) - 4));
        let error = ask(r"printf '\0\40\0\0'; head -c 8192 /dev/zero; sleep 1000").unwrap_err();
        assert!(error.message.contains("before the request was read"), "{}", error.message);
    }
}
