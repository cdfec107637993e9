//! The source lines of functions, with the values of each line.

use std::collections::BTreeMap;

use regex_lite::Regex;

use super::error::ViewError;
use super::graph::{Edges, Granularity, Graph, Node};
use super::sources::Reader;
use super::units::{AUTO, label, percentage};
use super::view::View;
use crate::names::printable;

/// The number of lines shown before the first line with samples and after the last one.
const MARGIN: i64 = 5;

/// The flat and cum values by line.
type LineValues = BTreeMap<i64, (i64, i64)>;

impl View<'_> {
    /// Returns the source of each function that matches the regular expression `pattern`, with the
    /// values of each line, like `go tool pprof -list`.
    ///
    /// The flat values of the lines add up to that of the function. Samples with an unknown line
    /// are listed last. Functions whose source can be read come first, and each group is in the order of
    /// the names.
    ///
    /// Source files are read from the current folder, or from those that [`source`](Self::source) names,
    /// and from nowhere else. At most 16 MiB of a file are read, and 256 MiB of all. If a file is not
    /// there, the lines with samples are listed without their source.
    ///
    /// # Errors
    ///
    /// - [`ViewError::Pattern`] if `pattern` is not a regular expression.
    /// - [`ViewError::NoNames`] if no function in the profile has a name.
    /// - [`ViewError::NoMatch`] if no function matches.
    pub fn list(&self, pattern: &str) -> Result<String, ViewError> {
        let regex = Regex::new(pattern)?;
        let graph = Graph::new(self, Granularity::Lines, None, Edges::None);
        let name = |name| graph.names.get(name);
        let mut functions: BTreeMap<&str, BTreeMap<&str, (&str, Vec<&Node>)>> = BTreeMap::new();
        for node in graph.shown().filter(|node| regex.is_match(name(node.key.name))) {
            let files = functions.entry(name(node.key.name)).or_default();
            let path = name(node.key.file);
            files.entry(self.sources.shown(path)).or_insert((path, vec![])).1.push(node);
        }
        if functions.is_empty() {
            let is_named = |node: &Node| node.key.name != 0;
            return Err(if graph.nodes.iter().any(is_named) {
                ViewError::no_match(pattern, graph.shown().map(|node| name(node.key.name)))
            } else {
                ViewError::NoNames(pattern.into())
            });
        }
        let mut sources = Reader::new(&self.sources);
        let mut table = format!("Total: {}\n", self.auto(self.total()));
        let lines = self.notes().chain(self.active_filters());
        lines.for_each(|line| table += &format!("{}\n", printable(&line)));
        // Most functions of a program are those of its libraries, whose source is elsewhere.
        let mut without_source = String::new();
        for (name, files) in functions {
            if files.keys().all(|file| file.is_empty()) {
                without_source += &format!("No source information for {name}\n");
            }
            for (file, (path, nodes)) in files.into_iter().filter(|(file, _)| !file.is_empty()) {
                let lines = sources.lines(path, range(&nodes));
                let table = if lines.is_ok() { &mut table } else { &mut without_source };
                *table += &format!("ROUTINE ======================== {name} in {}\n", printable(file));
                self.listing(&nodes, lines, table);
            }
        }
        Ok(table + &without_source)
    }

    /// Adds the lines of a function, or the reason why they cannot be read, with the values of its nodes.
    fn listing(&self, nodes: &[&Node], lines: Result<Vec<(i64, String)>, String>, table: &mut String) {
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
        let missing = match lines {
            Ok(lines) => {
                for (line, text) in lines {
                    show(line, &printable_line(&text), values.remove(&line).unwrap_or_default());
                }
                "<line not in the file>"
            }
            Err(reason) => {
                show(0, &format!("<source not read: {reason}>"), (0, 0));
                ""
            }
        };
        for (line, value) in values {
            show(line, missing, value);
        }
        if let Some(value) = unknown {
            show(0, "<unknown line>", value);
        }
    }

    /// Formats a value in the unit that suits it.
    pub(super) fn auto(&self, value: i64) -> String {
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
