//! Checkpoints: a file that holds what a sweep has done, so that a sweep that was cut off goes on where it was.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::decimal;
use super::failure::Failure;
use super::integer::Kind;
use super::ledger::{Counts, Ledger, Tally};
use super::output::{OutputFile, remove_leftovers};
use super::plain::Plain;
use super::report::{Ending, Report, hash};
use super::schedule::Schedule;
use super::summary::Summary;
use super::units::Units;
use super::watch::Watch;

/// The version of the format.
const FORMAT: u32 = 1;
/// A file beyond this size is none of ours.
pub(super) const LARGEST: u64 = 64 << 20;

/// A checkpoint file, locked for this process as long as this exists.
pub struct Checkpoint {
    path: PathBuf,
    every: Duration,
    tell: Box<dyn Fn(&str) + Send + Sync>,
    saved: Option<Saved>,
    trouble: Option<String>,
    /// Beside the file, which a rename replaces: a lock on the file itself would go with it.
    _lock: File,
}

/// What is in the file: a report, and what it takes to go on.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Saved {
    pub(super) report: Report,
    pub(super) state: State,
}

/// The finished units, and what was counted in them.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct State {
    finished: Units,
    #[serde(with = "decimal::list")]
    by_length: Vec<u64>,
    #[serde(with = "decimal::list")]
    drawn: Vec<u64>,
    #[serde(with = "decimal")]
    failures: u64,
    listed: BTreeMap<u64, Vec<Failure>>,
}

/// The file.
#[derive(Serialize, Deserialize)]
struct Envelope {
    checkpoint: u32,
    /// Of the content as it is written.
    sha256: String,
    content: Box<RawValue>,
}

impl Checkpoint {
    /// Opens the checkpoint of that name, or prepares a new one. No other process can while this one has it.
    ///
    /// # Errors
    ///
    /// Where another sweep has it, it cannot be read, or it is torn or something else: a line that names the file
    /// and the remedy. The file is left as it is.
    pub fn open(path: &Path) -> Result<Self, String> {
        let named = |error: &dyn std::fmt::Display, remedy: &str| {
            format!("checkpoint '{}': {error}: {remedy}", path.display())
        };
        let place =
            located(path).map_err(|error| named(&error, "name a file in a folder that you may write to"))?;
        if fs::metadata(&place).is_ok_and(|found| !found.is_file()) {
            return Err(named(&"it is no regular file", "name another"));
        }
        let lock = lock(&place).map_err(|error| named(&error.0, error.1))?;
        remove_leftovers(&place);
        let saved = match read(&place) {
            Ok(content) => Some(Saved::parse(&content).map_err(|error| {
                named(&error, "restore it from a copy, or name another file to start anew")
            })?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(named(&error, "make it readable, or name another file")),
        };
        let every = Duration::from_secs(5);
        Ok(Self { path: place, every, tell: Box::new(|_| ()), saved, trouble: None, _lock: lock })
    }

    /// Time between two times that it is saved.
    pub fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// What to do with a message when it cannot be saved for once: the sweep goes on and tries again.
    pub fn on_trouble(mut self, tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.tell = Box::new(tell);
        self
    }

    /// What it says of the sweep so far; `None` for a new one.
    pub fn report(&self) -> Option<&Report> {
        self.saved.as_ref().map(|saved| &saved.report)
    }

    /// The file, links followed.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Why the last thing that the sweep did could not be saved, if so.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// What is in it, if it is of the same sweep as `blank`.
    pub(super) fn resume(&self, blank: &Report) -> Result<Option<Saved>, String> {
        let Some(saved) = &self.saved else { return Ok(None) };
        let kernel = |report: &Report| report.kernel.clone().unwrap_or_else(|| "none".into());
        let shard = |report: &Report| report.shard.clone().unwrap_or_else(|| "1/1".into());
        let differs = |what, own: &str, other: &str| {
            (own != other).then(|| format!("its {what} is {other}, not {own}"))
        };
        let differs = blank
            .foreign(&saved.report)
            .or_else(|| differs("kernel", &kernel(blank), &kernel(&saved.report)))
            .or_else(|| differs("shard", &shard(blank), &shard(&saved.report)));
        match differs {
            None => Ok(Some(saved.clone())),
            Some(differs) => Err(format!(
                "checkpoint '{}' belongs to another sweep ({}): say the same as then, or name another file",
                self.path.display(),
                Plain(differs)
            )),
        }
    }

    /// Saves it: the old content stays until the new is whole and on the disk.
    pub(super) fn save(&self, saved: &Saved) -> Result<(), String> {
        let write = || {
            let content = to_raw_value(saved)?;
            let sha256 = hash(content.get().as_bytes());
            let mut text = serde_json::to_vec(&Envelope { checkpoint: FORMAT, sha256, content })?;
            text.push(b'\n');
            OutputFile::again(&self.path)?.finish(&text)
        };
        write().map_err(|error: io::Error| {
            format!(
                "cannot save the checkpoint '{}' ({error}); what it held before is intact: make room or name a file in a folder that you may write to",
                self.path.display()
            )
        })
    }

    /// Does the work, and saves what is done before it, again and again in the course of it, but not at its end.
    /// Trouble in its course is told once.
    pub(super) fn kept(&self, summary: &Summary, watch: &Watch, work: impl FnOnce()) -> Result<(), String> {
        let now = || {
            let ledger = summary.board.collect().clone();
            Saved { report: summary.report(&ledger, Ending::Running), state: State::of(&ledger) }
        };
        self.save(&now())?;
        watch.saved_now();
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            let keeper = scope.spawn(|| {
                let mut told = false;
                loop {
                    thread::park_timeout(self.every);
                    if ended.load(Relaxed) {
                        return;
                    }
                    let saved = self.save(&now()).inspect(|()| watch.saved_now());
                    if let Some(message) = saved.as_ref().err().filter(|_| !told) {
                        (self.tell)(message);
                    }
                    told = saved.is_err();
                }
            });
            work();
            ended.store(true, Relaxed);
            keeper.thread().unpark();
        });
        Ok(())
    }

    /// Saves what the sweep has done at its end.
    pub(super) fn close(&mut self, saved: &Saved, watch: &Watch) {
        self.trouble = self.save(saved).inspect(|()| watch.saved_now()).err();
    }
}

impl Saved {
    /// Reads the content of a checkpoint file.
    pub(super) fn parse(content: &[u8]) -> Result<Self, String> {
        let torn = |error: serde_json::Error| format!("it is torn or no checkpoint ({})", Plain(error));
        let envelope: Envelope = serde_json::from_slice(content).map_err(torn)?;
        if envelope.checkpoint != FORMAT {
            return Err(format!("its format is {}, and this program knows {FORMAT}", envelope.checkpoint));
        }
        if envelope.sha256 != hash(envelope.content.get().as_bytes()) {
            return Err("it is damaged: its checksum is that of another content".into());
        }
        serde_json::from_str(envelope.content.get()).map_err(torn)
    }
}

impl State {
    /// What is worth keeping of a ledger. Units that failed too often to be finished are done again.
    pub(super) fn of(ledger: &Ledger) -> Self {
        Self {
            finished: ledger.finished.units.clone(),
            by_length: ledger.finished.counts.by_length.to_vec(),
            drawn: ledger.finished.counts.drawn.clone(),
            failures: ledger.finished.counts.failures,
            listed: ledger.finished.listed.clone(),
        }
    }

    /// The schedule and the ledger to go on with. Everything counted must be what the finished units have.
    pub(super) fn resume(
        self,
        kind: Kind,
        schedule: Schedule,
        list: usize,
    ) -> Result<(Schedule, Ledger), String> {
        const WRONG: &str = "its counts are not those of the values that it says are done: start anew";
        let schedule = schedule.resumed(self.finished.clone()).ok_or(WRONG)?;
        let (by_length, drawn) = schedule.expected(kind, &self.finished);
        if by_length[..] != self.by_length || drawn != self.drawn {
            return Err(WRONG.into());
        }
        let mut ledger = Ledger::new(drawn.len(), list);
        ledger.finished = Tally {
            units: self.finished,
            counts: Counts { by_length, drawn, failures: self.failures },
            listed: self.listed,
        };
        Ok((schedule, ledger))
    }
}

/// Reads a file of ours, whatever it is.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut content)?;
    if content.len() as u64 > LARGEST {
        return Err(io::Error::other("it is too large to be a checkpoint or a report"));
    }
    Ok(content)
}

/// The file that a path leads to, there or not yet, so that two names for it have one lock.
fn located(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = fs::canonicalize(path) {
        return Ok(path);
    }
    let name = path.file_name().ok_or_else(|| io::Error::other("it has no name"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(folder)?.join(name))
}

fn lock(path: &Path) -> Result<File, (String, &'static str)> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let failed = |error: io::Error| {
        (format!("cannot be locked ({error})"), "name a file in a folder that you may write to")
    };
    let mut file =
        File::options().read(true).write(true).create(true).truncate(false).open(name).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let _ = file.take(100).read_to_string(&mut holder); // for the message alone
            let holder = holder.trim().trim_matches(char::from(0));
            return Err((
                format!("another sweep is using it ({})", if holder.is_empty() { "unknown" } else { holder }),
                "wait for that one to end, or name another file",
            ));
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    // Who has it, for the message of the next one; the lock holds without.
    let _ = file.set_len(0).and_then(|()| write!(file, "process {}", std::process::id()));
    Ok(file)
}
