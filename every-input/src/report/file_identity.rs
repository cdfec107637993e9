//! Which file a path names: through links, by another hard link, or as a standard stream.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::report::standard_streams::handle;

/// The maximum number of symbolic links that lead to a file which does not exist.
const MAX_LINKS: usize = 40;

/// What tells a regular file from all others, by whatever path it is named: its device and inode, or the
/// place where it will be created. Where files have no inodes, it is the path without symbolic links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileIdentity(Identity);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    #[cfg(unix)]
    Inode {
        device: u64,
        inode: u64,
    },
    Place(PathBuf),
}

impl FileIdentity {
    /// Returns the identity of the regular file with this path, or of the file that is created there.
    /// Returns `None` for devices, pipes and folders, and if a folder of the path does not exist.
    pub fn of(path: &Path) -> Option<Self> {
        let place = || resolve(path).ok().map(|path| Self(Identity::Place(path)));
        match fs::metadata(path) {
            Ok(found) if !found.is_file() => None,
            Ok(found) => Self::of_existing(&found).or_else(place),
            Err(_) => place(),
        }
    }

    /// Returns the identity of the regular file that standard input was redirected from, if it was.
    pub fn of_stdin() -> Option<Self> {
        Self::of_stream(handle(&io::stdin()))
    }

    /// Returns the identity of the regular file that standard output was redirected to, if it was.
    pub fn of_stdout() -> Option<Self> {
        Self::of_stream(handle(&io::stdout()))
    }

    fn of_stream(stream: io::Result<File>) -> Option<Self> {
        let found = stream.ok()?.metadata().ok()?;
        if found.is_file() { Self::of_existing(&found) } else { None }
    }

    #[cfg(unix)]
    fn of_existing(found: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;

        Some(Self(Identity::Inode { device: found.dev(), inode: found.ino() }))
    }

    #[cfg(not(unix))]
    fn of_existing(_: &Metadata) -> Option<Self> {
        None
    }
}

/// Returns the path without symbolic links, whether the file exists or not. A file is created behind the
/// last link.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::canonicalize(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            resolved => return resolved,
        }
        let name = path.file_name().ok_or_else(|| io::Error::other("not the name of a file"))?;
        let parent = fs::canonicalize(folder(&path))?;
        match fs::read_link(&path) {
            Ok(target) => path = parent.join(target),
            Err(_) => return Ok(parent.join(name)),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns the folder of a file with this path.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_is_the_same_by_all_its_names() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("folder"))?;
        fs::write(path("file"), "")?;
        fs::hard_link(path("file"), path("hard"))?;
        symlink("../file", path("folder/soft"))?;
        symlink("new", path("folder/dangling"))?;
        symlink("folder/dangling", path("twice"))?;
        symlink("loop", path("loop"))?;
        let is_same = |one: &str, two: &str| {
            let of = |name| FileIdentity::of(&path(name));
            of(one).is_some() && of(one) == of(two)
        };
        assert!(
            is_same("file", "hard") && is_same("file", "folder/soft") && is_same("file", "folder/../file")
        );
        assert!(is_same("folder/new", "folder/dangling") && is_same("folder/new", "twice"));
        assert!(!is_same("file", "folder/new") && !is_same("new", "folder/new"));
        for none in ["loop", "folder", "missing/file"] {
            assert_eq!(FileIdentity::of(&path(none)), None, "{none}");
        }
        assert_eq!(FileIdentity::of(Path::new("/dev/null")), None);
        Ok(())
    }
}
