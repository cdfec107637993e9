//! The tables of docs/article.md, from the figures of the check `article`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::results::{Row, cell, head, run, tables};

/// The key of the rows that each run of `cargo bench` prints. The other keys are sets of values.
const TABLE: &str = "article round-trip";

/// Returns a table of the steps in the order of their names, with the least and the greatest time of all
/// runs, and a table of their hottest functions.
pub(crate) fn article(file: &str) -> Result<String, String> {
    let run = run(file, "article")?;
    let (measured, profiled): (Vec<Row>, Vec<Row>) =
        run.figures.iter().cloned().partition(|row| row.contains_key(TABLE));
    let mut rows: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
    for row in &measured {
        rows.entry(cell(&row[TABLE])).or_default().push(row);
    }
    let mut steps = Vec::new();
    let mut above = None;
    for (name, runs) in rows.iter().filter(|(name, _)| !name.contains(' ')) {
        let mut step = Row::from([("step".to_owned(), Value::from(format!("`{name}`")))]);
        let mut first = None;
        for set in runs[0].keys().skip(1) {
            let times: Option<Vec<f64>> =
                runs.iter().map(|row| row.get(set).and_then(|time| cell(time).parse().ok())).collect();
            let times = times.ok_or_else(|| format!("no time of {set} of {name} in 'article'"))?;
            let least = times.iter().copied().fold(f64::INFINITY, f64::min);
            let greatest = times.iter().copied().fold(0.0, f64::max);
            step.insert(format!("{set}, ns"), format!("{least:.2} to {greatest:.2}").into());
            first = first.or(Some(least));
        }
        let ratio = above.zip(first).map(|(above, time): (f64, f64)| format!("{:.2}", time / above));
        step.insert("time / row above".to_owned(), ratio.unwrap_or("-".to_owned()).into());
        above = first;
        for column in ["allocations", "bytes"] {
            let figure = rows.get(&format!("{name} {column}")).and_then(|runs| runs[0].values().nth(1));
            step.insert(column.to_owned(), figure.cloned().unwrap_or(0.into()));
        }
        steps.push(step);
    }
    Ok(head("article", &run) + &tables(&steps) + &tables(&profiled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_the_times_of_all_runs_and_the_ratio_to_the_step_before() {
        let file = |last: &str| {
            format!(
                r#"{{"article": {{"date": "", "commit": "", "machine": "", "seconds": 1, "cpu_seconds": 1, "exit": 0, "figures": [
                {{"article round-trip": "2-b", "1e8": "20.00", "mix": "5.00"}},
                {{"article round-trip": "1-a", "1e8": "50.00", "mix": "8.00"}},
                {{"article round-trip": "1-a allocations", "1e8": 65536, "mix": 70000}},
                {{"article round-trip": "1-a bytes", "1e8": 524288, "mix": 600000}},
                {{"article round-trip": "2-b", "1e8": "25.00", "mix": "4.00"}},
                {{"article round-trip": "1-a", "1e8": "40.00", "mix": {last}}},
                {{"step": "1-a", "flat": "9 %"}}]}}}}"#
            )
        };
        let table = article(&file("\"9.00\"")).unwrap();
        let expected = "\n\
            | step | 1e8, ns | mix, ns | time / row above | allocations | bytes |\n|---|---|---|--:|--:|--:|\n\
            | `1-a` | 40.00 to 50.00 | 8.00 to 9.00 | - | 65,536 | 524,288 |\n\
            | `2-b` | 20.00 to 25.00 | 4.00 to 5.00 | 0.50 | 0 | 0 |\n\n\
            | step | flat |\n|---|---|\n| 1-a | 9 % |\n";
        assert!(table.ends_with(expected), "{table}");
        assert_eq!(article(&file("\"-\"")).unwrap_err(), "no time of mix of 1-a in 'article'");
    }
}
