//! A child process that speaks the protocol of `sweep protocol`, with one input in each request.

use std::io::{self, Read, Write};
use std::process::{Child as Process, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The length of the longest answer: more than any result.
const LONGEST: u32 = 300;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    Crash,
    Hang,
    Nonsense,
}

pub(crate) struct Child {
    command: Vec<String>,
    /// The time that a child has for an answer.
    timeout: Duration,
    process: Process,
    input: ChildStdin,
    /// A result, or nothing if the answer is none.
    results: Receiver<Option<Vec<u8>>>,
}

impl Child {
    /// Starts the child.
    pub(crate) fn start(command: Vec<String>, timeout: Duration) -> Result<Self, String> {
        let (program, arguments) = command.split_first().ok_or("no command")?;
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let input = process.stdin.take().expect("a pipe");
        let mut output = process.stdout.take().expect("a pipe");
        let (sender, results) = channel();
        thread::spawn(move || {
            while let Ok(result) = read(&mut output) {
                if sender.send(result).is_err() {
                    break;
                }
            }
        });
        Ok(Self { command, timeout, process, input, results })
    }

    /// Returns the result of a task for one input. After a loss, another child is started.
    pub(crate) fn ask(&mut self, task: &str, input: &[u8]) -> Result<Result<Vec<u8>, Loss>, String> {
        let body = [task.as_bytes(), &[input.len() as u8], input].concat();
        let message = [&(body.len() as u32).to_le_bytes(), &body[..]].concat();
        // A child that has ended is noticed by its missing answer.
        let _ = self.input.write_all(&message).and_then(|()| self.input.flush());
        let loss = match self.results.recv_timeout(self.timeout) {
            Ok(Some(result)) => return Ok(Ok(result)),
            Ok(None) => Loss::Nonsense,
            Err(RecvTimeoutError::Timeout) => Loss::Hang,
            Err(RecvTimeoutError::Disconnected) => Loss::Crash,
        };
        let next = Self::start(self.command.clone(), self.timeout)?;
        drop(std::mem::replace(self, next));
        Ok(Err(loss))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads an answer with one result, or returns `None` if it is longer or has more or none.
fn read(output: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 4];
    output.read_exact(&mut head)?;
    let len = u32::from_le_bytes(head);
    if len > LONGEST {
        return Ok(None);
    }
    let mut body = vec![0; len as usize];
    output.read_exact(&mut body)?;
    let is_one = body.first().is_some_and(|&first| usize::from(first) + 1 == body.len());
    Ok(is_one.then(|| body.split_off(1)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Asks a child, which a shell runs, twice.
    fn answers(script: &str) -> [Result<Vec<u8>, Loss>; 2] {
        let timeout = Duration::from_millis(if script == "cat >/dev/null" { 200 } else { 60_000 });
        let mut child =
            Child::start(["sh", "-c", script].map(str::to_owned).into(), timeout).expect("a shell");
        [(); 2].map(|()| child.ask("dec u64 ", &[0x05]).expect("a child"))
    }

    #[test]
    fn a_child_that_crashes_hangs_floods_or_answers_nonsense_is_started_again() {
        for (script, expected) in [
            (r"printf '\002\000\000\000\001\005'", Ok(vec![5])),
            ("exit 1", Err(Loss::Crash)),
            (r"printf '\002\000'", Err(Loss::Crash)),
            ("cat >/dev/null", Err(Loss::Hang)),
            ("yes", Err(Loss::Nonsense)),
            (r"printf '\000\000\000\000'", Err(Loss::Nonsense)),
            (r"printf '\002\000\000\000\000\000'", Err(Loss::Nonsense)),
        ] {
            assert_eq!(answers(script)[0], expected, "{script}");
            if expected.is_err() {
                assert_eq!(answers(script)[1], expected, "{script}");
            }
        }
    }
}
