//! Checks that no output of a command overwrites another output or an input.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::Error;

/// A file that the command line names.
pub(crate) struct NamedFile<'a> {
    /// The option or argument that names it.
    option: &'a str,
    path: &'a Path,
    is_output: bool,
}

impl<'a> NamedFile<'a> {
    /// A file that the command reads.
    pub(crate) fn input(option: &'a str, path: &'a Path) -> Self {
        Self { option, path, is_output: false }
    }

    /// A file that the command writes.
    pub(crate) fn output(option: &'a str, path: &'a Path) -> Self {
        Self { option, path, is_output: true }
    }
}

/// Checks that the outputs are different files from each other and from the inputs.
///
/// Links are followed. Devices and pipes can be named more than once.
///
/// # Errors
///
/// Returns an error that names the first two options with the same file.
pub(crate) fn check_distinct(files: &[NamedFile<'_>]) -> Result<(), Error> {
    let identities: Vec<_> = files.iter().map(|file| identity(file.path)).collect();
    for (index, later) in files.iter().enumerate() {
        for (earlier, other) in files[..index].iter().zip(&identities) {
            let is_same = other.is_some() && *other == identities[index];
            if is_same && (earlier.is_output || later.is_output) {
                let (one, two, path) = (earlier.option, later.option, later.path.display());
                return Err(Error::usage(format_args!(
                    "{one} and {two} name the same file '{path}'; name another file for {}",
                    if later.is_output { two } else { one }
                )));
            }
        }
    }
    Ok(())
}

/// What makes a regular file the same under several names.
#[derive(PartialEq)]
enum Identity {
    /// The device and the number of an existing file, which hard links share.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The path of a new file, with the links in its folder resolved.
    Path(PathBuf),
}

/// Returns the identity of a file, or `None` if it is not a regular file.
fn identity(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => None,
        #[cfg(unix)]
        Ok(found) => {
            use std::os::unix::fs::MetadataExt;
            Some(Identity::Inode(found.dev(), found.ino()))
        }
        #[cfg(not(unix))]
        Ok(_) => fs::canonicalize(path).ok().map(Identity::Path),
        // `-` is standard output.
        Err(_) if path.as_os_str() == "-" => None,
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(Identity::Path(folder.join(path.file_name()?)))
        }
    }
}
