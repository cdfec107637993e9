//! Output files, written whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that is opened before the work, so that a bad path fails first, and filled after it. The file of that name,
/// if there is one, is replaced in one step at the end; until then it stays as it was.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A regular file: a temporary one beside it takes its place.
    Replaced,
    /// A device or a pipe, which nothing may take the place of.
    Direct(File),
}

impl OutputFile {
    /// Makes sure that `path` can be written, and removes what processes that were killed as they wrote it left beside it.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = Self::again(path)?;
        if matches!(file.target, Target::Replaced) {
            // A trial, gone at once: there is nothing to leave behind in the course of the work.
            drop(beside(&file.path)?);
            remove_leftovers(&file.path);
        }
        Ok(file)
    }

    /// The same for a file that this process created before and fills at once: without the trial, and without a look at the
    /// other files of the folder, which may be many.
    pub(crate) fn again(path: &Path) -> io::Result<Self> {
        // A link is followed: it stays, and what it leads to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let target = match fs::metadata(&path) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
            }
            Ok(found) if !found.is_file() => Target::Direct(OpenOptions::new().write(true).open(&path)?),
            found => {
                if found.is_ok() {
                    // Permission to replace it is not enough: it must be ours to write.
                    OpenOptions::new().write(true).open(&path)?;
                }
                Target::Replaced
            }
        };
        Ok(Self { path, target })
    }

    /// Fills the file and puts it in its place.
    ///
    /// # Errors
    ///
    /// Where writing fails; what stood there before is untouched then.
    pub fn finish(self, content: &[u8]) -> io::Result<()> {
        self.fill(content, true)
    }

    /// The same without waiting for the disk: whoever reads it finds the old content or the new one, but after a power
    /// failure there may be neither. For what is soon replaced again.
    ///
    /// # Errors
    ///
    /// Where writing fails; what stood there before is untouched then.
    pub fn finish_unsynced(self, content: &[u8]) -> io::Result<()> {
        self.fill(content, false)
    }

    fn fill(self, content: &[u8], sync: bool) -> io::Result<()> {
        match self.target {
            Target::Direct(mut file) => file.write_all(content),
            Target::Replaced => {
                let mut file = beside(&self.path)?;
                file.write_all(content)?;
                if sync {
                    file.as_file().sync_all()?;
                }
                file.persist(&self.path)?;
                // A rename is on the disk when its folder is. Other systems cannot open one.
                #[cfg(unix)]
                if sync {
                    File::open(folder(&self.path))?.sync_all()?;
                }
                Ok(())
            }
        }
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file for one of that name, locked for as long as it is open: the system lets go of it when the process
/// ends in whatever way, and who can lock it then knows it for a leftover.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder(path);
    fs::metadata(folder)?; // a clearer error than that of the temporary file
    let prefix = prefix(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).rand_bytes(RANDOM).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file has them, less the umask; not the private ones of a temporary file.
        let permissions =
            fs::metadata(path).map_or(fs::Permissions::from_mode(0o666), |found| found.permissions());
        builder.permissions(permissions);
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        match file.as_file().try_lock() {
            Ok(()) if file.path().exists() => return Ok(file),
            // A file system without locks: nobody takes it for a leftover there.
            Err(TryLockError::Error(_)) => return Ok(file),
            // Another process took it for a leftover before it was locked.
            Ok(()) | Err(TryLockError::WouldBlock) => {}
        }
    }
}

/// Temporary files are named `.NAME.`, this many letters and digits, and `.tmp`.
const RANDOM: usize = 6;
const SUFFIX: &str = ".tmp";

/// How the names of temporary files for that one begin.
fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

/// Removes temporary files for `path` that processes left behind when they were killed, not those that are being
/// written. What cannot be removed does no harm.
pub(crate) fn remove_leftovers(path: &Path) {
    let prefix = prefix(path);
    let is_temporary = |name: &OsStr| {
        let name = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        name.and_then(|name| name.strip_suffix(SUFFIX.as_bytes()))
            .is_some_and(|random| random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric))
    };
    for entry in fs::read_dir(folder(path)).into_iter().flatten().flatten() {
        if is_temporary(&entry.file_name()) && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // Opened for writing, since NFS gives exclusive locks on no other files.
            if let Ok(file) = OpenOptions::new().write(true).open(entry.path())
                && file.try_lock().is_ok()
            {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_content_stays_until_the_new_is_whole() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("report.json");
        fs::write(&path, "old")?;
        let file = OutputFile::create(&path)?;
        assert_eq!(fs::read_dir(folder.path())?.count(), 1, "no temporary file in the course of the work");
        assert_eq!(fs::read_to_string(&path)?, "old");
        file.finish(b"new")?;
        assert_eq!(fs::read_to_string(&path)?, "new");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1, "no temporary file is left");
        Ok(())
    }

    #[test]
    fn an_unused_file_leaves_nothing_behind() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        drop(OutputFile::create(&folder.path().join("report.json"))?);
        assert_eq!(fs::read_dir(folder.path())?.count(), 0);
        Ok(())
    }

    #[test]
    fn leftovers_of_one_file_alone_are_removed() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.json");
        let keep = [
            "a.json",
            ".a.json",
            ".a.jso.123456.tmp",
            ".b.a.json.123456.tmp",
            "a.json.123456.tmp",
            ".a.json..tmp",
            ".a.json.12345.tmp",
            ".a.json.1234.6.tmp",
        ];
        for name in keep.iter().chain(&[".a.json.123456.tmp", ".a.json.sLkpZp.tmp"]) {
            fs::write(folder.path().join(name), "")?;
        }
        drop(OutputFile::create(&path)?);
        let mut left: Vec<_> =
            fs::read_dir(folder.path())?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
        left.sort();
        let mut keep = keep.map(OsString::from);
        keep.sort();
        assert_eq!(left, keep);
        Ok(())
    }

    #[test]
    fn a_temporary_file_in_use_is_no_leftover() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.json");
        let mut used = beside(&path)?;
        OutputFile::create(&path)?.finish(b"of another")?;
        used.write_all(b"its own")?;
        used.persist(&path)?;
        assert_eq!(fs::read_to_string(&path)?, "its own");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        Ok(())
    }

    #[test]
    fn many_can_write_one_file_at_a_time() {
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

    #[test]
    fn folders_that_are_not_there_are_refused() {
        assert!(OutputFile::create(Path::new("/no/such/folder/report.json")).is_err());
        assert!(OutputFile::create(&std::env::temp_dir()).is_err());
    }
}
