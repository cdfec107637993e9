//! Source files that a profile names, found from the current folder as pprof finds them.

use std::env;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::names::base;

/// The most bytes read of a source file: a path in a profile may lead to an endless one.
const LARGEST: u64 = 16 << 20;

/// Returns the lines of a file that are in this range, with their numbers.
pub(super) fn lines(
    path: &str,
    (first, last): (i64, i64),
) -> io::Result<impl Iterator<Item = io::Result<(i64, String)>>> {
    let lines = BufReader::new(open(path)?.take(LARGEST)).split(b'\n');
    let wanted = (1..=last).zip(lines).skip_while(move |&(number, _)| number < first);
    Ok(wanted.map(|(number, line)| {
        let line = line?;
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        Ok((number, String::from_utf8_lossy(line).into_owned()))
    }))
}

/// Opens a source file. A path through a folder with the name of the current one may be that of
/// this folder on another machine. A relative path may start in the current folder or in any above
/// it.
fn open(path: &str) -> io::Result<File> {
    let here = env::current_dir()?;
    let name = format!("/{}/", base(&here.to_string_lossy()));
    let local = match path.find(&name) {
        Some(at) if name.len() > 2 => &path[at + name.len()..],
        _ => path.strip_prefix("/proc/self/cwd/").unwrap_or(path),
    };
    let near = here.ancestors().filter(|_| Path::new(local).is_relative()).map(|folder| folder.join(local));
    match near.chain([PathBuf::from(path)]).find(|place| place.is_file()) {
        Some(place) => File::open(place),
        None => Err(io::Error::new(io::ErrorKind::NotFound, "no such file; call from the folder it is in")),
    }
}
