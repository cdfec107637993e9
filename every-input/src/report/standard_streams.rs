//! Paths that name a standard stream of this process.

use std::fs::{self, File};
use std::io;
#[cfg(unix)]
use std::os::fd::AsFd as AsStream;
#[cfg(windows)]
use std::os::windows::io::AsHandle as AsStream;
use std::path::Path;

#[cfg(not(any(unix, windows)))]
pub(crate) trait AsStream {}
#[cfg(not(any(unix, windows)))]
impl<T> AsStream for T {}

/// Returns whether a path names standard output: `/dev/stdout`, or the regular file or the pipe that it was
/// redirected to. A file that replaced that one would hide what is printed.
pub fn is_stdout(path: &Path) -> bool {
    is_stream(path, "/dev/stdout", 1, &io::stdout())
}

/// Returns whether a path names standard error, as [`is_stdout`] does for standard output.
pub fn is_stderr(path: &Path) -> bool {
    is_stream(path, "/dev/stderr", 2, &io::stderr())
}

/// Returns a handle of standard output or standard error, if a path names it.
pub(crate) fn standard_stream(path: &Path) -> Option<io::Result<File>> {
    if is_stdout(path) { Some(handle(&io::stdout())) } else { is_stderr(path).then(|| handle(&io::stderr())) }
}

#[cfg(unix)]
fn is_stream(path: &Path, name: &str, number: u8, stream: &impl AsStream) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    let is_numbered = |folder| path == Path::new(folder).join(number.to_string());
    if path == Path::new(name) || ["/dev/fd", "/proc/self/fd"].into_iter().any(is_numbered) {
        return true;
    }
    let of_stream = handle(stream).and_then(|stream| stream.metadata());
    let (Ok(found), Ok(of_stream)) = (fs::metadata(path), of_stream) else { return false };
    // Two names of a device, such as /dev/null, do not disturb each other.
    let kind = found.file_type();
    (kind.is_file() || kind.is_fifo()) && (found.dev(), found.ino()) == (of_stream.dev(), of_stream.ino())
}

#[cfg(not(unix))]
fn is_stream(_: &Path, _: &str, _: u8, _: &impl AsStream) -> bool {
    false
}

/// Returns another handle of a standard stream, without a buffer.
pub(crate) fn handle(stream: &impl AsStream) -> io::Result<File> {
    #[cfg(unix)]
    return Ok(stream.as_fd().try_clone_to_owned()?.into());
    #[cfg(windows)]
    return Ok(stream.as_handle().try_clone_to_owned()?.into());
    #[cfg(not(any(unix, windows)))]
    return Err(io::ErrorKind::Unsupported.into());
}
