//! The source lines of functions, with the values of each line.

use std::collections::BTreeMap;
use std::env;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use regex_lite::Regex;

use super::error::ViewError;
use super::graph::{Granularity, Graph, Node};
use super::units::{AUTO, label, percentage};
use super::view::View;
use crate::names::{base_name, printable};

/// The number of lines shown before the first line with samples and after the last one.
const MARGIN: i64 = 5;

/// The flat and cum values by line.
type LineValues = BTreeMap<i64, (i64, i64)>;

impl View<'_> {
    /// Returns the source of each function that matches the regular expression `pattern`, with the
    /// values of each line, like `go tool pprof -list`.
    ///
    /// The flat values of the lines add up to that of the function. Samples with an unknown line
    /// are listed last.
    ///
    /// A source file is read from the path in the profile, or from the same relative path in the
    /// current folder or one of its parents. At most 16 MiB of a file are read. If the file is not
    /// found, the lines with samples are listed without their source.
    ///
    /// # Errors
    ///
    /// - [`ViewError::Pattern`] if `pattern` is not a regular expression.
    /// - [`ViewError::NoMatch`] if no function matches.
    pub fn list(&self, pattern: &str) -> Result<String, ViewError> {
        let regex = Regex::new(pattern)?;
        let graph = Graph::new(self, Granularity::Lines, None);
        let name = |name| graph.names.get(name);
        let mut functions: BTreeMap<&str, BTreeMap<&str, Vec<&Node>>> = BTreeMap::new();
        for node in graph.shown().filter(|node| regex.is_match(name(node.key.name))) {
            let files = functions.entry(name(node.key.name)).or_default();
            files.entry(name(node.key.file)).or_default().push(node);
        }
        if functions.is_empty() {
            return Err(ViewError::NoMatch(pattern.into()));
        }
        let mut table = format!("Total: {}\n", self.auto(self.total()));
        for (name, files) in functions {
            if files.keys().all(|file| file.is_empty()) {
                table += &format!("No source information for {name}\n");
            }
            for (file, nodes) in files.into_iter().filter(|(file, _)| !file.is_empty()) {
                table += &format!("ROUTINE ======================== {name} in {}\n", printable(file));
                self.listing(file, &nodes, &mut table);
            }
        }
        Ok(table)
    }

    fn listing(&self, file: &str, nodes: &[&Node], table: &mut String) {
        let mut values = LineValues::new();
        let (mut flat, mut cum) = (0i64, 0i64);
        for node in nodes {
            let value = values.entry(node.key.line.max(0)).or_default();
            *value = (value.0.saturating_add(node.flat), value.1.saturating_add(node.cum));
            (flat, cum) = (flat.saturating_add(node.flat), cum.saturating_add(node.cum));
        }
        *table += &format!(
            "{:>10} {:>10} (flat, cum) {} of Total\n",
            self.auto(flat),
            self.auto(cum),
            percentage(cum, self.total())
        );
        let mut show = |line: i64, text: &str, (flat, cum): (i64, i64)| {
            *table += &format!("{:>10} {:>10} {line:>6}:{text}\n", self.or_dot(flat), self.or_dot(cum));
        };
        let unknown = values.remove(&0);
        let mut missing = "<line not in the file>";
        let (source, failed) = match source_lines(file, range(nodes)) {
            Ok(source) => (Some(source), None),
            Err(error) => (None, Some(Err(error))),
        };
        for line in source.into_iter().flatten().chain(failed) {
            match line {
                Ok((line, text)) => {
                    show(line, &printable_line(&text), values.remove(&line).unwrap_or_default());
                }
                Err(error) => {
                    show(0, &format!("<cannot read the source: {error}>"), (0, 0));
                    missing = "";
                    break;
                }
            }
        }
        for (line, value) in values {
            show(line, missing, value);
        }
        if let Some(value) = unknown {
            show(0, "<unknown line>", value);
        }
    }

    fn auto(&self, value: i64) -> String {
        label(value, self.unit(), AUTO)
    }

    fn or_dot(&self, value: i64) -> String {
        if value == 0 { ".".into() } else { self.auto(value) }
    }
}

/// Returns the first and the last line to show. The first is that of the function if the profile
/// has it.
fn range(nodes: &[&Node]) -> (i64, i64) {
    let lines = || nodes.iter().map(|node| node.key.line).filter(|&line| line > 0);
    let starts = nodes.iter().filter(|node| node.key.line > 0).map(|node| match node.key.start_line {
        0 => node.key.line.saturating_sub(MARGIN),
        start => start,
    });
    (starts.min().unwrap_or(1).max(1), lines().max().unwrap_or(0).saturating_add(MARGIN))
}

/// Replaces control characters other than tabs.
fn printable_line(text: &str) -> String {
    text.split('\t').map(printable).collect::<Vec<_>>().join("\t")
}

/// The maximum number of bytes read from a source file. A path in a profile could lead to an
/// endless file.
const MAX_BYTES: u64 = 16 << 20;

/// Returns the lines `first..=last` of a file, with their numbers.
fn source_lines(
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
