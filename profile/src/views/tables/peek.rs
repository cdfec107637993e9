//! The callers of a function, and what it calls.

use std::cmp::Reverse;

use regex::Regex;

use super::columns::{COLUMNS, Columns};
use super::table::Table;
use crate::views::error::ViewError;
use crate::views::graph::{Detail, Edge, Graph};
use crate::views::units::percentage;
use crate::views::view::View;

const RULE: &str = "----------------------------------------------------------+-------------";

impl View<'_> {
    /// Returns a table of each function that matches the regular expression `pattern`, with its
    /// callers above and its callees below, like `go tool pprof -peek`.
    ///
    /// # Errors
    ///
    /// - [`ViewError::Pattern`] if `pattern` is not a regular expression.
    /// - [`ViewError::NoMatch`] if no function matches.
    /// - [`ViewError::TooLarge`] if there are more than 262,144 functions, a million calls or 16
    ///   MiB of text.
    pub fn peek(&self, pattern: &str) -> Result<String, ViewError> {
        let regex = Regex::new(pattern)?;
        let mut graph = Graph::new(self, Detail::Functions, None)?;
        graph.sort(self.by_cum);
        let mut columns = Columns::of(self, &graph);
        let mut table = Table::default();
        columns.heading(&mut table)?;
        table.line(RULE)?;
        table.line(format_args!("{COLUMNS}   calls calls% + context \t \t "))?;
        let callers = graph.calls(|(caller, callee)| (callee, caller));
        let callees = graph.calls(|call| call);
        let mut is_found = false;
        for &at in &graph.order {
            let node = &graph.nodes[at];
            if !regex.is_match(graph.label(node)) {
                continue;
            }
            is_found = true;
            table.line(RULE)?;
            let call = |table: &mut Table, columns: &Columns<'_>, call: &Call<'_>| {
                let inline = if call.edge.inline { " (inline)" } else { "" };
                let weight = columns.label(call.edge.weight);
                let share = percentage(call.edge.weight, node.cum);
                let name = graph.label(&graph.nodes[call.other as usize]);
                table.line(format_args!("{weight:>50} {share} |   {name}{inline}"))
            };
            for caller in of(&callers, at) {
                call(&mut table, &columns, caller)?;
            }
            table.line(format_args!("{}                | {}", columns.row(node), graph.label(node)))?;
            for callee in of(&callees, at) {
                call(&mut table, &columns, callee)?;
            }
        }
        if !is_found {
            return Err(ViewError::NoMatch(pattern.into()));
        }
        table.line(RULE)?;
        Ok(table.text())
    }
}

/// A call, seen from one of its ends.
struct Call<'g> {
    one: u32,
    other: u32,
    edge: &'g Edge,
}

impl Graph {
    /// Returns all calls, sorted by the end that `seen` puts first; the calls of one function are
    /// sorted by weight, the heaviest first.
    fn calls(&self, seen: impl Fn((u32, u32)) -> (u32, u32)) -> Vec<Call<'_>> {
        let mut calls: Vec<_> = (self.edges.iter())
            .map(|(&call, edge)| {
                let (one, other) = seen(call);
                Call { one, other, edge }
            })
            .collect();
        let key = |call: &Call<'_>| {
            let weight = Reverse(call.edge.weight.unsigned_abs());
            (call.one, weight, call.other)
        };
        let name = |call: &Call<'_>| self.label(&self.nodes[call.other as usize]);
        calls.sort_unstable_by(|a, b| {
            let ((one, weight, other), (one_b, weight_b, other_b)) = (key(a), key(b));
            (one, weight).cmp(&(one_b, weight_b)).then_with(|| name(a).cmp(name(b))).then(other.cmp(&other_b))
        });
        calls
    }
}

/// Returns the calls of a node.
fn of<'c, 'g>(calls: &'c [Call<'g>], node: usize) -> &'c [Call<'g>] {
    let node = node as u32;
    let first = calls.partition_point(|call| call.one < node);
    let count = calls[first..].partition_point(|call| call.one == node);
    &calls[first..first + count]
}
