//! Checkpoints: files with the progress of a sweep, from which an interrupted sweep resumes.
//!
//! The content has a checksum. A second file, and the checkpoint itself, are locked, so that two sweeps
//! cannot use it.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read, Seek, Write};
#[cfg(unix)]
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::Mutex;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[cfg(unix)]
use crate::check::panics::lock;
use crate::error::FileError;
use crate::report::file_identity::resolve;
use crate::report::file_lock;
use crate::report::identity::{hash, hash_of_json};
use crate::report::output_file::OutputFile;
use crate::report::sweep_report::Report;
use crate::state::totals::Totals;

/// A checkpoint file with the progress of a sweep, from which an interrupted sweep resumes.
///
/// The file is locked against other processes until the `Checkpoint` is dropped.
pub struct Checkpoint {
    /// The path of the file, with symbolic links resolved.
    pub(crate) path: PathBuf,
    pub(crate) save_every: Duration,
    pub(crate) on_save_error: Box<dyn Fn(&FileError) + Send + Sync>,
    saved: Option<Saved>,
    pub(crate) save_error: Option<FileError>,
    /// A lock on a separate file, since a new checkpoint does not exist yet.
    _lock: FileLock,
    /// A lock on the checkpoint as it was last saved, for those that name it by another hard link. `None`
    /// if it does not exist, or if its file system has no locks.
    #[cfg(unix)]
    saved_lock: Mutex<Option<FileLock>>,
}

impl Checkpoint {
    /// Opens a checkpoint file and locks it. A file that does not exist or is empty is new:
    /// `mktemp` creates empty files.
    ///
    /// # Errors
    ///
    /// Returns an error if another process has locked the file, or if it cannot be read, is damaged,
    /// or is not a checkpoint. The file is left unchanged.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let resolved = resolve(path).map_err(|error| FileError::new(path, error, FOLDER))?;
        if fs::metadata(&resolved).is_ok_and(|found| !found.is_file()) {
            return Err(FileError::new(path, "not a regular file", "name another file"));
        }
        let _lock = FileLock::take(path, &resolved)?;
        #[cfg(unix)]
        let saved_lock = Mutex::new(FileLock::of_saved(path, &resolved)?);
        let saved = match read(&resolved) {
            Ok(content) if content.is_empty() => None,
            Ok(content) => Some(unseal(&content).map_err(|problem| {
                FileError::new(path, problem, "restore it from a copy, or name another file to start over")
            })?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(FileError::new(path, error, "make it readable, or name another file")),
        };
        Ok(Self {
            path: resolved,
            save_every: Duration::from_secs(5),
            on_save_error: Box::new(|_| ()),
            saved,
            save_error: None,
            _lock,
            #[cfg(unix)]
            saved_lock,
        })
    }

    /// Returns the path of the file that is locked while a checkpoint with this path is used. It is named
    /// `.NAME.sweep-lock` and in the same folder. Returns `None` if that folder does not exist.
    pub fn lock_path(path: &Path) -> Option<PathBuf> {
        resolve(path).ok().map(|resolved| lock_path(&resolved))
    }

    /// Sets the interval at which the progress is saved, which is five seconds by default.
    pub fn save_every(mut self, interval: Duration) -> Self {
        self.save_every = interval;
        self
    }

    /// Sets a function that is called if the progress cannot be saved. The sweep continues and tries
    /// again.
    pub fn on_save_error(mut self, report: impl Fn(&FileError) + Send + Sync + 'static) -> Self {
        self.on_save_error = Box::new(report);
        self
    }

    /// Returns the report of the sweep when the file was opened, or `None` if the file is new or
    /// empty.
    pub fn report(&self) -> Option<&Report> {
        self.saved.as_ref().map(|saved| &saved.report)
    }

    /// Returns why the final state of the sweep could not be saved, if it could not.
    pub fn save_error(&self) -> Option<&FileError> {
        self.save_error.as_ref()
    }

    /// Returns the saved progress, if it belongs to the same sweep as `blank`. The kernel may be
    /// another one, since results do not depend on it.
    pub(crate) fn resume(&self, blank: &Report) -> Result<Option<Saved>, FileError> {
        let Some(saved) = &self.saved else { return Ok(None) };
        let [own, other] = [blank, &saved.report].map(|report| report.shard.as_deref().unwrap_or("1/1"));
        let of_shard = || (own != other).then(|| format!("its shard is {other}, not {own}"));
        let differs = blank.difference_to(&saved.report).or_else(of_shard);
        let Some(differs) = differs else { return Ok(Some(saved.clone())) };
        let problem = format_args!("the checkpoint belongs to another sweep ({differs})");
        const RERUN: &str = "rerun with the original arguments, or name another file";
        Err(FileError::new(&self.path, problem, RERUN))
    }

    /// Saves the progress. The old content of the file is replaced only once the new content is
    /// complete and on disk.
    pub(crate) fn save(&self, content: &Saved) -> Result<(), FileError> {
        let write = || {
            let mut file = BufWriter::new(OutputFile::reopen(&self.path)?);
            seal(content, &mut file)?;
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            #[cfg(unix)]
            {
                *lock(&self.saved_lock) = file.finish_locked(&[])?.map(FileLock);
                Ok(())
            }
            #[cfg(not(unix))]
            file.finish(&[])
        };
        write().map_err(|error: io::Error| {
            let problem =
                format_args!("cannot save the checkpoint ({error}), its previous content is intact");
            FileError::new(&self.path, problem, "free some space, or name a file in a writable folder")
        })
    }
}

/// The version of the format.
const FORMAT: u32 = 4;
/// The maximum size of a file in bytes. A report with 2^20 ranges in its plan is smaller, because its
/// other lists and its texts are bounded.
const MAX_FILE_SIZE: u64 = 192 << 20;

/// The content: a report, and the state from which the sweep resumes.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) report: Report,
    pub(crate) state: Totals,
}

#[derive(Deserialize)]
struct Envelope<'f> {
    checkpoint: u32,
    /// The hash of the content as it is written.
    xxhash64: String,
    #[serde(borrow)]
    content: &'f RawValue,
}

/// Writes a checkpoint file with this content, which is in memory once only.
fn seal(content: &Saved, file: &mut impl Write) -> io::Result<()> {
    let xxhash64 = hash_of_json(content);
    write!(file, "{{\"checkpoint\":{FORMAT},\"xxhash64\":\"{xxhash64}\",\"content\":")?;
    serde_json::to_writer(&mut *file, content)?;
    file.write_all(b"}\n")
}

pub(crate) fn unseal(file: &[u8]) -> Result<Saved, String> {
    let invalid = |error: serde_json::Error| format!("not a checkpoint, or truncated ({error})");
    let envelope: Envelope<'_> = serde_json::from_slice(file).map_err(invalid)?;
    if envelope.checkpoint != FORMAT {
        let format = envelope.checkpoint;
        return Err(format!("unsupported checkpoint format {format} (this program supports {FORMAT})"));
    }
    let content = envelope.content.get();
    if envelope.xxhash64 != hash(content.as_bytes()) {
        return Err("damaged (its checksum does not match its content)".into());
    }
    serde_json::from_str(content).map_err(invalid)
}

/// Reads a checkpoint or report file, up to the maximum size.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    // A buffer that grows would be twice as large.
    let length = file.metadata()?.len().min(MAX_FILE_SIZE) as usize;
    let mut content = Vec::with_capacity(length + 1);
    file.take(MAX_FILE_SIZE + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_FILE_SIZE {
        return Err(io::Error::other("too large for a checkpoint or a report"));
    }
    Ok(content)
}

const FOLDER: &str = "name a file in a writable folder";

/// A locked file, which is unlocked on drop.
///
/// Closing the file is not enough: a child process that is being started inherits the file, and
/// with it the lock, until its program runs.
#[derive(Debug)]
struct FileLock(File);

impl Drop for FileLock {
    fn drop(&mut self) {
        let _ = self.0.unlock(); // if this fails, closing the file still unlocks it
    }
}

impl FileLock {
    /// Locks the file with this resolved path for this process. Messages have the `path` of the user.
    fn take(path: &Path, resolved: &Path) -> Result<Self, FileError> {
        let name = lock_path(resolved);
        let failed =
            |error: io::Error| FileError::new(path, format_args!("cannot be locked ({error})"), FOLDER);
        let foreign = || {
            let problem = format_args!("'{}' is not a lock of this program", name.display());
            FileError::new(path, problem, "move that file away, or name another file")
        };
        if fs::symlink_metadata(&name).is_ok_and(|found| !found.is_file()) {
            return Err(foreign());
        }
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        let mut file = options.open(&name).map_err(failed)?;
        let locked = file_lock::lock(&file);
        let mut holder = String::new();
        let is_read = (&file).take(100).read_to_string(&mut holder);
        let holder = holder.trim_matches(char::from(0)); // a power failure can leave zeros
        let id = holder.strip_prefix(HOLDER).filter(|id| id.parse::<u32>().is_ok());
        match locked {
            // Windows does not let others read a file that is locked.
            Err(TryLockError::WouldBlock) if is_read.is_err() || id.is_some() || holder.is_empty() => {
                let holder = id.map_or("unknown".into(), |id| format!("{HOLDER}{id}"));
                let problem = format_args!("another sweep is using it ({holder})");
                return Err(FileError::new(path, problem, WAIT));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            _ if is_read.is_err() || (id.is_none() && !holder.is_empty()) => return Err(foreign()),
            _ => {}
        }
        // Write the holder for the message of another sweep. The lock works without it.
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| write!(file, "{HOLDER}{}", std::process::id()));
        Ok(Self(file))
    }

    /// Locks the checkpoint itself, if it exists.
    #[cfg(unix)]
    fn of_saved(path: &Path, resolved: &Path) -> Result<Option<Self>, FileError> {
        // Some file systems lock only files that can be written.
        let Ok(file) = File::options().read(true).write(true).open(resolved) else { return Ok(None) };
        match file_lock::lock(&file) {
            Err(TryLockError::WouldBlock) => {
                Err(FileError::new(path, "another sweep is using it by another name (a hard link)", WAIT))
            }
            locked => Ok(locked.is_ok().then_some(Self(file))),
        }
    }
}

/// What the file of a lock begins with, before the ID of the process.
const HOLDER: &str = "process ";

const WAIT: &str = "wait until it ends, or name another file";

/// Returns the file that is locked for a checkpoint with this resolved path. Its name says whose it is, so
/// that it is no file of the user.
fn lock_path(resolved: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(resolved.file_name().unwrap_or_default());
    name.push(".sweep-lock");
    resolved.with_file_name(name)
}
