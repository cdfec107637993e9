//! Output files, written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
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
    /// Makes sure that `path` can be written.
    ///
    /// # Errors
    ///
    /// Where it cannot.
    pub fn create(path: &Path) -> io::Result<Self> {
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
                // A trial, gone at once: a process that is killed in the course of the work leaves nothing behind.
                drop(beside(&path)?);
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

/// A temporary file for one of that name.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder(path);
    fs::metadata(folder)?; // a clearer error than that of the temporary file
    let prefix = prefix(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file has them, less the umask; not the private ones of a temporary file.
        let permissions =
            fs::metadata(path).map_or(fs::Permissions::from_mode(0o666), |found| found.permissions());
        builder.permissions(permissions);
    }
    builder.tempfile_in(folder)
}

const SUFFIX: &str = ".tmp";

/// How the names of temporary files for that one begin.
fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

/// Removes temporary files for `path` that a process left behind when it was killed. Only for who knows that no
/// other process is writing it.
pub(super) fn remove_leftovers(path: &Path) -> io::Result<()> {
    let prefix = prefix(path);
    for entry in fs::read_dir(folder(path))? {
        let entry = entry?;
        let name = entry.file_name();
        let (name_bytes, prefix) = (name.as_encoded_bytes(), prefix.as_encoded_bytes());
        if name_bytes.starts_with(prefix) && name_bytes.ends_with(SUFFIX.as_bytes()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
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
        let keep = ["a.json", ".a.json", ".a.jso.x.tmp", ".b.a.json.x.tmp", "a.json.x.tmp"];
        for name in keep.iter().chain(&[".a.json.1234.tmp", ".a.json..tmp"]) {
            fs::write(folder.path().join(name), "")?;
        }
        remove_leftovers(&path)?;
        assert_eq!(fs::read_dir(folder.path())?.count(), keep.len());
        Ok(())
    }

    #[test]
    fn folders_that_are_not_there_are_refused() {
        assert!(OutputFile::create(Path::new("/no/such/folder/report.json")).is_err());
        assert!(OutputFile::create(&std::env::temp_dir()).is_err());
    }
}
