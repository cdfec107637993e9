//! The tables of the inventory.

use std::collections::BTreeSet;

/// The rows below each heading, as cells.
pub(crate) struct Inventory {
    checks: Vec<Vec<String>>,
    functions: Vec<Vec<String>>,
    kernels: Vec<Vec<String>>,
}

impl Inventory {
    pub(crate) fn read(text: &str) -> Self {
        Self {
            checks: rows(text, "## Checks"),
            functions: rows(text, "## Functions"),
            kernels: rows(text, "## Kernels"),
        }
    }

    pub(crate) fn functions(&self) -> Vec<String> {
        self.functions.iter().flat_map(|row| quoted(&row[0])).collect()
    }

    /// Returns the operations of each kernel, such as `avx2: count`.
    pub(crate) fn operations(&self) -> Vec<String> {
        let names = self.kernels.iter().flat_map(|row| {
            let kernels = quoted(&row[0]);
            let operations = quoted(&row[1]);
            kernels.into_iter().flat_map(move |kernel| {
                operations.iter().map(|operation| format!("{kernel}: {operation}")).collect::<Vec<_>>()
            })
        });
        names.collect()
    }

    /// Returns the name and the command of each check.
    pub(crate) fn commands(&self) -> impl Iterator<Item = (&str, &str)> {
        self.checks.iter().map(|row| (row[0].trim_matches('`'), row[1].trim_matches('`')))
    }

    /// Returns the names of the checks that are proofs, or of the others.
    fn names(&self, proofs: bool) -> BTreeSet<String> {
        let chosen = self.commands().filter(|(_, command)| command.starts_with("proofs/") == proofs);
        chosen.map(|(name, _)| name.to_owned()).collect()
    }

    /// Returns the rows without a test, and the checks that are unknown or never used.
    pub(crate) fn errors(&self) -> Vec<String> {
        let (proofs, tests) = (self.names(true), self.names(false));
        let (mut errors, mut used) = (Vec::new(), BTreeSet::new());
        let rows = self.functions.iter().map(|row| (row, 1)).chain(self.kernels.iter().map(|row| (row, 2)));
        for (row, at) in rows {
            for (cell, known) in [(at, &proofs), (at + 1, &tests)] {
                for name in quoted(&row[cell]) {
                    if !known.contains(&name) {
                        errors.push(format!("{}: no check is called '{name}'", row[0]));
                    }
                    used.insert(name);
                }
            }
            if quoted(&row[at + 1]).is_empty() {
                errors.push(format!("{}: no test is named", row[0]));
            }
        }
        errors.extend(
            proofs
                .union(&tests)
                .filter(|name| !used.contains(*name))
                .map(|name| format!("'{name}' is not used")),
        );
        errors
    }
}

/// Returns the rows of the first table below a heading, without its head.
fn rows(text: &str, heading: &str) -> Vec<Vec<String>> {
    let below = text.lines().skip_while(|line| *line != heading).skip_while(|line| !line.starts_with('|'));
    let table = below.take_while(|line| line.starts_with('|')).skip(2);
    table.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// Returns what is in backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
