//! `table`: results over commits, in Markdown.

use std::collections::BTreeMap;
use std::fmt;

use zigzag_varint_benches::statistics::Summary;

use crate::history::{History, Machine, Metric, Name, Series, codes, day, runs};

pub(crate) struct Table<'a> {
    pub(crate) history: &'a History,
    pub(crate) metric: Metric,
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let metric = self.metric;
        writeln!(
            f,
            "Nanoseconds per value: the {metric} of a run, or the mean over several runs ± its standard error."
        )?;
        writeln!(f, "Change: from the oldest commit of a line to its newest.")?;
        for (machine, benchmarks) in &self.history.machines {
            self.machine(f, machine, benchmarks)?;
        }
        Ok(())
    }
}

impl Table<'_> {
    fn machine(
        &self,
        f: &mut fmt::Formatter<'_>,
        machine: &Machine,
        benchmarks: &BTreeMap<Name, Series>,
    ) -> fmt::Result {
        writeln!(f, "\n### {machine}\n")?;
        let columns = codes(benchmarks);
        let labels: Vec<String> = columns.iter().map(|&code| self.history.codes[code].label()).collect();
        writeln!(f, "| benchmark | {} | change |", labels.join(" | "))?;
        writeln!(f, "|---|{}--:|", "--:|".repeat(columns.len()))?;
        for (name, series) in benchmarks {
            let summaries: Vec<Option<Summary>> =
                columns.iter().map(|code| self.metric.over(series.get(code)?)).collect();
            let cells: Vec<String> = summaries
                .iter()
                .map(|summary| summary.map_or("–".to_owned(), |summary| figure(&summary)))
                .collect();
            writeln!(f, "| {name} | {} | {} |", cells.join(" | "), change(&summaries))?;
        }
        writeln!(f)?;
        for code in columns {
            let runs = runs(benchmarks, code);
            let code = &self.history.codes[code];
            let plural = if runs == 1 { "" } else { "s" };
            writeln!(f, "* {}, {}, {runs} run{plural}: {}", code.label(), day(code), code.subject)?;
        }
        Ok(())
    }
}

/// Formats a mean, with its standard error if there is one.
pub(crate) fn figure(summary: &Summary) -> String {
    match summary.standard_error() {
        Some(error) => format!("{:.3} ± {error:.3}", summary.mean),
        None => format!("{:.3}", summary.mean),
    }
}

fn change(summaries: &[Option<Summary>]) -> String {
    let mut known = summaries.iter().flatten();
    match (known.next(), known.next_back()) {
        (Some(oldest), Some(newest)) => format!("{:+.1} %", (newest.mean / oldest.mean - 1.0) * 100.0),
        _ => "–".to_owned(),
    }
}
