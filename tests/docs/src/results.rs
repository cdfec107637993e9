//! Results of the longer checks, from the data file of `checks/run`.

use std::fmt::{Formatter, Write};

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// The file, relative to the root.
pub(crate) const FILE: &str = "checks/results.json";

/// An object whose keys keep their order.
struct Object<T>(Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Keys<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Object(entries))
            }
        }
        deserializer.deserialize_map(Keys(std::marker::PhantomData))
    }
}

#[derive(Deserialize)]
struct Run {
    date: String,
    commit: String,
    machine: String,
    cpu_seconds: u64,
    exit: i32,
    figures: Vec<Object<Value>>,
}

/// Returns a number with a comma before each group of three digits, and other values as they are.
fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('|', "\\|"),
        Value::Number(number) if number.is_u64() => {
            let digits = number.to_string();
            let groups: Vec<&str> =
                digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
            groups.join(",")
        }
        other => other.to_string(),
    }
}

/// Returns the result of the check `name` and a table of its figures, with a column for each key.
pub(crate) fn results(file: &str, name: &str) -> Result<String, String> {
    let Object(runs): Object<Run> = serde_json::from_str(file).map_err(|error| format!("{FILE}: {error}"))?;
    let Some((_, run)) = runs.iter().find(|(other, _)| other == name) else {
        let names: Vec<_> = runs.iter().map(|(name, _)| name.as_str()).collect();
        return Err(format!("{FILE} has no result of '{name}'; it has {}", names.join(", ")));
    };
    let outcome =
        if run.exit == 0 { "passed".to_owned() } else { format!("failed with exit code {}", run.exit) };
    let mut out = format!(
        "`checks/run {name}` {outcome} in {} CPU s: commit {}, {}, {}.\n",
        cell(&run.cpu_seconds.into()),
        run.commit,
        run.date,
        run.machine
    );
    let mut columns: Vec<&str> = Vec::new();
    for (key, _) in run.figures.iter().flat_map(|Object(row)| row) {
        if !columns.contains(&key.as_str()) {
            columns.push(key);
        }
    }
    if columns.is_empty() {
        return Ok(out);
    }
    let is_number = |column: &&str| {
        let mut values = run.figures.iter().flat_map(|Object(row)| row).filter(|(key, _)| key == column);
        values.all(|(_, value)| value.is_number())
    };
    let rules: String =
        columns.iter().map(|column| if is_number(column) { "--:|" } else { "---|" }).collect();
    let _ = write!(out, "\n| {} |\n|{rules}\n", columns.join(" | ")); // a String
    for Object(row) in &run.figures {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| {
                row.iter().find(|(key, _)| key == column).map_or(String::new(), |(_, value)| cell(value))
            })
            .collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_become_a_table() {
        let file = r#"{"small": {"date": "2026-01-02", "commit": "abc", "machine": "CPU, 2 cores", "seconds": 1, "cpu_seconds": 1234,
            "exit": 0, "figures": [{"target": "x|y", "bytes": 65536}, {"target": "z", "bytes": 12, "more": 0.5}]},
            "none": {"date": "2026-01-02", "commit": "abc", "machine": "CPU", "seconds": 1, "cpu_seconds": 1, "exit": 3, "figures": []}}"#;
        let expected = "`checks/run small` passed in 1,234 CPU s: commit abc, 2026-01-02, CPU, 2 cores.\n\n\
                        | target | bytes | more |\n|---|--:|--:|\n| x\\|y | 65,536 |  |\n| z | 12 | 0.5 |\n";
        assert_eq!(results(file, "small").as_deref(), Ok(expected));
        let failed = "`checks/run none` failed with exit code 3 in 1 CPU s: commit abc, 2026-01-02, CPU.\n";
        assert_eq!(results(file, "none").as_deref(), Ok(failed));
        assert_eq!(
            results(file, "other").unwrap_err(),
            "checks/results.json has no result of 'other'; it has small, none"
        );
    }
}
