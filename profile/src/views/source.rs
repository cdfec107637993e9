//! Reads the source files that a profile names, and finds them in the same folders as pprof.

use std::env;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::names::base_name;

/// The maximum number of bytes read from a source file. A path in a profile could lead to an
/// endless file.
const MAX_BYTES: u64 = 16 << 20;

/// Returns the lines `first..=last` of a file, with their numbers.
pub(super) fn lines(
    path: &str,
    (first, last): (i64, i64),
) -> io::Result<impl Iterator<Item = io::Result<(i64, String)>>> {
    let lines = BufReader::new(open(path)?.take(MAX_BYTES)).split(b'\n');
    let wanted = (1..=last).zip(lines).skip_while(move |&(number, _)| number < first);
    Ok(wanted.map(|(number, line)| {
        let line = line?;
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        Ok((number, String::from_utf8_lossy(line).into_owned()))
    }))
}

/// Opens a source file.
///
/// If a folder in the path has the name of the current folder, it may be the same folder on another
/// machine: the rest of the path is tried in the current folder. A relative path is tried in the
/// current folder and its parents.
fn open(path: &str) -> io::Result<File> {
    let here = env::current_dir()?;
    let name = format!("/{}/", base_name(&here.to_string_lossy()));
    let local = match path.find(&name) {
        Some(at) if name.len() > 2 => &path[at + name.len()..],
        _ => path.strip_prefix("/proc/self/cwd/").unwrap_or(path),
    };
    let candidates =
        here.ancestors().filter(|_| Path::new(local).is_relative()).map(|folder| folder.join(local));
    match candidates.chain([PathBuf::from(path)]).find(|file| file.is_file()) {
        Some(file) => File::open(file),
        None => Err(io::Error::new(
            io::ErrorKind::NotFound,
            "file not found; run in the folder of the source code",
        )),
    }
}
