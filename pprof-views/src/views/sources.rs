//! The source files that `list` shows. A profile may come from anybody: a path in it is opened only
//! if it is that of a file in a folder that the caller names.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf, absolute};

/// Where the sources are.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    /// If there are none, [`Reader`] takes the current folder.
    folders: Vec<Folder>,
    trim: Vec<String>,
}

#[derive(Clone, Debug)]
struct Folder {
    /// The absolute path that the caller names, which may lead through symbolic links.
    named: PathBuf,
    real: PathBuf,
}

impl Sources {
    pub(super) fn add_folder(&mut self, path: &Path) -> io::Result<()> {
        self.folders.push(Folder::new(path)?);
        Ok(())
    }

    pub(super) fn trim(&mut self, prefix: &str) {
        self.trim.push(prefix.trim_end_matches('/').to_owned() + "/");
    }
}

impl Folder {
    fn new(path: &Path) -> io::Result<Self> {
        let folder = Self { named: absolute(path)?, real: path.canonicalize()? };
        if !folder.real.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(folder)
    }
}

/// The maximum number of bytes read from a file.
const MAX_FILE: u64 = 16 << 20;
/// The maximum number of bytes that a reader reads and returns. A profile can name every file, and a
/// function any range of lines.
const MAX_BYTES: usize = 256 << 20;
/// About the number of bytes of a line in a table, besides its text.
const LINE: usize = 32;

/// Reads the source files of one table, each once.
pub(super) struct Reader {
    sources: Sources,
    files: HashMap<String, Result<Text, String>>,
    /// How many bytes may still be read and returned.
    rest: usize,
}

struct Text {
    bytes: Vec<u8>,
    /// The position of the end of each line.
    ends: Vec<usize>,
}

impl Reader {
    pub(super) fn new(sources: &Sources) -> Self {
        let mut sources = sources.clone();
        if sources.folders.is_empty() {
            let here = env::current_dir().and_then(|here| Folder::new(&here));
            // In the root folder, every file would be inside.
            sources.folders.extend(here.ok().filter(|here| here.real.parent().is_some()));
        }
        Self { sources, files: HashMap::new(), rest: MAX_BYTES }
    }

    /// Returns the lines `first..=last` of a file, with their numbers. The error says why there are none.
    pub(super) fn lines(
        &mut self,
        path: &str,
        (first, last): (i64, i64),
    ) -> Result<Vec<(i64, String)>, String> {
        let rest = &mut self.rest;
        let mut spend = |bytes| {
            *rest = rest.saturating_sub(bytes);
            let too_many = || format!("more than {} MiB of sources; list fewer functions", MAX_BYTES >> 20);
            if *rest > 0 { Ok(()) } else { Err(too_many()) }
        };
        spend(0)?;
        let text = match self.files.entry(path.to_owned()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let text = self.sources.read(path);
                spend(text.as_ref().map_or(0, |text| text.bytes.len()))?;
                entry.insert(text)
            }
        };
        let text = text.as_ref().map_err(String::clone)?;
        let number = |line: i64| usize::try_from(line.max(1)).unwrap_or(usize::MAX);
        let mut lines = vec![];
        for at in number(first)..=number(last).min(text.ends.len()) {
            let start = at.checked_sub(2).map_or(0, |before| text.ends[before] + 1);
            let line = &text.bytes[start..text.ends[at - 1]];
            spend(line.len() + LINE)?;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            lines.push((at as i64, String::from_utf8_lossy(line).into_owned()));
        }
        Ok(lines)
    }
}

impl Sources {
    fn read(&self, path: &str) -> Result<Text, String> {
        let file = self
            .find(path)
            .ok_or("not in a source folder; name its folder with --source, in a program by View::source")?;
        let mut bytes = vec![];
        let read = |file: File| file.take(MAX_FILE).read_to_end(&mut bytes);
        File::open(file).and_then(read).map_err(|error| error.to_string())?;
        if bytes.last().is_some_and(|&last| last != b'\n') {
            bytes.push(b'\n');
        }
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
        Ok(Text { ends: ends.collect(), bytes })
    }

    /// Returns the path of a file in a source folder.
    ///
    /// A path that is outside by its text is not even looked at: that could ask other computers. Links
    /// in a folder may lead to another place in a folder only, because the folder may come from anybody
    /// too. The path that is returned has no links, and is no device and no pipe, which may block.
    fn find(&self, path: &str) -> Option<PathBuf> {
        let exact = self.is_inside(Path::new(path)).then(|| PathBuf::from(path));
        let (folder, local) = self.local(path);
        let is_local = Path::new(local).components().all(|part| matches!(part, Component::Normal(_)));
        let folders = folder.into_iter().chain(&self.folders).filter(|_| is_local);
        let locals = folders.map(|folder| folder.real.join(local));
        let mut files = exact.into_iter().chain(locals).filter_map(|file| file.canonicalize().ok());
        files.find(|file| self.is_inside(file) && fs::metadata(file).is_ok_and(|file| file.is_file()))
    }

    fn is_inside(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| path.starts_with(&folder.named) || path.starts_with(&folder.real))
    }

    /// Returns the path of a source as it is shown, which is that in its folder if it is known.
    pub(super) fn shown<'p>(&self, path: &'p str) -> &'p str {
        self.local(path).1
    }

    /// Removes what precedes the path in a source folder, as pprof does. Returns that folder if it has the
    /// name of a folder in the path.
    fn local<'p>(&self, path: &'p str) -> (Option<&Folder>, &'p str) {
        let by_name = |folder: &Folder| {
            let name = folder.named.file_name()?.to_str()?;
            Some(path.split_once(&format!("/{name}/"))?.1)
        };
        let mut by_name = (self.folders.iter())
            .filter(|_| self.trim.is_empty())
            .filter_map(|folder| Some((Some(folder), by_name(folder)?)));
        let prefixes = self.trim.iter().map(String::as_str).chain(["/proc/self/cwd/"]);
        let mut by_prefix = prefixes.filter_map(|prefix| Some((None, path.strip_prefix(prefix)?)));
        let found = by_name.next().or_else(|| by_prefix.next());
        found.filter(|(_, rest)| !rest.is_empty()).unwrap_or((None, path))
    }
}
