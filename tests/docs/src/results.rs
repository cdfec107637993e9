//! The longer checks and their results, from the list and the data file of `checks/run`.

use std::fmt::Write;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

/// The file, relative to the root.
pub(crate) const FILE: &str = "checks/results.json";

/// Figures by their names.
pub(crate) type Row = IndexMap<String, Value>;

#[derive(Deserialize)]
pub(crate) struct Results {
    #[serde(default)]
    pub(crate) changed: Changed,
    #[serde(flatten)]
    pub(crate) runs: IndexMap<String, Run>,
}

/// How many of the files that a check is about differ between the commit of its result and a later one.
#[derive(Default, Deserialize)]
pub(crate) struct Changed {
    pub(crate) until: String,
    /// None if the commit of the result was not in the history.
    pub(crate) files: IndexMap<String, Option<u64>>,
}

#[derive(Deserialize)]
pub(crate) struct Run {
    date: String,
    commit: String,
    pub(crate) machine: String,
    /// Older results have none.
    compiler: Option<String>,
    cpu_seconds: u64,
    pub(crate) exit: i32,
    /// The keys of a row are in the order of the file.
    pub(crate) figures: Vec<Row>,
}

impl Run {
    /// Says how the check ended, its duration, and of what the result is, without the machine.
    fn summary(&self) -> String {
        let outcome =
            if self.exit == 0 { "passed".to_owned() } else { format!("failed with exit code {}", self.exit) };
        format!(
            "{outcome} in {} CPU s: commit {}, {}",
            cell(&self.cpu_seconds.into()),
            self.commit,
            self.date
        )
    }

    /// Names the CPU, and the compiler if it was recorded.
    fn environment(&self) -> String {
        let compiler = self.compiler.as_ref().map_or(String::new(), |compiler| format!(", {compiler}"));
        self.machine.clone() + &compiler
    }

    /// Says where and of what the result is.
    pub(crate) fn origin(&self) -> String {
        format!("{}, commit {}", self.environment(), self.commit)
    }
}

/// Returns the data file.
pub(crate) fn parsed(file: &str) -> Result<Results, String> {
    serde_json::from_str(file).map_err(|error| format!("{FILE}: {error}"))
}

/// Returns a number with a comma before each group of three digits, and other values as they are.
pub(crate) fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('|', "\\|"),
        Value::Number(number) if number.is_u64() => {
            let digits = number.to_string();
            let groups: Vec<&str> = digits
                .as_bytes()
                .rchunks(3)
                .rev()
                .filter_map(|group| std::str::from_utf8(group).ok())
                .collect();
            groups.join(",")
        }
        other => other.to_string(),
    }
}

/// Returns the result of the check `name`.
pub(crate) fn run(file: &str, name: &str) -> Result<Run, String> {
    let mut runs = parsed(file)?.runs;
    let names = runs.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    runs.swap_remove(name).ok_or_else(|| format!("{FILE} has no result of '{name}'; it has {names}"))
}

/// Returns the result of the check `name`, and its figures as tables.
pub(crate) fn results(file: &str, name: &str) -> Result<String, String> {
    let run = run(file, name)?;
    Ok(head(name, &run) + &tables(&run.figures))
}

/// Returns the line above the tables of the check `name`.
pub(crate) fn head(name: &str, run: &Run) -> String {
    format!("`checks/run {name}` {}, {}.\n", run.summary(), run.environment())
}

/// Returns a table of each run of figures with the same keys, which are its columns.
pub(crate) fn tables(figures: &[Row]) -> String {
    let mut out = String::new();
    for rows in figures.chunk_by(|one, other| one.keys().eq(other.keys())) {
        // Numbers with decimals are strings, which keep their zeros. A row of names may stand among numbers.
        let is_number = |column: usize| {
            let cells = rows.iter().map(|row| cell(&row[column]).replace(',', ""));
            let numbers = cells.filter(|cell| cell == "-" || cell.parse::<f64>().is_ok()).count();
            2 * numbers > rows.len()
        };
        let columns: Vec<&str> = rows[0].keys().map(String::as_str).collect();
        let rules: String =
            (0..columns.len()).map(|column| if is_number(column) { "--:|" } else { "---|" }).collect();
        let _ = write!(out, "\n| {} |\n|{rules}\n", columns.join(" | ")); // a String
        for row in rows {
            let cells: Vec<String> = row.values().map(cell).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
    out
}

/// A check of `checks/run`.
pub(crate) struct Check<'a> {
    pub(crate) name: &'a str,
    what: &'a str,
}

/// Returns the checks in the list of `script` that are not in the gate.
pub(crate) fn listed(script: &str) -> Result<Vec<Check<'_>>, String> {
    let mut found = Vec::new();
    // A line is: check NAME WHEN 'WHAT' 'NEEDS' \
    for line in script.lines().filter_map(|line| line.strip_prefix("check ")) {
        let mut parts = line.split('\'');
        let mut words = parts.next().unwrap_or_default().split_whitespace();
        let (Some(name), Some(when), Some(what)) = (words.next(), words.next(), parts.next()) else {
            return Err(format!("checks/run: unexpected line 'check {line}'"));
        };
        if when != "gate" {
            found.push(Check { name, what });
        }
    }
    Ok(found)
}

/// Returns a table of the checks in the list of `script` that are not in the gate, with the results in
/// `file`.
pub(crate) fn checks(script: &str, file: &str) -> Result<String, String> {
    let Results { changed, runs } = parsed(file)?;
    let mut out = format!(
        "| check | what it checks | last result | its sources at {} |\n|---|---|---|---|\n",
        changed.until
    );
    for Check { name, what } in listed(script)? {
        let result = runs.get(name).map_or("not recorded".to_owned(), |run| {
            let figures = match &run.figures[..] {
                [row] => row.iter().map(|(key, value)| format!("; {key} {}", cell(value))).collect(),
                _ => String::new(),
            };
            format!("{}{figures}", run.summary())
        });
        let age = match changed.files.get(name) {
            None => String::new(),
            Some(None) => "unknown changes: its commit is not in the history".to_owned(),
            Some(Some(0)) => "unchanged".to_owned(),
            Some(Some(1)) => "1 file changed".to_owned(),
            Some(Some(files)) => format!("{files} files changed"),
        };
        let _ = writeln!(out, "| `{name}` | {what} | {result} | {age} |"); // a String
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_become_a_table() {
        let file = r#"{"small": {"date": "2026-01-02", "commit": "abc", "machine": "CPU, 2 cores", "seconds": 1, "cpu_seconds": 1234,
            "exit": 0, "figures": [{"target": "x|y", "bytes": 65536}, {"target": "z", "bytes": 12}, {"more": "0.50"}]},
            "none": {"date": "2026-01-02", "commit": "abc", "machine": "CPU", "compiler": "rustc 1", "seconds": 1, "cpu_seconds": 1, "exit": 3, "figures": []}}"#;
        let expected = "`checks/run small` passed in 1,234 CPU s: commit abc, 2026-01-02, CPU, 2 cores.\n\n\
                        | target | bytes |\n|---|--:|\n| x\\|y | 65,536 |\n| z | 12 |\n\n| more |\n|--:|\n| 0.50 |\n";
        assert_eq!(results(file, "small").as_deref(), Ok(expected));
        let failed =
            "`checks/run none` failed with exit code 3 in 1 CPU s: commit abc, 2026-01-02, CPU, rustc 1.\n";
        assert_eq!(results(file, "none").as_deref(), Ok(failed));
        let error = "checks/results.json has no result of 'other'; it has small, none";
        assert_eq!(results(file, "other").unwrap_err(), error);
    }

    #[test]
    fn checks_have_their_last_result() {
        let script = "check a gate 'A' '' \\\n    'run a'\ncheck b weekly 'B' 'jq' \\\n    'run b'\ncheck c hand 'C' '' \\\n";
        let table = |files: &str| {
            let file = format!(
                r#"{{"b": {{"date": "2026-01-02", "commit": "abc", "machine": "CPU", "seconds": 1, "cpu_seconds": 1234,
                "exit": 0, "figures": [{{"values": 65536, "failures": 0}}]}},
                "changed": {{"until": "def", "files": {{"b": {files}}}}}}}"#
            );
            checks(script, &file).unwrap()
        };
        let expected = "| check | what it checks | last result | its sources at def |\n|---|---|---|---|\n\
            | `b` | B | passed in 1,234 CPU s: commit abc, 2026-01-02; values 65,536; failures 0 | unchanged |\n\
            | `c` | C | not recorded |  |\n";
        assert_eq!(table("0"), expected);
        for (files, age) in [
            ("1", "1 file changed"),
            ("12", "12 files changed"),
            ("null", "unknown changes: its commit is not in the history"),
        ] {
            assert_eq!(table(files), expected.replace("unchanged", age));
        }
    }
}
