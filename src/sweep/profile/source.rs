//! Source files that a profile names, found from the current folder as pprof finds them.

use std::env;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::names::base;

/// Bytes read of a source file, so that a name in a profile cannot stand for something endless.
const LARGEST: u64 = 64 << 20;

/// The current folder.
pub(super) struct Folder {
    /// Its name between slashes.
    name: String,
}

impl Folder {
    pub(super) fn current() -> Self {
        let here = env::current_dir().unwrap_or_default();
        Self { name: format!("/{}/", base(&here.to_string_lossy())) }
    }

    /// A path as it is in the current project: what follows the name of the folder, where that is part of the path.
    pub(super) fn trimmed<'p>(&self, path: &'p str) -> &'p str {
        match path.find(&self.name) {
            Some(at) if self.name.len() > 2 => &path[at + self.name.len()..],
            _ => path.strip_prefix("/proc/self/cwd/").unwrap_or(path),
        }
    }
}

/// The lines of a file in that range, as far as there are any, with their numbers.
pub(super) fn lines(path: &str, (first, last): (i64, i64)) -> io::Result<Vec<(i64, String)>> {
    let mut found = vec![];
    let reader = BufReader::new(open(path)?.take(LARGEST));
    for (number, line) in (1..=last).zip(reader.split(b'\n')) {
        let line = line?;
        if number >= first {
            let line = line.strip_suffix(b"\r").unwrap_or(&line);
            found.push((number, String::from_utf8_lossy(line).into_owned()));
        }
    }
    Ok(found)
}

/// A relative path may begin in any folder above.
fn open(path: &str) -> io::Result<File> {
    let here = env::current_dir()?;
    let places: Vec<PathBuf> = if Path::new(path).is_absolute() {
        vec![path.into()]
    } else {
        here.ancestors().map(|folder| folder.join(path)).collect()
    };
    match places.iter().find(|place| place.is_file()) {
        Some(place) => File::open(place),
        None => Err(io::Error::new(io::ErrorKind::NotFound, "no such file; call from the folder it is in")),
    }
}
