//! The checks that `checks/run` lists, with their last results.

use std::fmt::Write;

use crate::results::{cell, runs};

/// Returns a table of the checks in the list of `script` that are not in the gate, with the results in
/// `file`.
pub(crate) fn checks(script: &str, file: &str) -> Result<String, String> {
    let runs = runs(file)?;
    let mut out = "| check | what it checks | last result |\n|---|---|---|\n".to_owned();
    // A line is: check NAME WHEN 'WHAT' 'NEEDS' \
    for line in script.lines().filter_map(|line| line.strip_prefix("check ")) {
        let mut parts = line.split('\'');
        let mut words = parts.next().unwrap_or_default().split_whitespace();
        let (Some(name), Some(when), Some(what)) = (words.next(), words.next(), parts.next()) else {
            return Err(format!("checks/run: unexpected line 'check {line}'"));
        };
        if when == "gate" {
            continue;
        }
        let run = runs.iter().find(|(other, _)| other == name).map(|(_, run)| run);
        let result = run.map_or("not recorded".to_owned(), |run| {
            let figures = match &run.figures[..] {
                [row] => row.0.iter().map(|(key, value)| format!("; {key} {}", cell(value))).collect(),
                _ => String::new(),
            };
            format!("{}{figures}", run.summary())
        });
        let _ = writeln!(out, "| `{name}` | {what} | {result} |"); // a String
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_have_their_last_result() {
        let script = "check a gate 'A' '' \\\n    'run a'\ncheck b weekly 'B' 'jq' \\\n    'run b'\ncheck c hand 'C' '' \\\n";
        let file = r#"{"b": {"date": "2026-01-02", "commit": "abc", "machine": "CPU", "seconds": 1, "cpu_seconds": 1234,
            "exit": 0, "figures": [{"values": 65536, "failures": 0}]}}"#;
        let expected = "| check | what it checks | last result |\n|---|---|---|\n\
            | `b` | B | passed in 1,234 CPU s: commit abc, 2026-01-02; values 65,536; failures 0 |\n\
            | `c` | C | not recorded |\n";
        assert_eq!(checks(script, file).as_deref(), Ok(expected));
    }
}
