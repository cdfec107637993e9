//! A table for each operation and type, with a row for each contender and a column for each set.

use std::fmt;

use crate::measurement::{LIMIT, Measurement, OURS, is_ours};

/// The contenders that are compared with the fastest other one: what programs call, and the kernel that most
/// CPUs have.
const COMPARED: [&str; 2] = [OURS, "ours-avx2"];
/// The row that names the fastest other contender.
const BEST_OTHER: &str = "best other";

/// The results of one operation on one type.
pub struct Table<'a> {
    /// One or more, in the order in which they were measured.
    results: Vec<&'a Measurement>,
    sets: Vec<&'a str>,
}

/// A name, and a cell for each set.
type Row = (String, Vec<String>);

/// Divides results into tables, in the order in which they were measured.
#[must_use]
pub fn tables<'a>(results: &'a [Measurement]) -> Vec<Table<'a>> {
    let mut tables: Vec<Table<'a>> = Vec::new();
    for result in results {
        let at = tables.iter().position(|table| table.results[0].table == result.table);
        let at = at.unwrap_or_else(|| {
            tables.push(Table { results: Vec::new(), sets: Vec::new() });
            tables.len() - 1
        });
        let Table { results, sets } = &mut tables[at];
        results.push(result);
        if !sets.contains(&&*result.set) {
            sets.push(&result.set);
        }
    }
    tables
}

impl Table<'_> {
    /// Returns the operation and the type, such as `decode u64`.
    #[must_use]
    pub fn name(&self) -> String {
        self.results[0].table.replace('/', " ")
    }

    /// Returns the time of a contender.
    fn time(&self, set: &str, contender: &str) -> Option<f64> {
        let result = self.results.iter().find(|result| result.set == set && result.contender == contender);
        Some(result?.nanoseconds)
    }

    /// Returns the fastest contender that is neither ours nor the limit.
    fn best_other(&self, set: &str) -> Option<&Measurement> {
        let is_other = |name: &str| !is_ours(name) && name != LIMIT;
        let others = self.results.iter().filter(|result| result.set == set && is_other(&result.contender));
        others.copied().min_by(|one, other| one.nanoseconds.total_cmp(&other.nanoseconds))
    }

    /// Returns all contenders: [`OURS`], our others, those of others and the limit, each sorted by their mean
    /// time.
    fn contenders(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.results.iter().map(|result| &*result.contender).collect();
        names.sort_unstable();
        names.dedup();
        let mean = |name: &str| {
            let times = self.sets.iter().filter_map(|set| self.time(set, name));
            let (count, sum) = times.fold((0, 0.0), |(count, sum), time| (count + 1, sum + time));
            sum / f64::from(count)
        };
        let class = |name: &str| match name {
            OURS => 0,
            LIMIT => 3,
            _ => 2 - i32::from(is_ours(name)),
        };
        names.sort_by(|a, b| class(a).cmp(&class(b)).then(mean(a).total_cmp(&mean(b))));
        names
    }

    /// Returns a row for each contender, what [`OURS`] is compared with and the ratios, and the allocations and
    /// their bytes of contenders that have any.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let row = |head: &str, cell: &dyn Fn(&str) -> Option<String>| {
            let cells = self.sets.iter().map(|set| cell(set).unwrap_or_else(|| "-".into()));
            (head.to_owned(), cells.collect())
        };
        let contenders = self.contenders();
        let times =
            contenders.iter().map(|name| row(name, &|set| Some(format!("{:.2}", self.time(set, name)?))));
        let mut rows: Vec<Row> = times.collect();
        if contenders.contains(&OURS) {
            let mut compare = |head: &str, cell: &dyn Fn(&str) -> Option<String>| {
                let row = row(head, cell);
                if row.1.iter().any(|cell| cell != "-") {
                    rows.push(row);
                }
            };
            compare(BEST_OTHER, &|set| Some(self.best_other(set)?.contender.clone()));
            for one in COMPARED {
                compare(&format!("{BEST_OTHER} / {one}"), &|set| {
                    Some(format!("{:.2}", self.best_other(set)?.nanoseconds / self.time(set, one)?))
                });
            }
            compare(&format!("{OURS} / {LIMIT}"), &|set| {
                Some(format!("{:.2}", self.time(set, OURS)? / self.time(set, LIMIT)?))
            });
        }
        for name in contenders {
            let of_contender = || self.results.iter().filter(|result| result.contender == name);
            if of_contender().any(|result| result.allocations > 0) {
                let of_set = |set: &str| of_contender().find(|result| result.set == set);
                let allocations = |set: &str| Some(of_set(set)?.allocations.to_string());
                rows.push(row(&format!("{name} allocations"), &allocations));
                rows.push(row(&format!("{name} bytes"), &|set| Some(of_set(set)?.allocated.to_string())));
            }
        }
        rows
    }

    /// Returns the rows as `checks/run` reads them, a line for each.
    #[must_use]
    pub fn figures(&self) -> String {
        let lines = self.rows().into_iter().map(|(head, cells)| {
            let cells: String =
                self.sets.iter().zip(cells).map(|(set, cell)| format!("; {set}={cell}")).collect();
            format!("figure: {}={head}{cells}\n", self.name())
        });
        lines.collect()
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = range(self.results.iter().map(|result| result.values));
        let samples = range(self.results.iter().map(|result| result.samples));
        writeln!(
            f,
            "{}: nanoseconds per value, minimum of {samples} samples; {values} values per operation",
            self.name()
        )?;
        let mut rows = vec![(String::new(), self.sets.iter().map(|set| (*set).to_owned()).collect())];
        // Names would make the columns wide.
        let (names, figures): (Vec<Row>, Vec<Row>) =
            self.rows().into_iter().partition(|(head, _)| head == BEST_OTHER);
        rows.extend(figures);
        let head = rows.iter().map(|(head, _)| head.len()).max().unwrap_or(0);
        let width = |column: usize| rows.iter().map(|(_, cells)| cells[column].len()).max().unwrap_or(0) + 2;
        let widths: Vec<usize> = (0..self.sets.len()).map(width).collect();
        for (name, cells) in rows {
            write!(f, "{name:head$}")?;
            for (cell, width) in cells.iter().zip(&widths) {
                write!(f, "{cell:>width$}")?;
            }
            writeln!(f)?;
        }
        for (head, cells) in names {
            let of_sets: Vec<String> =
                self.sets.iter().zip(cells).map(|(set, name)| format!("{name} in {set}")).collect();
            writeln!(f, "{head}: {}", of_sets.join(", "))?;
        }
        Ok(())
    }
}

/// Formats the least and the greatest number, or the number if all are the same.
fn range(numbers: impl Iterator<Item = u32> + Clone) -> String {
    let (least, most) = (numbers.clone().min().unwrap_or(0), numbers.max().unwrap_or(0));
    if least == most { most.to_string() } else { format!("{least} to {most}") }
}
