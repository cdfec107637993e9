//! Output files that are written completely or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::report::file_identity::{folder, resolve};
use crate::report::standard_streams::{handle, standard_stream};

/// An output file that is checked before the work and written during or after it, so that a bad path
/// fails early. An existing file of the same name stays unchanged until the end, unless
/// [`without_old`](Self::without_old) removes it, and is then replaced atomically. If this is dropped before
/// it is finished, nothing is written.
///
/// Devices, named pipes and standard streams are written instead of replaced. A pipe that no program reads
/// yet is opened when it is written.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    target: Target,
    /// The permissions of the file that exists, for the one that replaces it.
    permissions: Option<fs::Permissions>,
    is_stopped: fn() -> bool,
}

#[derive(Debug)]
enum Target {
    /// A regular file, which a temporary file in the same folder replaces, and this temporary file.
    Replaced(Option<NamedTempFile>),
    /// A device or a standard stream, which must not be replaced.
    Direct(File),
    /// A named pipe, which is open from when a program reads it.
    #[cfg(unix)]
    Pipe(Option<File>),
}

impl OutputFile {
    /// Checks that `path` can be written.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = Self::reopen(path)?;
        if file.is_replaced() {
            // The temporary file is a test and is deleted at once, so that a process that is killed
            // during the work leaves nothing behind.
            drop(temporary_file(&file.path, None)?);
        }
        Ok(file)
    }

    /// Does the same for a file that this process created before and writes at once. It creates no
    /// temporary file as a test.
    pub(crate) fn reopen(path: &Path) -> io::Result<Self> {
        let target = match standard_stream(path) {
            Some(stream) => Target::Direct(stream?),
            None => Target::of(path)?,
        };
        // A symbolic link stays; its target is replaced or created.
        let path = match &target {
            Target::Replaced(_) => resolve(path)?,
            _ => path.to_owned(),
        };
        let permissions = fs::metadata(&path).ok().map(|found| found.permissions());
        Ok(Self { path, target, permissions, is_stopped: || false })
    }

    /// Returns a file that is written to standard output.
    pub(crate) fn stdout() -> io::Result<Self> {
        let target = Target::Direct(handle(&io::stdout())?);
        Ok(Self { path: PathBuf::new(), target, permissions: None, is_stopped: || false })
    }

    /// Removes an existing file now instead of at the end, so that its content is not taken for that of
    /// work that fails. The new file has its permissions.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be removed.
    pub fn without_old(self) -> io::Result<Self> {
        if self.is_replaced() && self.permissions.is_some() {
            fs::remove_file(&self.path)?;
        }
        Ok(self)
    }

    /// Returns whether a regular file is replaced.
    pub(crate) fn is_replaced(&self) -> bool {
        matches!(self.target, Target::Replaced(_))
    }

    /// Sets when to stop waiting for a program that reads a named pipe. By default, a write waits until
    /// there is one.
    pub fn stop_waiting_if(self, is_stopped: fn() -> bool) -> Self {
        Self { is_stopped, ..self }
    }

    /// Returns a handle for a file that is written and not replaced, or `None` for a regular file. It waits
    /// for a program that reads a pipe, and returns an error if `is_stopped` returns `true` before.
    pub(crate) fn stream(&mut self, is_stopped: &dyn Fn() -> bool) -> Option<io::Result<File>> {
        match &mut self.target {
            Target::Replaced(_) => None,
            Target::Direct(file) => Some(file.try_clone()),
            #[cfg(unix)]
            Target::Pipe(pipe) => {
                Some(pipe::open(pipe, &self.path, is_stopped).and_then(|pipe| pipe.try_clone()))
            }
        }
    }

    /// Writes the rest of the content, and replaces the file.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails. The previous content is then unchanged.
    pub fn finish(self, rest: &[u8]) -> io::Result<()> {
        self.replace(rest, true)
    }

    /// Finishes the file, and locks it before it has its name. Returns the lock, unless the file system has
    /// none.
    #[cfg(unix)]
    pub(crate) fn finish_locked(mut self, content: &[u8]) -> io::Result<Option<File>> {
        let file = self.file()?;
        file.write_all(content)?;
        let lock = file.try_lock().ok().map(|()| file.try_clone()).transpose()?;
        self.finish(&[])?;
        Ok(lock)
    }

    /// Finishes the file without waiting for the disk. Readers see the old content or the new one, but
    /// a power failure may lose both. It suits a file that is soon replaced again.
    pub(crate) fn finish_unsynced(self, rest: &[u8]) -> io::Result<()> {
        self.replace(rest, false)
    }

    fn replace(mut self, rest: &[u8], sync: bool) -> io::Result<()> {
        self.file()?.write_all(rest)?;
        let Target::Replaced(Some(file)) = self.target else { return Ok(()) };
        if sync {
            file.as_file().sync_all()?;
        }
        file.persist(&self.path)?;
        // Syncing the folder writes the rename to the disk. Windows cannot open a folder.
        #[cfg(unix)]
        if sync {
            File::open(folder(&self.path))?.sync_all()?;
        }
        Ok(())
    }

    fn file(&mut self) -> io::Result<&mut File> {
        match &mut self.target {
            Target::Direct(file) => Ok(file),
            #[cfg(unix)]
            Target::Pipe(pipe) => pipe::open(pipe, &self.path, &self.is_stopped),
            Target::Replaced(Some(file)) => Ok(file.as_file_mut()),
            Target::Replaced(none) => {
                let file = temporary_file(&self.path, self.permissions.clone())?;
                Ok(none.insert(file).as_file_mut())
            }
        }
    }
}

/// Writes a part of the content, without a buffer.
impl Write for OutputFile {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        self.file()?.write(content)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Target {
    fn of(path: &Path) -> io::Result<Self> {
        let open = || OpenOptions::new().write(true).open(path);
        let Ok(found) = fs::metadata(path) else { return Ok(Self::Replaced(None)) };
        if found.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        #[cfg(unix)]
        if std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type()) {
            return pipe::try_to_open(path).map(Self::Pipe);
        }
        if !found.is_file() {
            return open().map(Self::Direct);
        }
        open()?; // a folder's permissions may allow replacing a file that is not writable
        Ok(Self::Replaced(None))
    }
}

/// Named pipes. Opening one for writing waits until a program reads it, and no signal ends that.
#[cfg(unix)]
mod pipe {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;
    use std::thread::sleep;
    use std::time::Duration;

    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use rustix::io::Errno;

    /// Opens a pipe, or returns `None` if no program reads it.
    pub(super) fn try_to_open(path: &Path) -> io::Result<Option<File>> {
        let flags = OFlags::NONBLOCK.bits().cast_signed();
        match File::options().write(true).custom_flags(flags).open(path) {
            Err(error) if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => Ok(None),
            Err(error) => Err(error),
            Ok(pipe) => {
                // A write waits until there is space.
                fcntl_setfl(&pipe, fcntl_getfl(&pipe)? - OFlags::NONBLOCK)?;
                Ok(Some(pipe))
            }
        }
    }

    /// Opens a pipe that is not open yet, as soon as a program reads it.
    pub(super) fn open<'p>(
        pipe: &'p mut Option<File>,
        path: &Path,
        is_stopped: &dyn Fn() -> bool,
    ) -> io::Result<&'p mut File> {
        let file = match pipe.take() {
            Some(file) => file,
            None => loop {
                match try_to_open(path)? {
                    Some(file) => break file,
                    None if is_stopped() => {
                        return Err(io::Error::new(io::ErrorKind::BrokenPipe, "no program reads the pipe"));
                    }
                    None => sleep(Duration::from_millis(20)),
                }
            },
        };
        Ok(pipe.insert(file))
    }
}

/// Creates a temporary file for `path` in the same folder. It is named `.NAME.`, some letters and digits,
/// and `.tmp`.
fn temporary_file(path: &Path, permissions: Option<fs::Permissions>) -> io::Result<NamedTempFile> {
    let folder = folder(path);
    fs::metadata(folder)?; // a clearer error than that of the temporary file
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The permissions of an ordinary new file, reduced by the umask. Those of temporary files
        // exclude other users.
        builder.permissions(permissions.unwrap_or(fs::Permissions::from_mode(0o666)));
    }
    #[cfg(not(unix))]
    drop(permissions);
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_content_stays_until_the_new_content_is_complete() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("report.json");
        fs::write(&path, "old")?;
        drop(OutputFile::create(&path)?);
        assert_eq!(fs::read_dir(folder.path())?.count(), 1, "no temporary file during the work");
        let mut stream = OutputFile::create(&path)?;
        stream.write_all(b"ne")?;
        drop(stream);
        assert_eq!(fs::read_to_string(&path)?, "old");
        let mut stream = OutputFile::create(&path)?;
        stream.write_all(b"ne")?;
        stream.write_all(b"w")?;
        assert_eq!(fs::read_to_string(&path)?, "old");
        stream.finish(&[])?;
        assert_eq!(fs::read_to_string(&path)?, "new");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1, "no temporary file is left");
        Ok(())
    }

    #[test]
    fn threads_can_write_the_same_file_concurrently() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        OutputFile::create(&path).unwrap().finish_unsynced(b"whole").unwrap();
                        assert_eq!(fs::read(&path).unwrap(), b"whole");
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
